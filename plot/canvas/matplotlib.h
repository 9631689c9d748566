/* SPDX-License-Identifier: MIT
 *
 * What the files of the canvas for matplotlib share: matplotlib.c (shapes, texts, the script around them),
 * matplotlib-axes.c (axes with what is in them by its values).  */
#pragma once

#include "plot/canvas/script.h"

/* A text of Python, in quotes. */
void sl_matplotlib_string (GString *out, const char *text);

/* A colour, that of its curve where there is one, and what it covers. */
void sl_matplotlib_fill (SlScript *self, SlRgba colour);

/* The operations of SlCanvas. */
void sl_matplotlib_axes (SlCanvas *canvas, const SlCanvasAxes *axes);
void sl_matplotlib_band (SlCanvas *canvas, const SlCanvasBand *band);
void sl_matplotlib_curve (SlCanvas *canvas, const SlCanvasCurve *curve);
void sl_matplotlib_bars (SlCanvas *canvas, const SlCanvasBars *bars);
void sl_matplotlib_cells (SlCanvas *canvas, const SlCanvasCells *cells);
