/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/gates.h"

#include <math.h>
#include <stdbool.h>

static bool
slot_expert (const SlRoutes *r, size_t at, unsigned *expert)
{
  *expert = r->bytes == 1 ? ((const uint8_t *) r->ids)[at] : ((const uint16_t *) r->ids)[at];
  return *expert < r->n;
}

/* Adds a token's gates (k) to the means, and to the mass (n) of its experts. */
static void
add_token (const SlRoutes *r, size_t t, const float *gates, double *mass, SlRoutesGates *sums)
{
  double   total = 0.0;
  unsigned expert;

  for (unsigned s = 0; s < r->k; s++)
    if (slot_expert (r, t * r->k + s, &expert))
      {
        mass[expert] += gates[s];
        total += gates[s];
      }
  sums->sum += total;
  for (unsigned s = 0; s < r->k; s++)
    if (slot_expert (r, t * r->k + s, &expert) && gates[s] > 0.0f && total > 0.0)
      {
        double share = gates[s] / total;

        sums->entropy_bits -= share * log2 (share);
        sums->first += s == 0 ? share : 0.0;
      }
}

static double
cv_of (unsigned n, const double *mass)
{
  double mean = 0.0, deviations = 0.0;

  for (unsigned i = 0; i < n; i++)
    mean += mass[i] / n;
  for (unsigned i = 0; i < n; i++)
    deviations += (mass[i] - mean) * (mass[i] - mean);
  return mean > 0.0 ? sqrt (deviations / n) / mean : 0.0;
}

SlRoutesGates
sl_routes_gates (const SlRoutes *r, const float *gates)
{
  double        mass[SL_ROUTES_EXPERTS] = { 0 }, tokens = (double) r->tokens;
  SlRoutesGates sums = { 0 };

  for (size_t t = 0; t < r->tokens; t++)
    add_token (r, t, gates + t * r->k, mass, &sums);
  return (SlRoutesGates) { cv_of (r->n, mass), sums.entropy_bits / tokens, sums.sum / tokens,
                           sums.first / tokens };
}
