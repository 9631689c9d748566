/* SPDX-License-Identifier: MIT
 *
 * What the files with the costly panels of the lab `capacity` share.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/labs/capacity/lab.h"

/* A profile (n) over positions, counted from the middle. */
void sl_capacity_profile (SlProbe *p, unsigned trace, const Design *design, const double *profile);

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
void sl_capacity_dots (SlProbe *p, unsigned trace, const SlCapacityDots *dots);

/* The same over positions from the middle, where theory (n) has something to compare with: rows of zeros would only
 * hide the axis.  */
void sl_capacity_dots_near (SlProbe *p, unsigned trace, const double *exact, SlCapacityDots dots);

/* A profile about position 0 of a ring, turned to the output position. */
void sl_capacity_rotate (const Design *design, const double *ring, double *profile);

/* The output position, counted from the middle. */
double sl_capacity_set_place (const Design *design);

/* Designs the network of these settings and runs all layers into s->fall.  False, with a note, when
 * rule M forbids.  */
bool sl_capacity_fall (SlProbe *p, Design *design);

/* alive.c */
void sl_capacity_probe_alive (SlProbe *p);

/* curves.c */
void sl_capacity_probe_spread (SlProbe *p);
void sl_capacity_probe_where (SlProbe *p);
void sl_capacity_probe_memory (SlProbe *p);
void sl_capacity_probe_transfer (SlProbe *p);
void sl_capacity_probe_toy (SlProbe *p);

/* circle.c */
void sl_capacity_probe_skip (SlProbe *p);
void sl_capacity_probe_trace (SlProbe *p);
void sl_capacity_probe_cosines (SlProbe *p);
void sl_capacity_probe_angle (SlProbe *p);

/* kinds.c */
void sl_capacity_probe_leaked (SlProbe *p);
void sl_capacity_probe_channels (SlProbe *p);
void sl_capacity_probe_skips (SlProbe *p);

/* images.c */
void sl_capacity_probe_plane (SlProbe *p);
void sl_capacity_probe_axis (SlProbe *p);
