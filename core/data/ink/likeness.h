/* SPDX-License-Identifier: MIT
 *
 * Whether an input is far from all that a network was trained on: its distance to the nearest of some training
 * examples, against what validation examples have.  */
#pragma once

#include <stdbool.h>

#include "core/data/set/dataset.h"

typedef struct SlLikeness SlLikeness;

/* Copies examples of a data set that takes inputs of one's own: some ms.  NULL without memory. */
SlLikeness *sl_likeness_new (const SlDataset *dataset);
void        sl_likeness_free (SlLikeness *likeness); /* NULL is fine */

/* Measures the validation examples: some tenths of a second, in any thread, once, before the rest. */
void sl_likeness_measure (SlLikeness *likeness);

/* Whether 99 % of them are nearer than this input: ink from 0 to 1, or x and y of a plane. */
bool sl_likeness_is_far (const SlLikeness *likeness, const float *own);
