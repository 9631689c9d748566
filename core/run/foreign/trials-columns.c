/* SPDX-License-Identifier: MIT
 *
 * Which column of a sweep's table is what.  */
#include "core/run/foreign/trials-columns.h"

#include <math.h>
#include <string.h>

guint
sl_trials_rows (const SlTrialsTable *table)
{
  return table->cells->len / MAX (table->names->len, 1);
}

const char *
sl_trials_cell (const SlTrialsTable *table, guint row, guint column)
{
  const char *cell = g_ptr_array_index (table->cells, row * table->names->len + column);

  return cell != NULL ? cell : "";
}

const char *
sl_trials_name (const SlTrialsTable *table, guint column)
{
  return g_ptr_array_index (table->names, column);
}

int
sl_trials_column (const SlTrialsTable *table, const char *name)
{
  for (guint c = 0; name != NULL && c < table->names->len; c++)
    if (g_ascii_strcasecmp (sl_trials_name (table, c), name) == 0)
      return (int) c;
  return -1;
}

/* ---- values ---- */

double
sl_trials_number (const char *text)
{
  char  *end;
  double value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' ? value : (double) NAN;
}

/* "90", "0 days 00:01:30.5", "1 day, 0:01:30" in seconds; not-a-number for anything else. */
double
sl_trials_seconds (const char *text)
{
  const char *day = strstr (text, "day"), *clock = text;
  double      days = 0, seconds = 0;
  char       *end;

  if (isfinite (sl_trials_number (text)) || !g_ascii_isdigit (*text))
    return sl_trials_number (text);
  if (day != NULL)
    {
      days = g_ascii_strtod (text, NULL);
      clock = day + strcspn (day, "0123456789");
    }
  for (int part = 0; part < 3; part++)
    {
      seconds = 60 * seconds + g_ascii_strtod (clock, &end);
      if (end == clock)
        return NAN;
      clock = end;
      if (*clock != ':')
        break;
      clock++;
    }
  return *clock == '\0' ? 86400 * days + seconds : (double) NAN;
}

gboolean
sl_trials_numeric (const SlTrialsTable *table, guint column, double (*value) (const char *))
{
  gboolean any = FALSE;

  for (guint r = 0; r < sl_trials_rows (table); r++)
    {
      const char *cell = sl_trials_cell (table, r, column);

      if (*cell != '\0' && isnan (value (cell)) && g_ascii_strcasecmp (cell, "nan") != 0)
        return FALSE;
      any |= *cell != '\0';
    }
  return any;
}

guint
sl_trials_count (const SlTrialsTable *table, guint column)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint r = 0; r < sl_trials_rows (table); r++)
    g_hash_table_add (seen, (gpointer) sl_trials_cell (table, r, column));
  return g_hash_table_size (seen);
}

/* ---- roles of columns ---- */

/* Whether a word of a name, "val" in "eval/val_loss@1", is one of these; digits may follow it. */
static gboolean
has_word (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_auto (GStrv) parts = g_strsplit_set (lower, "/_-. :@()", -1);

  for (char **part = parts; *part != NULL; part++)
    {
      gsize n = strlen (*part);

      while (n > 0 && g_ascii_isdigit ((*part)[n - 1]))
        n--;
      (*part)[n] = '\0';
      if (n > 0 && g_strv_contains (words, *part))
        return TRUE;
    }
  return FALSE;
}

static const char *const of_accuracy[] = { "accuracy", "acc", "f1", "f", "auc", "auroc", NULL };
static const char *const of_error[]
  = { "error", "err", "loss", "perplexity", "ppl", "rmse", "mse", "mae", "nll", NULL };
static const char *const of_held_out[]
  = { "test", "val", "valid", "validation", "eval", "evaluation", NULL };
static const char *const of_settings[]
  = { "weight", "coef", "coeff", "coefficient", "alpha",  "lambda", "scale",
      "factor", "fn",   "type",  "function",    "target", "name",   NULL };

