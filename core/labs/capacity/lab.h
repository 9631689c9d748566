/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `capacity` share; nobody else includes this.  */
#pragma once

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/lab/lab.h"
#include "core/nn/capacity/forms.h"
#include "core/nn/capacity/limit.h"
#include "core/nn/capacity/residual.h"

/* The order is that of the form and of the plots. */
enum {
  P_EXPONENT,
  P_LAYERS,
  P_POSITION,
  P_RATE,
  P_KERNEL,
  P_RADIUS,
  P_DILATION,
  P_REACH,
  P_RULE,
  P_LEAK,
  P_BIAS,
  P_BIAS_SCALE,
  P_EDGE,
  P_ACTIVATION,
  P_OMEGA,
  P_MIXING,
  P_CHANNELS,
  P_POSITIONS,
  P_GRADIENTS,
  P_WIDTH,
  P_TRAIN,
  P_BALANCED,
  P_STRENGTH,
  P_DISTANCE,
  P_UPDATES,
  P_DEEPEST,
  P_LEARNING_RATE,
  P_TOY_MODEL,
  P_TOY_INPUTS,
  P_TOY_CORRELATION,
  P_TOY_METRIC,
  P_TOY_RIDGE,
  P_REPORT,
  N_PARAMS,
};

enum {
  V_WATERFALL,
  V_PROFILE,
  V_SPREAD,
  V_SKIP,
  V_WHERE,
  V_MEMORY,
  V_TRACE,
  V_COSINES,
  V_ANGLE,
  V_SKIPS,
  V_TRANSFER,
  V_DEPTHS,
  V_LEAKED,
  V_CHANNELS,
  V_PLANE,
  V_TOY,
  V_WIDTH,
  V_GAIN,
  V_LOSS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_EXACT, T_LIMIT, T_GAUSSIAN, T_POOR_GAUSSIAN, T_DOTS }; /* PROFILE */
enum { T_FAN_NONE, T_FAN_HALF, T_FAN_ONE, T_FAN_SET, T_FAN_DOTS };
enum { T_SKIP_SHARE, T_FIELD, T_FIELD_DOTS };
enum { T_CELLS, T_SIGMA };                              /* WATERFALL */
enum { T_INPUT, T_SIDES, T_BIASES, T_EDGES, N_PLACES }; /* WHERE */
enum { T_LAG_EXACT, T_LAG_LIMIT, T_LAG_DOTS };
enum { T_AT_NONE, T_AT_HALF, T_AT_ONE };
enum { T_ANGLE_THEORY, T_ANGLE_DOTS, T_ANGLE_BARE, T_ANGLE_FLOOR };
enum { T_SINGLE, T_AVERAGE, T_AVERAGE_LIMIT, T_AVERAGE_SMOOTH, T_CUMULATED };
enum { T_DEPTH_STD, T_DEPTH_MEAN, T_DEPTH_DOTS };
enum { T_LEAKED, T_LEAKED_LIMIT, T_LEAKED_SMOOTH };
enum { T_OWN, T_OTHER, T_OWN_DOTS, T_OWN_FLOOR };
enum { T_WIDTH, T_WANDER, T_WIDTH_THEORY };
enum { T_GAIN, T_GAIN_THEORY };
enum { T_LOSS, T_BASELINE };

/* Choices. */
enum { KERNEL_AROUND, KERNEL_WITH_CENTRE, KERNEL_CAUSAL };
enum { DILATION_NONE, DILATION_SMOOTH, DILATION_BLOCKS };
enum { BIAS_WITH_WEIGHTS, BIAS_UNSCALED, BIAS_TWICE };
enum { TOY_TIED, TOY_ONE, TOY_PRODUCT, TOY_FREE };

enum { N_TRIALS = 6 };

extern const SlParam     sl_capacity_params[N_PARAMS];
extern const SlPanel     sl_capacity_panels[N_PANELS];
extern const char *const sl_capacity_readings[];
extern const SlTrial     sl_capacity_trials[N_TRIALS];
extern const SlSummary   sl_capacity_summary;
extern const SlSweepHint sl_capacity_sweeps[1];

