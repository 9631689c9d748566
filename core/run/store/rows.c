/* SPDX-License-Identifier: MIT
 *
 * Reading lines of the table of runs.  */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/store/name.h"
#include "core/run/store/naming.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"

/* Runs whose rows in other tables are named one by one, and runs that are read at a time. */
enum { FEW = 200, CHUNK = 2000 };

#define COLUMNS                                                                                    \
  "SELECT uuid, name, colour, lab, recipe, data, data_hash, seed, kernel, version, threads,"       \
  " status, problem, step, seconds, created, sweep, cell, pinned, deleted,"                        \
  " EXISTS (SELECT 1 FROM checkpoint WHERE checkpoint.run = run.id), id, owner, touched FROM run "

/* A run of an unknown lab, or with settings that cannot be read, is listed without settings. */
static void
read_settings (SlStoreRun *run, const char *json)
{
  SlRecipe   recipe;
  SlSettings settings;

  run->recipe_sum = sl_store_sum (json, strlen (json));
  if (!sl_recipe_read (json, &recipe, NULL))
    return;
  settings = sl_recipe_settings (&recipe, UINT_MAX);
  run->settings = sl_settings_pack (&settings, recipe.lab->params, recipe.lab->n_params);
  if (run->settings != NULL)
    run->lab = recipe.lab;
  sl_recipe_clear (&recipe);
}

/* Files come from others, too: what is no UTF-8 in them becomes it.  Free with g_free(). */
static char *
text_of (sqlite3_stmt *row, int column)
{
  return g_utf8_make_valid (sl_store_text (row, column), -1);
}

/* The same, interned; most runs have what the one before has. */
static const char *
shared_text (sqlite3_stmt *row, int column, const char *before)
{
  const char      *text = sl_store_text (row, column);
  g_autofree char *valid = NULL;

  if (before != NULL && strcmp (text, before) == 0)
    return before;
  valid = g_utf8_make_valid (text, -1);
  return g_intern_string (valid);
}

/* An unnamed run is one of a file that is only read, or that an earlier version is writing. */
static void
read_name (SlStore *store, sqlite3_stmt *row, SlStoreRun *run)
{
  gint64             id = sqlite3_column_int64 (row, 21);
  const SlRunNaming *naming = store->names != NULL ? g_hash_table_lookup (store->names, &id) : NULL;

  run->name = text_of (row, 1);
  run->colour = (unsigned) sqlite3_column_int (row, 2);
  if (run->name[0] == '\0')
    {
      g_free (run->name);
      run->name = naming != NULL ? g_strdup (naming->name) : sl_run_name (run->uuid);
    }
  if (run->colour < 1 || run->colour > SL_RUN_COLOURS)
    run->colour = naming != NULL ? naming->colour : sl_run_colour (run->uuid);
}

/* `before` is the run of the row before, or one of zeros. */
static SlStoreRun *
read_row (SlStore *store, sqlite3_stmt *row, const SlStoreRun *before)
{
  SlStoreRun *run = g_new0 (SlStoreRun, 1);

  g_strlcpy (run->uuid, sl_store_text (row, 0), SL_UUID);
  read_name (store, row, run);
  run->lab_id = shared_text (row, 3, before->lab_id);
  read_settings (run, sl_store_text (row, 4));
  run->data = shared_text (row, 5, before->data);
  run->data_hash = g_ascii_strtoull (sl_store_text (row, 6), NULL, 16);
  run->seed = g_ascii_strtoull (sl_store_text (row, 7), NULL, 10);
  run->kernel = shared_text (row, 8, before->kernel);
  run->version = shared_text (row, 9, before->version);
  run->threads = (unsigned) sqlite3_column_int (row, 10);
  run->status = sl_run_status_of (sl_store_text (row, 11));
  run->problem = shared_text (row, 12, before->problem);
  run->step = (uint64_t) sqlite3_column_int64 (row, 13);
  run->seconds = sqlite3_column_double (row, 14);
  run->created = sqlite3_column_double (row, 15);
  run->touched = sqlite3_column_double (row, 23);
  run->sweep = shared_text (row, 16, before->sweep);
  run->cell = (unsigned) sqlite3_column_int (row, 17);
  run->pinned = sqlite3_column_int (row, 18) != 0;
  run->deleted = sqlite3_column_int (row, 19) != 0;
  run->resumable = sqlite3_column_int (row, 20) != 0;
  /* One whose program went away while this store was open. */
  if (run->status == SL_RUN_RUNNING && sl_store_owner_gone (sl_store_text (row, 22)))
    run->status = SL_RUN_CUT_OFF;
  return run;
}

/* The rows of a table that belong to these runs, as a condition: of many, all between the first and the last.  */
static char *
condition (const GArray *ids)
{
  GString *text = g_string_new ("run IN (");

  if (ids->len > FEW)
    g_string_printf (text, "run BETWEEN %" G_GINT64_FORMAT " AND %" G_GINT64_FORMAT,
                     g_array_index (ids, gint64, 0), g_array_index (ids, gint64, ids->len - 1));
  for (guint i = 0; ids->len <= FEW && i < ids->len; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "%s", i == 0 ? "" : ",",
                            g_array_index (ids, gint64, i), i + 1 == ids->len ? ")" : "");
  return g_string_free (text, FALSE);
}

