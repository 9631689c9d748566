/* SPDX-License-Identifier: MIT
 *
 * Groups of units, the edges between them, and the classes; see alive.h.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

static const SlAlivePlace *
place_of (const SlDrawing *d, unsigned group)
{
  return &d->frame->alive.group[group];
}

/* The last colour is no hue, in every tint. */
SlRgba
sl_draw_alive_colour (const SlDrawing *d, const SlAliveGroup *group)
{
  unsigned tint = group->slot < SL_THEME_COLOURS - 1 ? d->figure->view.tint : 0;

  return sl_theme_curve (d->theme, tint > 0 ? tint - 1 : group->slot, SL_MEASURED);
}

/* Parts have the colours of their numbers, in every run and picture. */
SlRgba
sl_draw_alive_part_colour (const SlDrawing *d, const double *cell)
{
  return sl_theme_curve (d->theme, (unsigned) cell[4] - 1, SL_MEASURED);
}

void
sl_draw_alive_outline (const SlDrawing *d, const SlRect *r, SlRgba colour, double width)
{
  double right = r->x + r->w, bottom = r->y + r->h;

  d->canvas->line (
    d->canvas,
    (SlXY[]) {
      { r->x, r->y }, { right, r->y }, { right, bottom }, { r->x, bottom }, { r->x, r->y } },
    5, colour, width, NULL);
}

static void
draw_mosaic (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlRgba colour = sl_draw_alive_colour (d, group);

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        at = sl_alive_cell_place (group, place, i);

      sl_draw_alive_mark (d, &(SlAliveMark) { sl_alive_state (cell), at.x + at.w / 2.0,
                                              at.y + at.h / 2.0, place->h, sl_alive_value (cell),
                                              cell[3], colour });
    }
}

/* From nothing to the full colour; the draws on them. */
static void
draw_chances (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlRgba colour = sl_draw_alive_colour (d, group),
         least = sl_mix (d->theme->plot, d->theme->ink, 0.06);
  double gap = 0.1 * place->h, width = MAX (0.12 * place->h, 0.5);

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        at = sl_alive_cell_place (group, place, i);
      SlRect        box = { at.x + gap, at.y + gap, at.w - 2.0 * gap, at.h - 2.0 * gap };

      d->canvas->rect (d->canvas, &box,
                       sl_mix (least, colour, sl_draw_shade (d, sl_alive_value (cell))));
      if (sl_alive_is_on (cell))
        sl_draw_alive_outline (d, &box, d->theme->ink, width);
    }
}

/* From the part before to the part after, as high as these at both ends and as narrow as its value in the
 * middle.  */
static void
draw_neck (const SlDrawing *d, const SlAlive *alive, unsigned group)
{
  const SlAliveFrame *f = &d->frame->alive;
  const SlRect       *at = &place_of (d, group)->area;
  const SlRect       *left = group > 0 ? &place_of (d, group - 1)->area : &f->input;
  const SlRect *right = group + 1 < alive->n_groups ? &place_of (d, group + 1)->area : &f->output;
  double        gap = 0.25 * d->theme->type, bar = MAX (0.1 * at->w, 1.0);
  double from = MIN (left->x + left->w + gap, at->x), to = MAX (right->x - gap, at->x + at->w);
  double x = (from + to) / 2.0, y = at->y + at->h / 2.0;
  double waist = MAX (0.5 * at->h * sl_alive_value (alive->group[group].cell), 1.0);
  double l = MAX (left->h / 2.0, waist), r = MAX (right->h / 2.0, waist);
  SlRgba colour = sl_draw_alive_colour (d, &alive->group[group]);

  d->canvas->area (d->canvas,
                   (SlXY[]) { { from, y - l },
                              { x, y - waist },
                              { to, y - r },
                              { to, y + r },
                              { x, y + waist },
                              { from, y + l } },
                   6, sl_mix (d->theme->plot, colour, 0.16));
  d->canvas->rect (d->canvas, &(SlRect) { x - bar / 2.0, y - waist, bar, 2.0 * waist }, colour);
}

/* Behind each bar its noise, pale. */
static void
draw_scores (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        at = sl_alive_cell_place (group, place, i);
      bool          on = sl_alive_state (cell) == SL_ALIVE_USED;
      SlRgba colour = on ? sl_draw_alive_part_colour (d, cell) : sl_draw_alive_faint (d->theme);
      double h = MIN (0.55 * at.h, 0.8 * d->theme->type), y = at.y + (at.h - h) / 2.0;
      double least = MIN (0.05 * at.w, 2.0), w = MAX (sl_alive_value (cell) * at.w, least);
      double reach = MIN (w + cell[3] * at.w, at.w);

      d->canvas->rect (d->canvas, &(SlRect) { at.x, y, w, h }, colour);
      if (reach > w)
        d->canvas->rect (d->canvas, &(SlRect) { at.x + w, y, reach - w, h },
                         sl_mix (d->theme->plot, colour, 0.4));
    }
}

static void
hatch (const SlDrawing *d, const SlRect *r)
{
  double step = MAX (0.45 * d->theme->type, 3.0);

  for (double at = step; at < r->w + r->h; at += step)
    {
      double x0 = r->x + MAX (at - r->h, 0.0), y0 = r->y + MIN (at, r->h);
      double x1 = r->x + MIN (at, r->w), y1 = r->y + MAX (at - r->w, 0.0);

      sl_draw_segment (d, x0, y0, x1, y1, sl_draw_alive_faint (d->theme), sl_draw_hair (d), NULL);
    }
}

