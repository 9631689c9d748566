/* SPDX-License-Identifier: MIT
 *
 * One run of a store as a whole, and one channel of it.  */
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/store/pack.h"
#include "core/run/store/private.h"
#include "core/run/store/workspace.h"

void
sl_stored_run_clear (SlStoredRun *run)
{
  sl_recipe_clear (&run->recipe);
  sl_record_clear (&run->record);
  sl_checkpoint_clear (&run->checkpoint);
  sl_history_clear (&run->earlier);
  sl_checkpoint_clear (&run->visited);
  sl_edits_clear (&run->edits);
  g_clear_pointer (&run->moments, g_bytes_unref);
  g_free (run->view);
  memset (run, 0, sizeof *run);
}

/* A checkpoint from a row of the statement below; FALSE when it is damaged or there is no room. */
static gboolean
read_checkpoint (sqlite3_stmt *row, SlCheckpoint *checkpoint)
{
  const void *data = sqlite3_column_blob (row, 4);
  size_t      bytes = (size_t) sqlite3_column_bytes (row, 4);

  if (data == NULL || sl_store_sum (data, bytes) != sqlite3_column_int64 (row, 5))
    return FALSE;
  *checkpoint = (SlCheckpoint) { .step = (uint64_t) sqlite3_column_int64 (row, 0) };
  checkpoint->data = sl_store_unpack_state (data, bytes, &checkpoint->bytes);
  return checkpoint->data != NULL;
}

/* One more to look back at, before those that are there.  One with a change of its own step is
 * none, because going on from a checkpoint takes back the changes made at its step.  */
static void
add_earlier (SlStoredRun *run, unsigned changes, SlCheckpoint *checkpoint)
{
  SlHistory *earlier = &run->earlier;

  if (changes > 0
      && g_array_index (run->recipe.changes, SlChange, changes - 1).step >= checkpoint->step)
    {
      sl_checkpoint_clear (checkpoint);
      return;
    }
  memmove (earlier->checkpoint + 1, earlier->checkpoint, earlier->n * sizeof *earlier->checkpoint);
  earlier->checkpoint[0] = *checkpoint;
  earlier->n++;
}

/* The newest checkpoint at or before `at` that is whole, how many flags came before it, and with
 * `looking_back` those before it.  A damaged one is passed over: an older one, or the beginning,
 * does as well.  */
static gboolean
read_checkpoints (SlStore *store, const char *uuid, gboolean looking_back, uint64_t at,
                  SlStoredRun *run, unsigned *flags, GError **error)
{
  static const char SQL[]
    = "SELECT checkpoint.step, changes, flags, checkpoint.seconds, checkpoint.data, sum"
      " FROM checkpoint JOIN run ON run.id = checkpoint.run"
      " WHERE run.uuid = ?1 AND checkpoint.step <= ?2 ORDER BY checkpoint.step DESC";
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->reader, error, SQL, "si", uuid,
                                                   (gint64) MIN (at, (uint64_t) G_MAXINT64));
  unsigned there = run->recipe.changes != NULL ? run->recipe.changes->len : 0;
  int      more = -1;

  *flags = 0;
  run->checkpoint.settings = run->recipe.settings; /* of the beginning, where there is none */
  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    {
      SlCheckpoint checkpoint;
      unsigned     changes;

      if (!read_checkpoint (row, &checkpoint))
        continue;
      changes = MIN ((unsigned) sqlite3_column_int (row, 1), there);
      checkpoint.settings = sl_recipe_settings (&run->recipe, changes);
      if (run->checkpoint.data != NULL)
        add_earlier (run, changes, &checkpoint);
      else
        {
          run->checkpoint = checkpoint;
          run->changes = changes;
          *flags = (unsigned) sqlite3_column_int (row, 2);
          run->seconds = sqlite3_column_double (row, 3);
        }
      if (!looking_back || run->earlier.n == SL_HISTORY_MAX - 1)
        return TRUE;
    }
  return more == 0;
}

/* The state that was shown instead of the checkpoint, if the run has not gone on since; a damaged one is
 * none.  */
static gboolean
read_visit (SlStore *store, SlStoredRun *run, GError **error)
{
  static const char SQL[] = "SELECT visit.step, 0, 0, 0, visit.data, sum FROM visit"
                            " JOIN run ON run.id = visit.run WHERE uuid = ?1 AND present = ?2";
  const GArray     *changes = run->recipe.changes;
  g_autoptr (sqlite3_stmt) row = NULL;
  unsigned before = 0;
  int      found;

  if (!sl_store_has_table (&store->reader, "visit") || run->checkpoint.data == NULL)
    return TRUE;
  row
    = sl_store_prepare (&store->reader, error, SQL, "si", run->uuid, (gint64) run->checkpoint.step);
  found = row != NULL ? sl_store_step (&store->reader, row, error) : -1;
  if (found <= 0 || !read_checkpoint (row, &run->visited))
    return found >= 0;
  while (changes != NULL && before < changes->len
         && g_array_index (changes, SlChange, before).step < run->visited.step)
    before++;
  run->visited.settings = sl_recipe_settings (&run->recipe, before);
  return TRUE;
}

