/* SPDX-License-Identifier: MIT
 *
 * Pages as high as what is on them needs; see export.h.  */
#include <math.h>

#include "plot/export/sheet.h"

#define MM_PER_PT (25.4 / 72.0)

enum { HIGHEST = 280, MOST = 2000 }; /* mm, of a row of figures and of a page */
enum {
  NARROW = 6,
  LOW = 2
}; /* sizes of type: a plot that is too narrow, and one too low to be read */

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
  double          line = 1.35 * options->type * MM_PER_PT, gap = 0.6 * line;
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

/* The room of a plot across; a map may take less of it.  One that takes all of it would be no higher on a higher page. */
static double
room_across (const SlFrame *frame)
{
  return frame->width - frame->left - frame->right;
}

static bool
has_height (const SlFrame *frame)
{
  return sl_frame_kind (frame)->equal && frame->plot.w + 2.0 > room_across (frame);
}

/* Of the plots with axes on a page, in mm; HUGE_VAL: it has none. */
typedef struct
{
  double height, width; /* the least, width with what a map leaves free */
  double cut;           /* what titles of y lack to be whole, the most */
} Least;

/* A title longer than its plot is wide stays cut: no plot is made higher than wide for it. */
static double
cut_of (const SlFrame *frame)
{
  return frame->plot.h + frame->y_label_cut <= room_across (frame) ? frame->y_label_cut : 0.0;
}

static Least
least_plot (const SlExportOptions *options, SlFigure *const *figures, unsigned n)
{
  Least       least = { HUGE_VAL, HUGE_VAL, 0.0 };
  SlPlotSheet sheet;

  sl_plot_sheet_init (&sheet, figures, n, options, 0.0);
  for (unsigned i = 0; i < n; i++)
    if (!sheet.frame[i].empty && sl_frame_kind (&sheet.frame[i])->axes)
      {
        if (!has_height (&sheet.frame[i]))
          {
            least.height = MIN (least.height, sheet.frame[i].plot.h / SL_PX_PER_MM);
            least.cut = MAX (least.cut, cut_of (&sheet.frame[i]) / SL_PX_PER_MM);
          }
        least.width = MIN (least.width, room_across (&sheet.frame[i]) / SL_PX_PER_MM);
      }
  sl_plot_sheet_clear (&sheet);
  return least;
}

static unsigned
rows_of (const SlExportOptions *options, unsigned n)
{
  return (n + MAX (options->across, 1) - 1) / MAX (options->across, 1);
}

/* Where legend, note and caption leave the plots or their titles of y too little, the page grows by what they lack.  That
 * may be more than is seen at first: a plot is never lower than nothing.  */
static void
fit_height (SlExportOptions *options, SlFigure *const *figures, unsigned n)
{
  enum { TRIES = 8 };
  static const double alone = 0.36, beside = 0.5, close = 0.5; /* of the figure as it is; mm */
  unsigned            rows = rows_of (options, n);
  double              enough = (n == 1 ? alone : beside) * options->height / rows;
  double              highest = MAX (options->height, MIN (rows * HIGHEST, MOST));

  for (unsigned i = 0; i < TRIES; i++)
    {
      Least  least = least_plot (options, figures, n);
      double lacks = MAX (enough - least.height, least.cut);

      if (lacks < (least.cut > 0.0 ? 0.0 : close))
        return;
      options->height = ceil (MIN (options->height + rows * lacks, highest));
    }
}

void
sl_export_fit (SlExportOptions *options, SlExportPreset preset, SlFigure *const *figures,
               unsigned n)
{
  if (preset == SL_PRESET_SLIDE || n == 0)
    return;
  if (n == 1 && is_table (figures[0]))
    fit_pictures (options, figures[0]);
  else
    fit_height (options, figures, n);
}

bool
sl_export_is_wide (const SlExportOptions *options, SlFigure *const *figures, unsigned n)
{
  return least_plot (options, figures, n).width >= NARROW * options->type * MM_PER_PT;
}

bool
sl_export_has_room (const SlExportOptions *options, SlFigure *const *figures, unsigned n)
{
  Least least = least_plot (options, figures, n);

  return MIN (least.height, least.width) >= LOW * options->type * MM_PER_PT;
}
