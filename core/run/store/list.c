/* SPDX-License-Identifier: MIT
 *
 * Lists of the runs in a store.  */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/record/name.h"
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
  run->valid_at = NAN;
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

static const char *
valid_channel (const SlStoreRun *run)
{
  return run->lab != NULL ? run->lab->valid : NULL;
}

/* The names of the channels that labs have as `valid`, as a list of SQL. */
static const char *
valid_channels (void)
{
  static const char *list;

  if (g_once_init_enter (&list))
    {
      GString *text = g_string_new ("''");

      for (int l = 0; sl_labs[l] != NULL; l++)
        if (sl_labs[l]->valid != NULL)
          g_string_append_printf (text, ",'%s'", sl_labs[l]->valid);
      g_once_init_leave (&list, g_string_free (text, FALSE));
    }
  return list;
}

/* Figures, then channels with their last value; of those with validation errors its update, too, where the steps are
 * evenly spaced, or the steps.  */
static char *
figures_sql (const char *where)
{
  return g_strdup_printf (
    "SELECT run, name, value, 0, NULL FROM figure WHERE %s"
    " UNION ALL SELECT run, name, last, 1, CASE WHEN name IN (%s) THEN"
    " (SELECT CASE stride WHEN 0 THEN substr (data, 8 * block.n - 7, 8)"
    " ELSE first + stride * (block.n - 1) END FROM block WHERE block.run = channel.run"
    " AND block.channel = channel.number AND block.position = (channel.n - 1) / %d) END"
    " FROM channel WHERE n > 0 AND %s ORDER BY 1, 4",
    where, valid_channels (), SL_BLOCK, where);
}

/* The update in such a column. */
static double
update_in (sqlite3_stmt *row, int column)
{
  gint64 step;

  if (sqlite3_column_type (row, column) != SQLITE_BLOB)
    return sqlite3_column_double (row, column);
  if (sqlite3_column_bytes (row, column) != sizeof step)
    return NAN;
  memcpy (&step, sqlite3_column_blob (row, column), sizeof step);
  return (double) step;
}

