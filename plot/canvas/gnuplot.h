/* SPDX-License-Identifier: MIT
 *
 * The inside of a script for gnuplot: gnuplot.c has the page and what has a place on it, gnuplot-axes.c what is
 * drawn by its values.  */
#pragma once

#include "plot/canvas/script.h"

typedef struct
{
  SlScript script;                        /* first */
  GString *shapes, *lines, *data, *texts; /* of the page's plot that is being made */
  GString *plots;                         /* of the axes that are open */
  SlXY     corner;                        /* of these axes on the page */
  unsigned n_shapes, n_pens, n_pages;
  char     pen[160]; /* of the last line */
} SlGnuplot;

/* Writes a text in quotes. */
void sl_gnuplot_string (GString *out, const char *text);

/* Writes a colour, and how much of what is below it shows. */
void sl_gnuplot_opaque (SlScript *self, GString *out, SlRgba colour);

/* Writes a plot of the page with what came so far. */
void sl_gnuplot_flush (SlGnuplot *self);

/* A text at its place, as SlCanvas has it. */
void sl_gnuplot_words (SlCanvas *canvas, double x, double y, const char *string,
                       const SlLettering *lettering);

/* Has the canvas draw axes, curves, bars and cells. */
void sl_gnuplot_add_axes (SlCanvas *canvas);
