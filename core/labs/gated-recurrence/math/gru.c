/* SPDX-License-Identifier: MIT */
#include "core/labs/gated-recurrence/math/private.h"

#include <assert.h>
#include <stdlib.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/row-gemm.h"

enum { NEIGHBOURS = 64 }; /* units of a group where no gate is shared */

static size_t
take_numbers (SlGru *gru, size_t n)
{
  size_t at = gru->n;

  gru->n += n;
  return at;
}

void
sl_gru_shape (SlGru *gru, SlGruGating gating, bool one_hot, bool rectify, size_t inputs,
              size_t units, size_t gates)
{
  size_t d = inputs, h = units, g;
  bool   dense = gating == SL_GRU_STANDARD || gating == SL_GRU_DENSE;
  bool   shared = gating == SL_GRU_BLOCKS || gating == SL_GRU_MIXED;
  bool   bottleneck = gating == SL_GRU_UNITS || gating == SL_GRU_MIXED;

  *gru = (SlGru) { .gating = gating,
                   .one_hot = one_hot,
                   .rectify = rectify,
                   .inputs = d,
                   .units = h,
                   .gates = dense ? units : gates,
                   .wide = one_hot ? h : d + h };
  g = gru->gates;
  gru->stride = (gru->wide + SL_STRIP - 1) / SL_STRIP * SL_STRIP;
  if (gru->stride / SL_STRIP % 2 == 0)
    gru->stride += SL_STRIP;
  gru->columns = dense ? 0 : shared ? g : h;
  gru->group = shared ? h / g : h < NEIGHBOURS ? h : NEIGHBOURS;
  gru->groups = (h + gru->group - 1) / gru->group;
  gru->at_r = take_numbers (gru, h * gru->wide);
  gru->at_a = take_numbers (gru, one_hot ? 0 : h * d);
  gru->at_q = take_numbers (gru, h * h);
  gru->at_l = take_numbers (gru, g * gru->wide);
  gru->at_v = take_numbers (gru, bottleneck ? g * h : 0);
  gru->table_r = take_numbers (gru, one_hot ? d * h : 0);
  gru->table_a = take_numbers (gru, one_hot ? d * h : 0);
  gru->table_l = take_numbers (gru, one_hot ? d * g : 0);
  gru->bias_r = take_numbers (gru, h);
  gru->bias_a = take_numbers (gru, h);
  gru->bias_l = take_numbers (gru, g);
  gru->bias_v = take_numbers (gru, gating == SL_GRU_MIXED ? h : 0);
}

void
sl_gru_shape_affine (SlGru *gru)
{
  gru->affine = gru->columns > 0;
  gru->at_gamma = take_numbers (gru, gru->columns);
  gru->at_beta = take_numbers (gru, gru->columns);
}

/* The part [W U] (rows, k) of one gate: W Glorot, U with orthonormal rows, or Glorot where there
 * are more of them than columns.  */
static void
init_part (const SlGru *gru, SlRng *rng, size_t rows, size_t wide, sl_real *w, sl_real *square,
           sl_real *work)
{
  size_t h = gru->units, d = wide - h;

  for (size_t i = 0; i < rows; i++)
    {
      sl_init_glorot (rng, gru->inputs, rows, d, w + i * wide);
      if (rows > h)
        sl_init_glorot (rng, h, rows, h, w + i * wide + d);
    }
  if (rows > h)
    return;
  for (size_t i = 0; i < h * rows; i++)
    square[i] = (sl_real) sl_rng_normal (rng);
  sl_mat_qr (h, rows, square, work);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < h; j++)
      w[i * wide + d + j] = square[j * rows + i];
}

SlStatus
sl_gru_init (const SlGru *gru, SlRng *rng, sl_real *w)
{
  size_t   h = gru->units, d = gru->inputs, g = gru->gates;
  size_t   work_size = sl_mat_qr_work (h, h);
  sl_real *square = malloc ((h * h + work_size) * sizeof *square), *work = square + h * h;

  if (square == NULL)
    return sl_status_no_memory (SL_MARK ("first weights"));
  memset (w, 0, gru->n * sizeof *w);
  init_part (gru, rng, h, gru->wide, w + gru->at_r, square, work);
  init_part (gru, rng, h, h, w + gru->at_q, square, work);
  init_part (gru, rng, g, gru->wide, w + gru->at_l, square, work);
  for (size_t i = 0; gru->affine && i < gru->columns; i++)
    w[gru->at_gamma + i] = 1;
  if (gru->at_v != gru->table_r)
    sl_init_glorot (rng, g, h, g * h, w + gru->at_v);
  if (gru->one_hot)
    {
      sl_init_glorot (rng, d, h, d * h, w + gru->table_r);
      sl_init_glorot (rng, d, h, d * h, w + gru->table_a);
      sl_init_glorot (rng, d, g, d * g, w + gru->table_l);
    }
  else
    sl_init_glorot (rng, d, h, d * h, w + gru->at_a);
  free (square);
  return SL_SUCCESS;
}

static sl_real *
cut_strips (SlArena *scratch, size_t blocks, size_t k, size_t n)
{
  return sl_arena_reals (scratch, blocks * sl_row_gemm_size (k, n));
}

