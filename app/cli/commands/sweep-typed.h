/* SPDX-License-Identifier: MIT
 *
 * The options of "sluice-cli sweep" as they were typed, and whether they go together.  */
#pragma once

#include "app/cli/plan.h"

enum { SL_SWEEP_NOT_TYPED = G_MININT };

typedef struct
{
  SlPlanOptions plan;
  char        **axes;
  char         *how, *suggested, *seeds, *store, *shard, *print, *cost, *from, *html;
  int           shards; /* SL_SWEEP_NOT_TYPED */
  int           jobs, threads, sample, prune;
  gint64        draw; /* G_MININT64: not typed */
  gboolean      json, dry;
} SlSweepTyped;

/* Adds the options to a command; what they are before is set here. */
void sl_sweep_typed_add_options (SlSweepTyped *typed, GOptionContext *context);

/* Whether every option that was typed has something to do.  Complains. */
bool sl_sweep_typed_check (const SlSweepTyped *typed);

/* The seed of the draws. */
uint64_t sl_sweep_typed_draw (const SlSweepTyped *typed);

void sl_sweep_typed_clear (SlSweepTyped *typed);