/* The lower, the more a column is what a sweep is about; -1: it is no result ("aux_loss_coef"). */
static int
rank_of_result (const char *name)
{
  int held_out = has_word (name, of_held_out) ? 0 : 1;

  if (has_word (name, of_settings))
    return -1;
  if (has_word (name, of_error))
    return held_out;
  return has_word (name, of_accuracy) ? 2 + held_out : -1;
}

gboolean
sl_trials_is_accuracy (const char *name)
{
  return rank_of_result (name) >= 2;
}

gboolean
sl_trials_is_seed (const char *name)
{
  static const char *const seeds[] = { "seed", NULL };

  return has_word (name, seeds) || g_str_equal (name, "random_state");
}

/* Columns of Weights & Biases that are neither settings nor results, and results beside the error. */
static gboolean
is_about_run (const char *name)
{
  static const char *const known[]
    = { "Name",     "State",     "Notes",       "User",  "Tags",     "Created", "Runtime",
        "Sweep",    "ID",        "Step",        "epoch", "step",     "Host",    "Hostname",
        "GPU Type", "GPU Count", "Github",      "Group", "Job Type", "Updated", "End Time",
        "Entity",   "Project",   "global_step", "",      NULL };
  static const char *const metrics[]
    = { "train/", "eval/", "val/", "test/", "train_", "eval_", "val_", "test_", NULL };

  if (name[0] == '_' || g_strv_contains (known, name) || rank_of_result (name) >= 0)
    return TRUE;
  for (const char *const *metric = metrics; *metric != NULL; metric++)
    if (g_str_has_prefix (name, *metric))
      return TRUE;
  return FALSE;
}

gboolean
sl_trials_optuna (const SlTrialsTable *table)
{
  gboolean params = FALSE;

  for (guint c = 0; c < table->names->len; c++)
    params |= g_str_has_prefix (sl_trials_name (table, c), "params_");
  return params
         && (sl_trials_column (table, "value") >= 0 || sl_trials_column (table, "values_0") >= 0)
         && sl_trials_column (table, "number") >= 0;
}

gboolean
sl_trials_wandb (const SlTrialsTable *table)
{
  return sl_trials_column (table, "Name") >= 0 && sl_trials_column (table, "State") >= 0
         && (sl_trials_column (table, "Runtime") >= 0 || sl_trials_column (table, "Created") >= 0
             || sl_trials_column (table, "Sweep") >= 0 || sl_trials_column (table, "User") >= 0);
}

/* The column of the error that the producer means, or the best by its name; -1: none. */
int
sl_trials_choose_error (const SlTrialsTable *table, gboolean optuna)
{
  int best = -1, best_rank = -1;

  if (optuna)
    return MAX (sl_trials_column (table, "value"), sl_trials_column (table, "values_0"));
  for (guint c = 0; c < table->names->len; c++)
    {
      int rank = rank_of_result (sl_trials_name (table, c));

      if (rank >= 0 && (best < 0 || rank < best_rank)
          && sl_trials_numeric (table, c, sl_trials_number))
        {
          best = (int) c;
          best_rank = rank;
        }
    }
  return best;
}

int
sl_trials_choose_cost (const SlTrialsTable *table)
{
  static const char *const times[] = { "duration", "Runtime", "_runtime", "train_runtime" };

  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      int column = sl_trials_column (table, times[i]);

      if (column >= 0 && sl_trials_numeric (table, (guint) column, sl_trials_seconds))
        return column;
    }
  return -1;
}

static void
give_role (const SlTrialsTable *table, int column, SlTrialsRole role)
{
  if (column >= 0)
    table->role[column] = role;
}

void
sl_trials_give_roles (const SlTrialsTable *table, gboolean optuna)
{
  for (guint c = 0; c < table->names->len; c++)
    {
      const char *name = sl_trials_name (table, c);

      if (optuna
            ? g_str_has_prefix (name, "params_")
            : !is_about_run (name)
                || (rank_of_result (name) >= 0 && !sl_trials_numeric (table, c, sl_trials_number)))
        table->role[c] = SL_TRIALS_SETTING;
    }
  give_role (table, sl_trials_column (table, optuna ? "number" : "Name"), SL_TRIALS_NAME);
  give_role (table, sl_trials_column (table, "state"), SL_TRIALS_STATE);
}