/* Names of figures are few and come again and again, in their order: most are the same as in the run before, at
 * the same place.  Interned.  */
static const char *
score_name (sqlite3_stmt *row, const SlStoreRun *before, unsigned at)
{
  return shared_text (row, 1,
                      before != NULL && at < before->n_figures ? before->figure[at].name : NULL);
}

static gboolean
read_figures (SlStore *store, const GArray *ids, SlStoreRun **runs, GError **error)
{
  g_autofree char *where = condition (ids);
  g_autofree char *sql
    = g_strdup_printf ("SELECT run, name, value, 0 FROM figure WHERE %s"
                       " UNION ALL SELECT run, name, last, 1 FROM channel WHERE n > 0 AND %s"
                       " ORDER BY 1, 4",
                       where, where);
  g_autoptr (sqlite3_stmt) statement = sl_store_prepare (&store->reader, error, sql, "");
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (SlRunScore));
  guint   at = 0;
  int     more = -1;

  do
    {
      gint64 run;

      more = statement != NULL ? sl_store_step (&store->reader, statement, error) : -1;
      run = more > 0 ? sqlite3_column_int64 (statement, 0) : G_MAXINT64;
      for (; at < ids->len && g_array_index (ids, gint64, at) < run; at++)
        {
          SlStoreRun *done = runs[at];

          done->n_figures = figures->len;
          done->figure = g_memdup2 (figures->data, figures->len * sizeof (SlRunScore));
          g_array_set_size (figures, 0);
        }
      if (more > 0 && at < ids->len && g_array_index (ids, gint64, at) == run)
        {
          const SlStoreRun *before = at > 0 ? runs[at - 1] : NULL;
          SlRunScore        figure = { .name = score_name (statement, before, figures->len),
                                       .value = sqlite3_column_type (statement, 2) != SQLITE_NULL
                                                  ? sqlite3_column_double (statement, 2)
                                                  : (double) NAN };

          g_array_append_val (figures, figure);
        }
    }
  while (more > 0);
  g_array_unref (figures);
  return more == 0;
}

/* Files that were written long ago have none. */
static gboolean
read_annotations (SlStore *store, const GArray *ids, SlStoreRun **runs, GError **error)
{
  g_autofree char *where = condition (ids);
  g_autofree char *sql
    = g_strdup_printf ("SELECT run, note, tags FROM annotation WHERE %s ORDER BY run", where);
  g_autoptr (sqlite3_stmt) row = NULL;
  guint at = 0;
  int   more = 0;

  if (!sl_store_has_table (&store->reader, "annotation"))
    return TRUE;
  row = sl_store_prepare (&store->reader, error, sql, "");
  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    {
      gint64 run = sqlite3_column_int64 (row, 0);

      while (at < ids->len && g_array_index (ids, gint64, at) < run)
        at++;
      if (at < ids->len && g_array_index (ids, gint64, at) == run)
        {
          SlStoreRun *found = runs[at++];

          found->note = text_of (row, 1);
          found->tags = text_of (row, 2);
        }
    }
  return row != NULL && more == 0;
}

/* What other tables have of the last runs of a list, whose rows are `ids`, which it then forgets. */
static gboolean
read_rest (SlStore *store, GArray *ids, GPtrArray *runs, GError **error)
{
  SlStoreRun **last = (SlStoreRun **) runs->pdata + runs->len - ids->len;
  gboolean     fine
    = ids->len == 0
      || (read_figures (store, ids, last, error) && read_annotations (store, ids, last, error));

  g_array_set_size (ids, 0);
  return fine;
}

/* In chunks: SQLite sorts the figures of each, in memory. */
static GPtrArray *
read_runs (SlStore *store, sqlite3_stmt *row, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  const SlStoreRun none = { 0 }, *before = &none;
  int              more;

  while ((more = sl_store_step (&store->reader, row, error)) > 0)
    {
      gint64 id = sqlite3_column_int64 (row, 21);

      g_array_append_val (ids, id);
      before = read_row (store, row, before);
      g_ptr_array_add (runs, (gpointer) before);
      if (ids->len == CHUNK && !read_rest (store, ids, runs, error))
        return NULL;
    }
  return more == 0 && read_rest (store, ids, runs, error) ? g_steal_pointer (&runs) : NULL;
}

GPtrArray *
sl_store_read_runs (SlStore *store, const char *where, const char *text, double number,
                    GError **error)
{
  g_autofree char *sql = g_strconcat (COLUMNS, where, NULL);
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (reading != NULL)
    statement = sl_store_prepare (&store->reader, error, sql, "sd", text, number);
  return statement != NULL ? read_runs (store, statement, error) : NULL;
}
