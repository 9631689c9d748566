/* SPDX-License-Identifier: MIT
 *
 * Words on a gating map: in its regions, and beside it for what has none there.  */
#pragma once

#include "plot/layout/laying.h"

/* Finds both for a plot between these heights, and returns the width of what is beside it. */
double sl_lay_plane (const SlLaying *job, SlFrame *frame, double top, double bottom);

/* Puts them where they belong, when the plot has its place. */
void sl_lay_place_plane (const SlLaying *job, SlFrame *frame);
