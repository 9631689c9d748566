/* SPDX-License-Identifier: MIT
 *
 * Drawn digits, for sources that place them on other sheets.  */
#pragma once

#include "core/data/set/draft.h"

/* Draws one: pixels (28, 28).  The same seed, digit and difficulty (0 … 1) give the same bytes. */
void sl_digit_draw (uint64_t seed, unsigned digit, double difficulty, uint8_t *pixels);

/* Labels in random order, a tenth each, a difficulty from `easiest` to `hardest` and a seed for each image, and the
 * sizes of the splits.  seeds (n).  SL_EFORMAT of `subject`, SL_ENOMEM.  */
SlStatus sl_digits_plan (SlDraft *draft, uint64_t *seeds, const SlSplitting *splitting,
                         const char *subject, double easiest, double hardest);
