/* SPDX-License-Identifier: MIT
 *
 * How much longer than its kernels alone a lab takes, term by term: factors fitted to timed runs.  Shared by the
 * files of core/run/cost.  */
#pragma once

#include "core/run/cost/model.h"

enum { SL_COST_FIT_MOST = 64 /* runs */ };

/* Fits factors to n runs: terms (n) by the kernels alone, all >= 0, and seconds timed, > 0.  The sum of the
 * logarithms' absolute errors is smallest, held back towards factors of 1, and towards a few microseconds
 * every time, as little is known.  `error`: within what share a run that was left out is predicted, 90 % of
 * them.  Too few runs leave the factors at 1.  */
void sl_cost_fit (unsigned n, const SlCostTerms *terms, const double *timed, SlCostTerms *factor,
                  double *error);

/* The sum of terms times factors. */
double sl_cost_weigh (const SlCostTerms *terms, const SlCostTerms *factor);

/* Of a lab that nothing was learned from. */
void sl_cost_learned_init (SlCostLearned *learned);
