/* SPDX-License-Identifier: MIT
 *
 * Gated units and the layer above them; see gather.h.  */
#include "core/nn/kernels/gather.h"

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather-block.h"

enum { ALONE = 2048 /* units of one turn when there is one example */ };

/* The part of the layer above that `LANES` of its outputs from `tile` on get from a unit: its row
 * of V, of which `left` numbers are there.  */
INLINE void
output_row (const sl_real *v, size_t left, Lanes *row)
{
  *row = (Lanes) { 0 };
  if (left >= LANES)
    *row = LOAD (v);
  else
    memcpy (row, v, left * sizeof *v);
}

/* Adds what the units of a block, each times its gate, give to the layer above; `left` numbers of V
 * are there from `v` on.  */
INLINE void
block_pass_on (const Block *block, const sl_real *gate, size_t stride, size_t outputs,
               const sl_real *v, size_t left, sl_real *y)
{
  for (size_t tile = 0; tile < outputs; tile += LANES)
    {
      size_t count = outputs - tile < LANES ? outputs - tile : LANES;
      size_t pair = 0;
      Lanes  total[EXAMPLES] = { 0 };

      for (size_t i = 0; i < block->units; i++)
        {
          size_t at = i * outputs + tile;
          Lanes  row;

          output_row (v + at, left - at, &row);
          for (size_t stop = pair + block->count[i]; pair < stop; pair++)
            {
              size_t e = block->wanted[pair];

              total[e] += row * (gate[e * stride + i] * block->sum[pair]);
            }
        }
      for (size_t e = 0; e < block->examples; e++)
        for (size_t k = 0; k < count; k++)
          y[e * outputs + tile + k] += total[e][k];
    }
}

typedef struct
{
  size_t         batch, inputs, units, outputs;
  const sl_real *w, *b, *x, *gate, *v;
  sl_real       *y;
} Gated;

/* What the units `first` to `first` + UNITS give to the outputs of up to EXAMPLES examples from `e` on. */
INLINE void
gated_block (int chains, const Gated *g, size_t e, size_t first)
{
  const sl_real *gate = g->gate + e * g->units + first;
  Block          block;
  uint8_t        mask[EXAMPLES * UNITS];

  block.examples = g->batch - e < EXAMPLES ? g->batch - e : EXAMPLES;
  block.units = g->units - first < UNITS ? g->units - first : UNITS;
  for (size_t k = 0; k < block.examples; k++)
    for (size_t i = 0; i < block.units; i++)
      mask[k * UNITS + i] = gate[k * g->units + i] != 0;
  block_list (&block, mask, UNITS, g->b + first);
  block_add (&block, chains, g->w + first * g->inputs, g->x + e * g->inputs, g->inputs);
  block_pass_on (&block, gate, g->units, g->outputs, g->v + first * g->outputs,
                 (g->units - first) * g->outputs, g->y + e * g->outputs);
}

SL_NARROW_CLONES static void
gated_narrow (const Gated *g, size_t e, size_t first)
{
  gated_block (1, g, e, first);
}

#ifdef SL_WIDE
SL_WIDE static void
gated_wide (const Gated *g, size_t e, size_t first)
{
  gated_block (2, g, e, first);
}
#endif

static void
gated_any (const Gated *g, size_t e, size_t first)
{
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      gated_wide (g, e, first);
      return;
    }
#endif
  gated_narrow (g, e, first);
}

/* One example, whose units are computed several at a time. */
SL_CLONES static void
gated_one (size_t inputs, size_t units, size_t outputs, const sl_real *w, const sl_real *b,
           const sl_real *x, const sl_real *gate, const sl_real *v, sl_real *y)
{
  for (size_t first = 0; first < units; first += ALONE)
    {
      size_t   here = units - first < ALONE ? units - first : ALONE, n_rows = 0;
      uint32_t rows[ALONE];
      sl_real  pre[ALONE];

      for (size_t i = 0; i < here; i++)
        {
          rows[n_rows] = (uint32_t) i;
          n_rows += gate[first + i] != 0;
        }
      sl_gather_vec (inputs, w + first * inputs, b + first, x, rows, n_rows, pre);
      for (size_t tile = 0; tile < outputs; tile += LANES)
        {
          size_t count = outputs - tile < LANES ? outputs - tile : LANES;
          Lanes  total = { 0 };

          for (size_t r = 0; r < n_rows; r++)
            {
              size_t i = first + rows[r], at = i * outputs + tile;
              Lanes  row;

              output_row (v + at, units * outputs - at, &row);
              total += row * (gate[i] * pre[rows[r]]);
            }
          for (size_t k = 0; k < count; k++)
            y[tile + k] += total[k];
        }
    }
}

void
sl_gather_gated (size_t batch, size_t inputs, size_t units, size_t outputs, const sl_real *w,
                 const sl_real *b, const sl_real *x, const sl_real *gate, const sl_real *v,
                 const sl_real *c, sl_real *y)
{
  Gated g = { batch, inputs, units, outputs, w, b, x, gate, v, y };

  for (size_t e = 0; e < batch; e++)
    memcpy (y + e * outputs, c, outputs * sizeof *y);
  if (batch == 1)
    {
      gated_one (inputs, units, outputs, w, b, x, gate, v, y);
      return;
    }
#pragma omp parallel for schedule(static) if (batch * inputs * units >= SHARED)
  for (size_t e = 0; e < batch; e += EXAMPLES)
    for (size_t i = 0; i < units; i += UNITS)
      gated_any (&g, e, i);
}
