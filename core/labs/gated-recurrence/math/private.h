/* SPDX-License-Identifier: MIT
 *
 * What the passes of gated recurrent units share; private to them.  */
#pragma once

#include <string.h>

#include "core/labs/gated-recurrence/math/gru.h"
#include "core/nn/kernels/row-gemm.h"

enum {
  SL_GRU_CHUNK = 64,       /* units whose gates are spread out at a time */
  SL_GRU_SHARED = 2 << 20, /* dense multiplications of a step from which more threads pay */
};

/* Rows of the packed weights that a group reads: those of R, Q and A. */
static inline size_t
sl_gru_group_rows (const SlGru *gru)
{
  return gru->wide + gru->units + (gru->one_hot ? 0 : gru->inputs);
}

/* Numbers of so many of them. */
static inline size_t
sl_gru_group_strips (const SlGru *gru, size_t rows)
{
  return sl_row_gemm_size (rows, gru->group);
}

/* Where the pairs of a group from step t on begin in r, q and a of the tape. */
static inline size_t
sl_gru_pair_at (const SlGru *gru, const SlGruTape *tape, size_t group, size_t t)
{
  return group * gru->group * tape->batch * tape->steps
         + tape->start[group * (tape->steps + 1) + t] * sl_gru_group_units (gru, group);
}

/* The gates z (n <= SL_GRU_CHUNK) of the units from number `first` of a group on. */
static inline void
sl_gru_unit_gates (const SlGru *gru, const SlGruTape *tape, size_t row, size_t group, size_t first,
                   size_t n, sl_real *z)
{
  size_t  unit = group * gru->group + first;
  sl_real shared;

  switch (gru->gating)
    {
    case SL_GRU_STANDARD:
    case SL_GRU_DENSE: memcpy (z, tape->gate + row * gru->gates + unit, n * sizeof *z); return;
    case SL_GRU_UNITS: memcpy (z, tape->z + row * gru->columns + unit, n * sizeof *z); return;
    case SL_GRU_BLOCKS:
      for (size_t i = 0; i < n; i++)
        z[i] = tape->z[row * gru->columns + group];
      return;
    case SL_GRU_MIXED:
      shared = tape->z[row * gru->columns + group];
      for (size_t i = 0; i < n; i++)
        z[i] = shared * tape->inner[row * gru->units + unit + i];
      return;
    }
}