gboolean
sl_store_goes_on (SlStore *store, const char *uuid, GError **error)
{
  static const char SQL[]
    = "SELECT checkpoint.step, run.lab, 0, 0, checkpoint.data, sum FROM checkpoint"
      " JOIN run ON run.id = checkpoint.run WHERE run.uuid = ? ORDER BY "
      "checkpoint.step DESC LIMIT 1";
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  SlCheckpoint newest;
  const SlLab *lab;
  const char  *id;
  SlStatus     status;
  int          found;

  if (reading != NULL)
    row = sl_store_prepare (&store->reader, error, SQL, "s", uuid);
  found = row != NULL ? sl_store_step (&store->reader, row, error) : -1;
  if (found <= 0 || !read_checkpoint (row, &newest)) /* a damaged one is passed over */
    return found >= 0;
  id = sl_store_text (row, 1);
  lab = sl_lab_find (id);
  status = lab == NULL ? sl_status_new (SL_EUNSUPPORTED, id, sl_message ("no lab of this name"),
                                        SL_NO_MESSAGE)
                       : sl_checkpoint_check (newest.data, newest.bytes, lab);
  sl_checkpoint_clear (&newest);
  return sl_status_good (&status, error);
}

static gboolean
read_flags (SlStore *store, const char *uuid, const SlRecipe *recipe, SlRecord *record,
            GError **error)
{
  static const char SQL[] = "SELECT flag.step, text FROM flag JOIN run ON run.id = flag.run"
                            " WHERE run.uuid = ? ORDER BY number";
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->reader, error, SQL, "s", uuid);
  int more = -1;

  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    if (!sl_record_mark (record, sqlite3_column_double (row, 0), sl_store_text (row, 1)))
      return sl_fail (error, SL_ENOMEM, store->path, NULL, NULL);
  sl_recipe_name_markers (recipe, record);
  return more == 0;
}

static gboolean
read_run (SlStore *store, const char *uuid, SlStoredRun *run, GError **error)
{
  static const char SQL[] = "SELECT recipe, status, view, seconds, deleted, step FROM run"
                            " WHERE uuid = ?";
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->reader, error, SQL, "s", uuid);
  int found = row != NULL ? sl_store_step (&store->reader, row, error) : -1;

  if (found == 0)
    return sl_fail (error, SL_EINVAL, uuid, _ ("no run of this name in the store"), NULL);
  if (found < 0)
    return FALSE;
  run->status = sl_run_status_of (sl_store_text (row, 1));
  run->seconds = sqlite3_column_double (row, 3);
  run->deleted = sqlite3_column_int (row, 4) != 0;
  run->curves_only = sqlite3_column_int64 (row, 5) > 0;
  if (sqlite3_column_type (row, 2) != SQLITE_NULL)
    run->view = g_strdup (sl_store_text (row, 2));
  g_strlcpy (run->uuid, uuid, SL_UUID);
  return sl_recipe_read (sl_store_text (row, 0), &run->recipe, error);
}

/* A channel as the file has it. */
typedef struct
{
  gint64 run, number;
} Place;

static const char CHANNELS[] = "SELECT run.id, channel.number, channel.name FROM channel"
                               " JOIN run ON run.id = channel.run WHERE run.uuid = ?";

static Place
place_of (sqlite3_stmt *row)
{
  return (Place) { sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1) };
}

static gboolean
read_channel (SlStore *store, Place place, SlSeries *series, GError **error)
{
  static const char SQL[] = "SELECT n, first, stride, data, sum FROM block"
                            " WHERE run = ?1 AND channel = ?2 ORDER BY position";
  g_autoptr (sqlite3_stmt) row
    = sl_store_prepare (&store->reader, error, SQL, "ii", place.run, place.number);

  return row != NULL && sl_store_read_blocks (store, row, series, error);
}

/* Another version may have numbered or named the channels differently: they are known by their names and
 * by those they had.  One that this version does not have is passed over.  */
static gboolean
read_samples (SlStore *store, const char *uuid, SlRecord *record, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->reader, error, CHANNELS, "s", uuid);
  int more = -1;

  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    {
      int channel = sl_layout_find_stored (&record->layout, record->lab, sl_store_text (row, 2));

      if (channel >= 0 && !read_channel (store, place_of (row), &record->series[channel], error))
        return FALSE;
    }
  return more == 0;
}

/* A run whose states are gone keeps its curves: what begins from its recipe is another one.  One that was cut off
 * before its first state is made again in its place.  */
static void
part_from_curves (SlStoredRun *run)
{
  run->curves_only = run->curves_only && run->checkpoint.data == NULL
                     && run->status != SL_RUN_CUT_OFF && run->status != SL_RUN_RUNNING;
  if (run->curves_only)
    run->uuid[0] = '\0';
}

/* A checkpoint is of before the changes made at its step. */
static void
count_made (SlStoredRun *run)
{
  const GArray *changes = run->recipe.changes;
  double        step = (double) run->checkpoint.step;

  run->made = run->changes;
  while (changes != NULL && run->made < changes->len
         && g_array_index (changes, SlChange, run->made).step <= run->checkpoint.step)
    run->made++;
  while (run->marked < run->record.n_flags && run->record.flag[run->marked].step <= step + 1.0)
    run->marked++;
}

