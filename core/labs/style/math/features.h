/* SPDX-License-Identifier: MIT
 *
 * What a convolutional network makes of a picture, layer after layer, and the way back from there
 * to the picture.  The network itself is fixed: nothing here trains.
 *
 * A tap is a place where the activations can be read: an array (N, M), N channels of M = height x
 * width positions each, which is what losses over feature distributions take.  Taps are counted
 * in the order in which they are computed, so the first `taps` of them need no layer behind the
 * last.
 *
 * Letters: N channels, M positions of a tap; H x W the picture.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"
#include "core/base/tensors.h"
#include "core/nn/conv/conv.h"
#include "core/nn/conv/pool.h"

/* A network; immutable, so any number of threads may run one. */
typedef struct SlFeatures SlFeatures;

enum { SL_FEATURE_SCALES = 6 }; /* most scales of the one without a file */

/* A network that needs no file: the picture at `scales` sizes (1 to SL_FEATURE_SCALES), each half
 * of the one before; at each, random filters of 3, 5, 7 and 11 pixels (noise under a Gaussian
 * window, without a mean, orthonormal) and the colours themselves, rectified.  One tap for each
 * scale, "scale1" and so on, 102 channels.  Good for textures: after Ustyuzhaninov, Brendel, Gatys
 * and Bethge (2016), "Texture synthesis using shallow convolutional networks with random filters",
 * with a pyramid in place of filters of up to 55 pixels.  The same seed gives the same filters on
 * every machine.  SL_EINVAL, SL_ENOMEM.  */
SlStatus sl_features_random (SlFeatures **features, uint64_t seed, unsigned scales);

/* A network from the tensors of a file, whose numbers are copied: the first layers of VGG
 * (Simonyan and Zisserman 2014: conv1_1.weight …, or torchvision's features.0.weight …), as far
 * as they are there, taps "relu1_1" …; or SqueezeNet 1.0 (Iandola et al. 2016), taps "relu1",
 * "fire2" … "fire9" and, with its classifier, "classes".  Pictures are prepared as each was
 * trained: order of the colours, scale, mean.  SL_EFORMAT names the tensor that is missing or has
 * the wrong shape; SL_ENOMEM.  */
SlStatus sl_features_load (SlFeatures **features, const SlTensors *tensors);

/* Frees it; NULL is fine. */
void sl_features_free (SlFeatures *features);

/* "VGG, 8 layers", "random filters at 4 scales". */
SlMessage sl_features_title (const SlFeatures *features);

unsigned    sl_features_taps (const SlFeatures *features);
const char *sl_features_tap_name (const SlFeatures *features, unsigned tap);
size_t      sl_features_tap_channels (const SlFeatures *features, unsigned tap); /* N */

/* What one picture goes through: sizes and memory.  Fields are to be read only. */
enum { SL_FEATURE_VALUES = 48, SL_FEATURE_STEPS = 64 };
typedef struct
{
  const SlFeatures *features;      /* outlives the run */
  size_t            height, width; /* H, W */
  unsigned          taps;          /* the first so many are computed */
  bool              backward;      /* there is memory for the way back */
  unsigned          steps;         /* layers that it takes */
  double            products; /* multiplications that a forward pass does; the way back from the
                               * last tap takes about as many */

  SlConv   conv[SL_FEATURE_STEPS]; /* those of the layers that are convolutions */
  SlPool   pool[SL_FEATURE_STEPS]; /* and those that pool */
  uint8_t *where[SL_FEATURE_STEPS];
  size_t   tall[SL_FEATURE_VALUES], wide[SL_FEATURE_VALUES]; /* of the values between layers */
  sl_real *value[SL_FEATURE_VALUES];
  sl_real *slope[SL_FEATURE_VALUES]; /* dloss/dvalue; several share memory */
  sl_real *work;
} SlFeatureRun;

/* SL_OK when pictures of that size can go through the first `taps` taps; else SL_EINVAL with the
 * smallest size that can.  */
SlStatus sl_features_fit (const SlFeatures *features, size_t height, size_t width, unsigned taps);

/* Lays out a run that fits, and cuts its memory: called once with an empty arena to measure
 * (arena->used is then exactly what it will take; nothing is allocated or written) and once for
 * real.  1 <= taps <= sl_features_taps().  */
void sl_features_carve (SlFeatureRun *run, const SlFeatures *features, size_t height, size_t width,
                        unsigned taps, bool backward, SlArena *arena);

/* From `image` (3, H, W), red, green and blue in 0..1 (values beyond are taken as they are), the
 * activations of all taps.  Allocates nothing.  */
void sl_features_forward (SlFeatureRun *run, const sl_real *image);

/* M of a tap, and its height and width (either may be NULL). */
size_t sl_features_positions (const SlFeatureRun *run, unsigned tap, size_t *height, size_t *width);

/* The activations (N, M) that the last forward pass left at a tap. */
const sl_real *sl_features_tap (const SlFeatureRun *run, unsigned tap);

/* After a forward pass: from slope[tap] (N, M), dloss/dactivations of each of run->taps taps or
 * NULL where there is none, `dimage` (3, H, W), written over.  Layers behind the last tap with a
 * slope cost nothing.  The activations stay.  Allocates nothing.  */
void sl_features_backward (SlFeatureRun *run, const sl_real *const *slope, sl_real *dimage);
