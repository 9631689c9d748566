/* SPDX-License-Identifier: MIT
 *
 * Pages as high as what is on them needs; see export.h.  */
#include <math.h>

#include "plot/export/sheet.h"

enum { HIGHEST = 280 }; /* mm, of a page */

static bool
is_table (const SlFigure *figure)
{
  return figure->matrix.alike && figure->matrix.tiles > 0;
}

/* A table of pictures of one size. */
static void
fit_pictures (SlExportOptions *options, const SlFigure *figure)
{
  enum { ONE_ROW = 6 };
  const SlMatrix *m = &figure->matrix;
  double          line = 1.35 * options->type * 25.4 / 72.0, gap = 0.6 * line;
  unsigned across = m->across > 0 ? MIN (m->across, m->tiles) : m->tiles <= ONE_ROW ? m->tiles : 0;
  double   room, tile, down;

  if (across == 0)
    return;
  room = options->width - (across + 1) * gap;
  tile = room / across * m->rows / m->columns;
  down = ceil ((double) m->tiles / across);
  /* Title and note, and a caption below. */
  options->height
    = 5.0 * line + down * (tile + line + gap) + (options->caption != NULL ? 4.0 * line : 0.0);
}

static double
plot_height (const SlExportOptions *options, SlFigure *figure)
{
  SlPlotSheet sheet;
  double      height;

  sl_plot_sheet_init (&sheet, &figure, 1, options, 0.0);
  height = sheet.frame[0].plot.h / SL_PX_PER_MM;
  sl_plot_sheet_clear (&sheet);
  return height;
}

/* Where legend, note and caption leave the plot too little, the page grows by what it lacks.  That may be more than is
 * seen at first: a plot is never lower than nothing.  */
static void
fit_axes (SlExportOptions *options, SlFigure *figure)
{
  enum { TRIES = 8 };
  static const double part = 0.36, close = 0.5; /* of the page as it is; mm */
  double              enough = part * options->height, highest = MAX (options->height, HIGHEST);

  for (unsigned i = 0; i < TRIES && sl_figure_kind (figure)->axes; i++)
    {
      double lacks = enough - plot_height (options, figure);

      if (lacks < close)
        return;
      options->height = ceil (MIN (options->height + lacks, highest));
    }
}

void
sl_export_fit (SlExportOptions *options, SlExportPreset preset, SlFigure *figure)
{
  if (preset == SL_PRESET_SLIDE)
    return;
  if (is_table (figure))
    fit_pictures (options, figure);
  else
    fit_axes (options, figure);
}
