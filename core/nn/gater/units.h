/* SPDX-License-Identifier: MIT
 *
 * Units that decide, by chance, whether others are computed, and the ways to get a gradient through
 * them (Bengio, Léonard and Courville 2013, arXiv 1308.3432, with its supplement): rectifiers,
 * noisy rectifiers, smooth times stochastic (STS), stochastic binary neurons (SBN),
 * straight-through (ST) and, to compare, plain sigmoids.
 *
 * Letters: B examples, N units; z = a + shift is a unit's input with its additive noise, p = σ(z).
 * Every random draw comes in as an argument.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

typedef enum {
  SL_GATER_RECTIFIER, /* h = max (0, z) */
  SL_GATER_NOISY,     /* the same; z has noise in it */
  SL_GATER_STS,       /* h = √p with probability √p, else 0 */
  SL_GATER_SBN,       /* h = 1 with probability p, else 0; gradient by REINFORCE */
  SL_GATER_ST,        /* the same; gradient as if h were z, or p */
  SL_GATER_SIGMOID,   /* h = p: everything is always on */
  SL_GATER_GUMBEL,    /* Gumbel-sigmoid, and */
  SL_GATER_CONCRETE,  /* hard concrete: concrete.h */
} SlGaterKind;

typedef struct
{
  SlGaterKind kind;
  bool        slope; /* ST: times σ' (the paper found "without" better) */
  bool
    apart; /* STS: noise decides whether the unit fires, and its value is without (supplement, A.4) */
  sl_real mean;  /* apart: of the noise, which logits in use have and the value has not */
  bool    times; /* the noise ε multiplies the input: z = a (1 + ε); only where there is some */
  bool    thin;  /* STS fires with probability p, as the authors' code does; then E h = p^1.5 */
  bool    hard;  /* Gumbel: straight-through, else soft */
  sl_real temperature; /* Gumbel: τ, hard concrete: β; above 0 */
  sl_real stretch; /* hard concrete: how far beyond 0 and 1 it goes before it is clipped; above 0 */
} SlGaterUnit;

/* True for gates that are switched by a uniform draw, and for those of concrete.h. */
bool sl_gater_is_binary (SlGaterKind kind);
bool sl_gater_is_concrete (SlGaterKind kind);

/* True for gates that are on above a threshold when in use. */
bool sl_gater_has_threshold (SlGaterKind kind);

/* True for gates whose probability of firing a density term moves. */
bool sl_gater_has_term (SlGaterKind kind);

/* True for the gates that have a probability at all. */
bool sl_gater_has_probability (SlGaterKind kind);

/* p and h (n) from z (n).  Binary gates fire, on = 1, where uniform (n) in [0, 1) is below the
 * probability (the paper prints the inverse); with `uniform` NULL the decisions
 * in `on` are kept.  Rectifiers leave p alone, and only binary gates touch `on`.  Not for the gates of
 * concrete.h.  */
void sl_gater_fire (const SlGaterUnit *unit, size_t n, const sl_real *z, const sl_real *uniform,
                    sl_real *p, uint8_t *on, sl_real *h);

/* The same for an STS unit whose noise is apart: it fires by p = σ (z + shift) and gives √σ (z); shift (n). */
void sl_gater_fire_apart (const SlGaterUnit *unit, size_t n, const sl_real *z, const sl_real *shift,
                          const sl_real *uniform, sl_real *p, uint8_t *on, sl_real *h);

/* What a gate says without chance, from a (n): binary ones are on where a is above `cut`, a
 * threshold on the logit; σ rises, so this is a threshold on the probability too.  The others see
 * no noise. a may be `h`.  */
void sl_gater_settle (const SlGaterUnit *unit, sl_real cut, size_t n, const sl_real *a, sl_real *h);

/* What the estimators need beside the gates, all of one batch. */
typedef struct
{
  const sl_real *loss;     /* (B) of each example; SBN only */
  const sl_real *baseline; /* (N); SBN only */
  const sl_real *pull;     /* (N) of sl_gater_kl(), or NULL: no such term */
  sl_real        l1;       /* λ of the L1 term; rectifiers only */
  const sl_real *soft;     /* (B, N) of sl_concrete_fire(); gates of concrete.h only */
} SlGaterSignal;

/* da (B, N) from dh (B, N), in place if wanted:
 *   rectifiers  dh 1[h > 0] + λ 1[h > 0]
 *   STS         dh on ½ √p (1 - p): backpropagation with the decision held, biased (§2.6.3); with
 *               noise apart, p is that of the value
 *   SBN         (h - p) (L - baseline) / B: unbiased; dh is not read
 *   ST          dh, or dh p (1 - p): biased
 *   sigmoid     dh p (1 - p)
 *   concrete.h  dh times the slope of the soft gate
 * and, with a pull, + pull ∂q/∂z where q is the probability of firing.  */
void sl_gater_credit (const SlGaterUnit *unit, size_t batch, size_t units, const sl_real *p,
                      const uint8_t *on, const sl_real *h, const sl_real *dh,
                      const SlGaterSignal *signal, sl_real *da);

/* The baseline of least variance, E[(h - p)² L] / E[(h - p)²]: `over` and `under` (N) follow the
 * two means and begin at SL_GATER_START.  `keep` is the weight of the past, 0.9 in the authors'
 * code. A batch is judged by the baseline from before it: its own would bias the estimator.  */
#define SL_GATER_START ((sl_real) 1e-6)
void sl_gater_baseline (size_t units, const sl_real *over, const sl_real *under, sl_real *baseline);
void sl_gater_baseline_follow (size_t batch, size_t units, const sl_real *p, const sl_real *h,
                               const sl_real *loss, sl_real keep, sl_real *over, sl_real *under);

/* Additive noise of a unit, for the formulas below. */
typedef enum {
  SL_GATER_NO_NOISE,
  SL_GATER_GAUSSIAN,
  SL_GATER_LOGISTIC,
} SlGaterNoise;

/* P(h ≠ 0) and E[h] of a unit with input a and noise of this kind and scale (§2.1), which is added or, as
 * the unit says, multiplies.  STS and sigmoid take a with no noise.  */
double sl_gater_active (const SlGaterUnit *unit, SlGaterNoise noise, double scale, double a);
double sl_gater_mean (const SlGaterUnit *unit, SlGaterNoise noise, double scale, double a);

/* Of f (h) = (h - c)² behind an STS unit: dE[f]/da, and what backpropagation says on average
 * (§2.6.3).  For c = 0.3 and a = -2.2 the two differ in sign.  */
double sl_gater_sts_slope (double a, double c);
double sl_gater_sts_backprop (double a, double c);

/* σ (a), on the side that cannot overflow. */
double sl_gater_sigmoid (double a);
