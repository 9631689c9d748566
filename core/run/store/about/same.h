/* SPDX-License-Identifier: MIT
 *
 * The stored run that a recipe is of.  */
#pragma once

#include "core/run/store/store.h"

/* The newest run that a recipe is of, at least as far as its step: same lab, data, seed, settings and
 * changes.  NULL when there is none.  Free with g_free().  Any thread.  */
char *sl_store_find_recipe (SlStore *store, const SlRecipe *recipe);
