/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/cost.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/state.h"

SlStatus
sl_cost_init (SlWorkload *cost, const SlLab *lab, const SlSettings *settings,
              const SlDataset *dataset)
{
  SlLabState *state;
  SlStatus    status;

  memset (cost, 0, sizeof *cost);
  cost->lab = lab;
  if (lab->cost == NULL)
    {
      for (unsigned part = 0; part < SL_N_COST_PARTS; part++)
        sl_cost_refuse (cost, (SlCostPart) part,
                        sl_message ("Nothing is known of the kernels of this lab."));
      return SL_SUCCESS;
    }
  state = calloc (1, lab->state_bytes);
  if (state == NULL)
    return sl_status_no_memory ("lab");
  state->lab = lab;
  state->dataset = dataset;
  state->settings = *settings;
  status = lab->shape (state);
  if (sl_ok (&status))
    lab->cost (state, cost);
  sl_state_free (state);
  return status;
}

void
sl_cost_begin (SlWorkload *cost, SlCostPart part)
{
  cost->part = part;
}

void
sl_cost_refuse (SlWorkload *cost, SlCostPart part, SlMessage why)
{
  cost->refused[part] = why;
}

static void
add_call (SlWorkload *cost, SlCostCall call)
{
  SlCostPart part = cost->part;

  if (call.m == 0 || call.n == 0 || call.k == 0 || !(call.times > 0))
    return;
  if (cost->n[part] == SL_COST_CALLS_MAX)
    {
      sl_cost_refuse (cost, part, sl_message ("There are too many kernels to count."));
      return;
    }
  cost->call[part][cost->n[part]++] = call;
}

void
sl_cost_add (SlWorkload *cost, SlCostKind kind, double times, size_t m, size_t n, size_t k)
{
  add_call (cost, (SlCostCall) { kind, m, n, k, times, 1, 1, 1 });
}

void
sl_cost_add_gated (SlWorkload *cost, SlCostKind kind, size_t batch, size_t units, size_t inputs,
                   double share, double least, double most)
{
  assert (kind == SL_COST_GATED || kind == SL_COST_PICKED);
  add_call (cost, (SlCostCall) { kind, batch, units, inputs, 1, share, least, most });
}

void
sl_cost_add_layer (SlWorkload *cost, size_t batch, size_t inputs, size_t units)
{
  sl_cost_add (cost, SL_COST_FORWARD, 1, batch, units, inputs);
}

void
sl_cost_add_layer_backward (SlWorkload *cost, size_t batch, size_t inputs, size_t units, bool below)
{
  sl_cost_add (cost, SL_COST_WEIGHTS, 1, units, inputs, batch);
  sl_cost_add (cost, SL_COST_COPY, 1, batch, units, 1);
  if (below)
    sl_cost_add (cost, SL_COST_DOWN, 1, batch, inputs, units);
}

/* Positions whose columns are gathered at a time, as core/nn/conv/strips.c cuts them. */
static size_t
strip_of (size_t positions)
{
  enum { MOST = 1024, FEW = 128, PARTS = 4 };
  size_t part = positions / PARTS > FEW ? positions / PARTS : FEW;

  part = part > MOST ? MOST : part;
  return part > positions / 2 && positions > 1 ? (positions + 1) / 2 : part;
}

/* Numbers of a loop that each row of the columns takes beside its copy. */
static const double each_row = 3;

/* Columns of `each` numbers for every position, gathered or added up again row by row. */
static void
add_columns (SlWorkload *cost, size_t batch, size_t each, size_t rows, size_t width)
{
  sl_cost_add (cost, SL_COST_COPY, (double) batch, each, rows * width, 1);
  sl_cost_add (cost, SL_COST_LOOP, (double) batch * each_row, each, rows, 1);
}

/* From `from` channels to `to`, with columns of `each` numbers for every position, or by tiles of two by two. */
static void
add_conv_pass (SlWorkload *cost, const SlConv *conv, size_t batch, size_t from, size_t to,
               size_t rows, size_t width)
{
  size_t positions = rows * width, strip = strip_of (positions);
  size_t each = from * conv->tall * conv->wide;
  double strips = (double) batch * (double) positions / (double) strip;

  if (sl_conv_executed (conv) < sl_conv_products (conv))
    {
      sl_cost_add (cost, SL_COST_RELU, (double) batch * 8, from + to, positions, 1);
      sl_cost_add (cost, SL_COST_DOWN, 4 * strips, to, strip, from);
      return;
    }
  add_columns (cost, batch, each, rows, width);
  sl_cost_add (cost, SL_COST_DOWN, strips, to, strip, each);
}

void
sl_cost_add_conv (SlWorkload *cost, const SlConv *conv, size_t batch, unsigned passes)
{
  size_t rows = sl_conv_height (conv), width = sl_conv_width (conv);
  size_t positions = rows * width, strip = strip_of (positions);
  size_t each = conv->inputs * conv->tall * conv->wide;
  double strips = (double) batch * (double) positions / (double) strip;

  if ((passes & SL_CONV_FORWARD) != 0)
    add_conv_pass (cost, conv, batch, conv->inputs, conv->outputs, rows, width);
  /* With many more outputs columns are made, and added up, instead of gathered. */
  if ((passes & SL_CONV_TO_INPUT) != 0 && (conv->stride > 1 || conv->outputs > 2 * conv->inputs)
      && sl_conv_executed (conv) == sl_conv_products (conv))
    {
      sl_cost_add (cost, SL_COST_WEIGHTS, strips, each, strip, conv->outputs);
      add_columns (cost, 2 * batch, each, rows, width);
    }
  else if ((passes & SL_CONV_TO_INPUT) != 0)
    add_conv_pass (cost, conv, batch, conv->outputs, conv->inputs, conv->height, conv->width);
  if ((passes & SL_CONV_TO_WEIGHTS) == 0)
    return;
  add_columns (cost, batch, each, rows, width);
  sl_cost_add (cost, SL_COST_FORWARD, strips, conv->outputs, each, strip);
  sl_cost_add (cost, SL_COST_COPY, (double) batch, conv->outputs, positions, 1);
}

void
sl_cost_refuse_passes (SlWorkload *cost, SlMessage why)
{
  sl_cost_refuse (cost, SL_COST_OF_DENSE, why);
  sl_cost_refuse (cost, SL_COST_OF_PASS, why);
}
