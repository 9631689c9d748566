/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/trials.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/data/text/cells.h"
#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "core/run/foreign/foreign.h"
#include "core/run/foreign/trials-columns.h"

enum { TABLE_BYTES = 64 << 20, COLUMNS_MOST = 4096, RUNS_MOST = 100000 };

/* ---- reading ---- */

static gboolean
fail (const SlTrialsTable *table, uint64_t line, SlMessage found, SlMessage expected,
      GError **error)
{
  SlStatus status = sl_status_at (SL_EFORMAT, table->subject, SL_LINE, line, found, expected);

  return sl_status_good (&status, error);
}

static gboolean
read_row (SlTrialsTable *table, SlCells *cells, gboolean heading, GError **error)
{
  guint n = 0;

  while (!cells->row_ended)
    {
      SlTextCell cell;
      SlStatus   status = sl_cells_next (cells, &cell);

      if (!sl_status_good (&status, error))
        return FALSE;
      n++;
      if (n > (heading ? (guint) COLUMNS_MOST : table->names->len))
        return fail (table, cell.line, sl_message ("more cells than expected"),
                     sl_message ("%u cells", n - 1), error);
      if (heading)
        g_ptr_array_add (table->names, sl_foreign_name (cell.text, cell.length));
      else
        g_ptr_array_add (table->cells, cell.text);
    }
  for (; !heading && n < table->names->len; n++)
    g_ptr_array_add (table->cells, NULL);
  return TRUE;
}

/* The table with at most `most` rows; the text stays with the caller. */
static gboolean
read_table (SlTrialsTable *table, char *text, gsize length, guint most, GError **error)
{
  SlCells cells;

  if (!g_utf8_validate_len (text, length, NULL))
    return fail (table, 1, sl_message ("bytes that are not UTF-8"), sl_message ("text"), error);
  sl_cells_init (&cells, table->subject, text, length);
  if (!sl_cells_row (&cells))
    return fail (table, 1, sl_message ("an empty file"), sl_message ("a table"), error);
  if (!read_row (table, &cells, TRUE, error))
    return FALSE;
  while (sl_trials_rows (table) < most && sl_cells_row (&cells))
    if (!read_row (table, &cells, FALSE, error))
      return FALSE;
  return TRUE;
}

static void
table_init (SlTrialsTable *table, const char *subject)
{
  *table = (SlTrialsTable) { subject, g_ptr_array_new_with_free_func (g_free), g_ptr_array_new (),
                             NULL };
}

static void
table_clear (SlTrialsTable *table)
{
  g_ptr_array_unref (table->names);
  g_ptr_array_unref (table->cells);
  g_free (table->role);
}

gboolean
sl_trials_are (char *text, gsize length)
{
  SlTrialsTable table;
  gboolean      are;

  table_init (&table, "");
  are = read_table (&table, text, length, 0, NULL)
        && (sl_trials_optuna (&table) || sl_trials_wandb (&table));
  table_clear (&table);
  return are;
}

/* ---- trials ---- */

static void
free_trial (gpointer data)
{
  SlForeignTrial *trial = data;

  g_free (trial->name);
  g_free (trial->title);
  g_strfreev (trial->value);
  g_free (trial);
}

void
sl_trials_clear (SlTrials *trials)
{
  g_clear_pointer (&trials->title, g_free);
  g_clear_pointer (&trials->error, g_free);
  g_clear_pointer (&trials->axis, g_free);
  g_clear_pointer (&trials->cost, g_free);
  g_clear_pointer (&trials->settings, g_ptr_array_unref);
  g_clear_pointer (&trials->left_out, g_ptr_array_unref);
  g_clear_pointer (&trials->trials, g_ptr_array_unref);
}

double
sl_trials_setting (const SlForeignTrial *trial, guint i)
{
  return sl_trials_number (trial->value[i]);
}

/* Without what the producer puts before it. */
static const char *
setting_name (const char *column)
{
  static const char prefix[] = "params_";

  return g_str_has_prefix (column, prefix) ? column + strlen (prefix) : column;
}

