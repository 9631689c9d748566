/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `style` share; nobody else includes this.
 *
 * A picture is formed whose features have the distribution of one picture's (the style) and the
 * places of another's (the content).  The network is fixed; what is trained is the picture.
 *
 * Levels: taps of the network at one resolution, from 1, the finest.  Letters as in
 * core/labs/style/math/style.h: N channels, M positions of a level; H, W of the picture.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/style/math/features.h"
#include "core/labs/style/math/style.h"
#include "core/labs/style/tables.h"
#include "core/nn/optim/lbfgs.h"

/* One level whose distribution counts, and what is known of it. */
typedef struct
{
  bool         used; /* the network has this level */
  unsigned     tap;
  size_t       n, m; /* N, M */
  SlStyleStats now, style;
  sl_real     *before;   /* (2, N) means and deviations of the picture at the start; kept */
  sl_real     *features; /* (N, M) of the style */
  SlStylePairs pairs;
  double       c; /* mean squared length of the style's samples: the unit of c */
} Level;

/* How much of what is in the loss. */
typedef struct
{
  double content, style[2], smooth;
} Parts;

/* What changes from step to step. */
typedef struct
{
  uint64_t seed;
  uint64_t evaluations;     /* forward and backward passes so far */
  double   network, losses; /* multiplications in the network and in the losses so far */
  uint64_t seen;            /* hash of the picture whose way through the network was counted last */
  bool     scaled;          /* `unit`, `scale` and `smooth` are those of these settings */
  double   unit;            /* norm of the content's gradient at the start of noise */
  double   scale[2][MOST_LEVELS], smooth; /* β' of either method, level by level: what gives its
                                           * gradient that norm */
  double   last;                          /* total loss of the update before */
  double   stop; /* the update at which the rule of the paper ends this loss, 0: none yet */
  SlRng    pairs;
} SlStyleMoving;

typedef struct
{
  SlLabState   base;
  SlFeatures  *features;
  SlFeatureRun run;
  size_t       height, width, n; /* n = 3 H W */
  unsigned     n_levels;         /* as listed */
  unsigned     depth;            /* levels that the network has */
  Level        level[MOST_LEVELS];
  unsigned     content_tap;
  sl_real     *content;   /* (N, M) features of the content */
  size_t       content_n; /* N M */

  sl_real       *x, *m, *v;        /* (3, H, W) the picture, and Adam's moments */
  sl_real       *gradient, *apart; /* (3, H, W) */
  SlLbfgs        lbfgs;
  sl_real       *slope[SL_FEATURE_VALUES]; /* by tap: (N, M), NULL where nothing is compared */
  sl_real       *work;                     /* (N, N) of the widest level */
  sl_real       *sample[2];                /* (positions, N) rows of picture and style */
  SlStyleMoving *now;
  uint64_t       there; /* hash of the picture whose features `run` has, 0: none */

  double content_loss, smooth_loss; /* of the last evaluation */
  double loss[SL_N_STYLES][MOST_LEVELS];
} SlStyleLab;

static inline SlStyleLab *
sl_style_lab (SlLabState *state)
{
  return (SlStyleLab *) state;
}

/* The style of one of the two methods, or SL_N_STYLES for none. */
static inline SlStyleMethod
method_of (const SlStyleLab *s, unsigned which)
{
  if (which == 0)
    return (SlStyleMethod) sl_value_of (&s->base, P_METHOD);
  return sl_value_of (&s->base, P_SECOND) == SECOND_NONE
           ? SL_N_STYLES
           : (SlStyleMethod) (sl_value_of (&s->base, P_SECOND) - 1);
}

/* Whether one of the methods compares in this way. */
static inline bool
compares (const SlStyleLab *s, SlStyleMethod method)
{
  return method_of (s, 0) == method || method_of (s, 1) == method;
}

/* Weight of a level. */
static inline double
weight_of (const SlStyleLab *s, unsigned level)
{
  return s->level[level].used ? s->base.settings.value[P_WEIGHTS].v[level] : 0.0;
}

/* c of the polynomial kernel at a level. */
static inline double
c_of (const SlStyleLab *s, unsigned level)
{
  return sl_value_of (&s->base, P_C) * s->level[level].c;
}

/* style-levels.c: the network, which taps are compared, memory.  sl_style_plan() chooses them,
 * measures and refuses what is over the budget; sl_style_carve() cuts everything, once to measure and
 * once for real; sl_style_learn() fills in what is to be known of content and style. */
SlStatus sl_style_plan (SlStyleLab *s);
void     sl_style_carve (SlLabState *state);
void     sl_style_learn (SlStyleLab *s);

/* style-losses.c */

/* What the loss is made of under these settings. */
Parts sl_style_parts (const SlStyleLab *s);
/* Measures what gives all parts gradients of the same norm at a picture of noise. */
void sl_style_scale (SlStyleLab *s);
/* Draws the pairs of the Gaussian kernel anew. */
void sl_style_draw (SlStyleLab *s);
/* Runs the network on `x`, unless its features are there; the hash of `x`. */
uint64_t sl_style_features (SlStyleLab *s, const sl_real *x);
/* Runs the network on `x` and measures content, smoothness and those styles of `wanted`, bits by
 * SlStyleMethod, into s->loss.  With `keep` the σ² of before.  */
void sl_style_evaluate_image (SlStyleLab *s, const sl_real *x, unsigned wanted, bool keep);
/* The loss of what was looked at last and, unless NULL, its gradient (3, H, W). */
double sl_style_sum (const SlStyleLab *s, const Parts *parts);
void   sl_style_slope (SlStyleLab *s, const sl_real *x, const Parts *parts, sl_real *gradient);
/* Σ over the levels of weight times loss. */
double sl_style_total (const SlStyleLab *s, SlStyleMethod method);
/* The bits of the methods in use, and of all. */
unsigned sl_style_wanted (const SlStyleLab *s);
enum { WANT_ALL = (1 << SL_N_STYLES) - 1 };
/* The picture that a run of this seed begins with, and one of noise alone. */
void   sl_style_begin (const SlStyleLab *s, sl_real *x);
void   sl_style_noise (const SlStyleLab *s, sl_real *x);
double sl_style_norm (size_t n, const sl_real *x);

/* style-reports.c */
/* What was looked at last, and what takes more than that. */
void sl_style_report (SlStyleLab *s, SlSink *sink, double total, double change, const Parts *parts);
void sl_style_evaluate (SlStyleLab *s, SlSink *sink, const Parts *parts);
extern const SlScore sl_style_score_names[];
void sl_style_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);
/* Gathers up to as many samples as are asked for of a level, the same positions of picture and
 * style, as rows; returns how many.  */
size_t sl_style_sample (SlStyleLab *s, unsigned level);

/* alive.c */
void sl_style_probe_alive (SlProbe *p);

/* style-probes.c */
extern const SlProbePanel sl_style_probes[N_PANELS];
