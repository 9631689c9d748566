/* SPDX-License-Identifier: MIT
 *
 * Where the tiles of pictures go, and the names below them; see frame.h.  */
#include "plot/layout/private.h"

#include <math.h>
#include <string.h>

enum { CAPTION_LINES = 2 };

/* px of a cell when so many tiles stand side by side. */
static double
cell_size (const SlFigure *figure, const SlRect *area, double gap, double caption, unsigned across)
{
  unsigned down = (figure->tiles + across - 1) / across;

  return MIN ((area->w - gap * (across - 1)) / ((double) across * figure->columns),
              (area->h - gap * (down - 1) - caption * down) / ((double) down * figure->rows));
}

/* As the figure says or, on a page of another shape, with rows as columns. */
static double
arrange_table (const SlFigure *figure, const SlRect *area, SlFrame *frame)
{
  unsigned across = MIN (figure->across, figure->tiles);
  unsigned down = (figure->tiles + across - 1) / across;
  double   upright = cell_size (figure, area, frame->tile_gap, frame->caption, across);
  double   turned = cell_size (figure, area, frame->tile_gap, frame->caption, down);

  frame->tiles_turned = across * down == figure->tiles && turned > 1.2 * upright;
  frame->tiles_across = frame->tiles_turned ? down : across;
  frame->tiles_down = frame->tiles_turned ? across : down;
  return frame->tiles_turned ? turned : upright;
}

/* The arrangement that makes the tiles largest or, where it costs little, one that leaves fewer
 * places of the last row empty; returns px of a cell, 0 where nothing fits.  */
static double
arrange_tiles (const SlFigure *figure, const SlRect *area, SlFrame *frame)
{
  double   largest = 0.0, best = 0.0, gap = frame->tile_gap;
  unsigned fewest = G_MAXUINT;

  if (figure->across > 0)
    return arrange_table (figure, area, frame);
  for (unsigned across = 1; across <= figure->tiles; across++)
    largest = MAX (largest, cell_size (figure, area, gap, frame->caption, across));
  for (unsigned across = 1; across <= figure->tiles; across++)
    {
      unsigned down = (figure->tiles + across - 1) / across, empty = across * down - figure->tiles;
      double   cell = cell_size (figure, area, gap, frame->caption, across);

      if (!(cell >= 0.88 * largest) || !(cell > 0.0) || empty > fewest
          || (empty == fewest && cell <= best))
        continue;
      fewest = empty;
      best = cell;
      frame->tiles_across = across;
      frame->tiles_down = down;
    }
  return best;
}

/* Of a few pictures the first is what it is about: the others stand beside it, where that makes it
 * much larger.  */
static bool
lay_leading (const SlFigure *figure, SlFrame *frame, double alike)
{
  enum { FEW = 4 };
  SlRect *area = &frame->plot;
  double  ratio = (double) figure->columns / figure->rows, others = figure->tiles - 1.0;
  double  between = (others - 1.0) * (frame->caption + frame->tile_gap), h, side;

  if (!sl_figure_coloured (figure) || figure->tiles < 2 || figure->tiles > FEW || figure->across > 0
      || figure->alike)
    return false;
  h = MIN (area->h - frame->caption,
           (area->w - frame->tile_gap + ratio * between / others) / (ratio * (1.0 + 1.0 / others)));
  side = (h - between) / others;
  if (!(h > 1.2 * alike * figure->rows) || !(side > 0.2 * h))
    return false;
  frame->tiles_across = frame->tiles_down = 1;
  frame->tile_w = ratio * h;
  frame->tile_h = h;
  frame->side_w = ratio * side;
  frame->side_h = side;
  area->x = floor (area->x + (area->w - ratio * (h + side) - frame->tile_gap) / 2.0);
  area->w = ratio * (h + side) + frame->tile_gap;
  area->h = h + frame->caption;
  return true;
}

void
sl_frame_shorten (SlText *text, char *name, double size, double width)
{
  char *colon = strstr (name, ": ");

  if (colon != NULL && sl_text_width (text, name, size, false) > width)
    *colon = '\0';
}

static bool
names_fit (const SlLaying *job, double width)
{
  char name[SL_FRAME_TEXT];

  for (unsigned tile = 0;
       tile < job->figure->tiles && sl_figure_column_name (job->figure, tile, name, sizeof name);
       tile++)
    {
      sl_frame_shorten (job->text, name, job->theme->type, width);
      if (sl_text_width (job->text, name, job->theme->type, false) > width)
        return false;
    }
  return true;
}

/* Room below each tile for names of so many lines; px of a cell. */
static double
arrange_named (const SlLaying *job, SlFrame *frame, unsigned lines)
{
  frame->caption_lines = lines;
  frame->caption = lines > 0 ? lines * job->line + 1.0 : 0.0;
  return arrange_tiles (job->figure, &frame->plot, frame);
}

void
sl_lay_tiles (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  SlRect         *area = &frame->plot;
  bool            named = figure->names != NULL && *figure->names != '\0';
  double          best, w, h;
  double          least; /* nobody can read a word that is cut after its first letters */

  frame->tile_gap = MAX (2.0, (sl_figure_coloured (figure) ? 0.6 : 0.2) * job->theme->type);
  least = named ? 3.0 * job->theme->type / figure->columns : 0.0;
  best = arrange_named (job, frame, named ? 1 : 0);
  if (!(best >= least))
    best = arrange_named (job, frame, 0);
  if (!(best > 0.0) || lay_leading (figure, frame, best))
    return;
  if (frame->caption > 0.0 && !names_fit (job, best * figure->columns))
    best = arrange_named (job, frame, CAPTION_LINES);
  if (!(best >= least))
    best = arrange_named (job, frame, 0);
  if (!(best > 0.0))
    return;
  /* Whole pixels per cell look even, where they do not cost too much size. */
  if (best >= 5.0)
    best = floor (best);
  frame->tile_w = best * figure->columns;
  frame->tile_h = best * figure->rows;
  w = frame->tiles_across * (frame->tile_w + frame->tile_gap) - frame->tile_gap;
  h = frame->tiles_down * (frame->tile_h + frame->caption + frame->tile_gap) - frame->tile_gap;
  area->x = floor (area->x + (area->w - w) / 2.0);
  area->y = floor (area->y + MIN ((area->h - h) / 2.0, 2.0 * job->theme->type));
  area->w = w;
  area->h = h;
}
