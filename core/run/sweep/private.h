/* SPDX-License-Identifier: MIT
 *
 * What the files of a sweep's pure part share: text.c reads axes, sample.c draws points of them.  */
#pragma once

#include "core/run/sweep/sweep.h"

/* A point that was drawn. */
typedef struct
{
  SlValue  value[SL_SWEEP_AXES_MAX];
  unsigned at[SL_SWEEP_AXES_MAX]; /* the value of a list, or the nearer end of a range */
} SlSweepPoint;

/* Draws all points. */
void sl_sweep_draw (const SlSweep *sweep, SlSweepPoint *point /* (sweep->points) */);

/* axis.c: the settings where each axis has this value. */
SlSettings sl_sweep_settings_of (const SlSweep *sweep, const SlValue *const *value);

/* Reads the text after the "=" of an axis that is drawn from, where it is no list; the text of all
 * values that a parameter can have, to be freed.  */
gboolean sl_sweep_read_range (const SlParam *param, const char *text, SlSweepAxis *axis,
                              GError **error);
char    *sl_sweep_whole_range (const SlParam *param);
