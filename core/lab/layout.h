/* SPDX-License-Identifier: MIT
 *
 * The channels of a run: a lab's traces, with one instance per layer (or whatever
 * parameter they follow), numbered from 0.  Both ends of the sink use these numbers; files
 * use the ids.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/param.h"

enum {
  SL_CHANNELS_MAX = 320,
  SL_PANELS_MAX = 32,
  SL_TRACES_MAX = 16, /* of one panel */
};

typedef struct
{
  uint16_t panel, trace, instance;
  uint16_t from, to; /* the first and last element that it shows, from 1; equal where it is one
                      * element */
  bool     series;   /* has a value per report and goes into tables (SERIES, HISTORY, SHARES) */
  char     id[64]; /* "signs.recall.2": panel, trace, and the instance from 1 if there are several;
                    * "usage.load.17-32" for a range of elements */
} SlChannel;

typedef struct
{
  unsigned  n;
  SlChannel channel[SL_CHANNELS_MAX];
  uint16_t  first[SL_PANELS_MAX][SL_TRACES_MAX]; /* channel of instance 0 */
} SlLayout;
