/* SPDX-License-Identifier: MIT
 *
 * The progress line of a run on the error stream: rewritten in place on a terminal, a new
 * line every few seconds elsewhere.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/lab/lab.h"

typedef struct
{
  bool   quiet, terminal;
  double began, shown;  /* s of sl_clock_wall() */
  double warm, warm_at; /* time and share of the way when the rate had become steady */
} SlMeter;

void sl_meter_begin (SlMeter *meter, bool quiet);

/* True when it is time to show something again.  Call after every step; `done` is the share of the
 * way, 0 … 1.  */
bool sl_meter_due (SlMeter *meter, double done);

/* Shows how far the run is; `limit` is the steps it will take, 0 when they are not known. */
void sl_meter_show (SlMeter *meter, uint64_t step, uint64_t limit, double done,
                    const SlProgress *progress);

/* Ends the last line, which stays on the screen. */
void sl_meter_end (SlMeter *meter);

/* Takes the last line off a terminal: something else says how it ended. */
void sl_meter_clear (SlMeter *meter);
