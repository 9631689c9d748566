/* SPDX-License-Identifier: MIT
 *
 * Training steps of a recording.  */
#pragma once

#include <stddef.h>

/* Sorts n steps and drops those that are there twice; returns how many are left.  And the place of one among n such
 * steps, SIZE_MAX where it is none.  */
size_t sl_steps_sort (size_t n, double *step);
size_t sl_steps_find (size_t n, const double *step, double value);
