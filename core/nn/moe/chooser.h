/* SPDX-License-Identifier: MIT
 *
 * The gates without noise: u = x Wg (no bias term) and a rule that chooses the set S of a row's
 * experts.
 *
 *   dense           G = softmax (u), all experts (Jacobs et al. 1991)
 *   base            training: the k largest of a Sinkhorn plan of e^u, 8 rounds; alone: the k largest of
 *                   u.  G = σ (u) with k = 1, else softmax (u) (Lewis et al. 2021, 2103.16716)
 *   relu            S = {R > 0}, G = R = max (u, 0); loss λ mean Σ fᵢ Rᵢ, fᵢ = n ÷ (k B) #{R > 0}; λ follows
 *                   the zeros (Wang et al. 2024, 2412.14711)
 *   expert choice   training: each expert takes the ⌊k B ÷ n⌋ rows with the largest s = softmax (u);
 *                   alone: s > T, and T follows the batches.  G = s (Zhou et al. 2022, 2202.09368)
 *   switch          the k largest of p = softmax (u), as far as an expert has places; G = p, or
 *                   p ÷ Σ over S before any is dropped; losses α n Σ fᵢ Pᵢ and w mean (log Σ e^u)²
 *                   (Fedus et al. 2021, 2101.03961; Zoph et al. 2022, 2202.08906); the shares f may be of
 *                   the last m batches together (Qiu et al. 2025, 2501.11873), P is of this one
 *   bias            the k largest of s + b with s = σ (u) or softmax (u); G = s, or s ÷ Σ over S: b
 *                   chooses and never weighs, and follows the counts (Wang et al. 2024, 2408.15664).  With
 *                   groups only among the experts of the best k_groups of them, by the sums of the two
 *                   largest s + b of each (DeepSeek-V3, 2412.19437)
 *   top-p           the fewest of falling P = softmax (u) whose sum reaches p; G = P, which is not divided by
 *                   their sum; losses w mean −Σ P ln P and α n Σ fᵢ Pᵢ (Huang et al. 2024, 2403.07652)
 *   own             S, and perhaps G, are what a program's gate makes of u (own-gate.h), else G = softmax over S of u
 *
 * Rulings of ours: ties go to the lowest index, by row for experts and by column for rows; a logit
 * that is not finite counts as -∞ and is counted; counts f are of the choices, before any is
 * dropped; an expert of a switch has C = min (B, max (1, ⌈factor k B ÷ n − 1e-9⌉)) places.  b, T
 * and λ are state: no weights, moved by sl_chooser_follow() after the step.
 *
 * Letters: B rows, D inputs, n experts.  Nothing allocates after the cut.  Results are the same
 * bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/own-gate.h"
#include "core/base/real.h"
#include "core/base/rng.h"

enum {
  SL_CHOOSER_ROUNDS = 8, /* of Sinkhorn's scaling: the same work and bytes every time */
  SL_CHOOSER_OVER = 32,  /* the most batches that a loss looks at */
};

typedef enum {
  SL_CHOOSER_DENSE,
  SL_CHOOSER_BASE,
  SL_CHOOSER_RELU,
  SL_CHOOSER_EXPERTS, /* expert choice */
  SL_CHOOSER_SWITCH,
  SL_CHOOSER_BIAS,
  SL_CHOOSER_TOP_P,
  SL_CHOOSER_OWN,
} SlChooserRule;

typedef enum { SL_CHOOSER_SIGN, SL_CHOOSER_PROPORTIONAL, SL_CHOOSER_REST } SlChooserBias;

/* What may change between two steps. */
typedef struct
{
  size_t        k;          /* clamped to 1 … n; relu: aimed at */
  bool          sum_to_one; /* switch, bias */
  bool          softmax;    /* bias: score; else the sigmoid */
  double        capacity;   /* switch: factor; 0: no limit */
  bool          by_value;   /* switch: the largest p are served; else the first rows */
  double        w_balance;  /* α of switch and top-p; with bias of Σ fᵢ Pᵢ, P of s ÷ Σ s */
  double        w_z;        /* switch */
  SlChooserBias bias_rule;  /* how b moves */
  double        bias_rate;  /* u > 0 */
  double        gain;       /* relu: of λ, > 1 */
  bool          plain;      /* relu: f = 1 */
  double        follow;     /* expert choice: ρ of T, 0 … 1 */
  size_t        groups;     /* bias: equal ones, 2 … SL_SELECT_GROUPS, else 0 */
  size_t        k_groups;   /* of them for a row; clamped */
  size_t        over;       /* m of w_balance, at most SL_CHOOSER_OVER; 0, 1: this batch */
  double        p;          /* top-p: from 1 on all experts */
  double        w_entropy;  /* top-p */
} SlChooserSetting;

/* What the controllers move; lives in the arena that checkpoints keep. */
typedef struct
{
  double   lambda;
  uint64_t batches;                /* that moved it */
  uint32_t pairs[SL_CHOOSER_OVER]; /* switch, bias: of batch t at t % SL_CHOOSER_OVER */
} SlChooserState;

