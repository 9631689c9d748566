/* SPDX-License-Identifier: MIT
 *
 * Which of the settings that were varied between runs matter for an outcome: functional ANOVA over a random forest
 * (forest.h).  Numbers count as they are, at ratios where the parameter is logarithmic; choices, texts and lists of several
 * elements are categories; data sets and seeds that differ count too.  Plain data, any thread.  */
#pragma once

#include "core/run/importance/forest.h"
#include "core/run/query/field.h"

G_BEGIN_DECLS

enum { SL_IMPORTANCE_SEED = 1, SL_IMPORTANCE_LEAST = 8 /* runs */ };

typedef struct
{
  const char *id, *title; /* of a parameter, or "data", "seed" */
  double      share;      /* 0 … 1 */
  double      spread;     /* standard deviation of the share over the trees */
} SlImportancePart;

typedef struct
{
  SlImportancePart part[SL_FOREST_COLUMNS]; /* the most important first */
  unsigned         n;
  unsigned runs; /* that count: with a finite outcome, at most SL_FOREST_ROWS, evenly taken */
} SlImportance;

/* What a forest is given: a column for each setting that varies, and the outcome. */
typedef struct SlImportanceTable SlImportanceTable;

/* As below; keeps nothing of `runs`. */
SlImportanceTable *sl_importance_table_new (const GPtrArray *runs, const SlLab *lab,
                                            const SlField *outcome);
void               sl_importance_table_free (SlImportanceTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlImportanceTable, sl_importance_table_free)

/* Up to seconds for many runs and settings; any thread. */
void sl_importance_measure (const SlImportanceTable *table, SlImportance *importance);

/* Of `runs` (of SlStoreRun) those of `lab`, for an outcome ("error", "executed", any score).  n = 0 where fewer than
 * SL_IMPORTANCE_LEAST runs have it, it is the same in all of them, or nothing was varied.  */
void sl_importance_of (const GPtrArray *runs, const SlLab *lab, const SlField *outcome,
                       SlImportance *importance);

/* The table that the forest is given, as CSV: a column for each setting, then the outcome; for comparison with other
 * programs.  Categories are written as words.  Free with g_free().  */
char *sl_importance_csv (const GPtrArray *runs, const SlLab *lab, const SlField *outcome);

G_END_DECLS
