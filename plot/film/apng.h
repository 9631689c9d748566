/* SPDX-License-Identifier: MIT
 *
 * Animated PNG in memory, for ever: frames cut to what changed, each encoded as the exporter's PNG is, whose texts and
 * recipe the file has.  A program that knows no animation shows the first frame.  */
#pragma once

#include <cairo.h>
#include <glib.h>

typedef struct SlApng SlApng;

/* For `frames` frames. */
SlApng *sl_apng_new (unsigned frames, double dpi, const char *title, const char *description,
                     const char *recipe);

/* Adds a frame, an RGB24 image of the same size as all others, shown for so many seconds. */
void sl_apng_frame (SlApng *apng, cairo_surface_t *image, double seconds);

/* The file; frees the rest.  NULL: no memory. */
GBytes *sl_apng_finish (SlApng *apng);
