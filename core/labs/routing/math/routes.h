/* SPDX-License-Identifier: MIT
 *
 * The routes of one layer: which k of n experts each token went to, as plain numbers that the
 * caller owns.  Everything in this folder is computed from them or from loads.
 *
 * Letters: T tokens, n experts, k slots of a token, L_i the load of expert i = its routings, R = Σ
 * L_i.  Loads are integers and exact; quotients are double.  Ties go to the lower expert
 * everywhere.  Nothing here knows files or labs.  Functions that return a status allocate while
 * they run, all others do not.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum {
  SL_ROUTES_EXPERTS = 4096, /* most experts */
  SL_ROUTES_SLOTS = 64,     /* most experts of a token */
};

typedef struct
{
  unsigned    n, k;   /* 1 … SL_ROUTES_EXPERTS, 1 … SL_ROUTES_SLOTS */
  unsigned    bytes;  /* of an expert's number: 1 (n <= 255) or 2 */
  size_t      tokens; /* T */
  const void *ids;    /* (T, k) numbers below n, or all ones: no expert in this slot */
} SlRoutes;

/* The experts of token t in the order of their slots, without empty slots.  Returns how many. */
static inline unsigned
sl_routes_row (const SlRoutes *r, size_t t, uint16_t row[SL_ROUTES_SLOTS])
{
  unsigned k = 0;

  if (r->bytes == 1)
    {
      const uint8_t *id = (const uint8_t *) r->ids + t * r->k;

      for (unsigned s = 0; s < r->k; s++)
        if (id[s] != UINT8_MAX)
          row[k++] = id[s];
    }
  else
    {
      const uint16_t *id = (const uint16_t *) r->ids + t * r->k;

      for (unsigned s = 0; s < r->k; s++)
        if (id[s] != UINT16_MAX)
          row[k++] = id[s];
    }
  return k;
}

/* Tokens first … first + tokens - 1, which must exist. */
SlRoutes sl_routes_part (const SlRoutes *r, size_t first, size_t tokens);

/* Loads (n). */
void sl_routes_load (const SlRoutes *r, uint64_t *load);

/* Σ k_t² ÷ Σ k_t with k_t the experts of token t: k when all tokens have k, 0 without routings. */
double sl_routes_slots (const SlRoutes *r);

/* Σ L. */
uint64_t sl_load_sum (unsigned n, const uint64_t *load);

/* Numbers 0 … n - 1 by falling weight, the lower first where weights are equal. */
void sl_order_falling (unsigned n, const double *weight, uint16_t *order);
void sl_load_order (unsigned n, const uint64_t *load, uint16_t *order);

/* How many experts a hot set has: max (1, ⌈percent n ÷ 100⌉), at most n. */
unsigned sl_load_hot (unsigned n, double percent);
