/* SPDX-License-Identifier: MIT
 *
 * The gating map: what a network does at every point of a plane through its input space, made
 * from a lab's map() alone.  With two features the plane is the input space itself; with more it
 * goes through two chosen axes or along the two principal components of the data.
 *
 * Threads: that of the lab's state.  */
#pragma once

#include "core/lab/lab.h"

typedef enum {
  SL_SLICE_COMPONENTS, /* the two directions in which the training examples vary most */
  SL_SLICE_AXES,       /* two features; the others as in one example */
} SlSliceKind;

typedef struct
{
  unsigned    side;    /* cells along each edge, at most SL_MAP_SIDE */
  SlSliceKind slice;   /* not read with two features */
  unsigned    axis[2]; /* AXES: different features, from 0 */
  uint32_t    through; /* AXES: the example, over all splits */
  bool        patient; /* all cells even if they take long, also while the run trains */
} SlMapView;

/* The tiles of a MAP snapshot, in this order; row 0 is the top of the plane.  */
typedef enum {
  SL_MAP_PATTERN, /* number of the pattern, SL_MAP_COLOURS for all the others */
  SL_MAP_TOP,     /* as in SlCell */
  SL_MAP_ACTIVE,
  SL_MAP_COST,
  SL_MAP_MISJUDGED,
  SL_MAP_CONFIDENCE,
  SL_MAP_LABEL,
  SL_MAP_MARGIN,
  SL_MAP_PLANES,
} SlMapPlane;

enum { SL_MAP_SIDE = 1024, SL_MAP_COLOURS = 24, SL_MAP_POINTS = 1000 };

typedef struct SlMap SlMap;

/* A map of a lab's state over the data that it trains on; both are borrowed.  SL_ENOMEM. */
SlStatus sl_map_new (SlMap **map, const SlLab *lab, const SlDataset *dataset);
void     sl_map_free (SlMap *map);

/* Looks at another plane or at another size from the next probe on; a view that does not fit the
 * data is brought to the nearest one that does.  */
void sl_map_set_view (SlMap *map, const SlMapView *view);

/* Fills a MAP panel: the planes, `names` (SL_MAP_COLOURS lines for the numbers in use, "#14" for the
 * pattern 0x14 and "" for a free one, then the classes), the rectangle, up to SL_MAP_POINTS training
 * examples (fewer where they are projected) as one curve (x, y, and as spread the label), in `note` which
 * plane it is, and in `row_names`, where they are features with names, what its two axes are called.
 *
 * A pattern that is still there keeps its number.  While the sink is idle, the
 * picture has twice as many cells along an edge; else it is made coarser until it takes less than
 * about 8 ms, unless the view is patient.  SL_ENOMEM; SL_ECANCELLED when the
 * sink hurried.  */
SlStatus sl_map_probe (SlMap *map, SlLabState *state, unsigned panel, SlSink *sink);
