/* SPDX-License-Identifier: MIT
 *
 * The table of a sweep of another program, a line a run: what Optuna writes (study.trials_dataframe().to_csv()) and
 * what Weights & Biases exports.  Which column is what is decided here and said; plain data, one thread.  */
#pragma once

#include <glib.h>

/* A run that has come to its end. */
typedef struct
{
  char   *name;  /* number or name of the run */
  char  **value; /* (n settings) as the table has them */
  double  error; /* the smaller, the better; not-a-number: it has none */
  double  cost;
  guint64 key;   /* the same for runs that differ in the seed alone */
  char   *title; /* the settings that vary: "k 3, lr 0.01" */
} SlForeignTrial;

typedef struct
{
  char       *title;    /* name of the file */
  const char *producer; /* "Optuna", "Weights & Biases"; static */
  char       *error;    /* the column that is the error */
  double      whole;    /* > 0: the column is an accuracy, and the error is so much less it */
  char       *axis;     /* what the error is called: "value", "1 − accuracy" */
  char    *cost; /* the column that is the cost; NULL: there is none, and costs are not-a-number */
  gboolean seconds;    /* the cost is a time */
  GPtrArray *settings; /* names of settings, owned */
  GPtrArray *left_out; /* names of the other columns, owned */
  GPtrArray *trials;   /* of SlForeignTrial */
  guint
    unfinished; /* runs that are left out, as their state says that they did not come to their end */
  int tone;     /* the setting with most values that are all numbers, or -1 */
} SlTrials;

void sl_trials_clear (SlTrials *trials);

/* Whether the beginning of a file is such a table.  The text is written to and followed by a zero byte. */
gboolean sl_trials_are (char *text, gsize length);

/* Reads such a table.  `error` and `cost` are columns that are to be that, NULL: what the reader takes for it.  FALSE
 * with a sentence; then nothing needs clearing.  */
gboolean sl_trials_open (SlTrials *trials, const char *path, const char *error_column,
                         const char *cost_column, GError **error);

/* What was decided: "16 runs of Optuna; error: column “value”, the smaller the better; …"; free
 * with g_free().  */
char *sl_trials_said (const SlTrials *trials);

/* The number of setting `i` of a run; not-a-number for a word. */
double sl_trials_setting (const SlForeignTrial *trial, guint i);