typedef struct
{
  SlChooserRule   rule;
  size_t          inputs, experts, most; /* D, n, most rows */
  sl_real        *weights, *gradient;    /* (D, n) Wg; see bind */
  SlOwnUse       *own;                   /* own: the gate, borrowed, set after the cut */
  SlChooserState *state;
  double         *bar;  /* (n) bias: b; expert choice: T.  State too, */
  uint32_t       *past; /* (SL_CHOOSER_OVER, n) and this: `want` of the last batches */

  size_t         rows;             /* of the last forward pass, as is everything below */
  size_t         k;                /* clamped */
  size_t         groups, k_groups; /* at least 1 */
  bool           training;
  bool           weighted;     /* own: G is what the gate said */
  const sl_real *x;            /* (B, D), borrowed until the backward pass */
  sl_real       *logits;       /* (B, n) u */
  sl_real       *score;        /* (B, n) p, s or R */
  uint8_t       *wanted;       /* (B, n) S, bytes of 0 and 1 */
  uint8_t       *mask;         /* (B, n) the pairs that are served; the same but for a full
                                * switch */
  sl_real       *g;            /* (B, n) G, 0 outside the mask */
  uint32_t      *want, *count; /* (n) rows of each expert: wanted, served */
  uint32_t      *first;        /* (B) how many were served in the rows before */
  sl_real       *z;            /* (B) of a switch log Σ e^u, of top-p −Σ P ln P */
  double        *mean;         /* (n) P; of switch, bias and top-p in training */
  double        *counts;       /* (n) the same: `want` of the last m batches */
  double         pairs;        /* their sum */
  double        *next;         /* (n) expert choice in training: the midpoint at each boundary */
  size_t         places;       /* C or c; 0 where there are none */
  size_t         zeros;        /* relu: R that are 0 */
  double         balance_loss, z_loss, l1_loss, entropy_loss; /* in training, with their weights */
  double
    agreement; /* in training: share of pairs (row, expert) that the rule alone decides alike */
  size_t not_finite;

  sl_real  *slope;  /* (B, n) dloss/du of the last backward pass; work space before */
  sl_real  *column; /* (B, n) work space, like the following */
  uint32_t *best;   /* (B, n) */
  sl_real  *value;  /* (B, n) */
  uint32_t *bad;    /* (blocks of rows) */
} SlChooser;

/* Trainable numbers of a gate. */
size_t sl_chooser_numbers (size_t inputs, size_t experts);

/* Cuts everything for up to `most` rows. */
void sl_chooser_carve (SlChooser *choice, SlChooserRule rule, size_t inputs, size_t experts,
                       size_t most, SlArena *kept, SlArena *scratch);

/* Where the numbers and their gradient are. */
void sl_chooser_bind (SlChooser *choice, sl_real *weights, sl_real *gradient);

/* Glorot's Wg: zeros would tie every score.  b = 0, T = 1/n until a batch sets it, λ as given. */
void sl_chooser_init (SlChooser *choice, double lambda, SlRng *rng);

/* Experts that a row has under this setting: k, clamped, with groups to the experts of those that it has. */
size_t sl_chooser_k (const SlChooserSetting *setting, size_t experts);

/* Places of an expert of a switch among `rows`; 0: no limit. */
size_t sl_chooser_places (const SlChooserSetting *setting, size_t experts, size_t rows);

/* Decides over x (B, D).  `training`: with the other rows of the batch, where the rule looks at them, and
 * with the losses; else each row alone.  `frozen`: sets and counts stay those of the last pass. */
void sl_chooser_forward (SlChooser *choice, const SlChooserSetting *setting, size_t rows,
                         const sl_real *x, bool training, bool frozen);

/* The same over the logits that are in choice->logits (B, n); a backward pass needs x of the one above. */
void sl_chooser_decide (SlChooser *choice, const SlChooserSetting *setting, size_t rows,
                        bool training, bool frozen);

/* The losses of the last pass, 0 where it was not in training; a forward pass ends with it. */
void sl_chooser_measure (SlChooser *choice, const SlChooserSetting *setting);

/* Of a program's gate: fills sets, choice->weighted and choice->g from logits that are finite.  An expert whose logit was
 * no number stays out.  `held`: the sets stay, and values of a weighted gate are those of a new call.  A failure is left in
 * choice->own; sets and values are then empty.  */
void sl_chooser_call (SlChooser *choice, bool held);

/* dloss/dlogits of a weighted gate of a program's, from dg as below.  False: it failed, as above. */
bool sl_chooser_slopes (SlChooser *choice, const sl_real *dg);

/* After a forward pass in training with the same setting: from dg = dloss/dG of those served, row by row
 * with the experts rising, writes the gradient with that of the losses, and dx (B, D) unless NULL, to which
 * it adds with `add`.  Of a weighted gate of a program's the slopes are those of sl_chooser_slopes(), and dg is not
 * read.  */
void sl_chooser_backward (SlChooser *choice, const SlChooserSetting *setting, const sl_real *dg,
                          bool add, sl_real *dx);

/* After the step: moves b, T or λ by what the last forward pass in training counted. */
void sl_chooser_follow (SlChooser *choice, const SlChooserSetting *setting);

/* By how much an expert is above its bar in row r of the last pass: s + b, p or σ (u) less the k-th
 * largest of the others, with top-p k of this row; s − T; u; of a program's gate u less the largest of those left out, or the
 * least of those chosen; with groups the smaller of the group's and its own among
 * those of the chosen groups, the group's alone where that is left out.  Not-a-number where all experts are chosen.  */
sl_real sl_chooser_margin_of (const SlChooser *choice, size_t expert, size_t r);
