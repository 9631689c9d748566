/* SPDX-License-Identifier: MIT
 *
 * Which cell of the picture of a deciding network is at a point, and where a cell is.  */
#include "plot/layout/alive.h"

#include <glib.h>

#include "plot/layout/frame.h"

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

      if (!sl_rect_contains (&place->area, x, y))
        continue;
      for (unsigned i = 0; i < alive.group[g].n; i++)
        {
          SlRect cell = sl_alive_cell_place (&alive.group[g], place, i);

          if (sl_rect_contains (&cell, x, y))
            return alive.group[g].first + i + 1;
        }
    }
  return 0;
}

bool
sl_alive_on_input (const SlFrame *frame, const SlFigure *figure, double x, double y, double part[2])
{
  const SlRect *at = &frame->alive.input;

  if (figure->kind != SL_ALIVE || frame->empty || !(at->w > 0.0) || !(at->h > 0.0))
    return false;
  part[0] = (x - at->x) / at->w;
  part[1] = (y - at->y) / at->h;
  return sl_rect_contains (at, x, y);
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
        *place = sl_alive_cell_place (&alive.group[g], &frame->alive.group[g],
                                      row - 1 - alive.group[g].first);
        return true;
      }
  return row == 1;
}
