/* SPDX-License-Identifier: MIT
 *
 * Labelled points of the plane that the user paints and erases, kept as a table that opens like any
 * other file.  Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/data/set/dataset.h"

typedef struct
{
  double  x, y;
  uint8_t label;
} SlPaintedPoint;

typedef struct
{
  GArray *points; /* of SlPaintedPoint */
} SlPainting;

enum { SL_PAINTING_MOST = 20000 };

/* Begins with the examples of a data set with two features, all splits. */
void sl_painting_init (SlPainting *painting, const SlDataset *dataset);
void sl_painting_clear (SlPainting *painting);

/* Adds a point; false when there are SL_PAINTING_MOST. */
bool sl_painting_add (SlPainting *painting, double x, double y, unsigned label);

/* Removes what lies in the ellipse around x, y; returns how many. */
unsigned sl_painting_erase (SlPainting *painting, double x, double y, double radius_x,
                            double radius_y);

/* Writes the points into a folder (made if need be) under a name that says what they are, and
 * returns the specification that opens them (source.h); free with g_free().  The same points have
 * the same name.  NULL with a sentence: the file cannot be written, or the points are too few
 * for a data set: three, of two classes.  */
char *sl_painting_save (const SlPainting *painting, const char *folder, GError **error);
