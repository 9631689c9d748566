/* SPDX-License-Identifier: MIT
 *
 * The mixture in the picture of one example: what the gate thinks of each expert, whom it chooses, and how much of
 * the sum each has.  */
#pragma once

#include "core/lab/kit/alive.h"
#include "core/lab/mixture/setting.h"

/* Experts that are switched off while a pass is made. */
typedef struct
{
  unsigned     n;
  SlAliveAside aside[SL_SUBJECT_CLOSED];
} SlMixtureClosed;

/* Switches off those that the subject says, the first field of the picture; sl_mixture_open() puts all back as it
 * was.  Nothing else may be closed in between.  */
void sl_mixture_close (SlMixtureClosed *closed, SlProbe *probe, SlMoe *moe);
void sl_mixture_open (const SlMixtureClosed *closed);

/* One row behind a forward pass of the layer.  Zero-computation experts come behind the others, and may be switched
 * off too.  */
typedef struct
{
  const SlMoe *moe;
  size_t       row;
  bool         noise;                                       /* training has it */
  size_t       chosen;                                      /* experts that compute */
  uint8_t      state[SL_MIXTURE_EXPERTS + SL_MIXTURE_ZERO]; /* SlAliveState */
  unsigned     states;                                      /* those there are, as bits */
  double       sum;                                         /* of the gate values */
} SlMixtureAlive;

/* Finds the states.  `is_dead`, unless NULL, says whether no example at all goes to an expert. */
void sl_mixture_alive_find (SlMixtureAlive *alive, const SlProbe *probe, const SlMoe *moe,
                            size_t row, bool noise,
                            bool (*is_dead) (const SlLabState *state, size_t expert));

/* The gate value of an expert, 0 where it is not chosen; its part of them all where they are more than 1 together. */
double sl_mixture_alive_weight (const SlMixtureAlive *alive, size_t expert);

/* Adds scores, boxes, the sum and the edges to it. */
void sl_mixture_alive_add (const SlMixtureAlive *alive, SlAliveWriter *writer);
