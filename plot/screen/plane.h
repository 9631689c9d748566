/* SPDX-License-Identifier: MIT
 *
 * The ground of a gating map as pixels: its regions with smooth edges, or its values.  */
#pragma once

#include "plot/figure/figure.h"

/* Pixels of cairo's RGB24, of which `scale` are a px. */
typedef struct
{
  uint32_t *pixel;
  int       width, height, stride; /* in pixels */
  double    scale;
} SlGroundPixels;

/* Fills them with the whole plane. */
void sl_ground_fill (const SlGroundPixels *pixels, const SlFigure *figure, const SlTheme *theme);

/* Fills them with one ground. */
void sl_ground_fill_one (const SlGroundPixels *pixels, const SlGround *ground,
                         const SlTheme *theme);
