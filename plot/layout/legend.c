/* SPDX-License-Identifier: MIT
 *
 * The names of the curves with a sample of each: in rows above or below the plot, or in a column beside
 * or on it.  */
#include <glib.h>

#include "plot/figure/reduce.h"
#include "plot/layout/private.h"

/* A run has one place in the legend, however many curves it has. */
static bool
has_chip (const SlFigure *figure, unsigned curve)
{
  for (unsigned c = 0; c < curve && figure->curve[curve].group > 0; c++)
    if (figure->curve[c].group == figure->curve[curve].group)
      return false;
  return true;
}

static unsigned
count (const SlFigure *figure)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    n += has_chip (figure, c);
  return n;
}

SlLegendPlace
sl_lay_legend_place (const SlLaying *job)
{
  const SlFigure     *figure = job->figure;
  const SlFigureKind *kind = sl_figure_kind (figure);

  if (sl_figure_empty (figure) || kind->legend_from == 0 || count (figure) < kind->legend_from
      || (kind->legend_to > 0 && figure->n_curves > kind->legend_to))
    return SL_LEGEND_NONE;
  return job->parts->legend == SL_LEGEND_RIGHT && job->key ? SL_LEGEND_ABOVE : job->parts->legend;
}

/* px from one row to the next. */
static double
row_height (const SlLaying *job)
{
  return job->line + 0.25 * job->theme->type;
}

/* Flows the names from the upper left corner of some room, at most so many rows, in a column one a
 * row; returns the number of rows.  */
static unsigned
flow (const SlLaying *job, SlFrame *frame, const SlRect *room, unsigned most, bool column)
{
  const SlFigure *figure = job->figure;
  double          type = job->theme->type, row = row_height (job);
  double          left = room->x, right = room->x + room->w, x = left, y = room->y;
  bool            boxes = sl_figure_kind (figure)->swatches;
  double          swatch = (boxes ? 1.0 : 2.2) * type, gap = 0.45 * type, apart = 1.1 * type;
  double          reserve = sl_text_width (job->text, "+\302\24099", type, false);
  unsigned        rows = 1, entries = count (figure);

  frame->n_chips = frame->n_more = 0;
  for (unsigned k = 0; k < 2 * figure->n_curves; k++)
    {
      unsigned       c = k % figure->n_curves;
      const SlCurve *curve = &figure->curve[c];
      SlChip        *chip = &frame->chip[MIN (frame->n_chips, SL_CHIPS_MAX - 1)];
      double         width;
      unsigned       after;
      char           name[SL_CURVE_TITLE];

      if (!has_chip (figure, c) || curve->aside != (k >= figure->n_curves))
        continue;
      after = entries - frame->n_chips - 1;
      width = sl_text_ellipsise (job->text,
                                 curve->group > 0 ? curve->group_title : sl_figure_name (figure, c),
                                 type, false, right - left - swatch - gap, name, sizeof name);
      width += swatch + gap;
      if (frame->n_chips == SL_CHIPS_MAX
          || (x > left
              && (column || x + width > right - (rows == most && after > 0 ? reserve : 0.0))))
        {
          if (rows >= most || frame->n_chips == SL_CHIPS_MAX)
            {
              frame->n_more = after + 1;
              frame->more_x = x;
              frame->more_y = y + job->ascent + 0.12 * type;
              break;
            }
          rows++;
          x = left;
          y += row;
        }
      *chip = (SlChip) {
        .rect = { x, y, width, row },
        .baseline = y + job->ascent + 0.12 * type,
        .curve = c,
        .slot = curve->slot,
        .style = curve->style,
        .hidden = curve->hidden,
        .ghost = curve->ghost,
        .line = !boxes && (!curve->scatter || !sl_figure_kind (figure)->values)
                && sl_points_of_curve (curve).n != 1,
        .marker = !boxes && sl_figure_marked (figure, c),
        .toned = curve->tone != NULL,
        .text_x = x + swatch + gap,
      };
      g_strlcpy (chip->text, name, sizeof chip->text);
      frame->n_chips++;
      x += width + apart;
    }
  return rows;
}

double
sl_lay_legend (const SlLaying *job, SlFrame *frame, double top)
{
  double   row = row_height (job);
  unsigned most = job->parts->whole             ? SL_CHIPS_MAX
                  : frame->height >= 18.0 * row ? 3
                  : frame->height >= 11.0 * row ? 2
                                                : 1;

  return row
           * flow (job, frame, &(SlRect) { job->pad, top, frame->width - 2.0 * job->pad, 0.0 },
                   most, false)
         + 0.2 * job->theme->type;
}

static void
move (SlFrame *frame, double dx, double dy)
{
  for (unsigned i = 0; i < frame->n_chips; i++)
    {
      frame->chip[i].rect.x += dx;
      frame->chip[i].rect.y += dy;
      frame->chip[i].text_x += dx;
      frame->chip[i].baseline += dy;
    }
  frame->more_x += dx;
  frame->more_y += dy;
}

double
sl_lay_legend_below (const SlLaying *job, SlFrame *frame)
{
  double height = sl_lay_legend (job, frame, 0.0) + 0.3 * job->theme->type;

  move (frame, 0.0, frame->height - job->pad - height + 0.5 * job->theme->type);
  return height;
}

static double
widest (const SlFrame *frame)
{
  double width = 0.0;

  for (unsigned i = 0; i < frame->n_chips; i++)
    width = MAX (width, frame->chip[i].rect.w);
  return width;
}

/* What is left over has its number at the end of the last row, which is kept for it. */
static unsigned
rows_within (const SlLaying *job, double height)
{
  return (unsigned) MAX (height / row_height (job), 1.0);
}

double
sl_lay_legend_right (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  flow (job, frame, &(SlRect) { 0.0, top, 0.38 * frame->width, 0.0 },
        rows_within (job, bottom - top), true);
  move (frame, frame->width - job->pad - widest (frame), 0.0);
  return widest (frame) + job->theme->type;
}

void
sl_lay_legend_inside (const SlLaying *job, SlFrame *frame)
{
  const SlRect *plot = &frame->plot;
  double        pad = 0.4 * job->theme->type, away = 0.6 * job->theme->type;
  unsigned      rows = flow (job, frame, &(SlRect) { 0.0, 0.0, 0.75 * plot->w, 0.0 },
                             rows_within (job, 0.8 * plot->h), true);
  double        w = widest (frame) + 2.0 * pad, h = rows * row_height (job) + pad;
  unsigned      least = 0;

  for (unsigned corner = 0; corner < 4; corner++)
    {
      SlRect plate = { corner % 2 == 0 ? plot->x + plot->w - w - away : plot->x + away,
                       corner < 2 ? plot->y + away : plot->y + plot->h - h - away, w, h };
      unsigned hidden = sl_frame_hidden (frame, job->figure, &plate);

      if (corner > 0 && hidden >= least)
        continue;
      least = hidden;
      frame->plate = plate;
    }
  move (frame, frame->plate.x + pad, frame->plate.y + 0.5 * pad);
}
