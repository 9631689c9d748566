/* SPDX-License-Identifier: MIT
 *
 * A layout under way, for the kinds of figures that lay out a part of their own.  */
#pragma once

#include "plot/layout/frame.h"

/* One layout under way. */
typedef struct SlLaying
{
  const SlFigure *figure;
  const SlTheme  *theme;
  const SlParts  *parts;
  SlText         *text;
  double          pad, ascent, descent,
    line;            /* of tick-size type: px above and below the baseline, of a row */
  bool          key; /* there is a colour bar */
  SlLegendPlace legend;
  bool          two_lines; /* category names take two */
  double        tall;      /* px of upright column names; 0: they are horizontal */
  bool          strip;     /* flags have a strip of their own above the plot */
} SlLaying;

/* Widest label in px. */
double sl_lay_widest (const SlLaying *job, const SlTick *ticks, unsigned n);

/* As many numbers under the plot as fit without touching. */
void sl_lay_numbers (const SlLaying *job, SlFrame *frame, bool integers);
