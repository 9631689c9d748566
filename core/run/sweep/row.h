/* SPDX-License-Identifier: MIT
 *
 * The shape of a sweep on a page.  */
#pragma once

#include "core/lab/lab.h"

/* How many of `n` runs, in the order of their sweep, make a row of a table: the first ones that have
 * the value of some parameter in common which later ones do not have.  0 when there is no such
 * parameter, or the last row would not be full.  */
unsigned sl_sweep_row (const SlLab *lab, const SlSettings *const *run /* (n) */, unsigned n);
