/* SPDX-License-Identifier: MIT
 *
 * Capacity: in each window of tokens an expert takes so many routings and no more (Lepikhin et al.
 * 2020; Fedus et al. 2021); what is beyond is dropped.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* ⌈factor tokens k ÷ n - 10⁻⁹⌉: routings that an expert takes in a window of so many tokens. */
uint64_t sl_expert_capacity (double factor, size_t tokens, double k, unsigned n);

/* Routings of one window beyond the capacity of their experts. */
uint64_t sl_load_beyond (unsigned n, const uint64_t *load, uint64_t capacity);

typedef struct
{
  double dropped; /* share of the routings */
  double hurt; /* share of the tokens that lose an expert, if the first to come is served first */
  double stranded; /* share of the tokens that lose all they have */
} SlDropped;

/* In windows of w tokens, the last of which may be short. */
SlDropped sl_routes_dropped (const SlRoutes *r, size_t w, double factor);

/* The same in windows whose first tokens are first[0] … first[windows - 1], up to first[windows]. */
SlDropped sl_routes_dropped_in (const SlRoutes *r, size_t windows, const size_t *first,
                                double factor);

/* Share of the routings of windows (windows, n) whose tokens are known by number alone (windows);
 * 0 without routings.  */
double sl_loads_dropped (unsigned n, double k, size_t windows, const uint64_t *loads,
                         const size_t *tokens, double factor);
