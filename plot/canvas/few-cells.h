/* SPDX-License-Identifier: MIT
 *
 * An image as so few cells that each can be drawn as a rectangle.  */
#pragma once

#include <cairo.h>

/* Averages an ARGB32 image to at most `limit` pixels, along its longer side first, and its channels to
 * 64 levels, so that more neighbours are equal.  Takes the image over; the caller destroys the
 * result, whose status tells when memory ran out.  */
cairo_surface_t *sl_few_cells (cairo_surface_t *pixels, unsigned limit);
