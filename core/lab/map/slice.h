/* SPDX-License-Identifier: MIT
 *
 * A plane through the input space: an origin and two directions, and the rectangle of it that the
 * data fill.  */
#pragma once

#include "core/lab/map/map.h"

typedef struct
{
  const SlDataset *dataset;
  SlSliceKind      kind;
  unsigned         axis[2];
  uint32_t         through;
  sl_real         *origin;       /* (D) */
  sl_real         *direction[2]; /* (D) of length 1 */
  bool             has_components;
  sl_real         *component[2], *mean; /* (D) found when first wanted */
  double           share;               /* of the variance along both components */
  double           left, right, bottom, top;
} SlSlice;

/* Two features: the input space.  More: the two principal components.  SL_ENOMEM. */
SlStatus sl_slice_init (SlSlice *slice, const SlDataset *dataset);
void     sl_slice_clear (SlSlice *slice);

void sl_slice_set_view (SlSlice *slice, const SlMapView *view);

/* The inputs of `n` cells from number `first` on, x (n, D), of a grid of (side, side), row 0 at the
 * top; a cell has the inputs of its centre.  */
void sl_slice_points (const SlSlice *slice, unsigned side, size_t first, size_t n, sl_real *x);

/* Where an input lies when it is projected onto the plane. */
void sl_slice_place (const SlSlice *slice, const sl_real *input, double *x, double *y);

void sl_slice_rectangle (const SlSlice *slice, double *left, double *right, double *bottom,
                         double *top);

/* The features along the axes; false where they are none. */
bool sl_slice_axes (const SlSlice *slice, unsigned axis[2]);

/* "Two principal components, 46 % of the variance"; nothing with two features. */
SlMessage sl_slice_text (const SlSlice *slice);