enum {
  MOST_LAYERS = 1024,
  MOST_KERNEL = 17, /* taps of a live network */
  MOST_POSITIONS = 1025,
  CIRCLE = 64,   /* inputs of the gradient networks */
  EXPONENTS = 7, /* they take turns with; the last one is that of the slider */
  LAGS = CIRCLE / 2 + 1,
  MOST_GRADIENT = 256, /* layers of theirs */
  DEPTHS = 5,
  SEEDS = 8,       /* of the depth transfer */
  PLANE = 65,      /* side of the two-dimensional lattice */
  MOST_DOTS = 130, /* of a curve */
};

/* A sum over networks and of the squares. */
typedef struct
{
  double sum, squares;
} Sum;

/* What the settings mean at this moment. */
typedef struct
{
  size_t           layers, n;
  long             x0; /* the output position */
  double           a;
  SlCapacityKernel kernel; /* without dilation */
  SlCapacityLaw    law;
  SlCapacityEdge   edge;
  unsigned         dilation;
  double           reach; /* R */
  bool             whole; /* dilations are rounded, as those of networks are */
  SlShatter        activation;
  double           omega;
  const double    *slope; /* (layers) from the input: E φ'²; NULL: 1 */
} Design;

/* What a run through all layers leaves, m = 0 … layers from the output down. */
typedef struct
{
  double *profile;         /* (layers + 1, n) */
  double *mean, *variance; /* (layers + 1) about the output position, from the layers' cumulants */
  SlCapacityBuckets *bucket; /* (layers) of each layer */
  SlCapacityMoments  all;    /* cumulants of the whole way */
} Fall;

/* One random network's squared Jacobian, averaged over networks. */
typedef struct
{
  uint64_t networks;
  Sum      profile[MOST_POSITIONS]; /* at the input */
  Sum      width[MOST_LAYERS + 1];  /* variance about its own centroid, by depth m */
  Sum      own[MOST_LAYERS + 1];    /* share of the probe's own channel */
  Sum      side[MOST_LAYERS];       /* what the side inputs of the layer get */
  Sum      where[N_PLACES];
  Sum      wander; /* squared distance of the centroid at the input */
} Field;

/* Gradients of fully connected networks at inputs on a circle, by exponent. */
typedef struct
{
  uint64_t networks[EXPONENTS];
  Sum      cosine[EXPONENTS][LAGS];
  Sum      whiteness[EXPONENTS];
  double   trace[EXPONENTS][CIRCLE]; /* of the last network, root mean square 1 */
  double   map[CIRCLE * CIRCLE];     /* sum of the cosines at the slider's exponent */
} Gradients;

/* Training at growing depth. */
typedef struct
{
  unsigned seed, depth, exponent; /* of the job at hand */
  bool     begun, finished;
  uint64_t updates;
  double   tail; /* sum of the last losses */
  unsigned tail_n;
  double   last; /* loss of the last update */
  unsigned done[DEPTHS][3];
  double   loss[SEEDS][DEPTHS][3];
  SlRng    data;
} Transfer;

/* What changes from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t  t, seed;
  double    macs;
  bool      look; /* something was changed: report on the next step */
  SlRng     weights, inputs, gradients;
  Field     field;
  Gradients gradient;
  Transfer  transfer;
} Moving;

struct SlLabState
{
  SlSettings settings;
  SlArena    kept, scratch;
  Moving    *now;

  /* Scratch of the theory. */
  double *slope; /* (MOST_LAYERS) */
  Fall    fall;
  double *work; /* (n_work) */

  /* Scratch of the random networks. */
  SlRng   *layer_rng; /* (MOST_LAYERS) */
  int32_t *from;      /* (positions, MOST_KERNEL) */
  sl_real *phase, *norm, *w, *h, *delta, *extra, *slopes, *room;
  double  *power, *absent, *measured;
  sl_real *gradient_w, *gradient_h, *gradient_delta, *gradient_slopes, *circle, *cosines;

