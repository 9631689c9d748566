/* SPDX-License-Identifier: MIT
 *
 * The user's edits of a stored run: its name, colour and view among others, each a statement for
 * the thread that writes.  */
#include <math.h>

#include "core/run/store/job.h"
#include "core/run/store/naming.h"
#include "core/run/store/query.h"

typedef struct
{
  SlStoreJob  job;
  const char *sql;
  char       *uuid, *text;
  double      number;
  GBytes     *bytes;
} Edit;

static gboolean
edit (SlStoreJob *job, SlStore *store, GError **error)
{
  const Edit *self = (const Edit *) job;
  gsize       n = 0;
  const void *data = self->bytes != NULL ? g_bytes_get_data (self->bytes, &n) : NULL;

  return sl_store_do (sl_store_writer (store), error, self->sql, "ssdb", self->uuid, self->text,
                      self->number, data, n)
         && sl_store_name_runs (sl_store_writer (store), error);
}

static void
edit_free (SlStoreJob *job)
{
  Edit *self = (Edit *) job;

  g_free (self->uuid);
  g_free (self->text);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

void
sl_store_ask_sql (SlStore *store, const char *sql, const char *uuid, const char *text,
                  double number, GBytes *bytes)
{
  Edit *self = g_new (Edit, 1);

  *self = (Edit) { .job = { .work = edit, .free = edit_free },
                   .sql = sql,
                   .uuid = g_strdup (uuid),
                   .text = g_strdup (text),
                   .number = number,
                   .bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL };
  self->job.uuid = self->uuid;
  sl_store_ask (store, &self->job);
}

void
sl_store_rename (SlStore *store, const char *uuid, const char *name)
{
  sl_store_ask_sql (store, "UPDATE run SET name = ?2 WHERE uuid = ?1", uuid, name, 0, NULL);
}

void
sl_store_set_colour (SlStore *store, const char *uuid, unsigned colour)
{
  sl_store_ask_sql (store, "UPDATE run SET colour = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid, "",
                    colour, NULL);
}

void
sl_store_set_pinned (SlStore *store, const char *uuid, gboolean pinned)
{
  sl_store_ask_sql (store, "UPDATE run SET pinned = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid, "",
                    pinned != FALSE, NULL);
}

void
sl_store_set_score (SlStore *store, const char *uuid, const char *name, double value)
{
  static const char PUT[]
    = "INSERT INTO figure (run, name, value) SELECT id, ?2, ?3 FROM run WHERE uuid = ?1"
      " ON CONFLICT DO UPDATE SET value = excluded.value",
    REMOVE[] = "DELETE FROM figure WHERE name = ?2 AND run = (SELECT id FROM run WHERE uuid = ?1)";

  sl_store_ask_sql (store, isnan (value) ? REMOVE : PUT, uuid, name, value, NULL);
}

void
sl_store_set_scores (SlStore *store, const char *uuid, SlSplit split, const SlScore *score,
                     unsigned n, uint64_t at)
{
  static const char *const splits[SL_N_SPLITS]
    = { [SL_TRAIN] = "train", [SL_VALID] = "valid", [SL_TEST] = "test" };
  g_autofree char *scored = g_strconcat ("scored.", splits[split], NULL);

  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *name = g_strconcat (splits[split], ".", score[i].id, NULL);

      sl_store_set_score (store, uuid, name, score[i].value);
    }
  sl_store_set_score (store, uuid, scored, n > 0 ? (double) at : (double) NAN);
}

void
sl_store_forget_scores (SlStore *store, const char *uuid)
{
  sl_store_ask_sql (store,
                    "DELETE FROM figure WHERE run = (SELECT id FROM run WHERE uuid = ?1) AND"
                    " (name GLOB 'test.*' OR name GLOB 'valid.*' OR name GLOB 'train.*'"
                    " OR name GLOB 'scored.*' OR name = 'outcome.error')",
                    uuid, "", 0, NULL);
}

void
sl_store_set_times (SlStore *store, const char *uuid, const SlTimes *times)
{
  const SlMeasured *share = &times->share[1];
  gboolean          known = times->batch > 0 && !isnan (share->value);

  sl_store_set_score (store, uuid, "outcome.timed", known ? 100.0 * share->value : (double) NAN);
  sl_store_set_score (store, uuid, "outcome.timed-spread",
                      known ? 100.0 * share->spread : (double) NAN);
  sl_store_set_score (store, uuid, "outcome.timed-batch",
                      known ? (double) times->batch : (double) NAN);
}

void
sl_store_set_view (SlStore *store, const char *uuid, const char *json)
{
  sl_store_ask_sql (store, "UPDATE run SET view = ?2 WHERE uuid = ?1", uuid, json, 0, NULL);
}

void
sl_store_set_deleted (SlStore *store, const char *uuid, gboolean deleted)
{
  sl_store_ask_sql (store, "UPDATE run SET deleted = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid,
                    "", deleted != FALSE, NULL);
}

void
sl_store_set_aside (SlStore *store, const char *uuid)
{
  sl_store_ask_sql (
    store,
    "UPDATE run SET deleted = 1 WHERE uuid = ?1 AND pinned = 0 AND is_own_name (uuid, name)"
    " AND NOT EXISTS (SELECT 1 FROM annotation WHERE annotation.run = run.id)",
    uuid, "", 0, NULL);
}
