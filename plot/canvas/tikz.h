/* SPDX-License-Identifier: MIT
 *
 * What the files of the LaTeX canvas share: tikz.c (shapes and texts), tikz-image.c (images),
 * pgfplots.c (axes with curves and the table of their values).  */
#pragma once

#include "plot/canvas/canvas.h"
#include "plot/canvas/table.h"

#define SL_TEX_BP_PER_PX (72.0 / 96.0)  /* PostScript points */
#define SL_TEX_PT_PER_PX (72.27 / 96.0) /* TeX's points */

typedef struct
{
  SlCanvas     canvas; /* first */
  GString     *head, *colours, *out;
  GHashTable  *colour_ids; /* 0xRRGGBB + 1 → the number in the colour's name */
  GArray      *pictures;
  SlValueTable table;
  char        *description; /* or NULL */
  unsigned     depth;
  SlScale      scale[2]; /* x and y of the axes that are open */
} SlTikz;

void sl_tikz_indent (GString *out, unsigned depth);

/* The colour's name, defined at its first use, and how much it covers. */
void sl_tikz_paint (SlTikz *self, GString *out, SlRgba colour);

/* ", dash pattern=…", nothing for a solid line. */
void sl_tikz_dash (GString *out, const double *dash);

/* ", /pgfplots/sluice curve N/.try" for what belongs to a curve. */
void sl_tikz_style (const SlTikz *self, GString *out);

void sl_tikz_fill_rect (SlTikz *self, GString *out, unsigned depth, const SlRect *r, SlRgba colour);

/* Images, which are drawn when it is known how many there are: all that was drawn, with the images where
 * they belong.  */
GArray *sl_tikz_pictures_new (void);
void    sl_tikz_image (SlCanvas *canvas, const SlRect *rect, cairo_surface_t *pixels);
void    sl_tikz_append_body (SlTikz *self, GString *to);

/* The operations of SlCanvas. */
void sl_tikz_axes (SlCanvas *canvas, const SlCanvasAxes *axes);
void sl_tikz_curve (SlCanvas *canvas, const SlCanvasCurve *curve);
void sl_tikz_band (SlCanvas *canvas, const SlCanvasBand *band);
void sl_tikz_end_axes (SlCanvas *canvas);
