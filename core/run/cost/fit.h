/* SPDX-License-Identifier: MIT
 *
 * How much longer than its kernels alone a lab takes, term by term: factors fitted to timed runs.  Shared by the
 * files of core/run/cost.  */
#pragma once

#include "core/run/cost/model.h"

enum { SL_COST_FIT_MOST = 64 /* runs */ };

/* A run that was timed.  `unsure`: by how much the logarithm of its terms' sum may be off, as more or fewer units are
 * on than expected.  */
typedef struct
{
  SlCostTerms terms;   /* by the kernels alone, all >= 0 */
  double      seconds; /* by the clock, > 0 */
  double      unsure;
} SlCostTimed;

/* Fits factors to n runs.  The sum of the logarithms' absolute errors is smallest, those that are sure weighing more,
 * held back towards what factors usually are, as little is known.  `error`: within what share a run that was left out
 * is predicted, 90 % of them, beyond what it is unsure by; with few runs it is nearer to what is usual.  Too few runs
 * leave the factors there.  */
void sl_cost_fit (unsigned n, const SlCostTimed *run, SlCostTerms *factor, double *error);

/* The sum of terms times factors. */
double sl_cost_weigh (const SlCostTerms *terms, const SlCostTerms *factor);

/* Of a lab that nothing was learned from. */
void sl_cost_learned_init (SlCostLearned *learned);
