/* SPDX-License-Identifier: MIT
 *
 * Seconds of one kind of kernel over a grid of shapes, and what they say of shapes in between; shared by
 * the files of core/run/cost.  */
#pragma once

#include "core/lab/kit/cost.h"

enum { SL_COST_AXES = 4 };

/* Points of the grid of a kind, and the call at one of them; its share is that of all. */
unsigned   sl_cost_table_points (SlCostKind kind);
SlCostCall sl_cost_table_call (SlCostKind kind, unsigned point);

/* Fills what is not-a-number in seconds (points), the shapes too large to be timed, from the next smaller
 * ones, of which there has to be one.  */
void sl_cost_table_fill (SlCostKind kind, double *seconds);

/* Seconds of a call of any shape with this share of units on. */
double sl_cost_table_seconds (const double *seconds, const SlCostCall *call, double share);

/* "forward", …: names in files. */
const char *sl_cost_kind_name (SlCostKind kind);