/* The number of a part and, where there is room, its weight. */
static void
draw_box_words (const SlDrawing *d, const double *cell, const SlRect *box)
{
  bool   on = sl_alive_state (cell) == SL_ALIVE_USED, wide;
  double size = MIN (d->frame->alive.small, 0.86 * box->h);
  SlRgba ink = on ? sl_ink_on (sl_draw_alive_part_colour (d, cell)) : d->theme->soft;
  double y = box->y + box->h / 2.0 + 0.36 * size, pad = 0.45 * size;
  char   number[16], weight[16];

  g_snprintf (number, sizeof number, "%.0f", cell[4]);
  g_snprintf (weight, sizeof weight, "%.0f %%", 100.0 * sl_alive_value (cell));
  wide = sl_text_width (d->canvas->text, number, size, on)
           + sl_text_width (d->canvas->text, weight, size, false) + 3.0 * pad
         <= box->w;
  if (size < SL_ALIVE_LEAST_TYPE || sl_text_width (d->canvas->text, number, size, on) > box->w
      || sl_alive_state (cell) == SL_ALIVE_DEAD)
    return;
  if (!on || !wide)
    {
      sl_draw_words (d, box->x + box->w / 2.0, y, number, size, on, SL_ANCHOR_MIDDLE, ink);
      return;
    }
  sl_draw_words (d, box->x + pad, y, number, size, true, SL_ANCHOR_START, ink);
  sl_draw_words (d, box->x + box->w - pad, y, weight, size, false, SL_ANCHOR_END, ink);
}

void
sl_draw_alive_box (const SlDrawing *d, SlAliveState state, const SlRect *box, SlRgba colour)
{
  if (state == SL_ALIVE_USED)
    d->canvas->rect (d->canvas, box, colour);
  else
    sl_draw_alive_outline (d, box, sl_draw_alive_faint (d->theme), sl_draw_hair (d));
  if (state == SL_ALIVE_DEAD)
    hatch (d, box);
  if (state == SL_ALIVE_MISSED)
    for (int side = -1; side <= 1; side += 2)
      sl_draw_segment (d, box->x, box->y + (side > 0 ? box->h : 0.0), box->x + box->w,
                       box->y + (side > 0 ? 0.0 : box->h), d->theme->alarm,
                       MAX (0.15 * d->theme->type, 1.0), NULL);
  if (state == SL_ALIVE_CLOSED)
    sl_draw_segment (d, box->x, box->y + box->h, box->x + box->w, box->y, d->theme->soft,
                     MAX (0.08 * box->h, 1.0), NULL);
}

static void
draw_box (const SlDrawing *d, const double *cell, const SlRect *at)
{
  double gap = MIN (0.16 * at->h, 0.25 * d->theme->type), side = at->w < 2.0 * at->h ? gap : 0.0;
  SlRect box = { at->x + side / 2.0, at->y + gap / 2.0, at->w - side, at->h - gap };

  sl_draw_alive_box (d, sl_alive_state (cell), &box, sl_draw_alive_part_colour (d, cell));
  draw_box_words (d, cell, &box);
}

static void
draw_sum (const SlDrawing *d, const SlAlivePlace *place)
{
  double x = place->area.x + place->area.w / 2.0, y = place->area.y + place->area.h / 2.0;
  double radius = 0.5 * MIN (place->area.w, place->area.h) - 0.5, reach = 0.45 * radius;
  double width = MAX (0.13 * radius, sl_draw_hair (d));

  d->canvas->disc (d->canvas, x, y, radius, d->theme->plot, 0.0);
  d->canvas->disc (d->canvas, x, y, radius, d->theme->ink, width);
  sl_draw_segment (d, x - reach, y, x + reach, y, d->theme->ink, width, NULL);
  sl_draw_segment (d, x, y - reach, x, y + reach, d->theme->ink, width, NULL);
}

void
sl_draw_alive_group (const SlDrawing *d, const SlAlive *alive, unsigned g)
{
  const SlAliveGroup *group = &alive->group[g];
  const SlAlivePlace *place = place_of (d, g);

  switch (group->form)
    {
    case SL_ALIVE_MOSAIC: draw_mosaic (d, group, place); break;
    case SL_ALIVE_CHANCES: draw_chances (d, group, place); break;
    case SL_ALIVE_NECK: draw_neck (d, alive, g); break;
    case SL_ALIVE_SCORES: draw_scores (d, group, place); break;
    case SL_ALIVE_BOXES:
      for (unsigned i = 0; i < group->n; i++)
        {
          SlRect at = sl_alive_cell_place (group, place, i);

          draw_box (d, group->cell + (size_t) i * SL_ALIVE_COLUMNS, &at);
        }
      break;
    case SL_ALIVE_SUM: draw_sum (d, place); break;
    case SL_ALIVE_BITS: sl_draw_alive_bits (d, group, place); break;
    case SL_ALIVE_TREE: sl_draw_alive_tree (d, group, place); break;
    case SL_ALIVE_OPTIONS: sl_draw_alive_options (d, group, place); break;
    case SL_ALIVE_GRAPH: sl_draw_alive_graph (d, group, place); break;
    case SL_ALIVE_METER: sl_draw_alive_meter (d, group, place); break;
    case SL_ALIVE_LIGHT: sl_draw_alive_light (d, group, place); break;
    case SL_ALIVE_PICTURE: sl_draw_alive_picture (d, group, place); break;
    case SL_ALIVE_PROFILE: sl_draw_alive_profile (d, group, place); break;
    case SL_ALIVE_FIELD: sl_draw_alive_field (d, group, place); break;
    case SL_ALIVE_BARS: sl_draw_alive_bars (d, alive, g); break;
    case SL_ALIVE_WAY: sl_draw_alive_way (d, alive, g); break;
    case SL_N_ALIVE_FORMS: break;
    }
}
