/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `style` share; nobody else includes this.
 *
 * A picture is formed whose features have the distribution of one picture's (the style) and the
 * places of another's (the content).  The network is fixed; what is trained is the picture.
 *
 * Levels: taps of the network at one resolution, from 1, the finest.  Letters as in
 * core/nn/style/style.h: N channels, M positions of a level; H, W of the picture.  */
#pragma once

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/lab/lab.h"
#include "core/nn/optim/lbfgs.h"
#include "core/nn/style/features.h"
#include "core/nn/style/style.h"

/* The order is that of the form and of the plots. */
enum {
  P_METHOD,
  P_SECOND,
  P_FUSION,
  P_C,
  P_GAMMA,
  P_WEIGHTS,
  P_EQUAL,
  P_GOAL,
  P_SMOOTH,
  P_OPTIMISER,
  P_RATE,
  P_START,
  P_NOISE,
  P_LEVELS,
  P_TAPS,
  P_CONTENT_LEVEL,
  P_SCALES,
  P_FILTERS,
  P_BUDGET,
  P_REPORT,
  P_EVALUATE,
  P_SAMPLE,
  P_SHOWN,
  N_PARAMS,
};

enum {
  V_PICTURE,
  V_TOTAL,
  V_LOSSES,
  V_MMD,
  V_GAUSSIAN,
  V_LEVELS,
  V_RATIO,
  V_CHANGE,
  V_MEANS,
  V_DEVIATIONS,
  V_IDENTITY,
  V_COST,
  V_WORK,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TOTAL, T_CONTENT, T_STYLE };
enum { T_LOSS_GRAM, T_LOSS_LINEAR, T_LOSS_POLY, T_LOSS_MOMENTS, T_LOSS_CONTENT };
enum { T_LINEAR, T_POLY0, T_POLY }; /* MMD */
enum { T_PAIRS, T_BIASED };         /* GAUSSIAN */
enum { T_RATIO, T_ASKED };
enum { T_CHANGE, T_STOP };
enum { T_BEFORE, T_AFTER, T_SAME };
enum { T_GRAM, T_DIRECT };
enum { T_COUNTED, T_TIMED };
enum { T_NETWORK, T_LOSSES };

/* Choices. */
enum { SECOND_NONE }; /* then SlStyleMethod + 1 */
enum { GOAL_BOTH, GOAL_STYLE, GOAL_CONTENT };
enum { OPTIMISER_LBFGS, OPTIMISER_ADAM };
enum { START_NOISE, START_CONTENT, START_STYLE };
enum { TAPS_FIRST, TAPS_LAST };

enum { N_TRIALS = 6, N_SWEEPS = 2 };

extern const SlParam     sl_style_params[N_PARAMS];
extern const SlPanel     sl_style_panels[N_PANELS];
extern const char *const sl_style_readings[];
extern const SlTrial     sl_style_trials[N_TRIALS];
extern const SlSweepHint sl_style_sweeps[N_SWEEPS];

enum {
  MOST_LEVELS = 8,
  HISTORY = 8,         /* pairs that L-BFGS keeps */
  LONGEST = 1000,      /* updates after which the paper stops at the latest */
  PUBLISHED_LEVEL = 4, /* of the content: relu4_2 */
};

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

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t, seed;
  uint64_t evaluations;     /* forward and backward passes so far */
  double   network, losses; /* multiplications in the network and in the losses so far */
  uint64_t seen;            /* hash of the picture whose way through the network was counted last */
  bool     look;            /* something was changed: report on the next step */
  bool     scaled;          /* `unit`, `scale` and `smooth` are those of these settings */
  double   unit;            /* norm of the content's gradient at the start of noise */
  double   scale[2][MOST_LEVELS], smooth; /* β' of either method, level by level: what gives its
                                           * gradient that norm */
  double   last;                          /* total loss of the update before */
  double   stop; /* the update at which the paper would have stopped, 0: none yet */
  SlRng    pairs;
} Moving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  SlArena          kept, scratch;
  SlFeatures      *features;
  SlFeatureRun     run;
  size_t           height, width, n; /* n = 3 H W */
  unsigned         n_levels;         /* as listed */
  unsigned         depth;            /* levels that the network has */
  Level            level[MOST_LEVELS];
  unsigned         content_tap;
  sl_real         *content;   /* (N, M) features of the content */
  size_t           content_n; /* N M */

  sl_real *x, *m, *v;        /* (3, H, W) the picture, and Adam's moments */
  sl_real *gradient, *apart; /* (3, H, W) */
  SlLbfgs  lbfgs;
  sl_real *slope[SL_FEATURE_VALUES]; /* by tap: (N, M), NULL where nothing is compared */
  sl_real *work;                     /* (N, N) of the widest level */
  sl_real *sample[2];                /* (positions, N) rows of picture and style */
  Moving   now;
  uint64_t there; /* hash of the picture whose features `run` has, 0: none */

  double content_loss, smooth_loss; /* of the last evaluation */
  double loss[SL_N_STYLES][MOST_LEVELS];
  bool   frozen;
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* The style of one of the two methods, or SL_N_STYLES for none. */
static inline SlStyleMethod
method_of (const SlLabState *s, unsigned which)
{
  if (which == 0)
    return (SlStyleMethod) value_of (s, P_METHOD);
  return value_of (s, P_SECOND) == SECOND_NONE ? SL_N_STYLES
                                               : (SlStyleMethod) (value_of (s, P_SECOND) - 1);
}

