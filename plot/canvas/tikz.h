/* SPDX-License-Identifier: MIT
 *
 * What the two files of the LaTeX canvas share: tikz.c (shapes and texts), pgfplots.c (axes with curves
 * and the table of their values).  */
#pragma once

#include "plot/canvas/canvas.h"

#define SL_TEX_BP_PER_PX (72.0 / 96.0)  /* PostScript points */
#define SL_TEX_PT_PER_PX (72.27 / 96.0) /* TeX's points */

/* Columns of the table of values under their names. */
typedef struct
{
  GPtrArray *names;   /* char *, each once */
  GPtrArray *columns; /* GArray of double, as many as names */
} SlTexTable;

typedef struct
{
  SlCanvas    canvas; /* first */
  GString    *head, *colours, *out;
  GHashTable *colour_ids; /* 0xRRGGBB + 1 → the number in the colour's name */
  GArray     *pictures;
  SlTexTable  table;
  char       *description; /* or NULL */
  unsigned    depth;
} SlTikz;

void sl_tikz_indent (GString *out, unsigned depth);

/* The colour's name, defined at its first use, and how much it covers. */
void sl_tikz_paint (SlTikz *self, GString *out, SlRgba colour);

/* ", dash pattern=…", nothing for a solid line. */
void sl_tikz_dash (GString *out, const double *dash);

/* ", /pgfplots/sluice curve N/.try" for what belongs to a curve. */
void sl_tikz_style (const SlTikz *self, GString *out);

/* The operations of SlCanvas. */
void sl_tikz_axes (SlCanvas *canvas, const SlCanvasAxes *axes);
void sl_tikz_curve (SlCanvas *canvas, const SlCanvasCurve *curve);
void sl_tikz_end_axes (SlCanvas *canvas);

void sl_tex_table_init (SlTexTable *table);
void sl_tex_table_clear (SlTexTable *table);

/* The table as a file that LaTeX writes beside the paper before it reads it; nothing for one without
 * columns.  */
void sl_tex_table_append (const SlTexTable *table, GString *out);
