/* SPDX-License-Identifier: MIT
 *
 * What flows between the parts of the picture of a deciding network, and where it ends: the classes.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

enum { POINTS = 24 /* of a curve */ };

/* From a point to one at its right, level at both ends. */
static void
draw_curve (const SlDrawing *d, SlXY from, SlXY to, SlRgba colour, double width)
{
  SlXY point[POINTS];

  for (unsigned i = 0; i < POINTS; i++)
    {
      double t = i / (POINTS - 1.0), s = t * t * (3.0 - 2.0 * t);

      point[i] = (SlXY) { from.x + t * (to.x - from.x), from.y + s * (to.y - from.y) };
    }
  d->canvas->line (d->canvas, point, POINTS, colour, width, NULL);
}

static double
middle (const SlRect *rect)
{
  return rect->y + rect->h / 2.0;
}

/* From the right edge of a cell that stands in the last column of its group, or of the group, to the next group. */
static void
draw_edge (const SlDrawing *d, const SlAlive *alive, const double *edge)
{
  unsigned            g = (unsigned) edge[1];
  const SlAliveGroup *group = &alive->group[g];
  const SlAlivePlace *place = &d->frame->alive.group[g];
  SlRect              from = place->area;
  const SlRect       *to;
  SlRgba              colour = d->theme->neutral;

  if (g + 1 >= alive->n_groups)
    return;
  to = &d->frame->alive.group[g + 1].area;
  if (edge[2] >= 0.0 && place->across == 1)
    {
      from = sl_alive_cell_place (group, place, (unsigned) edge[2]);
      colour = sl_theme_curve (
        d->theme, (unsigned) group->cell[(size_t) edge[2] * SL_ALIVE_COLUMNS + 4] - 1, SL_MEASURED);
    }
  draw_curve (d, (SlXY) { from.x + from.w, middle (&from) }, (SlXY) { to->x + 0.5, middle (to) },
              sl_mix (d->theme->plot, colour, 0.75), MAX (0.55 * d->theme->type * edge[3], 1.0));
}

/* Between a chosen score and its box, in their own row. */
static void
draw_choices (const SlDrawing *d, const SlAlive *alive, unsigned g)
{
  const SlAliveGroup *group = &alive->group[g];

  for (unsigned i = 0; i < group->n && d->frame->alive.group[g + 1].across == 1; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        from = sl_alive_cell_place (group, &d->frame->alive.group[g], i);
      SlRect        to = sl_alive_cell_place (group + 1, &d->frame->alive.group[g + 1], i);
      double        x = from.x + MIN (sl_alive_value (cell) + cell[3], 1.0) * from.w;

      if (sl_alive_state (cell) == SL_ALIVE_USED && i < alive->group[g + 1].n)
        sl_draw_segment (d, x, middle (&from), to.x, middle (&to),
                         sl_mix (d->theme->plot,
                                 sl_theme_curve (d->theme, (unsigned) cell[4] - 1, SL_MEASURED),
                                 0.75),
                         1.5 * sl_draw_hair (d), NULL);
    }
}

/* A quiet arrow in the gap between two parts. */
static void
draw_flow (const SlDrawing *d, const SlRect *from, const SlRect *to)
{
  double x0 = from->x + from->w, gap = to->x - x0, y = middle (from), head = 0.3 * d->theme->type;
  double length = MIN (gap - 4.0, 1.6 * d->theme->type);
  double end = x0 + (gap + length) / 2.0;
  SlRgba colour = sl_draw_alive_faint (d->theme);

  if (!(length > head))
    return;
  sl_draw_segment (d, end - length, y, end - head, y, colour, 1.2 * sl_draw_hair (d), NULL);
  d->canvas->area (
    d->canvas,
    (SlXY[]) { { end, y }, { end - head, y - 0.6 * head }, { end - head, y + 0.6 * head } }, 3,
    colour);
}

