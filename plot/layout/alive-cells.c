/* SPDX-License-Identifier: MIT
 *
 * Where the cells of a group are in the picture of a deciding network, and how links get past them.  */
#include <glib.h>
#include <math.h>

#include "plot/layout/alive.h"

/* Of a full tree, the root at the left: as high as the leaves below it. */
static SlRect
place_node (const SlAliveGroup *group, const SlRect *area, unsigned cell)
{
  unsigned level = 0;
  double   w = area->w / sl_alive_levels (group->n), h;

  while ((cell + 1) >> (level + 1) > 0)
    level++;
  h = area->h / (1U << level);
  return (SlRect) { area->x + level * w, area->y + (cell + 1 - (1U << level)) * h, w, h };
}

SlRect
sl_alive_cell_place (const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell)
{
  const SlRect *area = &place->area;
  unsigned      across = MAX (place->across, 1);

  if (group->form == SL_ALIVE_TREE)
    return place_node (group, area, cell);
  if (group->place != NULL)
    {
      const double *at = group->place + (size_t) cell * SL_ALIVE_COLUMNS;

      return (SlRect) { area->x + at[1] * area->w, area->y + at[2] * area->h, at[3] * area->w,
                        at[4] * area->h };
    }
  return (SlRect) { area->x + cell % across * place->w, area->y + cell / across * place->h,
                    place->w, place->h };
}

double
sl_alive_brightest (const SlAliveGroup *group, const SlAlivePlace *place)
{
  unsigned across = MAX (place->across, 1), best = 0;
  SlRect   at;

  for (unsigned i = 0; i < group->n; i += across)
    if (group->cell[(size_t) i * SL_ALIVE_COLUMNS + 2]
        > group->cell[(size_t) best * SL_ALIVE_COLUMNS + 2])
      best = i;
  at = sl_alive_cell_place (group, place, best);
  return at.y + at.h / 2.0;
}

/* Boxes that stand one below the other. */
typedef struct
{
  const SlAliveGroup *group;
  const SlAlivePlace *place;
  double              left, right;
} Column;

/* The leftmost column of boxes between two x; false where there is none. */
static bool
find_column (Column *column, double from, double to)
{
  column->left = HUGE_VAL;
  for (unsigned i = 0; i < column->group->n; i++)
    {
      SlRect box = sl_alive_cell_place (column->group, column->place, i);

      if (box.x >= from - 0.01 && box.x + box.w <= to + 0.01 && box.x < column->left)
        {
          column->left = box.x;
          column->right = box.x + box.w;
        }
    }
  return column->left < HUGE_VAL;
}

static bool
is_in (const Column *column, const SlRect *box)
{
  return box->x < column->right && box->x + box->w > column->left;
}

/* How far from the boxes of a column a line at y is that has to be `margin` away, < 0 where it is not. */
static double
clearance (const Column *column, double y, double margin)
{
  double least = HUGE_VAL;

  for (unsigned i = 0; i < column->group->n; i++)
    {
      SlRect box = sl_alive_cell_place (column->group, column->place, i);

      if (is_in (column, &box))
        least = MIN (least, MAX (box.y - y, y - box.y - box.h) - margin);
    }
  return least;
}

/* The free y of a column that is nearest to one. */
static double
find_passage (const Column *column, double y)
{
  const SlRect *area = &column->place->area;
  double        best = y, distance = HUGE_VAL;

  if (clearance (column, y, 0.02 * area->h) >= 0.0)
    return y;
  for (unsigned i = 0; i < column->group->n; i++)
    {
      SlRect box = sl_alive_cell_place (column->group, column->place, i);
      double margin = 0.02 * area->h, side[2] = { box.y - margin, box.y + box.h + margin };

      for (unsigned s = 0; s < 2 && is_in (column, &box); s++)
        if (side[s] > area->y && side[s] < area->y + area->h
            && clearance (column, side[s], 0.99 * margin) >= 0.0 && fabs (side[s] - y) < distance)
          {
            best = side[s];
            distance = fabs (side[s] - y);
          }
    }
  return best;
}

unsigned
sl_alive_link_way (const SlAliveGroup *group, const SlAlivePlace *place, unsigned link,
                   SlXY point[SL_ALIVE_TURNS])
{
  const double *row = group->link + (size_t) link * SL_ALIVE_COLUMNS;
  SlRect        from = sl_alive_cell_place (group, place, (unsigned) row[1]);
  SlRect        to = sl_alive_cell_place (group, place, (unsigned) row[2]);
  SlXY          start = { from.x + from.w, from.y + from.h / 2.0 };
  SlXY          end = { to.x, to.y + to.h / 2.0 };
  Column        column = { .group = group, .place = place, .right = start.x };
  unsigned      n = 0;

  if (!(end.x > start.x))
    return 0;
  point[n++] = start;
  while (n + 3 <= SL_ALIVE_TURNS && find_column (&column, column.right, end.x))
    {
      double part = ((column.left + column.right) / 2.0 - start.x) / (end.x - start.x);
      double y = find_passage (&column, start.y + part * (end.y - start.y));

      point[n++] = (SlXY) { column.left, y };
      point[n++] = (SlXY) { column.right, y };
      if (!(column.right > column.left))
        break;
    }
  point[n++] = end;
  return n;
}
