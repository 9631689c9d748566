/* SPDX-License-Identifier: MIT
 *
 * How unevenly routings are spread over experts, and on how few they concentrate.  Variances are
 * those of the population, as in core/nn/moe/balance.h.  */
#pragma once

#include "core/labs/routing/math/chance.h"
#include "core/labs/routing/math/routes.h"

typedef struct
{
  uint64_t       routings;     /* R */
  double         cv;           /* √variance ÷ mean; 0 without routings */
  double         peak;         /* n max L ÷ R; 1 without routings */
  double         maxvio;       /* peak - 1 (Wang et al. 2024) */
  double         gini;         /* Σ (2 i - n - 1) L_(i) ÷ (n R), L rising; 0 without routings */
  double         entropy_bits; /* of L ÷ R */
  double         effective;    /* e^entropy: as many experts would do the same work evenly */
  unsigned       dead;         /* experts without any routing */
  SlRoutesChance chance;
  double         cv_excess; /* √max (0, CV² - floor²): what an endless recording
                                                * would leave */
  unsigned       serve_50, serve_80, serve_90; /* the least number of experts that get so many % */
} SlRoutesBalance;

double sl_load_cv (unsigned n, const uint64_t *load);

/* slots: as for sl_routes_chance.  Unless NULL, coverage (n) gets the share of the routings that the
 * 1, 2, … busiest experts have, zeros without routings.  */
SlRoutesBalance sl_load_balance (unsigned n, const uint64_t *load, double slots, double *coverage);

/* Least, quartiles and greatest of n > 0 values, between which it is linear; sorts them. */
void sl_quartiles (size_t n, double *values, double quartiles[5]);
