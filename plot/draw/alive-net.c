/* SPDX-License-Identifier: MIT
 *
 * Networks of the picture of a deciding network: bits and the tree that they lead through; options and the graph whose
 * way they choose; what the way costs.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

enum { POINTS = 12 /* of a bend */ };

/* Letters smaller than this are left out, px; so are lines of a tree whose nodes are nearer. */
static const double LEAST_TYPE = 6.5, LEAST_PITCH = 2.5;

static const double *
cell_of (const SlAliveGroup *group, unsigned i)
{
  return group->cell + (size_t) i * SL_ALIVE_COLUMNS;
}

static SlRgba
colour_of (const SlDrawing *d, const SlAliveGroup *group)
{
  return sl_theme_curve (d->theme, group->slot, SL_MEASURED);
}

static double
middle (const SlRect *r)
{
  return r->y + r->h / 2.0;
}

/* The number a bit is, and how far it is from the other: to the right for 1, to the left for 0. */
void
sl_draw_alive_bits (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlRgba colour = colour_of (d, group);
  double type = d->frame->alive.small;

  for (unsigned i = 0; i < group->n; i++)
    {
      double value = sl_alive_value (cell_of (group, i)) - 0.5;
      SlRect at = sl_alive_cell_place (group, place, i);
      double size = MIN (type, 0.9 * at.h), h = MIN (0.5 * at.h, 0.8 * type), letter = 1.4 * type;
      double w = MAX (at.w - letter, 0.0), x = at.x + letter + w / 2.0, length = fabs (value) * w;
      bool   one = value > 0.0;

      if (size >= LEAST_TYPE)
        sl_draw_words (d, at.x + 0.3 * type, middle (&at) + 0.36 * size, one ? "1" : "0", size,
                       true, SL_ANCHOR_START, d->theme->ink);
      d->canvas->rect (d->canvas,
                       &(SlRect) { one ? x : x - length, middle (&at) - h / 2.0, length, h },
                       sl_mix (d->theme->plot, colour, one ? 1.0 : 0.55));
      sl_draw_segment (d, x, at.y, x, at.y + at.h, sl_draw_alive_faint (d->theme), sl_draw_hair (d),
                       NULL);
    }
}

/* ---- the tree ---- */

static unsigned
level_of (unsigned node)
{
  unsigned level = 0;

  while ((node + 1) >> (level + 1) > 0)
    level++;
  return level;
}

/* As dark as the subtree is visited: half for its share where all are visited evenly. */
static void
shade (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned node)
{
  double dense = cell_of (group, node)[3] * (1U << level_of (node));
  SlRect at = sl_alive_cell_place (group, place, node);

  /* Without a seam to the next level, which is drawn over it. */
  at.w = MIN (at.w + 1.0, place->area.x + place->area.w - at.x);
  if (dense > 0.0)
    d->canvas->rect (d->canvas, &at,
                     sl_mix (d->theme->plot, d->theme->ink, 0.3 * dense / (1.0 + dense)));
}

/* Half the side of a node; those on the path are not smaller than can be seen. */
static double
half_side (const SlDrawing *d, const SlRect *at, bool on)
{
  double side = MIN (0.7 * at->h, MIN (0.35 * at->w, 0.8 * d->theme->type));

  return on ? MAX (side, MIN (0.4 * at->w, 0.6 * d->theme->type)) / 2.0 : side / 2.0;
}

/* Whether the way of the example comes through a node: it is computed, or one below it is. */
static bool
is_passed (const SlAliveGroup *group, unsigned node)
{
  for (unsigned first = node, n = 1; first < group->n; first = 2 * first + 1, n *= 2)
    for (unsigned i = first; i < first + n; i++)
      if (sl_alive_is_on (cell_of (group, i)))
        return true;
  return false;
}

static void
draw_branch (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place,
             unsigned node, bool passed)
{
  SlRect from = sl_alive_cell_place (group, place, (node - 1) / 2);
  SlRect to = sl_alive_cell_place (group, place, node);
  SlRgba faint = sl_mix (d->theme->plot, d->theme->ink, 0.28);

  if (!passed && to.h < LEAST_PITCH)
    return;
  sl_draw_segment (d, from.x + from.w / 2.0 + half_side (d, &from, passed), middle (&from),
                   to.x + to.w / 2.0 - half_side (d, &to, passed), middle (&to),
                   passed ? sl_mix (d->theme->plot, colour_of (d, group), 0.75) : faint,
                   passed ? MAX (0.3 * d->theme->type, 1.0) : sl_draw_hair (d), NULL);
}

static void
draw_node (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned node)
{
  const double *cell = cell_of (group, node);
  SlRect        at = sl_alive_cell_place (group, place, node);
  bool          on = sl_alive_is_on (cell);

  if (!on && at.h < LEAST_PITCH)
    return;
  sl_draw_alive_mark (d, &(SlAliveMark) { sl_alive_state (cell), at.x + at.w / 2.0, middle (&at),
                                          2.0 * half_side (d, &at, on) / 0.8, sl_alive_value (cell),
                                          0.0, colour_of (d, group) });
}

/* Shades below all, then branches without the example, then its way over them. */
void
sl_draw_alive_tree (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  for (unsigned i = 0; i < group->n; i++)
    shade (d, group, place, i);
  for (unsigned pass = 0; pass < 2; pass++)
    {
      for (unsigned i = 1; i < group->n; i++)
        if (is_passed (group, i) == (pass == 1))
          draw_branch (d, group, place, i, pass == 1);
      for (unsigned i = 0; i < group->n; i++)
        if (sl_alive_is_on (cell_of (group, i)) == (pass == 1))
          draw_node (d, group, place, i);
    }
}

