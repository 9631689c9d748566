/* SPDX-License-Identifier: MIT
 *
 * Whether a run is in trouble: what a lab says can go wrong, judged by the series of the run.  A few
 * values in a row have to be beyond the limit before it counts, and as many have to be back before it
 * is over, so that one odd value says nothing.  */
#pragma once

#include "core/run/record/recipe.h"
#include "core/run/record/record.h"

enum { SL_HEALTH_VALUES = 3 /* in a row */ };

/* The worst trouble that the run is in at its end, or NULL. */
const SlHealth *sl_health_of (const SlRecord *record);

/* The likeliest of the trouble's knobs and a value for it that was better: what it was before its last
 * change in this run, else its value in the lab's first settings.  `recipe` has the changes of the
 * run.  False where there is nothing to go back to: *param then is the likeliest knob.  */
bool sl_health_way_back (const SlHealth *trouble, const SlRecipe *recipe, unsigned *param,
                         SlValue *value);

/* The update to go back to, from before the trouble: the last one that was well, and not after the last
 * change of the likeliest knob, as it would go the same way from there.  0 where nothing was well.  */
uint64_t sl_health_before (const SlRecord *record, const SlHealth *trouble, const SlRecipe *recipe);
