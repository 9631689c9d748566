/* SPDX-License-Identifier: MIT
 *
 * Small multiples of pictures as one figure: what several runs made, each under its name.  Plain C
 * without GTK, one thread.
 *
 *   SlGallery gallery = { 0 };
 *   sl_gallery_add (&gallery, "gram, γ 5", &bitmap);      once for each, in their order
 *   sl_gallery_update (&gallery, &figure);                then as render.h and export.h say
 *   sl_gallery_clear (&gallery);                          after the figure's last drawing
 *
 * The title of the figure is the caller's.  */
#pragma once

#include "core/data/image/bitmap.h"
#include "plot/figure/figure.h"

enum { SL_GALLERY_SIDE = 512, SL_GALLERY_MOST = 64 };

/* Fields are to be read only, but for `across`. */
typedef struct
{
  unsigned n, rows, columns;
  unsigned across; /* side by side; 0: as suits the page */
  GArray  *cells;  /* of double, (n, 3, rows, columns) */
  GString *names;
} SlGallery;

/* Adds a picture, which is copied.  The first one says the size of all, at most SL_GALLERY_SIDE;
 * others are brought to it, cut at their sides where their shape is another.  SL_EINVAL: there are
 * SL_GALLERY_MOST already; SL_ENOMEM.  */
SlStatus sl_gallery_add (SlGallery *gallery, const char *name, const SlBitmap *bitmap);

/* The figure of what was added, which borrows from the gallery until the next addition. */
void sl_gallery_update (const SlGallery *gallery, SlFigure *figure);

/* Forgets everything but `across`; an empty one, { 0 }, is fine. */
void sl_gallery_clear (SlGallery *gallery);
