/* SPDX-License-Identifier: MIT
 *
 * Reading runs back: the list of them, one as a whole, one channel.  One connection, one reader
 * at a time; the thread that writes is not waited for.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/store-private.h"

static const char *const STATUS[SL_N_RUN_STATUSES] = {
  [SL_RUN_RUNNING] = "running",   [SL_RUN_PAUSED] = "paused",   [SL_RUN_FINISHED] = "finished",
  [SL_RUN_DIVERGED] = "diverged", [SL_RUN_CUT_OFF] = "cut-off", [SL_RUN_FAILED] = "failed",
};

const char *
sl_run_status_text (SlRunStatus status)
{
  return STATUS[status];
}

static SlRunStatus
status_of (const char *text)
{
  for (int i = 0; i < SL_N_RUN_STATUSES; i++)
    if (strcmp (text, STATUS[i]) == 0)
      return (SlRunStatus) i;
  return SL_RUN_FAILED;
}

void
sl_store_run_free (SlStoreRun *run)
{
  if (run == NULL)
    return;
  g_free (run->name);
  g_free (run->lab_id);
  g_free (run->recipe);
  g_free (run->data);
  g_free (run->kernel);
  g_free (run->version);
  g_free (run->problem);
  g_free (run->sweep);
  g_free (run->figure);
  g_free (run);
}

double
sl_store_run_figure (const SlStoreRun *run, const char *name)
{
  const char *interned = g_intern_string (name);

  for (unsigned i = 0; i < run->n_figures; i++)
    if (run->figure[i].name == interned)
      return run->figure[i].value;
  return NAN;
}

void
sl_stored_run_clear (SlStoredRun *run)
{
  sl_recipe_clear (&run->recipe);
  sl_record_clear (&run->record);
  sl_checkpoint_clear (&run->checkpoint);
  g_free (run->view);
  memset (run, 0, sizeof *run);
}

/* ---- one picture of the file for several queries ---- */

static gboolean
begin_reading (SlStore *store, GError **error)
{
  pthread_mutex_lock (&store->reading);
  if (sl_store_file_run (store->reader, store->path, "BEGIN", error))
    return TRUE;
  pthread_mutex_unlock (&store->reading);
  return FALSE;
}

static void
end_reading (SlStore *store)
{
  sqlite3_exec (store->reader, "COMMIT", NULL, NULL, NULL);
  pthread_mutex_unlock (&store->reading);
}

static sqlite3_stmt *
ask (SlStore *store, GError **error, const char *sql, const char *text, gint64 number)
{
  sqlite3_stmt *statement = sl_store_prepare (store->reader, store->path, error, sql, "");

  if (statement == NULL)
    return NULL;
  if (sqlite3_bind_parameter_count (statement) >= 1)
    sqlite3_bind_text (statement, 1, text, -1, SQLITE_TRANSIENT);
  if (sqlite3_bind_parameter_count (statement) >= 2)
    sqlite3_bind_int64 (statement, 2, number);
  return statement;
}

static int
step (SlStore *store, sqlite3_stmt *statement, GError **error)
{
  return sl_store_step (store->reader, store->path, statement, error);
}

/* ---- the list ---- */

#define COLUMNS                                                                                    \
  "SELECT uuid, name, colour, lab, recipe, data, data_hash, seed, kernel, version, threads,"       \
  " status, problem, step, seconds, created, sweep, cell, pinned, deleted,"                        \
  " EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint.run = run.id), id, owner FROM run "

/* A run of a lab that is not ours, or with settings that we cannot read, is listed without. */
static void
read_settings (SlStoreRun *run)
{
  SlRecipe recipe;

  if (!sl_recipe_read (run->recipe, &recipe, NULL))
    return;
  run->lab = recipe.lab;
  run->settings = recipe.settings;
  for (guint i = 0; recipe.changes != NULL && i < recipe.changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe.changes, SlChange, i);

      run->settings.value[change->param] = change->value;
    }
  sl_recipe_clear (&recipe);
}

