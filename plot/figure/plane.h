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

/* The values that it shows. */
SlMapPlane sl_plane_mode_plane (SlPlaneMode mode);

enum { SL_PLANE_AXIS = 48 };

/* One map; all but the names of the axes borrowed from the snapshot. */
typedef struct
{
  unsigned      side;
  const double *plane[SL_MAP_PLANES]; /* (side, side) each, row 0 on top */
  double        left, right, bottom, top;
  const double *x, *y, *label; /* (n) examples */
  size_t        n;
  const char   *names;               /* as in map.h */
  uint64_t      set[SL_MAP_COLOURS]; /* the patterns */
  unsigned      classes;
  bool          known[SL_MAP_COLOURS];  /* which of them there are */
  const char   *note;                   /* which plane it is; "" for the whole input space */
  char          axis[2][SL_PLANE_AXIS]; /* what the axes are called, or "" */
} SlPlane;

/* False when the snapshot is not of a map. */
bool sl_plane_of (SlPlane *plane, const SlSnapshot *snapshot);

/* Values of the ends of the colour key; false for the modes that name things instead. */
bool sl_plane_range (const SlPlane *plane, SlPlaneMode mode, double *lo, double *hi);

/* The number of a region; files may have any value. */
static inline int
sl_plane_whole (double value)
{
  return value > 0.0 ? (int) MIN (value, 65535.0) : 0;
}

/* What has one colour or one name in such a mode, and how much of the plane it covers. */
enum { SL_PLANE_NAMES = SL_MAP_COLOURS };
typedef struct
{
  unsigned value;
  double   area;     /* share of the plane */
  char     name[64]; /* packed: "1+6", "12 on", "none" */
} SlPlaneName;

/* What has a name, the largest first, each name once, and how many those are; 0 for the modes that have a
 * colour key.  */
unsigned sl_plane_names (const SlPlane *plane, SlPlaneMode mode, SlPlaneName name[SL_PLANE_NAMES]);

/* What the classes are called, or "". */
void sl_plane_class_name (const SlPlane *plane, unsigned label, char *name, size_t size);

/* How a value looks in such a mode: units have the colours of the theme by their number, several the mean
 * of theirs in Oklab, and units beyond the last colour stripes of their own, so that everything looks the
 * same in all pictures.  */
typedef struct
{
  SlRgba   colour;
  unsigned stripes; /* bit i: lines in direction i of SL_PLANE_STRIPES */
  SlRgba   ink;     /* of the stripes */
} SlGround;

enum { SL_PLANE_STRIPES = 4 }; /* /, \, -, | */

SlGround sl_plane_units (const SlTheme *theme, uint64_t set);
SlGround sl_plane_ground (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode,
                          unsigned value);

/* Black or white, and a shape: classes have no colour. */
SlRgba   sl_plane_class (unsigned label);
SlMarker sl_plane_class_marker (unsigned label);

/* Colours of all cells, (side, side) opaque pixels as of cairo's ARGB32.  `isolated` >= 0: everything
 * but this pattern is pale.  */
void sl_plane_fill (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, int isolated,
                    uint32_t *pixels);

/* What is pale beside the one that is not. */
SlRgba sl_plane_pale (const SlTheme *theme, SlRgba colour);

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

/* "on: 3+5 · strongest 5 · class 2, by 0.93 · 3200 multiplications". */
SlMessage sl_plane_text (const SlPlane *plane, size_t cell);

/* "3+5: 12 % of the area, 9 % of the examples, 97 % right, 3200 multiplications". */
SlMessage sl_plane_region_text (const SlPlane *plane, unsigned colour);

typedef enum {
  SL_EDGES_DECISION, /* between classes, where their margins meet */
  SL_EDGES_PATTERN,  /* between patterns */
  SL_EDGES_TOP,
  SL_EDGES_ACTIVE,
} SlEdges;

/* A line between two regions, in units of the plane (0 … 1, y downwards), which it may leave. */
typedef struct
{
  int   a, b;     /* the values right (a) and left (b) of where it goes down; -1: outside */
  guint from, to; /* joints; where they are one it is closed */
  guint first, n; /* points */
} SlArc;

/* All lines between regions by marching squares, smooth but where three of them meet. */
typedef struct
{
  GArray *points, *arcs; /* of SlXY (geometry.h) and SlArc */
  guint   joints;
} SlContours;

void sl_plane_contours (const SlPlane *plane, SlEdges edges, SlContours *contours);
void sl_contours_clear (SlContours *contours);

/* The edges of the regions that a mode shows as such, or false: its values are no regions. */
bool sl_plane_regions (const SlPlane *plane, SlPlaneMode mode, SlEdges *edges);

/* The same lines one after the other, with a point that is not a number behind each.  Appends to
 * `points`.  */
void sl_plane_edges (const SlPlane *plane, SlEdges edges, GArray *points);

/* Places for words in the regions (plane-pieces.c). */
typedef struct
{
  unsigned side;
  int     *value;    /* (side, side) */
  guint   *piece;    /* (side, side) numbers of connected pieces */
  guint8  *boundary; /* (side, side) not 0 where a class boundary passes */
  GArray  *cells;    /* of each piece */
} SlPieces;

void sl_pieces_find (SlPieces *pieces, const SlPlane *plane, SlPlaneMode mode);
void sl_pieces_clear (SlPieces *pieces);

/* The middle of a rectangle, given as shares of the plane, in the largest piece of a value and, if it
 * can, far from its edges; false where none fits.  */
bool sl_pieces_place (const SlPieces *pieces, unsigned value, double width, double height,
                      double *x, double *y);
