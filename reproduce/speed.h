/* SPDX-License-Identifier: MIT
 *
 * Tables 4.2 and 4.4 of Davis 2016, cell by cell: how much faster the network 27-1024-1024-27 of
 * gated recurrent units is when a share of its units is copied.  The shares are forced: the gates
 * are computed, then replaced by as many at random as a normal input leaves on, Φ (s).  Both sides
 * run on one thread.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

enum { SL_SPEED_OFFSETS = 4, SL_SPEED_GATES = 3 };

extern const double sl_speed_offsets[SL_SPEED_OFFSETS]; /* s, the rows of the tables */
extern const size_t sl_speed_gates[SL_SPEED_GATES];     /* columns: gates of a layer */

/* A network with everything it takes to run it in each of three ways: one letter of one text, of a
 * batch of 64, and an update.  */
typedef struct SlSpeedModel SlSpeedModel;

typedef enum {
  SL_SPEED_DENSE,
  SL_SPEED_UNITS, /* each gate its own unit, or 1024 / gates of them */
  SL_SPEED_BLOCKS,
  SL_SPEED_MIXED, /* blocks, with a gate for each unit of those that are on (§4.5.4) */
} SlSpeedKind;

/* NULL with *status.  `gates` are not for the dense one. */
SlSpeedModel *sl_speed_model_new (SlSpeedKind kind, size_t gates, SlStatus *status);
void          sl_speed_model_free (SlSpeedModel *model); /* NULL is fine */

typedef struct
{
  double alpha; /* share of the units on */
  double ours;  /* × dense: one text for units, 64 for blocks */
  double bound; /* what counting multiplications gives */
  double train; /* × dense, an update; not-a-number: it was not asked for */
} SlSpeedCell;

/* Measures the cell of the table at row `row` for a gated model, and with `trains` an update, too.  Blocks for about a
 * second, or for several.  */
void sl_speed_measure (SlSpeedModel *dense, SlSpeedModel *gated, unsigned row, bool trains,
                       SlSpeedCell *cell);

/* The time of an update's bare matrix products over that of the dense update, median of a few. */
double sl_speed_bare_share (SlSpeedModel *dense);
