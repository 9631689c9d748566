/* SPDX-License-Identifier: MIT
 *
 * The table of a sweep while it is read, for trials.c.  */
#pragma once

#include <glib.h>

/* What a column is for. */
typedef enum {
  SL_TRIALS_OTHER,
  SL_TRIALS_NAME,
  SL_TRIALS_STATE,
  SL_TRIALS_SETTING,
  SL_TRIALS_VARIED, /* a setting with several values, but no seed */
} SlTrialsRole;

typedef struct
{
  const char   *subject;
  GPtrArray    *names;       /* of the columns, owned */
  GPtrArray    *cells;       /* row by row, borrowed from the text; NULL: empty */
  SlTrialsRole *role;        /* (names) */
  int           error, cost; /* columns, which may be settings, too; -1: none */
} SlTrialsTable;

guint       sl_trials_rows (const SlTrialsTable *table);
const char *sl_trials_cell (const SlTrialsTable *table, guint row, guint column);
const char *sl_trials_name (const SlTrialsTable *table, guint column);
/* The column of a name in capitals or not; -1: none. */
int sl_trials_column (const SlTrialsTable *table, const char *name);

/* A cell as a number; "90", "0 days 00:01:30.5", "1 day, 0:01:30" in seconds.  Not-a-number for anything else. */
double sl_trials_number (const char *text);
double sl_trials_seconds (const char *text);
/* Whether all cells of a column that are not empty are such numbers, and there are some. */
gboolean sl_trials_numeric (const SlTrialsTable *table, guint column,
                            double (*value) (const char *));
/* How many values a column has. */
guint sl_trials_count (const SlTrialsTable *table, guint column);

/* Whose table it is, by its columns. */
gboolean sl_trials_optuna (const SlTrialsTable *table);
gboolean sl_trials_wandb (const SlTrialsTable *table);

/* The columns of the error and of the time; -1: none. */
int      sl_trials_choose_error (const SlTrialsTable *table, gboolean optuna);
int      sl_trials_choose_cost (const SlTrialsTable *table);
gboolean sl_trials_is_accuracy (const char *name);
gboolean sl_trials_is_seed (const char *name);

/* Fills `role` in. */
void sl_trials_give_roles (const SlTrialsTable *table, gboolean optuna);
