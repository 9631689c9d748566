/* SPDX-License-Identifier: MIT
 *
 * Trainers of runs that were left for another lab.  What is expensive to make, the data, the
 * network that a style is read with, is in them, and does not change: a session that comes back to
 * the lab goes on with the trainer at the stored state.  One per lab, and no more than fit into the
 * memory for them.  Private to core/run.  */
#pragma once

#include "core/run/session/loader.h"

enum { SL_IDLE_MOST = 12 };

typedef struct
{
  SlRun   *run[SL_IDLE_MOST]; /* the newest first */
  unsigned n;
} SlIdle;

/* Takes over a run with its trainer; older ones may be freed. */
void sl_idle_put (SlIdle *idle, SlRun *run);

/* Gives out the run whose trainer can go on with the stored run of a request, or NULL. */
SlRun *sl_idle_take (SlIdle *idle, const SlRequest *request);

/* Data with this specification, or NULL. */
SlSharedData *sl_idle_data (const SlIdle *idle, const char *spec);

void sl_idle_clear (SlIdle *idle);