static SlStoreRun *
read_row (sqlite3_stmt *row)
{
  SlStoreRun *run = g_new0 (SlStoreRun, 1);

  g_strlcpy (run->uuid, sl_store_text (row, 0), SL_UUID);
  run->name = g_strdup (sl_store_text (row, 1));
  run->colour = (unsigned) sqlite3_column_int (row, 2);
  run->lab_id = g_strdup (sl_store_text (row, 3));
  run->recipe = g_strdup (sl_store_text (row, 4));
  run->data = g_strdup (sl_store_text (row, 5));
  run->data_hash = g_ascii_strtoull (sl_store_text (row, 6), NULL, 16);
  run->seed = g_ascii_strtoull (sl_store_text (row, 7), NULL, 10);
  run->kernel = g_strdup (sl_store_text (row, 8));
  run->version = g_strdup (sl_store_text (row, 9));
  run->threads = (unsigned) sqlite3_column_int (row, 10);
  run->status = status_of (sl_store_text (row, 11));
  run->problem = g_strdup (sl_store_text (row, 12));
  run->step = (uint64_t) sqlite3_column_int64 (row, 13);
  run->seconds = sqlite3_column_double (row, 14);
  run->created = sqlite3_column_double (row, 15);
  run->sweep = g_strdup (sl_store_text (row, 16));
  run->cell = (unsigned) sqlite3_column_int (row, 17);
  run->pinned = sqlite3_column_int (row, 18) != 0;
  run->deleted = sqlite3_column_int (row, 19) != 0;
  run->resumable = sqlite3_column_int (row, 20) != 0;
  /* One whose program went away while this store was open. */
  if (run->status == SL_RUN_RUNNING && sl_store_owner_gone (sl_store_text (row, 22)))
    run->status = SL_RUN_CUT_OFF;
  read_settings (run);
  return run;
}

/* Names of figures are few and come again and again, in their order: most are the same as
 * in the run before.  */
static gboolean
read_figures (SlStore *store, GArray *ids, GPtrArray *runs, GError **error)
{
  static const char SQL[] = "SELECT run, name, value, 0 FROM figure"
                            " UNION ALL SELECT run, name, last, 1 FROM channel WHERE n > 0"
                            " ORDER BY 1, 4";
  sqlite3_stmt *statement = ask (store, error, SQL, NULL, 0);
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (SlRunFigure));
  guint   at = 0;
  int     more = -1;

  do
    {
      gint64 run;

      more = statement != NULL ? step (store, statement, error) : -1;
      run = more > 0 ? sqlite3_column_int64 (statement, 0) : G_MAXINT64;
      for (; at < ids->len && g_array_index (ids, gint64, at) < run; at++)
        {
          SlStoreRun *done = g_ptr_array_index (runs, at);

          done->n_figures = figures->len;
          done->figure = g_memdup2 (figures->data, figures->len * sizeof (SlRunFigure));
          g_array_set_size (figures, 0);
        }
      if (more > 0 && at < ids->len && g_array_index (ids, gint64, at) == run)
        {
          SlRunFigure figure = { .name = g_intern_string (sl_store_text (statement, 1)),
                              .value = sqlite3_column_type (statement, 2) != SQLITE_NULL
                                         ? sqlite3_column_double (statement, 2) : (double) NAN };

          g_array_append_val (figures, figure);
        }
    }
  while (more > 0);
  sqlite3_finalize (statement);
  g_array_unref (figures);
  return more == 0;
}

static GPtrArray *
list (SlStore *store, const char *where, const char *text, GError **error)
{
  g_autofree char *sql = g_strdup_printf (COLUMNS "%s ORDER BY id", where);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  sqlite3_stmt *statement;
  int           more = -1;

  if (!begin_reading (store, error))
    return NULL;
  statement = ask (store, error, sql, text, 0);
  while (statement != NULL && (more = step (store, statement, error)) > 0)
    {
      gint64 id = sqlite3_column_int64 (statement, 21);

      g_array_append_val (ids, id);
      g_ptr_array_add (runs, read_row (statement));
    }
  sqlite3_finalize (statement);
  if (more == 0 && !read_figures (store, ids, runs, error))
    more = -1;
  end_reading (store);
  return more == 0 ? g_steal_pointer (&runs) : NULL;
}

GPtrArray *
sl_store_list (SlStore *store, const char *sweep, gboolean with_deleted, GError **error)
{
  if (sweep != NULL)
    return list (store, with_deleted ? "WHERE sweep = ?" : "WHERE sweep = ? AND deleted = 0", sweep,
                 error);
  return list (store, with_deleted ? "" : "WHERE deleted = 0", NULL, error);
}

