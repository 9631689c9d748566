/* SPDX-License-Identifier: MIT
 *
 * How a network of features is put together; shared by the files that make one and the one that
 * runs it.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/labs/style/math/features.h"

enum { SL_FEATURE_TAPS = 24, SL_FEATURE_NAME = 16 };

typedef enum {
  SL_STEP_CONV,
  SL_STEP_MAX,
  SL_STEP_MEAN,
} SlStepKind;

/* A layer: from one value to another, or to some of its channels. */
typedef struct
{
  SlStepKind kind;
  unsigned   from, to;
  size_t     first;   /* channel of `to` where it begins */
  size_t     outputs; /* of a convolution */
  size_t     side;    /* of the square kernel or window */
  size_t     stride, pad;
  bool       ceil; /* as SlPool has it */
  size_t     w, b; /* where its numbers begin in `weights` */
} SlFeatureStep;

/* Values between two layers.  Value 0 is the picture in the form that the network reads. */
typedef struct
{
  size_t   channels;
  bool     relu;                  /* negative numbers were set to 0 */
  unsigned first_step, last_step; /* the layers that make it */
} SlFeatureValue;

typedef struct
{
  char     name[SL_FEATURE_NAME];
  unsigned value;
} SlFeatureTap;

struct SlFeatures
{
  SlMessage      title;
  unsigned       n_steps, n_values, n_taps;
  SlFeatureStep  step[SL_FEATURE_STEPS];
  SlFeatureValue value[SL_FEATURE_VALUES];
  SlFeatureTap   tap[SL_FEATURE_TAPS];
  unsigned       colour[3];           /* plane i of value 0 is this one of the picture, */
  sl_real        scale[3], offset[3]; /* times scale[i] + offset[i] */
  sl_real       *weights;
};

/* An empty network with value 0 and room for so many numbers.  SL_ENOMEM. */
SlStatus sl_features_new (SlFeatures **features, size_t weights);

/* Adds a value of so many channels, which a convolution makes and `relu` rectifies; its number. */
unsigned sl_features_add_value (SlFeatures *features, size_t channels, bool relu);

/* Adds a convolution from `from` to channels `first` … of `to`, with its numbers at `w` and `b`. */
void sl_features_add_conv (SlFeatures *features, unsigned from, unsigned to, size_t first,
                           const SlFeatureStep *step);

/* Adds a pooling of `from` and the value that it makes, whose number it returns. */
unsigned sl_features_add_pool (SlFeatures *features, unsigned from, SlStepKind kind, size_t side,
                               size_t stride, bool ceil);

/* Adds a tap at `value`. */
void sl_features_add_tap (SlFeatures *features, unsigned value, const char *name);