  /* Of the depth transfer; the first three are kept. */
  sl_real *transfer_w, *transfer_m, *transfer_v, *transfer_g, *transfer_scaled;
  sl_real *task_x, *task_y, *tape_slope, *tape_value, *tape_h, *tape_delta, *tape_room, *lift;
  int32_t *task_from;
  bool     frozen;
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* Whether capacity moves to one side. */
static inline bool
drifts (const SlLabState *s)
{
  return value_of (s, P_KERNEL) == KERNEL_CAUSAL;
}

static inline void
sum_add (Sum *sum, double value)
{
  sum->sum += value;
  sum->squares += value * value;
}

/* Mean of n, and its standard error; 0 for n < 2. */
static inline double
sum_mean (const Sum *sum, uint64_t n)
{
  return n > 0 ? sum->sum / (double) n : 0.0;
}
double sl_capacity_error (const Sum *sum, uint64_t n);

/* capacity-design.c */
void sl_capacity_design (SlLabState *s, Design *design);
/* The same with other layers and exponent, for curves over them: dilation is not rounded, and the
 * slopes of the activation are left out.  */
void sl_capacity_design_at (const SlLabState *s, size_t layers, double a, Design *design);
/* Dilation of layer l from the input, which need not be whole in theory. */
double sl_capacity_design_dilation (const Design *design, size_t l);
/* The kernel of layer l: dilated, and weakened by the slope of the activation. */
void sl_capacity_kernel (const Design *design, size_t l, SlCapacityKernel *kernel);
/* Runs all layers into s->fall.  False, with a sentence in `note`, when rule M forbids.  */
bool sl_capacity_run (SlLabState *s, const Design *design, char note[SL_SNAPSHOT_NOTE]);
/* Standard deviation at the input, by the layers' cumulants; not-a-number where rule M forbids.  */
double sl_capacity_std (const Design *design);
/* Numbers of s->work. */
size_t sl_capacity_work (size_t positions);

/* capacity-live.c: adds one random network, and publishes its width and gain when `report`. */
void sl_capacity_field_carve (SlLabState *s);
void sl_capacity_field_step (SlLabState *s, SlSink *sink, bool report);
void sl_capacity_field_clear (SlLabState *s);

/* capacity-gradients.c: adds one network of the exponent whose turn it is. */
void   sl_capacity_gradients_carve (SlLabState *s);
void   sl_capacity_gradients_step (SlLabState *s);
void   sl_capacity_gradients_clear (SlLabState *s, bool only_slider);
double sl_capacity_exponent (const SlLabState *s, unsigned e);

/* capacity-depth.c: one update of the depth transfer. */
void     sl_capacity_transfer_carve (SlLabState *s);
void     sl_capacity_transfer_clear (SlLabState *s);
void     sl_capacity_transfer_step (SlLabState *s, SlSink *sink, bool report);
SlSpan   sl_capacity_transfer_weights (SlLabState *s);
void     sl_capacity_transfer_freeze (SlLabState *s, bool frozen);
SlStatus sl_capacity_transfer_objective (SlLabState *s, double *loss, sl_real *gradient);
size_t   sl_capacity_transfer_layers (unsigned depth);

/* The costly panels: capacity-probes.c, capacity-curves.c, capacity-circle.c, capacity-kinds.c. */
SlStatus sl_capacity_probe (SlLabState *s, unsigned panel, SlSink *sink);
SlStatus sl_capacity_probe_curves (SlLabState *s, unsigned panel, SlSink *sink,
                                   SlSnapshot *snapshot);
SlStatus sl_capacity_probe_circle (SlLabState *s, unsigned panel, SlSink *sink,
                                   SlSnapshot *snapshot);
SlStatus sl_capacity_probe_kinds (SlLabState *s, unsigned panel, SlSink *sink,
                                  SlSnapshot *snapshot);

/* A curve of the panel at hand, as sl_snapshot_curve(). */
double *sl_capacity_curve (SlSnapshot *snapshot, SlSink *sink, unsigned trace, size_t n,
                           bool spread);
/* A profile (n) over positions, counted from the middle; false without memory. */
bool sl_capacity_profile (SlSnapshot *snapshot, SlSink *sink, unsigned trace, const Design *design,
                          const double *profile);
/* Dots with error bars of 2 standard errors, thinned where there are many.  They go from right to
 * left, which is what makes them dots: figures join what goes to the right.  */
typedef struct
{
  const Sum *sum; /* (n) */
  uint64_t   networks;
  size_t     n;
  double     x0, dx; /* of dot i: x0 + i dx */
  double     factor;
  bool       root; /* of the mean */
} SlCapacityDots;
bool sl_capacity_dots (SlSnapshot *snapshot, SlSink *sink, unsigned trace,
                       const SlCapacityDots *dots);
/* A profile about position 0 of a ring, turned to the output position. */
void sl_capacity_rotate (const Design *design, const double *ring, double *profile);
/* The output position, counted from the middle. */
double sl_capacity_set_place (const Design *design);

/* Where the measured profile is within two standard errors of the theory, as a share. */
double sl_capacity_agreement (SlLabState *s, double *distance);
