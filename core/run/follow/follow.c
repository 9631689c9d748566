/* SPDX-License-Identifier: MIT */
#include "core/run/follow/follow.h"

#include "core/run/base/background.h"

/* Between two looks: a second, and at least so many times what the last one took.  A sweep may be followed by
 * another one.  */
enum { EVERY_MS = 1000, REST = 4, PATIENCE_US = 60000000 };

/* One look at the file. */
typedef struct
{
  SlStore *store;
  char    *path;
  gint64   began; /* µs */
  int      at_work;
} Look;

struct SlFollow
{
  SlStore      *store;
  char         *path;
  SlFollowEnded ended;
  gpointer      owner;
  GCancellable *closing;
  gint64        trained; /* µs, when a run was in training last */
  guint         next;    /* timeout, or 0 */
};

static void
free_look (gpointer data)
{
  Look *look = data;

  g_object_unref (look->store);
  g_free (look->path);
  g_free (look);
}

/* Reads which processes train before it merges, so that all they wrote until then is merged. */
static gboolean
merge (gpointer data, GError **error)
{
  Look *look = data;
  g_autoptr (SlStore) file = sl_store_open_to_read (look->path, error);

  if (file == NULL)
    return FALSE;
  look->at_work = sl_store_at_work (file, error);
  return look->at_work >= 0 && sl_store_merge (look->store, look->path, NULL, error);
}

static gboolean begin_look (gpointer follow);

static void
on_merged (gpointer follow, gpointer data, const GError *error)
{
  SlFollow   *self = follow;
  const Look *look = data;
  gint64      now = g_get_monotonic_time (), took = (now - look->began) / 1000;

  if (look->at_work > 0)
    self->trained = now;
  if (error != NULL || now - self->trained > PATIENCE_US)
    self->ended (self->owner, self, error);
  else
    self->next = g_timeout_add ((guint) CLAMP (took * REST, EVERY_MS, G_MAXINT), begin_look, self);
}

static gboolean
begin_look (gpointer follow)
{
  SlFollow *self = follow;
  Look     *look = g_new0 (Look, 1);

  self->next = 0;
  look->store = g_object_ref (self->store);
  look->path = g_strdup (self->path);
  look->began = g_get_monotonic_time ();
  sl_background_run (merge, on_merged, self, self->closing, look, free_look);
  return G_SOURCE_REMOVE;
}

SlFollow *
sl_follow_new (SlStore *store, const char *path, SlFollowEnded ended, gpointer owner)
{
  SlFollow *self = g_new0 (SlFollow, 1);

  self->store = g_object_ref (store);
  self->path = g_strdup (path);
  self->ended = ended;
  self->owner = owner;
  self->closing = g_cancellable_new ();
  self->trained = g_get_monotonic_time ();
  begin_look (self);
  return self;
}

void
sl_follow_free (SlFollow *self)
{
  g_cancellable_cancel (self->closing);
  g_clear_handle_id (&self->next, g_source_remove);
  g_object_unref (self->closing);
  g_object_unref (self->store);
  g_free (self->path);
  g_free (self);
}

const char *
sl_follow_path (const SlFollow *self)
{
  return self->path;
}
