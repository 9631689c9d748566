/* SPDX-License-Identifier: MIT
 *
 * A gating map over a plane of inputs (core/lab/map/map.h): colours, regions, words for what is under
 * the pointer, and the edges between regions as lines.  Plain data, no drawing.  */
#pragma once

#include <glib.h>

#include "core/lab/map/map.h"
#include "plot/base/theme.h"

/* What the colour says. */
typedef enum {
  SL_PLANE_PATTERN,    /* which units or experts are on */
  SL_PLANE_TOP,        /* the one that counts most */
  SL_PLANE_ACTIVE,     /* how many are on */
  SL_PLANE_COST,       /* multiplications */
  SL_PLANE_CONFIDENCE, /* of the gate */
  SL_PLANE_MISJUDGED,  /* gates that an estimate got wrong */
  SL_PLANE_DECISION,   /* the class, paler where it is close */
  SL_PLANE_MODES,
} SlPlaneMode;

/* "Pattern", "Strongest", … and what its colour key is called, "units on", "" without a key. */
const char *sl_plane_mode_title (SlPlaneMode mode);
const char *sl_plane_mode_key (SlPlaneMode mode);

enum { SL_PLANE_AXIS = 48 };

/* One map; all but the names of the axes borrowed from the snapshot. */
typedef struct
{
  unsigned      side;
  const double *plane[SL_MAP_PLANES]; /* (side, side) each, row 0 on top */
  double        left, right, bottom, top;
  const double *x, *y, *label; /* (n) examples */
  size_t        n;
  const char   *names;                  /* as in map.h */
  const char   *note;                   /* which plane it is; "" for the whole input space */
  char          axis[2][SL_PLANE_AXIS]; /* what the axes are called, or "" */
} SlPlane;

/* False when the snapshot is not of a map. */
bool sl_plane_of (SlPlane *plane, const SlSnapshot *snapshot);

/* Values of the ends of the colour key; false for the modes that name things instead. */
bool sl_plane_range (const SlPlane *plane, SlPlaneMode mode, double *lo, double *hi);

/* Colour number `colour` of a pattern; SL_MAP_COLOURS for all that have none. */
SlRgba sl_plane_pattern (const SlTheme *theme, unsigned colour);
/* The colour of a class. */
SlRgba sl_plane_class (const SlTheme *theme, unsigned label);

/* What a colour of a map is called; `name` is a packed message. */
enum { SL_PLANE_NAMES = 12 };
typedef struct
{
  unsigned colour;
  char     name[64];
} SlPlaneName;

/* The colours that cover most of the plane and have a name, at most so many, in their own order, so that they stay where
 * they are while regions grow and shrink.  0 for the modes that have a colour key.  */
unsigned sl_plane_legend (const SlPlane *plane, SlPlaneMode mode, unsigned most,
                          SlPlaneName name[SL_PLANE_NAMES]);

/* The colour of one of them. */
SlRgba sl_plane_named (const SlTheme *theme, SlPlaneMode mode, unsigned colour);

/* Colours of all cells, (side, side) opaque pixels as of cairo's ARGB32.  `isolated` >= 0: everything
 * but this pattern is pale.  */
void sl_plane_fill (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, int isolated,
                    uint32_t *pixels);

/* The cell at a place; false outside. */
bool sl_plane_at (const SlPlane *plane, double x, double y, size_t *cell);

/* What the region of one pattern is. */
typedef struct
{
  double area;     /* share of the plane */
  double examples; /* share of the examples shown */
  double right;    /* share of those in it that are decided as labelled; NaN without any */
  double cost;     /* mean multiplications */
} SlRegion;

SlRegion sl_plane_region (const SlPlane *plane, unsigned colour);

/* "on: 3, 5 · strongest 5 · class 2, by 0.93 · 3200 multiplications". */
SlMessage sl_plane_text (const SlPlane *plane, size_t cell);

/* "3, 5: 12 % of the area, 9 % of the examples, 97 % right, 3200 multiplications". */
SlMessage sl_plane_region_text (const SlPlane *plane, unsigned colour);

typedef enum {
  SL_EDGES_DECISION, /* between classes, where their margins meet */
  SL_EDGES_PATTERN,  /* between colours of patterns */
  SL_EDGES_TOP,
} SlEdges;

/* The lines between regions by marching squares, as polylines in units of the plane (0 … 1, y
 * downwards) with a point that is not a number between two of them.  Appends to `points`, of
 * SlXY (geometry.h).  */
void sl_plane_edges (const SlPlane *plane, SlEdges edges, GArray *points);
