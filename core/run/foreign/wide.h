/* SPDX-License-Identifier: MIT
 *
 * Several runs in one table.  */
#pragma once

#include "core/run/record/record.h"

/* A row per step at which any of the `n` runs has a sample, "step" first, then a column per series
 * channel of each, called NAME/CHANNEL.  The same runs give the same bytes.  Free with g_free().  */
char *sl_wide_csv (const SlRecord *const *records, const char *const *names, unsigned n);
