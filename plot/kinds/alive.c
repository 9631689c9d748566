/* SPDX-License-Identifier: MIT
 *
 * A network that decides about one example: input, decision, all that could be computed, output.  */
#include "plot/draw/alive.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"

static bool
take_apart (const SlFigure *figure, SlAlive *alive)
{
  return sl_alive_read (alive, figure->matrix.cell, figure->matrix.rows, figure->matrix.columns);
}

static bool
empty (const SlFigure *figure)
{
  SlAlive alive;

  return !take_apart (figure, &alive);
}

static bool
has_boxes (const SlAlive *alive)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    if (alive->group[g].form == SL_ALIVE_BOXES || alive->group[g].form == SL_ALIVE_GRAPH)
      return true;
  return false;
}

static void
draw_key (const SlDrawing *d, const SlAlive *alive)
{
  const SlAliveFrame *f = &d->frame->alive;

  for (unsigned i = 0; i < f->n_keys; i++)
    {
      const SlAliveKey *key = &f->key[i];
      double            size = f->small, y = f->key_y - 0.36 * size;

      if (has_boxes (alive))
        sl_draw_alive_box (d, key->state, &(SlRect) { key->x, y - 0.4 * size, size, 0.8 * size },
                           d->theme->neutral);
      else
        sl_draw_alive_mark (d, &(SlAliveMark) { key->state, key->x + 0.5 * size, y, size, 0.8, 1.0,
                                                d->theme->neutral });
      sl_draw_words (d, key->text_x, f->key_y, key->text, f->small, false, SL_ANCHOR_START,
                     d->theme->soft);
    }
}

static void
draw_part (const SlDrawing *d, const char *name, const SlAlive *alive,
           void (*draw) (const SlDrawing *, const SlAlive *))
{
  sl_draw_group (d, name, &d->frame->plot, 1.0);
  draw (d, alive);
  sl_draw_end (d);
}

static void
draw_name (const SlDrawing *d, unsigned group, SlRgba colour)
{
  const SlAlivePlace *place = &d->frame->alive.group[group];

  sl_draw_words (d, place->name_x, place->name_y, place->name, d->frame->alive.small, false,
                 SL_ANCHOR_MIDDLE, colour);
}

static void
draw_groups (const SlDrawing *d, const SlAlive *alive)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    {
      sl_draw_alive_group (d, alive, g);
      if (!d->frame->alive.front.on)
        draw_name (d, g, d->theme->soft);
    }
}

/* All but the input and the legend. */
static void
draw_net (const SlDrawing *d, const SlAlive *alive)
{
  draw_part (d, "edges", alive, sl_draw_alive_edges);
  draw_part (d, "groups", alive, draw_groups);
  draw_part (d, "output", alive, sl_draw_alive_output);
}

/* What the signal has not reached is pale. */
static void
draw_front (const SlDrawing *d, const SlAlive *alive)
{
  const SlAliveFront *front = &d->frame->alive.front;

  sl_draw_group (d, "pale", &front->pale, SL_ALIVE_PALE);
  draw_net (d, alive);
  sl_draw_end (d);
  for (unsigned i = 0; i < front->n_lit; i++)
    {
      sl_draw_group (d, "lit", &front->lit[i], 1.0);
      draw_net (d, alive);
      sl_draw_end (d);
    }
  for (unsigned g = 0; g < alive->n_groups; g++)
    draw_name (d, g,
               g < front->n_groups ? d->theme->soft
                                   : sl_mix (d->theme->plot, d->theme->soft, SL_ALIVE_PALE));
  sl_draw_words (d, d->frame->plot.x, d->frame->alive.key_y, front->caption, d->theme->type, false,
                 SL_ANCHOR_START, d->theme->ink);
}

static void
draw_over (const SlDrawing *d)
{
  SlAlive alive;

  if (!take_apart (d->figure, &alive))
    return;
  draw_part (d, "input", &alive, sl_draw_alive_input);
  if (d->figure->view.input)
    return;
  if (d->frame->alive.front.on)
    {
      draw_front (d, &alive);
      return;
    }
  draw_net (d, &alive);
  draw_part (d, "key", &alive, draw_key);
}

/* clang-format off */
const SlFigureKind sl_kind_alive = {
  .words = "a network that decides about one example",
  .empty = empty, .take = sl_panel_take_matrix, .row_words = true,

  .lay_plot = sl_lay_alive,

  .draw_over = draw_over,
};
/* clang-format on */
