/* SPDX-License-Identifier: MIT
 *
 * Where the cells of the picture of a deciding network are, and which one is at a point.  */
#include "plot/layout/alive.h"

#include <glib.h>

#include "plot/layout/frame.h"

SlRect
sl_alive_cell_place (const SlAlivePlace *place, unsigned cell)
{
  unsigned across = MAX (place->across, 1);

  return (SlRect) { place->area.x + cell % across * place->w,
                    place->area.y + cell / across * place->h, place->w, place->h };
}

unsigned
sl_alive_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (frame->empty || !sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return 0;
  for (unsigned i = 0; i < frame->alive.n_tokens; i++)
    if (sl_rect_contains (&frame->alive.token[i].at, x, y))
      return frame->alive.token[i].row + 2;
  if (sl_rect_contains (&frame->alive.input, x, y))
    return 1;
  for (unsigned g = 0; g < alive.n_groups; g++)
    {
      const SlAlivePlace *place = &frame->alive.group[g];
      unsigned            cell;

      if (!sl_rect_contains (&place->area, x, y) || place->across == 0)
        continue;
      cell = (unsigned) ((y - place->area.y) / place->h) * place->across
             + (unsigned) ((x - place->area.x) / place->w);
      if (cell < alive.group[g].n)
        return alive.group[g].first + cell + 1;
    }
  return 0;
}

bool
sl_alive_find (const SlFrame *frame, const SlFigure *figure, unsigned row, SlRect *place)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (frame->empty || !sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return false;
  if (row == 1)
    *place = frame->alive.input;
  for (unsigned i = 0; i < frame->alive.n_tokens; i++)
    if (row == frame->alive.token[i].row + 2)
      {
        *place = frame->alive.token[i].at;
        return true;
      }
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (row > alive.group[g].first && row <= alive.group[g].first + alive.group[g].n)
      {
        *place = sl_alive_cell_place (&frame->alive.group[g], row - 1 - alive.group[g].first);
        return true;
      }
  return row == 1;
}