SlStoreRun *
sl_store_find (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (GPtrArray) runs
    = list (store, "WHERE substr (uuid, 1, length (?1)) = ?1 AND length (?1) >= 1", uuid, error);

  if (runs == NULL)
    return NULL;
  if (runs->len == 1)
    return g_ptr_array_steal_index (runs, 0);
  sl_fail (error, SL_EINVAL, uuid, runs->len == 0 ? "no run of this name" : "several runs",
           "one that begins so");
  return NULL;
}

static char *
find_last (SlStore *store, const char *statuses)
{
  g_autofree char *sql = g_strdup_printf ("SELECT uuid FROM run WHERE deleted = 0 AND sweep = ''"
                                          " AND cell = 0 AND status IN (%s) ORDER BY touched DESC LIMIT 1",
                                          statuses);
  sqlite3_stmt *statement = NULL;
  char         *uuid = NULL;

  if (!begin_reading (store, NULL))
    return NULL;
  statement = ask (store, NULL, sql, NULL, 0);
  if (statement != NULL && step (store, statement, NULL) > 0)
    uuid = g_strdup (sl_store_text (statement, 0));
  sqlite3_finalize (statement);
  end_reading (store);
  return uuid;
}

char *
sl_store_last_open (SlStore *store)
{
  return find_last (store, "'cut-off', 'paused', 'finished', 'diverged'");
}

char *
sl_store_last_cut_off (SlStore *store)
{
  return find_last (store, "'cut-off'");
}

/* ---- samples ---- */

gboolean
sl_store_unpack (const void *data, size_t bytes, gint64 sum, gint64 first, gint64 stride, size_t n,
                 double *steps, double *value)
{
  size_t one = n * sizeof (double);

  if (data == NULL || bytes != (stride == 0 ? 2 * one : one) || sl_store_sum (data, bytes) != sum)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    if (stride == 0)
      {
        gint64 s;

        memcpy (&s, (const char *) data + i * sizeof s, sizeof s);
        steps[i] = (double) s;
      }
    else
      steps[i] = (double) (first + (gint64) i * stride);
  memcpy (value, (const char *) data + bytes - one, one);
  return TRUE;
}

/* Appends the blocks of the statement (channel, n, first, stride, data, sum) to series[channel]. */
static gboolean
read_blocks (SlStore *store, sqlite3_stmt *statement, SlSeries *series, unsigned n_series,
             GError **error)
{
  double steps[SL_BLOCK], value[SL_BLOCK];
  int    more;

  while ((more = step (store, statement, error)) > 0)
    {
      guint64   channel = (guint64) sqlite3_column_int64 (statement, 0);
      gint64    n = sqlite3_column_int64 (statement, 1);
      SlSeries *to = channel < n_series ? &series[channel] : NULL;

      if (to == NULL || n < 0 || n > SL_BLOCK
          || !sl_store_unpack (
              sqlite3_column_blob (statement, 4), (size_t)sqlite3_column_bytes (statement, 4),
              sqlite3_column_int64 (statement, 5), sqlite3_column_int64 (statement, 2),
              sqlite3_column_int64 (statement, 3), (size_t)n, steps, value)
          || (n > 0 && to->n > 0 && !(steps[0] >= to->step[to->n - 1])))
        return sl_fail (error, SL_EFORMAT, store->path, "the samples of a run are damaged", NULL);
      for (gint64 i = 0; i < n; i++)
        if ((i > 0 && !(steps[i] >= steps[i - 1])) || !sl_series_append (to, steps[i], value[i]))
          return sl_fail (error, SL_ENOMEM, store->path, "no room for its samples", NULL);
    }
  return more == 0;
}

static gboolean
no_run (SlStore *store, const char *uuid, GError **error)
{
  return sl_fail (error, SL_EINVAL, uuid, "no run of this name in the store", NULL);
}

