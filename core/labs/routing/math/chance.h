/* SPDX-License-Identifier: MIT
 *
 * What chance alone gives: a router without preference draws the k_t experts of each token at random,
 * all different.  Then the load of an expert has variance Σ (k_t/n)(1 - k_t/n) around a mean that is
 * fixed, so that exactly E CV² = (n - s) ÷ R with s = Σ k_t² ÷ Σ k_t (ours, checked by simulation).
 * Tokens of a text hang together, so real windows spread more: it is a floor, not a test.  */
#pragma once

#include "core/labs/routing/math/routes.h"

typedef struct
{
  double floor;      /* √(E CV²) */
  double floor_mean; /* mean CV, which is below the root of a mean square */
  double floor_95;   /* 95 % of even routers stay below (Wilson and Hilferty 1931) */
  double peak;       /* largest load ÷ mean; good where loads are 8 an expert and more, as is: */
  double effective;  /* e^entropy */
  double gini;       /* about: floor √((n - 1)/n) ÷ √π, as of normal numbers */
  double dead;       /* experts that no token goes to: n (1 - s/n) to the power of routings ÷ s */
} SlRoutesChance;

/* Of n experts with so many routings; slots: s above, 1 where tokens are not known. */
SlRoutesChance sl_routes_chance (unsigned n, double routings, double slots);

/* Expected experts without a token by chance, n Π (1 - k_t/n). */
double sl_routes_dead_by_chance (const SlRoutes *r);

/* The x that a normal number stays below with probability p. */
double sl_normal_quantile (double p);
