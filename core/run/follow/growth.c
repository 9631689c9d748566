/* SPDX-License-Identifier: MIT */
#include "core/run/follow/growth.h"

#include <sys/stat.h>

#include "core/data/read/containers/event-files.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/run/base/background.h"

/* Between two looks: two seconds, and at least so many times what the last reading took.  A file that was written to so
 * lately when it was opened may have grown since.  */
enum { EVERY_MS = 2000, REST = 4, LATELY_S = 60 };

/* What files are like: equal as long as they are not written to. */
typedef struct
{
  guint64 sum;
  gint64  written; /* s, the newest */
} Likeness;

/* One look at the files of a path. */
typedef struct
{
  char    *path;
  Likeness seen;
} Look;

struct SlGrowth
{
  SlSession    *session;
  char         *path; /* NULL: the session has no such recording */
  Likeness      seen; /* sum 0: not yet */
  GCancellable *looking;
  gint64        renewed; /* µs, when it began; 0: it is over */
  gint64        rest;    /* µs, until when nothing is read */
  guint         next;    /* timeout, or 0 */
};

static void
free_look (gpointer data)
{
  g_free (((Look *) data)->path);
  g_free (data);
}

static void
add_file (Likeness *seen, const char *path)
{
  struct stat about;

  if (stat (path, &about) != 0)
    return;
  seen->sum = (seen->sum ^ (guint64) about.st_size) * 1099511628211u;
  seen->sum = (seen->sum ^ (guint64) about.st_mtim.tv_sec) * 1099511628211u;
  seen->sum = (seen->sum ^ (guint64) about.st_mtim.tv_nsec) * 1099511628211u;
  seen->written = MAX (seen->written, about.st_mtim.tv_sec);
}

static gboolean
look (gpointer data, GError **error)
{
  Look        *self = data;
  char        *folder = NULL;
  SlEventFiles files = { NULL, 0, 0 };
  SlStatus     status;

  if (!g_file_test (self->path, G_FILE_TEST_IS_DIR))
    {
      add_file (&self->seen, self->path);
      return TRUE;
    }
  status = sl_event_folder (self->path, &folder);
  if (sl_ok (&status))
    status = sl_event_files_in (folder, &files);
  for (gsize i = 0; i < files.n; i++)
    add_file (&self->seen, files.file[i].path);
  sl_event_files_clear (&files);
  free (folder);
  return TRUE;
}

static gboolean begin_look (gpointer growth);

static void
schedule (SlGrowth *self)
{
  gint64 now = g_get_monotonic_time ();

  /* The look after the end of a reading knows about how long that took. */
  if (self->renewed > 0 && !sl_session_is_renewing (self->session))
    {
      self->rest = now + REST * MAX (0, now - self->renewed - EVERY_MS * 1000);
      self->renewed = 0;
    }
  self->next = g_timeout_add (EVERY_MS, begin_look, self);
}

static void
on_looked (gpointer growth, gpointer data, const GError *error)
{
  SlGrowth   *self = growth;
  const Look *looked = data;
  gboolean    first = self->seen.sum == 0;
  gint64      lately = g_get_real_time () / G_USEC_PER_SEC - LATELY_S;

  g_clear_object (&self->looking);
  if (looked->seen.sum != 0 && looked->seen.sum != self->seen.sum)
    {
      self->seen = looked->seen;
      if (!first || self->seen.written > lately)
        {
          self->renewed = g_get_monotonic_time ();
          sl_session_renew (self->session);
        }
    }
  schedule (self);
}

static gboolean
begin_look (gpointer growth)
{
  SlGrowth *self = growth;
  Look     *what;

  self->next = 0;
  if (sl_session_is_renewing (self->session) || g_get_monotonic_time () < self->rest)
    {
      schedule (self);
      return G_SOURCE_REMOVE;
    }
  what = g_new0 (Look, 1);
  what->path = g_strdup (self->path);
  self->looking = g_cancellable_new ();
  sl_background_run (look, on_looked, self, self->looking, what, free_look);
  return G_SOURCE_REMOVE;
}

/* The file of the recording over training that the session replays; NULL: it has none. */
static char *
path_of (SlSession *session)
{
  const SlDataset          *dataset = sl_session_dataset (session);
  g_autofree SlSourceFiles *files = g_new0 (SlSourceFiles, 1);
  const SlSource           *source;
  SlSettings                settings;
  SlStatus                  status;

  if (dataset == NULL || dataset->routing == NULL || dataset->routing->step == NULL)
    return NULL;
  status = sl_source_parse (dataset->id, &source, &settings, files);
  return sl_ok (&status) && source != NULL && files->path[0][0] != '\0' ? g_strdup (files->path[0])
                                                                        : NULL;
}

static void
forget (SlGrowth *self)
{
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_handle_id (&self->next, g_source_remove);
  g_clear_pointer (&self->path, g_free);
  self->seen = (Likeness) { 0, 0 };
  self->renewed = self->rest = 0;
}

/* Another run may have another recording. */
static void
begin (SlGrowth *self)
{
  forget (self);
  self->path = path_of (self->session);
  if (self->path != NULL)
    begin_look (self);
}

SlGrowth *
sl_growth_new (SlSession *session)
{
  SlGrowth *self = g_new0 (SlGrowth, 1);

  self->session = session;
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (begin), self);
  begin (self);
  return self;
}

void
sl_growth_free (SlGrowth *self)
{
  g_signal_handlers_disconnect_by_data (self->session, self);
  forget (self);
  g_free (self);
}
