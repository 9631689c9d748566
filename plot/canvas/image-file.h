/* SPDX-License-Identifier: MIT
 *
 * Writing PNG with what cairo leaves out: the physical size and texts.  */
#pragma once

#include <cairo.h>
#include <glib.h>

/* An ARGB32 or RGB24 image as PNG.  `dpi` > 0 goes into pHYs; `title`, `description` and
 * `recipe` (any may be NULL) into iTXt chunks "Title", "Description" and "sluice-recipe".  Opaque images are written without
 * alpha.  The same image gives the same bytes.  NULL when memory ran out.  */
GBytes *sl_png_write (cairo_surface_t *image, double dpi, const char *title,
                      const char *description, const char *recipe);
