/* SPDX-License-Identifier: MIT
 *
 * Several figures on one page: a grid of plots that share one type size and line up, (a), (b), …
 * before their titles, and a caption below.  export.h writes sheets in the formats of files.  */
#pragma once

#include "plot/canvas/canvas.h"
#include "plot/export/export.h"
#include "plot/layout/frame.h"

#define SL_PX_PER_MM (96.0 / 25.4)

/* The ranges and colours that a figure has on the screen. */
typedef struct
{
  SlRange   x, y;
  double    since;
  bool      fitted;
  unsigned *slots; /* (n_curves) when the page has colours of its own, or NULL */
} SlPlotSheetRanges;

typedef struct
{
  SlFigure *const       *figures; /* (n) borrowed, as are the options */
  unsigned               n, across, down;
  const SlExportOptions *options;
  SlTheme                theme;
  SlText                *text;
  double                 width, height; /* px */
  double                 device;        /* device pixels per px, 0 for vectors */
  char                 **caption;       /* (n_lines), or NULL */
  unsigned               n_lines;
  double                 line_height, caption_height; /* px */
  SlFrame               *frame;                       /* (n) */
  SlPlotSheetRanges     *before;                      /* (n) */
  bool                   legend;                      /* nothing but the names of the curves */
} SlPlotSheet;

/* Lays n > 0 figures out as they are viewed now.  Until sl_plot_sheet_clear() their ranges are
 * those of the paper, and its curves have their colours.  `device` as in the sheet.  */
void sl_plot_sheet_init (SlPlotSheet *sheet, SlFigure *const *figures, unsigned n,
                         const SlExportOptions *options, double device);

/* Leaves only the legends of a sheet whose figures have one above their plots: each name with its sample
 * once, in rows as wide as the page, which becomes as small as they are.  False when there are none.  */
bool sl_plot_sheet_keep_legend (SlPlotSheet *sheet);

/* Draws everything on a canvas of width × height px. */
void sl_plot_sheet_draw (const SlPlotSheet *sheet, SlCanvas *canvas);

/* The same on a surface, with so many of its units in a px. */
void sl_plot_sheet_paint (const SlPlotSheet *sheet, cairo_surface_t *surface, double scale);

/* Frees what the sheet owns, and gives the figures the ranges that they had. */
void sl_plot_sheet_clear (SlPlotSheet *sheet);