static gboolean
is_finished (const char *state)
{
  static const char *const ends[] = { "complete", "finished", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_ascii_strcasecmp (state, ends[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
add_setting (SlForeignTrial *trial, const SlTrialsTable *table, guint row, guint column,
             GString *title)
{
  const char *name = setting_name (sl_trials_name (table, column)),
             *value = sl_trials_cell (table, row, column);

  g_string_append_printf (title, "%s%s %s", title->len > 0 ? ", " : "", name, value);
  trial->key = (trial->key ^ g_str_hash (value)) * 0x100000001b3U + 1;
}

static SlForeignTrial *
read_trial (const SlTrials *trials, const SlTrialsTable *table, guint row)
{
  SlForeignTrial *trial = g_new0 (SlForeignTrial, 1);
  g_autoptr (GString) title = g_string_new (NULL);
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  trial->error = sl_trials_number (sl_trials_cell (table, row, (guint) table->error));
  if (table->cost >= 0)
    trial->cost = sl_trials_seconds (sl_trials_cell (table, row, (guint) table->cost));
  else
    trial->cost = NAN;
  for (guint c = 0; c < table->names->len; c++)
    {
      const char *cell = sl_trials_cell (table, row, c);

      if (table->role[c] == SL_TRIALS_NAME)
        trial->name = g_strdup (cell);
      if (table->role[c] < SL_TRIALS_SETTING)
        continue;
      g_strv_builder_add (values, cell);
      if (table->role[c] == SL_TRIALS_VARIED)
        add_setting (trial, table, row, c, title);
    }
  if (trials->whole > 0)
    trial->error = trials->whole - trial->error;
  trial->value = g_strv_builder_end (values);
  trial->title = g_strdup (title->len > 0 ? title->str : trial->name);
  return trial;
}

/* An accuracy is part of 1 or of 100. */
static double
whole_of (const SlTrialsTable *table, int column)
{
  double most = 0;

  if (!sl_trials_is_accuracy (sl_trials_name (table, (guint) column)))
    return 0;
  for (guint r = 0; r < sl_trials_rows (table); r++)
    most = fmax (most, sl_trials_number (sl_trials_cell (table, r, (guint) column)));
  return most <= 1 ? 1 : most <= 100 ? 100 : 0;
}

/* The number of values of a setting that is a number and no seed, else 0. */
static guint
shades_of (const SlTrialsTable *table, guint column)
{
  return table->role[column] == SL_TRIALS_VARIED
             && sl_trials_numeric (table, column, sl_trials_number)
           ? sl_trials_count (table, column)
           : 0;
}

static void
take_setting (SlTrials *trials, SlTrialsTable *table, guint column, guint *most)
{
  const char *name = setting_name (sl_trials_name (table, column));

  if (!sl_trials_is_seed (name) && sl_trials_count (table, column) > 1)
    table->role[column] = SL_TRIALS_VARIED;
  if (shades_of (table, column) > *most)
    {
      *most = shades_of (table, column);
      trials->tone = (int) trials->settings->len;
    }
  g_ptr_array_add (trials->settings, g_strdup (name));
}

static void
take_columns (SlTrials *trials, SlTrialsTable *table)
{
  guint most = 1;

  for (guint c = 0; c < table->names->len; c++)
    {
      const char *name = sl_trials_name (table, c);

      if (table->role[c] == SL_TRIALS_SETTING)
        take_setting (trials, table, c, &most);
      else if (table->role[c] == SL_TRIALS_OTHER && *name != '\0' && (int) c != table->error
               && (int) c != table->cost)
        g_ptr_array_add (trials->left_out, g_strdup (name));
    }
}

/* A column that was asked for; FALSE: there is none of the name that has such numbers. */
static gboolean
find_asked (const SlTrialsTable *table, const char *asked, int *column,
            double (*value) (const char *), GError **error)
{
  if (asked == NULL)
    return TRUE;
  *column = sl_trials_column (table, asked);
  return (*column >= 0 && sl_trials_numeric (table, (guint) *column, value))
         || fail (table, 1, sl_message ("no column \"%s\" of numbers", asked), SL_NO_MESSAGE,
                  error);
}

static gboolean
take_table (SlTrials *trials, SlTrialsTable *table, const char *asked_error, const char *asked_cost,
            GError **error)
{
  gboolean optuna = sl_trials_optuna (table);
  int      state = sl_trials_column (table, "state"), timed;

  if (!optuna && !sl_trials_wandb (table))
    return fail (table, 1, sl_message ("no sweep"), sl_message ("a sweep of Optuna or W&B"), error);
  table->error = sl_trials_choose_error (table, optuna);
  table->cost = sl_trials_choose_cost (table);
  timed = table->cost;
  if (!find_asked (table, asked_error, &table->error, sl_trials_number, error)
      || !find_asked (table, asked_cost, &table->cost, sl_trials_seconds, error))
    return FALSE;
  trials->seconds = table->cost >= 0 && table->cost == timed;
  if (table->error < 0)
    return fail (table, 1, sl_message ("no column of an error or a loss"),
                 sl_message ("one that is called so"), error);
  trials->producer = optuna ? "Optuna" : "Weights & Biases";
  trials->error = g_strdup (sl_trials_name (table, (guint) table->error));
  trials->cost = table->cost >= 0 ? g_strdup (sl_trials_name (table, (guint) table->cost)) : NULL;
  trials->whole = optuna && asked_error == NULL ? 0 : whole_of (table, table->error);
  trials->axis = trials->whole > 0 ? g_strdup_printf ("%g − %s", trials->whole, trials->error)
                                   : g_strdup (trials->error);
  table->role = g_new0 (SlTrialsRole, table->names->len);
  sl_trials_give_roles (table, optuna);
  take_columns (trials, table);
  for (guint r = 0; r < sl_trials_rows (table); r++)
    if (state < 0 || is_finished (sl_trials_cell (table, r, (guint) state)))
      g_ptr_array_add (trials->trials, read_trial (trials, table, r));
    else
      trials->unfinished++;
  return TRUE;
}

gboolean
sl_trials_open (SlTrials *trials, const char *path, const char *error_column,
                const char *cost_column, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, TABLE_BYTES, &length, error);
  gboolean         good;
  SlTrialsTable    table;

  if (text == NULL)
    return FALSE;
  *trials = (SlTrials) { .title = g_filename_display_basename (path),
                         .settings = g_ptr_array_new_with_free_func (g_free),
                         .left_out = g_ptr_array_new_with_free_func (g_free),
                         .trials = g_ptr_array_new_with_free_func (free_trial),
                         .tone = -1 };
  table_init (&table, path);
  good = read_table (&table, text, length, RUNS_MOST, error)
         && take_table (trials, &table, error_column, cost_column, error);
  table_clear (&table);
  if (!good)
    sl_trials_clear (trials);
  return good;
}

/* ---- what was decided ---- */

static void
append_names (GString *said, const char *before, const GPtrArray *names)
{
  enum { NAMED = 6 };

  if (names->len > 0)
    g_string_append_printf (said, "; %s ", before);
  for (guint i = 0; i < names->len && i < NAMED; i++)
    g_string_append_printf (said, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (names, i));
  if (names->len > NAMED)
    g_string_append (said, ", …");
}

char *
sl_trials_said (const SlTrials *trials)
{
  GString *said = g_string_new (NULL);

  /* Translators: %s is "Optuna". */
  g_string_printf (said, ngettext ("%u run of %s", "%u runs of %s", trials->trials->len),
                   trials->trials->len, trials->producer);
  if (trials->whole > 0)
    /* Translators: 1 or 100 less the value of a column of accuracies. */
    g_string_append_printf (said, _ ("; error: %g less column “%s”"), trials->whole, trials->error);
  else
    g_string_append_printf (said, _ ("; error: column “%s”, the smaller the better"),
                            trials->error);
  if (trials->cost == NULL)
    g_string_append (said, _ ("; there is no column of times"));
  else
    g_string_append_printf (
      said, trials->seconds ? _ ("; cost: column “%s” in seconds") : _ ("; cost: column “%s”"),
      trials->cost);
  append_names (said, _ ("settings:"), trials->settings);
  if (trials->unfinished > 0)
    g_string_append_printf (said, _ ("; %u unfinished left out"), trials->unfinished);
  append_names (said, _ ("left out:"), trials->left_out);
  return g_string_free (said, FALSE);
}
