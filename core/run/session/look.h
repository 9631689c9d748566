/* SPDX-License-Identifier: MIT
 *
 * Runs that are no more than a look at a lab.  */
#pragma once

#include "core/run/record/recipe.h"

enum { SL_LOOK = 200 }; /* updates from which on a run is more than that */

/* Whether a run begins as its lab comes: under its defaults, on data that Sluice has itself. */
gboolean sl_recipe_is_as_it_comes (const SlRecipe *recipe);
