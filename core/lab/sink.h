/* SPDX-License-Identifier: MIT
 *
 * Where a lab's numbers go.  A lab calls sl_sink_value() and fills snapshots; it does not know
 * whether a ring to another thread or a table in memory receives them, or nothing.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/lab/layout.h"
#include "core/lab/subject.h"

/* One value of one channel; plain memory, so that it can cross threads. */
typedef struct
{
  uint64_t step;
  double   value;
  uint32_t channel;    /* index into SlLayout.channel */
  uint32_t generation; /* of the run; a reader drops what is older than its own */
} SlSample;

/* A curve or bar group inside a snapshot: `n` points from `offset` on, first all x,
 * then all y, then (if `has_spread`) the half width of each error bar.  */
typedef struct
{
  uint32_t channel;
  bool     has_spread;
  size_t   offset, n;
} SlSnapshotCurve;

enum { SL_SNAPSHOT_CURVES = 64, SL_SNAPSHOT_NOTE = 160, SL_SNAPSHOT_NAMES = 4096 };

/* The whole content of one PROFILE, BARS, HEATMAP or IMAGE panel at one step. */
typedef struct
{
  uint64_t step;
  uint32_t generation;
  unsigned panel;
  bool     touched; /* ALIVE: of an input of the person's own, or with units switched off */

  unsigned        n_curves; /* PROFILE, BARS; HEATMAP: lines over the cells, in units of the axes,
                             * made after the matrix */
  SlSnapshotCurve curve[SL_SNAPSHOT_CURVES];

  unsigned span;                   /* HEATMAP: elements that each row shows; 0 is one */
  unsigned rows, columns, tiles;   /* HEATMAP: tiles = 1.  IMAGE: tiles of (rows, columns) */
  unsigned depth;                  /* planes of each tile: 1, or 3 for a picture in colour */
  double   lo, hi;                 /* values of the ends of the colour scale; of no use in colour */
  double left, right, bottom, top; /* MAP: the rectangle of the plane.  HEATMAP: left and right are
                                      * the range of x; left = right: as the panel says */
  char
    names[SL_SNAPSHOT_NAMES]; /* packed, each ended by '\n'.  HEATMAP: of the columns, "": numbers.
                               * IMAGE: captions of the tiles, "": none.  MAP: see map.h */

  /* HEATMAP: of the rows from the top, likewise; "": numbers.  MAP: of the axes */
  char row_names[SL_SNAPSHOT_NAMES];

  double    mark; /* PROFILE, HEATMAP: a vertical line (a cut, an optimum) at this
                                    * x, NaN: none */
  SlMessage note; /* a sentence for under the title, or none */

  double *data; /* (n_data), owned */
  size_t  n_data, capacity;
} SlSnapshot;

/* Empties a snapshot for refilling; keeps its memory. */
void sl_snapshot_reset (SlSnapshot *snapshot);
void sl_snapshot_clear (SlSnapshot *snapshot);

/* Copies `from` over `to`, growing it as needed.  SL_ENOMEM: `to` is empty. */
SlStatus sl_snapshot_copy (SlSnapshot *to, const SlSnapshot *from);

/* Adds a name, a packed message or a text; nothing if it does not fit as a whole. */
void sl_snapshot_name (SlSnapshot *snapshot, const char *name);
void sl_snapshot_row_name (SlSnapshot *snapshot, const char *name); /* the same of a row */

/* Adds a curve of n points and returns where to write: x at [0, n), y at [n, 2n) and,
 * if asked, spread at [2n, 3n).  NULL when memory or curves run out.  The pointer is
 * good until the next call on the snapshot.  */
double *sl_snapshot_curve (SlSnapshot *snapshot, uint32_t channel, size_t n, bool with_spread);

/* Makes the matrix or tiles and returns (tiles, rows, columns) zeros to fill; NULL when
 * memory runs out.  */
double *sl_snapshot_matrix (SlSnapshot *snapshot, unsigned tiles, unsigned rows, unsigned columns);

/* The same for pictures in colour: (tiles, 3, rows, columns) of red, green and blue, each from 0 to 1
 * as in a file (sRGB).  What is beyond is cut, and a pixel with a not-a-number is clear, so that
 * pictures of several sizes can share one panel.  */
double *sl_snapshot_pictures (SlSnapshot *snapshot, unsigned tiles, unsigned rows,
                              unsigned columns);

/* How many numbers matrix, tiles or pictures are. */
static inline size_t
sl_snapshot_cells (const SlSnapshot *snapshot)
{
  return (size_t) snapshot->tiles * snapshot->depth * snapshot->rows * snapshot->columns;
}

typedef struct SlSink SlSink;

struct SlSink
{
  const SlLayout  *layout;
  uint64_t         step;       /* of the update under way; set by the trainer */
  uint32_t         generation; /* copied into every record */
  const SlSubject *subject;    /* what ALIVE shows; NULL: the first validation example */

  /* Takes a sample.  NULL: samples are dropped. */
  void (*take) (SlSink *sink, const SlSample *sample);

  /* Returns an emptied snapshot of a panel, or NULL when the panel is not watched. */
  SlSnapshot *(*open) (SlSink *sink, unsigned panel);

  /* Publishes the snapshot that open() gave. */
  void (*publish) (SlSink *sink, SlSnapshot *snapshot);

  /* (optional) True when a thread or the user waits for the next step. */
  bool (*hurry) (SlSink *sink);

  bool idle; /* the run does not train meanwhile: a probe may take its time */
};

/* Surveys ask this between their parts, and give up with SL_ECANCELLED, publishing nothing, when
 * it says true: they are made again later.  */
static inline bool
sl_sink_hurry (SlSink *sink)
{
  return sink->hurry != NULL && sink->hurry (sink);
}

/* Publishes one value of a SERIES panel.  `instance` counts from 0; 0 for traces
 * without `each`.  Not-a-number is published too and shows as a gap.  */
void sl_sink_value (SlSink *sink, unsigned panel, unsigned trace, unsigned instance, double value);