static gboolean
read_figures (SlStore *store, const GArray *ids, SlStoreRun **runs, GError **error)
{
  g_autofree char *where = condition (ids);
  g_autofree char *sql = figures_sql (where);
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
          if (sqlite3_column_type (statement, 4) != SQLITE_NULL
              && g_strcmp0 (figure.name, valid_channel (runs[at])) == 0)
            runs[at]->valid_at = update_in (statement, 4);
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
  SlStoreRun **last;
  gboolean     fine;

  if (ids->len == 0)
    return TRUE;
  last = (SlStoreRun **) runs->pdata + runs->len - ids->len;
  fine = read_figures (store, ids, last, error) && read_annotations (store, ids, last, error);
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

/* Runs by what follows the columns in a statement on ?1 text and ?2 number.  NULL with a sentence. */
static GPtrArray *
read_where (SlStore *store, const char *where, const char *text, double number, GError **error)
{
  g_autofree char *sql = g_strconcat (COLUMNS, where, NULL);
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (reading != NULL)
    statement = sl_store_prepare (&store->reader, error, sql, "sd", text, number);
  return statement != NULL ? read_runs (store, statement, error) : NULL;
}

GPtrArray *
sl_store_list (SlStore *store, const char *sweep, gboolean with_deleted, GError **error)
{
  if (sweep != NULL)
    return read_where (store,
                       with_deleted ? "WHERE sweep = ? ORDER BY id"
                                    : "WHERE sweep = ? AND deleted = 0 ORDER BY id",
                       sweep, 0, error);
  return read_where (store, with_deleted ? "ORDER BY id" : "WHERE deleted = 0 ORDER BY id", NULL, 0,
                     error);
}

GPtrArray *
sl_store_list_since (SlStore *store, double touched, GError **error)
{
  return read_where (store, "WHERE deleted = 0 AND touched > ?2 ORDER BY id", NULL, touched, error);
}

GPtrArray *
sl_store_list_page (SlStore *store, const char *after, unsigned most, GError **error)
{
  g_autofree char *where = g_strdup_printf ("WHERE deleted = 0 AND id > ifnull ((SELECT id FROM "
                                            "run WHERE uuid = ?1), 0) ORDER BY id LIMIT %u",
                                            most);

  return read_where (store, where, after, 0, error);
}

GPtrArray *
sl_store_list_these (SlStore *store, const char *const *uuids, GError **error)
{
  g_autofree char *all = g_strjoinv ("\",\"", (char **) uuids);
  g_autofree char *json = g_strconcat ("[\"", all, "\"]", NULL);

  return read_where (store,
                     "WHERE deleted = 0 AND uuid IN (SELECT value FROM json_each (?1)) ORDER BY id",
                     json, 0, error);
}

/* The only run of a list, which is freed; NULL where it has another number of them. */
static SlStoreRun *
take_only (GPtrArray *runs, guint *n)
{
  SlStoreRun *run = runs->len == 1 ? g_ptr_array_steal_index (runs, 0) : NULL;

  *n = runs->len;
  g_ptr_array_unref (runs);
  return run;
}

/* In a file that is only read, names may not be in it. */
static GPtrArray *
list_called (SlStore *store, const char *name, GError **error)
{
  static const char CALLED[] = "WHERE name IN (?1, replace (?1, '-', ' '))";
  GHashTableIter    iter;
  gpointer          id, naming;
  g_autofree char  *spaced = g_strdelimit (g_strdup (name), "-", ' '), *where = NULL;

  if (store->names != NULL)
    {
      g_hash_table_iter_init (&iter, store->names);
      while (where == NULL && g_hash_table_iter_next (&iter, &id, &naming))
        if (g_str_equal (((SlRunNaming *) naming)->name, spaced))
          where = g_strdup_printf ("WHERE id = %" G_GINT64_FORMAT, *(gint64 *) id);
    }
  return read_where (store, where != NULL ? where : CALLED, name, 0, error);
}

SlStoreRun *
sl_store_find (SlStore *store, const char *name, GError **error)
{
  GPtrArray  *runs = read_where (store, "WHERE uuid BETWEEN ?1 AND ?1 || '~' AND length (?1) >= 1",
                                 name, 0, error);
  SlStoreRun *run;
  guint       n;

  if (runs != NULL && runs->len == 0)
    {
      g_ptr_array_unref (runs);
      runs = list_called (store, name, error);
    }
  if (runs == NULL)
    return NULL;
  run = take_only (runs, &n);
  if (run == NULL)
    sl_fail (error, SL_EINVAL, name, n == 0 ? _ ("no run of this name") : _ ("several runs"),
             _ ("a name or the beginning of an id that one run has"));
  return run;
}

char *
sl_store_recipe (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  int more = -1;

  if (reading != NULL)
    row = sl_store_prepare (&store->reader, error, "SELECT recipe FROM run WHERE uuid = ?", "s",
                            uuid);
  if (row != NULL)
    more = sl_store_step (&store->reader, row, error);
  if (more == 0)
    sl_fail (error, SL_EINVAL, uuid, _ ("no run of this name"), NULL);
  return more > 0 ? g_utf8_make_valid (sl_store_text (row, 0), -1) : NULL;
}

gboolean
sl_store_uses_data (SlStore *store, const char *text)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, NULL);
  gint64 id;

  /* What cannot be read may be used. */
  return reading == NULL
         || sl_store_number (&store->reader, &id, NULL,
                             "SELECT id FROM run WHERE instr (data, ?) > 0 LIMIT 1", "s", text)
              != 0;
}

char *
sl_store_last_open (SlStore *store)
{
  static const char SQL[]
    = "SELECT uuid FROM run WHERE deleted = 0 AND sweep = '' AND cell = 0 AND status IN"
      " ('cut-off', 'paused', 'finished', 'diverged') ORDER BY touched DESC LIMIT 1";
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, NULL);
  g_autoptr (sqlite3_stmt) row = NULL;

  if (reading != NULL)
    row = sl_store_prepare (&store->reader, NULL, SQL, "");
  return row != NULL && sl_store_step (&store->reader, row, NULL) > 0
           ? g_strdup (sl_store_text (row, 0))
           : NULL;
}
