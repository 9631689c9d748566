/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/stack.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/init.h"

static void
shape (SlStack *stack, size_t inputs, size_t outputs, unsigned hidden, size_t units)
{
  *stack = (SlStack) { .layers = hidden + 1, .width = { inputs } };
  for (unsigned l = 0; l < stack->layers; l++)
    {
      stack->width[l + 1] = l < hidden ? units : outputs;
      stack->at[l] = stack->n;
      stack->n += (stack->width[l] + 1) * stack->width[l + 1];
    }
}

void
sl_stack_wide (SlStack *stack, size_t inputs, size_t outputs, size_t k, size_t hidden)
{
  shape (stack, inputs, outputs, 1, k * hidden);
}

/* The positive root of (hidden - 1) u² + (D + O) u - macs. */
static double
root_of (size_t inputs, size_t outputs, unsigned hidden, double macs)
{
  double ends = (double) (inputs + outputs), between = hidden - 1.0;

  if (hidden == 1)
    return macs / ends;
  return (sqrt (ends * ends + 4.0 * between * macs) - ends) / (2.0 * between);
}

void
sl_stack_within (SlStack *stack, size_t inputs, size_t outputs, unsigned hidden, size_t macs)
{
  size_t units = (size_t) root_of (inputs, outputs, hidden, (double) macs) + 1;

  /* The root is rounded; whole numbers decide. */
  while (units > 1 && units * (inputs + outputs) + (hidden - 1) * units * units > macs)
    units--;
  shape (stack, inputs, outputs, hidden, units);
}

void
sl_stack_deep (SlStack *stack, size_t inputs, size_t outputs, size_t k, size_t hidden)
{
  unsigned layers = k < SL_STACK_HIDDEN ? (unsigned) k : SL_STACK_HIDDEN;
  double   work = (double) (k * hidden) * (double) (inputs + outputs);
  double   units = root_of (inputs, outputs, layers, work);

  shape (stack, inputs, outputs, layers, (size_t) fmax (1.0, round (units)));
}

void
sl_stack_init (const SlStack *stack, SlRng *rng, sl_real *w)
{
  memset (w, 0, stack->n * sizeof *w);
  for (unsigned l = 0; l < stack->layers; l++)
    sl_init_glorot (rng, stack->width[l], stack->width[l + 1],
                    stack->width[l] * stack->width[l + 1], w + stack->at[l]);
}

void
sl_stack_tape_carve (SlStackTape *tape, const SlStack *stack, size_t most, bool backward,
                     SlArena *scratch)
{
  size_t widest = 0;

  *tape = (SlStackTape) { 0 };
  for (unsigned l = 0; l + 1 < stack->layers; l++)
    {
      tape->hidden[l] = sl_arena_reals (scratch, most * stack->width[l + 1]);
      widest = stack->width[l + 1] > widest ? stack->width[l + 1] : widest;
    }
  for (int i = 0; backward && i < 2; i++)
    tape->slope[i] = sl_arena_reals (scratch, most * widest);
}

/* What layer l reads, and its bias in a block. */
static const sl_real *
input_of (const SlStackTape *tape, unsigned layer, const sl_real *x)
{
  return layer == 0 ? x : tape->hidden[layer - 1];
}

static size_t
at_bias (const SlStack *stack, unsigned layer)
{
  return stack->at[layer] + stack->width[layer] * stack->width[layer + 1];
}

void
sl_stack_forward (const SlStack *stack, const sl_real *w, SlStackTape *tape, size_t batch,
                  const sl_real *x, sl_real *y)
{
  for (unsigned l = 0; l < stack->layers; l++)
    {
      bool     last = l + 1 == stack->layers;
      sl_real *to = last ? y : tape->hidden[l];

      sl_dense_forward (batch, stack->width[l], stack->width[l + 1], input_of (tape, l, x),
                        w + stack->at[l], w + at_bias (stack, l), to);
      if (!last)
        sl_relu_forward (batch * stack->width[l + 1], to, to);
    }
}

void
sl_stack_backward (const SlStack *stack, const sl_real *w, SlStackTape *tape, size_t batch,
                   const sl_real *x, const sl_real *dy, sl_real *dw, sl_real *dx)
{
  for (unsigned l = stack->layers; l-- > 0;)
    {
      size_t   n = batch * stack->width[l];
      sl_real *to = l == 0 ? dx : tape->slope[l % 2];

      sl_dense_backward (batch, stack->width[l], stack->width[l + 1], input_of (tape, l, x),
                         w + stack->at[l], dy, dw + stack->at[l], dw + at_bias (stack, l), to);
      if (l > 0)
        sl_relu_backward (n, tape->hidden[l - 1], to, to);
      dy = to;
    }
}

double
sl_stack_macs (const SlStack *stack)
{
  double macs = 0;

  for (unsigned l = 0; l < stack->layers; l++)
    macs += (double) stack->width[l] * (double) stack->width[l + 1];
  return macs;
}
