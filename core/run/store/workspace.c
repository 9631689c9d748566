/* SPDX-License-Identifier: MIT */
#include "core/run/store/workspace.h"

#include <stdlib.h>

#include "core/run/store/job.h"
#include "core/run/store/pack.h"
#include "core/run/store/query.h"

void
sl_store_set_workspace (SlStore *store, const char *json)
{
  sl_store_ask_sql (store,
                    "INSERT OR REPLACE INTO workspace (id, text) SELECT 0, ?2 WHERE ?1 IS NOT NULL",
                    "", json, 0, NULL);
}

char *
sl_store_workspace (SlStore *store)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, NULL);
  g_autoptr (sqlite3_stmt) row = NULL;

  if (reading == NULL || !sl_store_has_table (sl_store_reader (store), "workspace"))
    return NULL;
  row = sl_store_prepare (sl_store_reader (store), NULL, "SELECT text FROM workspace", "");
  return row != NULL && sl_store_step (sl_store_reader (store), row, NULL) > 0
           ? g_strdup (sl_store_text (row, 0))
           : NULL;
}

/* ---- what can be taken back ---- */

void
sl_store_set_edits (SlStore *store, const char *uuid, const char *json)
{
  sl_store_ask_sql (store,
                    "INSERT OR REPLACE INTO edits (run, text) SELECT id, ?2 FROM run"
                    " WHERE uuid = ?1",
                    uuid, json, 0, NULL);
}

static int
has_run (const SlStoreFile *file, const char *uuid, GError **error)
{
  gint64 id;

  return sl_store_number (file, &id, error, "SELECT id FROM run WHERE uuid = ? AND deleted = 0",
                          "s", uuid);
}

/* A run that was removed cannot be resumed: its change is undone by its value, and changes that are
 * nothing but another run are left out.  */
static gboolean
drop_lost (const SlStoreFile *file, GArray *edits, GError **error)
{
  for (guint i = edits->len; i-- > 0;)
    {
      SlEdit *edit = &g_array_index (edits, SlEdit, i);
      int     found = edit->run[0] != '\0' ? has_run (file, edit->run, error) : 1;

      if (found < 0)
        return FALSE;
      if (found == 0 && edit->kind != SL_EDIT_VALUE)
        g_array_remove_index (edits, i);
      else if (found == 0)
        edit->run[0] = '\0';
    }
  return TRUE;
}

gboolean
sl_store_load_edits (SlStore *store, SlStoredRun *run, GError **error)
{
  g_autoptr (sqlite3_stmt) row = NULL;
  int found;

  if (!sl_store_has_table (sl_store_reader (store), "edits"))
    return TRUE;
  row = sl_store_prepare (sl_store_reader (store), error,
                          "SELECT text FROM edits JOIN run ON run.id = edits.run WHERE uuid = ?",
                          "s", run->uuid);
  found = row != NULL ? sl_store_step (sl_store_reader (store), row, error) : -1;
  if (found <= 0)
    return found == 0;
  sl_edits_read (sl_store_text (row, 0), run->recipe.lab, &run->edits);
  return drop_lost (sl_store_reader (store), run->edits.undo, error)
         && drop_lost (sl_store_reader (store), run->edits.redo, error);
}

/* ---- the state that is shown ---- */

typedef struct
{
  SlStoreJob job;
  char      *uuid;
  uint64_t   step;
  void      *data; /* (bytes) */
  size_t     bytes;
} Visit;

/* The newest checkpoint is written into the file before this. */
static gboolean
put_visit (SlStoreJob *job, SlStore *store, GError **error)
{
  static const char SQL[] = "INSERT OR REPLACE INTO visit (run, step, present, data, sum)"
                            " SELECT run.id, ?2, max (checkpoint.step), ?3, ?4"
                            " FROM run JOIN checkpoint ON checkpoint.run = run.id"
                            " WHERE uuid = ?1 GROUP BY run.id";
  const Visit      *self = (const Visit *) job;
  SlPackedState     packed = sl_store_pack_state (self->data, self->bytes);
  gboolean          fine
    = sl_store_do (sl_store_writer (store), error, SQL, "sibi", self->uuid, (gint64) self->step,
                   packed.data, packed.n, (gint64) sl_store_sum (packed.data, packed.n));

  free (packed.frame);
  return fine;
}

static void
visit_free (SlStoreJob *job)
{
  Visit *self = (Visit *) job;

  g_free (self->uuid);
  g_free (self->data);
  g_free (self);
}

void
sl_store_set_visit (SlStore *store, const char *uuid, const SlCheckpoint *visited)
{
  Visit *self;

  if (visited == NULL)
    {
      sl_store_ask_sql (store, "DELETE FROM visit WHERE run = (SELECT id FROM run WHERE uuid = ?1)",
                        uuid, NULL, 0, NULL);
      return;
    }
  self = g_new (Visit, 1);
  *self = (Visit) { .job = { .work = put_visit, .free = visit_free },
                    .uuid = g_strdup (uuid),
                    .step = visited->step,
                    .data = g_memdup2 (visited->data, visited->bytes),
                    .bytes = visited->bytes };
  self->job.uuid = self->uuid;
  sl_store_ask (store, &self->job);
}

void
sl_store_set_moments (SlStore *store, const char *uuid, uint64_t step, GBytes *moments)
{
  sl_store_ask_sql (store,
                    moments != NULL
                      ? "INSERT OR REPLACE INTO moments (run, step, data)"
                        " SELECT id, CAST (?3 AS INTEGER), ?4 FROM run WHERE uuid = ?1"
                      : "DELETE FROM moments WHERE run = (SELECT id FROM run WHERE uuid = ?1)",
                    uuid, NULL, (double) step, moments);
}