gboolean
sl_store_load_channel (SlStore *store, const char *uuid, const char *channel, SlSeries *series,
                       GError **error)
{
  static const char SQL[]
    = "SELECT 0, block.n, first, stride, block.data, sum FROM block"
      " JOIN channel ON channel.run = block.run AND channel.number = block.channel"
      " JOIN run ON run.id = block.run WHERE run.uuid = ?1 AND channel.name = ?2 ORDER BY position";
  static const char EXISTS[]
    = "SELECT 1 FROM channel JOIN run ON run.id = channel.run"
      " WHERE run.uuid = ?1 AND channel.name = ?2";
  sqlite3_stmt *statement;
  gboolean      fine = FALSE;

  *series = (SlSeries) { 0 };
  if (!begin_reading (store, error))
    return FALSE;
  statement = sl_store_prepare (store->reader, store->path, error, EXISTS, "ss", uuid, channel);
  if (statement != NULL)
    {
      int row = step (store, statement, error);

      fine = row > 0 || (row == 0 && sl_fail (error, SL_EINVAL, channel, "no such channel", NULL));
    }
  sqlite3_finalize (statement);
  statement = fine ? sl_store_prepare (store->reader, store->path, error, SQL, "ss", uuid, channel)
                   : NULL;
  fine = statement != NULL && read_blocks (store, statement, series, 1, error);
  sqlite3_finalize (statement);
  end_reading (store);
  if (!fine)
    sl_series_clear (series);
  return fine;
}

char **
sl_store_channels (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  sqlite3_stmt *statement;
  int           more = -1;

  if (!begin_reading (store, error))
    return NULL;
  statement = ask (store, error,
                   "SELECT channel.name FROM channel JOIN run ON run.id = channel.run"
                   " WHERE run.uuid = ? ORDER BY number", uuid, 0);
  while (statement != NULL && (more = step (store, statement, error)) > 0)
    g_strv_builder_add (names, sl_store_text (statement, 0));
  sqlite3_finalize (statement);
  end_reading (store);
  return more == 0 ? g_strv_builder_end (names) : NULL;
}

GArray *
sl_store_checkpoints (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint64));
  sqlite3_stmt *statement;
  int           more = -1;

  if (!begin_reading (store, error))
    return NULL;
  statement = ask (store, error,
                   "SELECT checkpoint.step FROM checkpoint JOIN run ON run.id = checkpoint.run"
                   " WHERE run.uuid = ? ORDER BY 1", uuid, 0);
  while (statement != NULL && (more = step (store, statement, error)) > 0)
    {
      guint64 at = (guint64) sqlite3_column_int64 (statement, 0);

      g_array_append_val (steps, at);
    }
  sqlite3_finalize (statement);
  end_reading (store);
  return more == 0 ? g_steal_pointer (&steps) : NULL;
}

/* ---- a whole run ---- */

/* The newest checkpoint at or before `at` that is whole, and how many flags came before it.
 * A damaged one is passed over: an older one, or the beginning, does as well.  */
static gboolean
read_checkpoint (SlStore *store, const char *uuid, uint64_t at, SlStoredRun *run, unsigned *flags,
                 GError **error)
{
  static const char SQL[]
    = "SELECT checkpoint.step, changes, flags, checkpoint.seconds, checkpoint.data, sum"
      " FROM checkpoint JOIN run ON run.id = checkpoint.run"
      " WHERE run.uuid = ?1 AND checkpoint.step <= ?2 ORDER BY checkpoint.step DESC";
  SlCheckpoint *checkpoint = &run->checkpoint;
  sqlite3_stmt *statement = ask (store, error, SQL, uuid, (gint64) MIN (at, (uint64_t) G_MAXINT64));
  int more = -1;

  *flags = 0;
  while (statement != NULL && (more = step (store, statement, error)) > 0)
    {
      const void *data = sqlite3_column_blob (statement, 4);
      size_t      bytes = (size_t) sqlite3_column_bytes (statement, 4);

      if (data == NULL || sl_store_sum (data, bytes) != sqlite3_column_int64 (statement, 5))
        continue;
      checkpoint->data = malloc (bytes);
      if (checkpoint->data == NULL)
        break;
      memcpy (checkpoint->data, data, bytes);
      checkpoint->bytes = bytes;
      checkpoint->step = (uint64_t) sqlite3_column_int64 (statement, 0);
      run->changes = (unsigned) sqlite3_column_int (statement, 1);
      *flags = (unsigned) sqlite3_column_int (statement, 2);
      run->seconds = sqlite3_column_double (statement, 3);
      more = 0;
      break;
    }
  sqlite3_finalize (statement);
  return more == 0;
}

