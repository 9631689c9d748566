/* SPDX-License-Identifier: MIT */
#include "core/run/store/room.h"

#include "core/run/store/private.h"

static const char IN_USE[] = "SELECT (page_count - freelist_count) * page_size FROM"
                             " pragma_page_count, pragma_freelist_count, pragma_page_size";

#define AT_REST                                                                                    \
  "run.status <> 'running' AND (run.deleted <> 0 OR run.touched < (SELECT max (touched) FROM run"  \
  " WHERE deleted = 0))"

/* Removes the oldest data of a table until those before them take so many bytes. */
#define OLDEST(table, which)                                                                       \
  "DELETE FROM " table " WHERE rowid IN (SELECT row FROM (SELECT " table                           \
  ".rowid AS row, sum (length (" table                                                             \
  ".data)) OVER (ORDER BY run.deleted = 0, run.touched, run.id, " table                            \
  ".step ROWS UNBOUNDED PRECEDING) - length (" table ".data) AS before FROM " table                \
  " JOIN run ON run.id = " table ".run WHERE " AT_REST which ") WHERE before < ?)"

/* The most dispensable first: pictures of earlier moments, then states. */
static const char *const expendable[] = {
  OLDEST ("moments", ""),
  OLDEST ("visit", ""),
  OLDEST ("checkpoint", " AND checkpoint.step < (SELECT max (step) FROM checkpoint AS other"
                        " WHERE other.run = run.id)"),
  OLDEST ("checkpoint", " AND run.pinned = 0"),
};

/* Other runs than those that the batch is about. */
static void
note_others (SlStore *store)
{
  pthread_mutex_lock (&store->mutex);
  store->any_written = true;
  pthread_mutex_unlock (&store->mutex);
}

/* Half of what is too much at a time: a state takes less than twice its own bytes. */
gboolean
sl_store_make_room (SlStore *store, GError **error)
{
  const SlStoreFile *file = &store->writer;
  guint64            budget = atomic_load (&store->budget);
  gint64             bytes;
  unsigned           i = 0;

  while (i < G_N_ELEMENTS (expendable))
    {
      if (sl_store_number (file, &bytes, error, IN_USE, "") < 0)
        return FALSE;
      if ((guint64) bytes <= budget)
        return TRUE;
      if (!sl_store_do (file, error, expendable[i], "i",
                        (gint64) (((guint64) bytes - budget + 1) / 2)))
        return FALSE;
      if (sqlite3_changes (file->db) == 0)
        i++;
      else
        note_others (store);
    }
  return TRUE;
}

bool
sl_store_shrink (SlStore *store)
{
  const SlStoreFile *file = &store->writer;
  gint64             free_pages = 0;

  if (!sl_store_file_run (file, "PRAGMA incremental_vacuum (256)", NULL)
      || sl_store_number (file, &free_pages, NULL, "PRAGMA freelist_count", "") < 0)
    return false;
  if (free_pages == 0)
    sqlite3_wal_checkpoint_v2 (file->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  return free_pages > 0;
}

/* ---- removing ---- */

typedef struct
{
  SlStoreJob job;
  gint64     runs;
} Prune;

static gboolean
prune (SlStoreJob *job, SlStore *store, GError **error)
{
  const Prune *self = (const Prune *) job;

  return sl_store_file_run (&store->writer,
                            "DELETE FROM run WHERE deleted <> 0 AND status <> 'running'", error)
         && sl_store_do (&store->writer, error,
                         "DELETE FROM run WHERE id IN (SELECT id FROM run WHERE pinned = 0 AND"
                         " is_own_name (uuid, name) AND sweep = '' AND status <> 'running'"
                         " ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                         "i", self->runs)
         && sl_store_make_room (store, error);
}

static void
prune_free (SlStoreJob *job)
{
  g_free (job);
}

void
sl_store_prune (SlStore *store, unsigned runs)
{
  Prune *self = g_new0 (Prune, 1);

  self->job.work = prune;
  self->job.free = prune_free;
  self->runs = runs;
  sl_store_ask (store, &self->job);
}

void
sl_store_set_budget (SlStore *store, guint64 bytes)
{
  atomic_store (&store->budget, bytes);
}