/* ---- the graph ---- */

/* A name at the left of each bar. */
void
sl_draw_alive_options (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlRgba colour = colour_of (d, group), faint = sl_draw_alive_faint (d->theme);

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = cell_of (group, i);
      SlRect        at = sl_alive_cell_place (group, place, i);
      double size = MIN (d->frame->alive.small, 0.9 * at.h), h = MIN (0.55 * at.h, 0.8 * size);
      double w = 0.5 * at.w, least = MIN (0.05 * w, 2.0);
      bool   on = sl_alive_is_on (cell);
      char   name[SL_ALIVE_TEXT] = "", cut[SL_ALIVE_TEXT] = "";

      sl_figure_row_name (d->figure, group->first_name + i, name, sizeof name);
      sl_text_ellipsise (d->canvas->text, name, size, on, at.w - w - 0.4 * size, cut, sizeof cut);
      if (size >= LEAST_TYPE)
        sl_draw_words (d, at.x, middle (&at) + 0.36 * size, cut, size, on, SL_ANCHOR_START,
                       on ? d->theme->ink : d->theme->soft);
      d->canvas->rect (d->canvas,
                       &(SlRect) { at.x + at.w - w, middle (&at) - h / 2.0,
                                   MAX (sl_alive_value (cell) * w, least), h },
                       on ? colour : faint);
    }
}

/* From a point to one at its right, level at both ends. */
static unsigned
add_bend (SlXY from, SlXY to, SlXY *point)
{
  for (unsigned i = 0; i < POINTS; i++)
    {
      double t = i / (POINTS - 1.0), s = t * t * (3.0 - 2.0 * t);

      point[i] = (SlXY) { from.x + t * (to.x - from.x), from.y + s * (to.y - from.y) };
    }
  return POINTS;
}

static void
draw_link (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned link)
{
  static const double dashes[] = { 3.0, 2.0, 0.0 };
  const double       *row = group->link + (size_t) link * SL_ALIVE_COLUMNS;
  SlXY                way[SL_ALIVE_TURNS], point[SL_ALIVE_TURNS * POINTS];
  unsigned            turns = sl_alive_link_way (group, place, link, way), n = 0;
  bool                passes = row[3] > 0.0;

  for (unsigned i = 0; i + 1 < turns; i++)
    n += add_bend (way[i], way[i + 1], point + n);
  if (n > 0)
    d->canvas->line (d->canvas, point, n,
                     passes ? sl_mix (d->theme->plot, colour_of (d, group), 0.75)
                            : sl_mix (d->theme->plot, d->theme->ink, 0.22),
                     passes ? MAX (0.22 * d->theme->type, 1.0) : sl_draw_hair (d),
                     row[4] > 0.0 ? dashes : NULL);
}

/* Its name, where that fits into the box. */
static void
draw_box (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned i)
{
  const double *cell = cell_of (group, i);
  SlRect        at = sl_alive_cell_place (group, place, i);
  SlRgba        fill = sl_mix (d->theme->plot, colour_of (d, group), 0.45 + 0.55 * cell[2]);
  double        size = MIN (d->frame->alive.small, 0.8 * at.h);
  bool          on = sl_alive_is_on (cell);
  char          name[SL_ALIVE_TEXT] = "";

  d->canvas->rect (d->canvas, &at, d->theme->plot);
  sl_draw_alive_box (d, sl_alive_state (cell), &at, fill);
  sl_figure_row_name (d->figure, group->first_name + i, name, sizeof name);
  size = MIN (size, size * 0.9 * at.w / MAX (sl_text_width (d->canvas->text, name, size, on), 1.0));
  if (size >= MIN (LEAST_TYPE + 1.5, d->frame->alive.small)
      && sl_alive_state (cell) != SL_ALIVE_MISSED)
    sl_draw_words (d, at.x + at.w / 2.0, middle (&at) + 0.36 * size, name, size, on,
                   SL_ANCHOR_MIDDLE, on ? sl_ink_on (fill) : d->theme->soft);
}

/* Links below boxes, and those through which something passes over the others. */
void
sl_draw_alive_graph (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < group->n_links; i++)
      if ((group->link[(size_t) i * SL_ALIVE_COLUMNS + 3] > 0.0) == (pass == 1))
        draw_link (d, group, place, i);
  for (unsigned i = 0; i < group->n; i++)
    draw_box (d, group, place, i);
}

/* The frame is all that it can come to. */
void
sl_draw_alive_meter (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  const SlRect *all = &place->area;
  double        right = all->x + all->w, bottom = all->y + all->h;

  d->canvas->rect (d->canvas, all, d->theme->grid);
  for (unsigned i = 0; i < group->n; i++)
    {
      SlRect at = sl_alive_cell_place (group, place, i);

      d->canvas->rect (d->canvas, &at, colour_of (d, group));
      sl_draw_segment (d, at.x, at.y, at.x + at.w, at.y, d->theme->plot, sl_draw_hair (d), NULL);
    }
  d->canvas->line (d->canvas,
                   (SlXY[]) { { all->x, all->y },
                              { right, all->y },
                              { right, bottom },
                              { all->x, bottom },
                              { all->x, all->y } },
                   5, sl_draw_alive_faint (d->theme), sl_draw_hair (d), NULL);
}