void
sl_gru_pack_carve (SlGruPacked *packed, const SlGru *gru, bool backward, SlArena *scratch)
{
  size_t h = gru->units, d = gru->inputs, k = gru->wide, m = gru->groups, n = gru->group;

  *packed = (SlGruPacked) { 0 };
  packed->forward = cut_strips (scratch, m, sl_gru_group_rows (gru), n);
  packed->forward_l = cut_strips (scratch, 1, k, gru->gates);
  packed->backward = backward;
  if (!backward)
    return;
  packed->backward_r = cut_strips (scratch, 1, h, k);
  packed->backward_a = gru->one_hot ? NULL : cut_strips (scratch, 1, h, d);
  packed->backward_q = cut_strips (scratch, 1, h, h);
  packed->backward_l = cut_strips (scratch, 1, gru->gates, k);
}

/* One group's rows of R, Q and A, transposed. */
static void
pack_group (const SlGru *gru, size_t group, const sl_real *w, SlGruPacked *packed)
{
  size_t   n = sl_gru_group_units (gru, group), first = group * gru->group;
  size_t   rows[] = { gru->wide, gru->units, gru->one_hot ? 0 : gru->inputs };
  size_t   at[] = { gru->at_r, gru->at_q, gru->at_a };
  sl_real *strips = packed->forward + group * sl_gru_group_strips (gru, sl_gru_group_rows (gru));

  for (int part = 0; part < 3; part++)
    {
      sl_row_gemm_pack (SL_TRANSPOSED, rows[part], n, w + at[part] + first * rows[part], rows[part],
                        strips);
      strips += sl_gru_group_strips (gru, rows[part]);
    }
}

void
sl_gru_pack (const SlGru *gru, const sl_real *w, SlGruPacked *packed)
{
  size_t h = gru->units, d = gru->inputs, k = gru->wide, g = gru->gates;

#pragma omp parallel for schedule(static)
  for (size_t group = 0; group < gru->groups; group++)
    pack_group (gru, group, w, packed);
  sl_row_gemm_pack (SL_TRANSPOSED, k, g, w + gru->at_l, k, packed->forward_l);
  if (!packed->backward)
    return;
  sl_row_gemm_pack (SL_PLAIN, h, k, w + gru->at_r, k, packed->backward_r);
  if (!gru->one_hot)
    sl_row_gemm_pack (SL_PLAIN, h, d, w + gru->at_a, d, packed->backward_a);
  sl_row_gemm_pack (SL_PLAIN, h, h, w + gru->at_q, h, packed->backward_q);
  sl_row_gemm_pack (SL_PLAIN, g, k, w + gru->at_l, k, packed->backward_l);
}

void
sl_gru_tape_carve (SlGruTape *tape, const SlGru *gru, size_t batch, size_t steps, bool backward,
                   SlArena *scratch)
{
  size_t h = gru->units, d = gru->inputs, c = gru->columns, rows = batch * steps;

  *tape = (SlGruTape) { .batch = batch, .steps = steps };
  tape->in = sl_arena_reals (scratch, (rows + batch) * gru->stride);
  tape->gate = sl_arena_reals (scratch, rows * gru->gates);
  tape->norm = sl_arena_reals (scratch, rows * c);
  tape->mean = sl_arena_reals (scratch, steps * c);
  tape->variance = sl_arena_reals (scratch, steps * c);
  tape->inverse = sl_arena_reals (scratch, steps * c);
  tape->z = sl_arena_reals (scratch, rows * c);
  tape->reset = gru->gating == SL_GRU_STANDARD ? sl_arena_reals (scratch, rows * h) : NULL;
  tape->inner = gru->gating == SL_GRU_MIXED ? sl_arena_reals (scratch, rows * h) : NULL;
  tape->row = sl_arena_carve (scratch, gru->groups * rows, sizeof *tape->row);
  tape->start = sl_arena_carve (scratch, gru->groups * (steps + 1), sizeof *tape->start);
  tape->r = sl_arena_reals (scratch, rows * h);
  tape->q = sl_arena_reals (scratch, rows * h);
  tape->a = sl_arena_reals (scratch, rows * h);
  if (!backward)
    return;
  tape->dgate = sl_arena_reals (scratch, rows * gru->gates);
  tape->din = sl_arena_reals (scratch, rows * gru->stride);
  tape->dstate = sl_arena_reals (scratch, batch * h);
  tape->dz = sl_arena_reals (scratch, batch * h);
  tape->strips_h = sl_arena_reals (scratch, sl_row_gemm_size (rows, h));
  if (gru->gating == SL_GRU_STANDARD)
    {
      tape->dreset = sl_arena_reals (scratch, rows * h);
      tape->strips_reset = sl_arena_reals (scratch, sl_row_gemm_size (rows, h));
    }
  tape->strips_x = gru->one_hot ? NULL : sl_arena_reals (scratch, sl_row_gemm_size (rows, d));
}

size_t
sl_gru_pairs (const SlGru *gru, const SlGruTape *tape, size_t steps)
{
  size_t units = 0;

  assert (steps <= tape->steps);
  for (size_t b = 0; b < gru->groups; b++)
    units += tape->start[b * (tape->steps + 1) + steps] * sl_gru_group_units (gru, b);
  return units;
}

double
sl_gru_unit_macs (const SlGru *gru)
{
  double h = (double) gru->units;

  return h * (double) gru->wide + h * (double) (gru->one_hot ? 0 : gru->inputs) + h * h;
}

double
sl_gru_gate_macs (const SlGru *gru)
{
  bool bottleneck = gru->gating == SL_GRU_UNITS || gru->gating == SL_GRU_MIXED;

  return (double) gru->gates * (double) gru->wide
         + (bottleneck ? (double) gru->gates * (double) gru->units : 0);
}
