/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `capacity` share, and no other file includes.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/capacity/math/forms.h"
#include "core/labs/capacity/math/limit.h"
#include "core/labs/capacity/math/residual.h"
#include "core/labs/capacity/tables.h"

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
  Sum      skips[MOST_POSITIONS]; /* at the input, of an output that reads all layers */
  uint64_t skip_networks;
  Sum      wander; /* squared distance of the centroid at the input */
} Field;

/* The same of networks over images. */
typedef struct
{
  uint64_t networks;
  Sum      axis[IMAGE]; /* summed over the other axis, mean of both */
} Images;

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
  SlRng    data, sides; /* the second: of the batch at hand */
} Transfer;

/* What changes from step to step. */
typedef struct
{
  uint64_t  seed;
  SlRng     weights, inputs, gradients, outputs, images;
  Field     field;
  Images    image;
  Gradients gradient;
  Transfer  transfer;
} SlCapacityMoving;

typedef struct
{
  SlLabState        base;
  SlCapacityMoving *now;

  /* Scratch of the theory. */
  double *slope; /* (MOST_LAYERS) */
  Fall    fall;
  double *work; /* (n_work) */

  /* Scratch of the random networks. */
  SlRng   *layer_rng; /* (MOST_LAYERS) */
  int32_t *from;      /* (positions, MOST_KERNEL) */
  sl_real *phase, *norm, *w, *h, *delta, *all_delta, *extra, *slopes, *room;
  double  *power, *absent, *measured;
  sl_real *gradient_w, *gradient_h, *gradient_delta, *gradient_slopes, *circle, *cosines;

  /* Of the networks over images. */
  int32_t *image_from;
  sl_real *image_w, *image_h, *image_delta, *image_slopes, *image_norm, *image_room;
  double  *image_power;

  /* Of the depth transfer; the first three are kept. */
  sl_real *transfer_w, *transfer_m, *transfer_v, *transfer_g, *transfer_scaled, *transfer_step;
  sl_real *task_x, *task_y, *tape_slope, *tape_value, *tape_h, *tape_delta, *tape_room, *tape_side,
    *tape_extra, *lift;
  int32_t *task_from;
} SlCapacityLab;

static inline SlCapacityLab *
sl_capacity_lab (SlLabState *state)
{
  return (SlCapacityLab *) state;
}

/* Whether capacity moves to one side. */
static inline bool
drifts (const SlCapacityLab *s)
{
  return sl_value_of (&s->base, P_KERNEL) == KERNEL_CAUSAL;
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

/* design.c */
void sl_capacity_design (SlCapacityLab *s, Design *design);
/* The same with other layers and exponent, for curves over them: dilation is not rounded, and the
 * slopes of the activation are left out.  */
void sl_capacity_design_at (const SlCapacityLab *s, size_t layers, double a, Design *design);
/* log₁₀ F, the share that never leaves the skip path where there are neither side inputs nor biases, as in the
 * gradient networks.  */
double sl_capacity_design_log10_skip (const Design *design);
/* Dilation of layer l from the input, which need not be whole in theory. */
double sl_capacity_design_dilation (const Design *design, size_t l);
/* The kernel of layer l: dilated, and weakened by the slope of the activation. */
void sl_capacity_kernel (const Design *design, size_t l, SlCapacityKernel *kernel);
/* Runs all layers into s->fall.  False, with a sentence in `note`, when rule M forbids.  */
bool sl_capacity_run (SlCapacityLab *s, const Design *design, SlMessage *note);
/* Standard deviation at the input, by the layers' cumulants; not-a-number where rule M forbids.  */
double sl_capacity_std (const Design *design);
/* Numbers of s->work. */
size_t sl_capacity_work (size_t positions);

/* live.c: adds one random network, and publishes its width and gain when `report`. */
void sl_capacity_field_carve (SlCapacityLab *s);
void sl_capacity_field_step (SlCapacityLab *s, SlSink *sink, bool report);
void sl_capacity_field_clear (SlCapacityLab *s);
/* The shares of the squared gradient of one more network, of these draws: light (layers + 1, n) from the output down.
 * It uses the scratch of a step and counts nowhere.  */
void sl_capacity_field_light (SlCapacityLab *s, const Design *design, const SlRng *seed,
                              double *light);

/* images.c: adds one random network in two dimensions. */
void sl_capacity_images_carve (SlCapacityLab *s);
void sl_capacity_images_step (SlCapacityLab *s);
void sl_capacity_images_clear (SlCapacityLab *s);
/* Whether there are such networks for these settings. */
bool sl_capacity_images_can (const SlCapacityLab *s);

/* gradients.c: adds one network of the exponent whose turn it is. */
void   sl_capacity_gradients_carve (SlCapacityLab *s);
void   sl_capacity_gradients_step (SlCapacityLab *s);
void   sl_capacity_gradients_clear (SlCapacityLab *s, bool only_slider);
double sl_capacity_exponent (const SlCapacityLab *s, unsigned e);

/* depth.c: one update of the depth transfer. */
void                    sl_capacity_transfer_carve (SlCapacityLab *s);
void                    sl_capacity_transfer_clear (SlCapacityLab *s);
void                    sl_capacity_transfer_step (SlCapacityLab *s, SlSink *sink, bool report);
void                    sl_capacity_transfer_freeze (SlLabState *state);
double                  sl_capacity_transfer_objective (SlLabState *state, sl_real *gradient);
SlStatus                sl_capacity_transfer_restored (SlLabState *state);
size_t                  sl_capacity_transfer_layers (unsigned depth);
extern const SlResidual sl_capacity_transfer_layer;

/* The costly panels. */
extern const SlProbePanel sl_capacity_probes[N_PANELS];

/* Where the measured profile is within two standard errors of the theory, as a share. */
double sl_capacity_agreement (SlCapacityLab *s, double *distance);