/* Whether one of the methods compares in this way. */
static inline bool
compares (const SlLabState *s, SlStyleMethod method)
{
  return method_of (s, 0) == method || method_of (s, 1) == method;
}

/* Weight of a level. */
static inline double
weight_of (const SlLabState *s, unsigned level)
{
  return s->level[level].used ? s->settings.value[P_WEIGHTS].v[level] : 0.0;
}

/* c of the polynomial kernel at a level. */
static inline double
c_of (const SlLabState *s, unsigned level)
{
  return value_of (s, P_C) * s->level[level].c;
}

/* style-levels.c: the network, which taps are compared, memory.  sl_style_plan() chooses them,
 * measures and refuses what is over the budget; sl_style_carve() cuts everything, once to measure and
 * once for real; sl_style_learn() fills in what is to be known of content and style. */
SlStatus sl_style_plan (SlLabState *s);
void     sl_style_carve (SlLabState *s);
void     sl_style_learn (SlLabState *s);
/* "relu1_1, relu2_1" of the levels in use. */
void sl_style_name_levels (const SlLabState *s, char *text, size_t size);

/* style-losses.c */

/* What the loss is made of under these settings. */
Parts sl_style_parts (const SlLabState *s);
/* Measures what gives all parts gradients of the same norm at a picture of noise. */
void sl_style_scale (SlLabState *s);
/* Draws the pairs of the Gaussian kernel anew. */
void sl_style_draw (SlLabState *s);
/* Runs the network on `x`, unless its features are there; the hash of `x`. */
uint64_t sl_style_features (SlLabState *s, const sl_real *x);
/* Runs the network on `x` and measures content, smoothness and those styles of `wanted`, bits by
 * SlStyleMethod, into s->loss.  With `keep` the σ² of before.  */
void sl_style_evaluate_image (SlLabState *s, const sl_real *x, unsigned wanted, bool keep);
/* The loss of what was looked at last and, unless NULL, its gradient (3, H, W). */
double sl_style_sum (const SlLabState *s, const Parts *parts);
void   sl_style_slope (SlLabState *s, const sl_real *x, const Parts *parts, sl_real *gradient);
/* Σ over the levels of weight times loss. */
double sl_style_total (const SlLabState *s, SlStyleMethod method);
/* The bits of the methods in use, and of all. */
unsigned sl_style_wanted (const SlLabState *s);
enum { WANT_ALL = (1 << SL_N_STYLES) - 1 };
/* The picture that a run of this seed begins with, and one of noise alone. */
void   sl_style_begin (const SlLabState *s, sl_real *x);
void   sl_style_noise (const SlLabState *s, sl_real *x);
double sl_style_norm (size_t n, const sl_real *x);

/* style-reports.c */
/* What was looked at last, and what takes more than that. */
void sl_style_report (SlLabState *s, SlSink *sink, double total, double change, const Parts *parts);
void sl_style_evaluate (SlLabState *s, SlSink *sink, const Parts *parts);
SlStatus sl_style_score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n);
/* Gathers up to as many samples as are asked for of a level, the same positions of picture and
 * style, as rows; returns how many.  */
size_t sl_style_sample (SlLabState *s, unsigned level);

/* style-probes.c */
SlStatus sl_style_probe (SlLabState *s, unsigned panel, SlSink *sink);
