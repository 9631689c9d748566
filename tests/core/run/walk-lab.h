/* SPDX-License-Identifier: MIT
 *
 * A lab for the tests of the session: random walks that cost nothing, can be made
 * slow, talkative or divergent, and need no data.  */
#pragma once

#include "core/lab/lab.h"

extern const SlLab sl_walk_lab;

/* Its parameters, in order. */
enum {
  WALK_RATE,    /* live: the size of a stride */
  WALK_LAYERS,  /* restart: a list; one walk each */
  WALK_RANK,    /* live: a list beside it */
  WALK_KIND,    /* live: a choice */
  WALK_DIVERGE, /* restart: the step at which it diverges; 0: never */
  WALK_BURST,   /* restart: samples per step and walk */
  WALK_WORK,    /* restart: draws per step */
  WALK_END,     /* restart: the step after which nothing is left to do; 0: never */
  WALK_PACE,    /* live: steps a second; 0: as fast as can be */
};

enum { WALK_PANEL_WALKS, WALK_PANEL_PLACES };