/* The settings of the checkpoint are those of the recipe with the changes made before it. */
static void
settle_checkpoint (SlStoredRun *run)
{
  const GArray *changes = run->recipe.changes;

  run->changes = MIN (run->changes, changes != NULL ? changes->len : 0);
  run->checkpoint.settings = run->recipe.settings;
  for (unsigned i = 0; i < run->changes; i++)
    {
      const SlChange *change = &g_array_index (changes, SlChange, i);

      run->checkpoint.settings.value[change->param] = change->value;
    }
}

static gboolean
read_flags (SlStore *store, const char *uuid, SlRecord *record, GError **error)
{
  sqlite3_stmt *statement
    = ask (store, error,
           "SELECT flag.step, text FROM flag JOIN run ON run.id = flag.run WHERE run.uuid = ?"
           " ORDER BY number", uuid, 0);
  int more = -1;

  while (statement != NULL && (more = step (store, statement, error)) > 0)
    if (!sl_record_flag (record, sqlite3_column_double (statement, 0),
                         sl_store_text (statement, 1)))
      {
        sqlite3_finalize (statement);
        return sl_fail (error, SL_ENOMEM, store->path, NULL, NULL);
      }
  sqlite3_finalize (statement);
  return more == 0;
}

static gboolean
read_run (SlStore *store, const char *uuid, SlStoredRun *run, GError **error)
{
  sqlite3_stmt *statement
    = ask (store, error, "SELECT recipe, status, view, seconds FROM run WHERE uuid = ?", uuid, 0);
  int      row = statement != NULL ? step (store, statement, error) : -1;
  gboolean fine = row > 0 || (row == 0 && no_run (store, uuid, error));

  if (fine && row > 0)
    {
      fine = sl_recipe_read (sl_store_text (statement, 0), &run->recipe, error);
      run->status = status_of (sl_store_text (statement, 1));
      run->seconds = sqlite3_column_double (statement, 3);
      if (sqlite3_column_type (statement, 2) != SQLITE_NULL)
        run->view = g_strdup (sl_store_text (statement, 2));
      g_strlcpy (run->uuid, uuid, SL_UUID);
    }
  sqlite3_finalize (statement);
  return fine;
}

static gboolean
read_samples (SlStore *store, const char *uuid, SlRecord *record, GError **error)
{
  static const char SQL[]
    = "SELECT channel, n, first, stride, block.data, sum FROM block JOIN run ON run.id = block.run"
      " WHERE run.uuid = ? ORDER BY channel, position";
  sqlite3_stmt *statement = ask (store, error, SQL, uuid, 0);
  gboolean      fine = statement != NULL
                  && read_blocks (store, statement, record->series, record->layout.n, error);

  sqlite3_finalize (statement);
  return fine;
}

static gboolean
read_all (SlStore *store, const char *uuid, gboolean to_resume, uint64_t at, SlStoredRun *run,
          GError **error)
{
  SlStatus status;
  unsigned flags;

  if (!read_run (store, uuid, run, error) || !read_checkpoint (store, uuid, at, run, &flags, error))
    return FALSE;
  settle_checkpoint (run);
  status = sl_record_init (&run->record, run->recipe.lab, &run->recipe.settings, 1);
  if (!sl_ok (&status))
    {
      g_propagate_error (error, sl_status_to_error (&status));
      return FALSE;
    }
  if (!read_samples (store, uuid, &run->record, error)
      || !read_flags (store, uuid, &run->record, error))
    return FALSE;
  if (to_resume)
    {
      if (run->checkpoint.data == NULL)
        run->seconds = 0.0;
      for (unsigned c = 0; c < run->record.layout.n; c++)
        sl_series_truncate (&run->record.series[c], (double) run->checkpoint.step);
      run->record.n_flags = MIN (run->record.n_flags, flags);
    }
  return TRUE;
}

gboolean
sl_store_load (SlStore *store, const char *uuid, gboolean to_resume, uint64_t at, SlStoredRun *run,
               GError **error)
{
  gboolean fine;

  memset (run, 0, sizeof *run);
  if (!begin_reading (store, error))
    return FALSE;
  fine = read_all (store, uuid, to_resume, at, run, error);
  end_reading (store);
  if (!fine)
    sl_stored_run_clear (run);
  return fine;
}
