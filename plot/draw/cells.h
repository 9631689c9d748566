/* SPDX-License-Identifier: MIT
 *
 * Values as colours on a drawing.  */
#pragma once

#include "plot/draw/drawing.h"

/* Draws pixels (rows, columns) of cairo's ARGB32 stretched over a rectangle. */
void sl_draw_pixels (const SlDrawing *d, const SlRect *place, uint32_t *pixels, unsigned columns,
                     unsigned rows);

/* A tile of the matrix: in colour, a cell without a number being clear, or by the tint. */
void sl_draw_tile (const SlDrawing *d, unsigned tile, const SlRect *place);

/* Axes with a matrix (rows, columns) over the whole plot, for a canvas that takes it by its values. */
void sl_draw_cells (const SlDrawing *d, const double *value, unsigned rows, unsigned columns,
                    SlRgba missing);

/* Adds the lines of a hatching inside a rectangle to a path, of SlXY, which is interrupted at
 * points that are not numbers.  */
void sl_draw_hatch (const SlDrawing *d, const SlRect *r, GArray *path);
/* Draws such a path over cells that are exactly 0. */
void sl_draw_hatching (const SlDrawing *d, GArray *path);