gboolean
sl_store_moments (SlStore *store, const char *uuid, GBytes **moments, GError **error)
{
  static const char SQL[]
    = "SELECT moments.data FROM moments JOIN run ON run.id = moments.run WHERE uuid = ?";
  g_autoptr (sqlite3_stmt) row = NULL;
  int found;

  *moments = NULL;
  if (!sl_store_has_table (&store->reader, "moments"))
    return TRUE;
  row = sl_store_prepare (&store->reader, error, SQL, "s", uuid);
  found = row != NULL ? sl_store_step (&store->reader, row, error) : -1;
  if (found > 0)
    *moments = g_bytes_new (sqlite3_column_blob (row, 0), (gsize) sqlite3_column_bytes (row, 0));
  return found >= 0;
}

static gboolean
read_all (SlStore *store, const char *uuid, gboolean to_resume, uint64_t at, SlStoredRun *run,
          GError **error)
{
  SlStatus status;
  unsigned flags;

  if (!read_run (store, uuid, run, error)
      || !read_checkpoints (store, uuid, to_resume, at, run, &flags, error))
    return FALSE;
  status = sl_record_init (&run->record, run->recipe.lab, &run->recipe.settings, 1);
  run->record.data = run->recipe.data_hash;
  if (!sl_status_good (&status, error))
    return FALSE;
  if (!read_samples (store, uuid, &run->record, error)
      || !read_flags (store, uuid, &run->recipe, &run->record, error))
    return FALSE;
  if (to_resume)
    {
      if (run->checkpoint.data == NULL)
        run->seconds = 0.0;
      for (unsigned c = 0; c < run->record.layout.n; c++)
        sl_series_truncate (&run->record.series[c], (double) run->checkpoint.step);
      count_made (run);
      run->record.n_flags = MIN (run->record.n_flags, flags);
      if (!sl_store_load_edits (store, run, error) || !read_visit (store, run, error)
          || !sl_store_moments (store, run->uuid, &run->moments, error))
        return FALSE;
      part_from_curves (run);
    }
  return TRUE;
}

gboolean
sl_store_load (SlStore *store, const char *uuid, gboolean to_resume, uint64_t at, SlStoredRun *run,
               GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);

  memset (run, 0, sizeof *run);
  if (reading == NULL)
    return FALSE;
  if (!read_all (store, uuid, to_resume, at, run, error))
    {
      sl_stored_run_clear (run);
      return FALSE;
    }
  g_debug ("run: %s of %s, %s, %s step %" G_GUINT64_FORMAT ", a checkpoint of %zu bytes", uuid,
           store->path, run->recipe.lab->id, to_resume ? "goes on from" : "is read up to",
           run->checkpoint.step, run->checkpoint.bytes);
  return TRUE;
}

/* ---- one channel ---- */

/* The layout of a run; FALSE for one whose lab or settings this version does not know. */
static gboolean
read_layout (SlStore *store, const char *uuid, const SlLab **lab, SlLayout *layout)
{
  g_autoptr (sqlite3_stmt) row
    = sl_store_prepare (&store->reader, NULL, "SELECT recipe FROM run WHERE uuid = ?", "s", uuid);
  SlRecipe recipe = { 0 };
  gboolean known;

  if (row == NULL || sl_store_step (&store->reader, row, NULL) <= 0)
    return FALSE;
  known = sl_recipe_read (sl_store_text (row, 0), &recipe, NULL);
  if (known)
    {
      *lab = recipe.lab;
      sl_layout_init (layout, recipe.lab, &recipe.settings);
    }
  sl_recipe_clear (&recipe);
  return known;
}

/* 1: *place is that of a channel with one of the names that `channel` has or had; 0: there is none;
 * -1 with a sentence.  */
static int
find_channel (SlStore *store, const char *uuid, const char *channel, Place *place, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->reader, error, CHANNELS, "s", uuid);
  const SlLab *lab = NULL;
  SlLayout     layout;
  int          more = -1, found = 0;
  int wanted = read_layout (store, uuid, &lab, &layout) ? sl_layout_find (&layout, channel) : -1;

  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    {
      const char *name = sl_store_text (row, 2);

      if (strcmp (name, channel) == 0
          || (wanted >= 0 && sl_layout_find_stored (&layout, lab, name) == wanted))
        {
          *place = place_of (row);
          found = 1;
        }
    }
  return more < 0 ? -1 : found;
}

gboolean
sl_store_load_channel (SlStore *store, const char *uuid, const char *channel, SlSeries *series,
                       GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  Place place;
  int   found;

  *series = (SlSeries) { 0 };
  if (reading == NULL)
    return FALSE;
  found = find_channel (store, uuid, channel, &place, error);
  if (found == 0)
    return sl_fail (error, SL_EINVAL, channel, _ ("no such channel"), NULL);
  if (found > 0 && read_channel (store, place, series, error))
    return TRUE;
  sl_series_clear (series);
  return FALSE;
}
