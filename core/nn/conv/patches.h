/* SPDX-License-Identifier: MIT
 *
 * A convolution as a fully connected layer of every place: what lies under the kernel there, side by side in
 * one row, so that whatever is done with the examples of a layer can be done with the places of a picture.
 * No padding.
 *
 * Letters: B batch, C channels, H x W the picture's size, P x Q the places', S the kernel's side.  Pictures
 * (B, H, W, C), channels last; patches (B, P, Q, S S C): row after row of the kernel, channels last.
 * Nothing allocates; the same bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"

typedef struct
{
  size_t channels, height, width; /* of the picture */
  size_t side, stride;            /* of the kernel */
} SlPatches;

/* Whether every field is at least 1 and the kernel fits. */
bool sl_patches_valid (const SlPatches *patches);

/* P, Q, and S S C. */
static inline size_t
sl_patches_down (const SlPatches *patches)
{
  return (patches->height - patches->side) / patches->stride + 1;
}

static inline size_t
sl_patches_across (const SlPatches *patches)
{
  return (patches->width - patches->side) / patches->stride + 1;
}

static inline size_t
sl_patches_inputs (const SlPatches *patches)
{
  return patches->side * patches->side * patches->channels;
}

/* Pictures of `places` pixels as files have them, channel after channel, with their channels last. */
void sl_patches_turn (size_t batch, size_t channels, size_t places, const sl_real *x, sl_real *y);

/* The patches of every place. */
void sl_patches_gather (const SlPatches *patches, size_t batch, const sl_real *x, sl_real *rows);

/* The way back: each number of the picture, written over, is the sum of those that were taken from it. */
void sl_patches_add (const SlPatches *patches, size_t batch, const sl_real *rows, sl_real *x);