/* Two pictures that are put together. */
static void
draw_plus (const SlDrawing *d, const SlRect *from, const SlRect *to)
{
  double x = (from->x + from->w + to->x) / 2.0, y = from->y + from->h / 2.0;
  double reach = MIN (0.4 * d->theme->type, 0.3 * (to->x - from->x - from->w));
  SlRgba colour = sl_draw_alive_faint (d->theme);

  sl_draw_segment (d, x - reach, y, x + reach, y, colour, sl_draw_hair (d), NULL);
  sl_draw_segment (d, x, y - reach, x, y + reach, colour, sl_draw_hair (d), NULL);
}

/* Forms of decisions without an edge to each part. */
static bool
decides (SlAliveForm form)
{
  return form == SL_ALIVE_PICTURE || form == SL_ALIVE_CHANCES || form == SL_ALIVE_BITS
         || form == SL_ALIVE_OPTIONS;
}

void
sl_draw_alive_edges (const SlDrawing *d, const SlAlive *alive)
{
  const SlAliveFrame *f = &d->frame->alive;

  for (unsigned g = 0; g + 1 < alive->n_groups; g++)
    if (alive->group[g].form == SL_ALIVE_SCORES)
      draw_choices (d, alive, g);
  for (unsigned i = 0; i < alive->n_edges; i++)
    draw_edge (d, alive, alive->edge + (size_t) i * SL_ALIVE_COLUMNS);
  if (alive->group[0].form == SL_ALIVE_PICTURE && alive->n_groups > 1)
    draw_plus (d, &f->input, &f->group[0].area);
  else if (alive->group[0].form != SL_ALIVE_NECK && alive->input != SL_ALIVE_LAMP
           && alive->input != SL_ALIVE_LINE)
    draw_flow (d, &f->input, &f->group[0].area);
  for (unsigned g = 0; g + 1 < alive->n_groups; g++)
    if (decides (alive->group[g].form))
      draw_flow (d, &f->group[g].area, &f->group[g + 1].area);
  if (alive->group[alive->n_groups - 1].form != SL_ALIVE_METER && alive->n_classes > 0)
    draw_flow (d, &f->group[alive->n_groups - 1].area, &f->output);
}

/* Two strokes. */
static void
draw_tick (const SlDrawing *d, double x, double y)
{
  double size = 0.6 * d->theme->type;

  d->canvas->line (
    d->canvas,
    (SlXY[]) { { x, y }, { x + 0.35 * size, y + 0.4 * size }, { x + size, y - 0.5 * size } }, 3,
    d->theme->ink, MAX (0.13 * d->theme->type, 1.0), NULL);
}

void
sl_draw_alive_output (const SlDrawing *d, const SlAlive *alive)
{
  const SlAliveFrame *f = &d->frame->alive;
  SlRgba              said = sl_theme_curve (d->theme, alive->group[0].slot, SL_MEASURED);
  double              h = MIN (0.55 * f->pitch, 0.8 * d->theme->type);

  for (unsigned i = 0; i < f->n_classes; i++)
    {
      const SlAliveClassPlace *at = &f->class[i];
      const double *class = alive->class + (size_t) at->row * SL_ALIVE_COLUMNS;
      bool   right = class[2] > 0.0;
      double x = f->output.x + f->bar + 0.5 * d->theme->type;
      double size = MIN (f->small, 0.9 * f->pitch);

      d->canvas->rect (d->canvas, &(SlRect) { f->output.x, at->y - h / 2.0, f->bar, h },
                       d->theme->grid);
      if (class[1] > 0.0)
        d->canvas->rect (
          d->canvas, &(SlRect) { f->output.x, at->y - h / 2.0, MAX (class[1] * f -> bar, 1.0), h },
          class[3] > 0.0 ? said : d->theme->neutral);
      sl_draw_words (d, x, at->y + 0.36 * size, at->name, size, right, SL_ANCHOR_START,
                     right ? d->theme->ink : d->theme->soft);
      if (right)
        draw_tick (d, x + sl_text_width (d->canvas->text, at->name, size, true) + 0.4 * size,
                   at->y);
    }
}
