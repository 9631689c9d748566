/* SPDX-License-Identifier: MIT
 *
 * Noisy top-k gating (Shazeer et al. 2017, §2.1, eqs. 3-5, and appendix A): which k of n experts
 * each row of inputs gets, and the smooth estimate of how many rows each expert will get.
 *
 *   c = x Wg,  σ = softplus (x Wnoise) + floor,  H = c + ε σ,
 *   G = softmax over the k largest H of a row, 0 elsewhere,
 *   P(i) = Φ ((c_i - t_i) / σ_i),  Load_i = Σ P(i) over the rows,
 *
 * where t_i is the k-th largest H of the row without i: the (k+1)-th when i is chosen, else the
 * k-th.  Rulings of ours: k is clamped to n, and with k = n P is 1; ties go to the lowest
 * index; a logit that is not finite counts as -∞ (the least finite number) and is counted; the
 * floor, which keeps 1/σ finite, is not in the paper.  Some experts may have a bias in the choice, which
 * is no part of G: they are chosen by H + bias, and are that much nearer to t.
 *
 * Letters: B rows, D inputs, n experts.  Nothing allocates after the cut.  Results are the same
 * bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

typedef struct
{
  size_t  k;
  sl_real floor;     /* >= 0 */
  bool    load;      /* P and the load are wanted */
  bool    frozen;    /* the choices are those of the last pass, over the same rows */
  bool    threshold; /* backward: t_i depends on the noisy logit that it is; else t is a constant */
  size_t  biased;    /* so many of the last experts have the bias */
  sl_real bias;
} SlGateSetting;

/* The rows to decide over.  Everything is borrowed until the backward pass. */
typedef struct
{
  size_t          rows;    /* B */
  const sl_real  *x;       /* (B, D) */
  const sl_real  *epsilon; /* standard normals: those of row r are the n from which[r] stride on;
                            * NULL: no noise */
  size_t          stride;
  const uint32_t *which; /* (B); NULL: row r itself */
} SlGateRows;

typedef struct
{
  size_t         inputs, experts, most; /* D, n, most rows */
  const sl_real *weights;               /* (D, 2 n): Wg and Wnoise side by side; see bind */
  sl_real       *gradient;              /* the same */

  SlGateRows input; /* of the last forward pass, as is everything below */
  size_t     k;     /* clamped */
  size_t     plain; /* experts before those with the bias */
  sl_real    bias;
  bool       has_sigma; /* σ was computed: there was noise, or P was wanted */
  bool       has_load;
  sl_real   *logits; /* (B, 2 n): c, then the argument of softplus */
  sl_real   *sigma;  /* (B, n) */
  sl_real   *h;      /* (B, n) */
  uint32_t *best; /* (B, min (k + 1, n)) experts by falling H + bias: those chosen, then the next */
  sl_real  *value;  /* the same: their H + bias */
  uint32_t *chosen; /* (B, k) experts, rising */
  sl_real  *g;      /* (B, k) their G */
  sl_real  *load;   /* (n) smooth load; zeros when not wanted */
  double    noise;  /* mean σ; 0 without one */
  size_t    not_finite;

  sl_real  *slope; /* (B, 2 n) dloss/dlogits of the last backward pass; work space before */
  sl_real  *sums;  /* (blocks of rows, 2 n) */
  uint32_t *bad;   /* (blocks of rows) */
} SlGate;

/* Trainable numbers of a gate. */
size_t sl_gate_numbers (size_t inputs, size_t experts);

/* Cuts everything for up to `most` rows; memory is only touched as far as passes need it. */
void sl_gate_carve (SlGate *gate, size_t inputs, size_t experts, size_t most, SlArena *scratch);

/* Where the numbers and their gradient are. */
void sl_gate_bind (SlGate *gate, const sl_real *weights, sl_real *gradient);

/* Decides over `rows`. */
void sl_gate_forward (SlGate *gate, const SlGateSetting *setting, const SlGateRows *rows);

/* The same without noise and load, over the logits c that are in gate->logits; none of it is to go back. */
void sl_gate_decide (SlGate *gate, size_t k, size_t rows);

/* After a forward pass with the same setting: from dg (B, k) = dloss/dG of the chosen, in the order
 * of gate->chosen, and dload (n) = dloss/dLoad, or NULL where it is zero, writes the gradient
 * and, unless NULL, dx (B, D), to which it adds with `add`.  With k = n, dload is not read.  */
void sl_gate_backward (SlGate *gate, const SlGateSetting *setting, const sl_real *dg,
                       const sl_real *dload, bool add, sl_real *dx);

/* (c - t) / σ of one expert in row r of the last forward pass: by how many σ it is above the bar;
 * not-a-number when k = n or σ was not computed.  */
sl_real sl_gate_margin_of (const SlGate *gate, size_t expert, size_t r);
