/* SPDX-License-Identifier: MIT
 *
 * A token's way through rows of numbered parts: those that it went to in their colours, the strongest ones joined
 * from row to row in the gaps between; see alive.h.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

/* Parts of a row's height: of a box; the least, px, that leaves room for a line. */
static const double BOX = 0.56, LEAST_ROW = 6.0;

static const double *
cell_of (const SlAliveGroup *group, unsigned cell)
{
  return group->cell + (size_t) cell * SL_ALIVE_COLUMNS;
}

static void
write_number (const double *cell, char number[16])
{
  g_snprintf (number, 16, "%.0f", cell[4] - 1.0);
}

/* The size of the numbers in boxes, or 0 where they are too low for any. */
static double
number_size (const SlDrawing *d, const SlAlivePlace *place)
{
  double size = MIN (0.85 * d->frame->alive.small, 0.8 * BOX * place->h);

  return size < SL_ALIVE_LEAST_TYPE ? 0.0 : size;
}

/* How wide a box is with its number, which may be wider than the cell. */
static double
wide_box (const SlDrawing *d, const double *cell, const SlAlivePlace *place)
{
  double size = number_size (d, place), room = place->w - 2.0 * MIN (0.1 * place->w, 1.5);
  char   number[16];

  write_number (cell, number);
  return size > 0.0 ? MAX (room, sl_text_width (d->canvas->text, number, size, true) + 0.7 * size)
                    : room;
}

/* Whether a wide box would touch another one of its row. */
static bool
touches (const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell, double wide)
{
  unsigned reach = (unsigned) ceil ((wide + 2.0) / place->w) - 1, column = cell % group->across;

  for (unsigned i = 1; i <= reach; i++)
    if ((column >= i && sl_alive_state (cell_of (group, cell - i)) == SL_ALIVE_USED)
        || (column + i < group->across
            && sl_alive_state (cell_of (group, cell + i)) == SL_ALIVE_USED))
      return true;
  return false;
}

/* The box of a part that is used; *number is whether it has room for one. */
static SlRect
box_of (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell,
        bool *number)
{
  SlRect at = sl_alive_cell_place (group, place, cell);
  double h = at.h < LEAST_ROW ? 0.8 * at.h : MIN (BOX * at.h, 2.0 * d->theme->type),
         gap = MIN (0.1 * at.w, 1.5);
  double wide = wide_box (d, cell_of (group, cell), place), w = at.w - 2.0 * gap, x;

  *number = number_size (d, place) > 0.0 && (wide <= w || !touches (group, place, cell, wide));
  w = *number ? wide : w;
  x = CLAMP (at.x + (at.w - w) / 2.0, place->area.x,
             MAX (place->area.x + place->area.w - w, place->area.x));
  return (SlRect) { x, at.y + (at.h - h) / 2.0, w, h };
}

/* The strongest cell of a row, or false. */
static bool
find_strongest (const SlAliveGroup *group, unsigned row, unsigned *cell)
{
  for (unsigned i = row * group->across; i < (row + 1) * group->across; i++)
    if (sl_alive_state (cell_of (group, i)) == SL_ALIVE_USED && cell_of (group, i)[3] > 0.0)
      {
        *cell = i;
        return true;
      }
  return false;
}

/* From the lower edge of a box to the upper edge of the next. */
static void
draw_way (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  unsigned from, to;

  if (place->h < LEAST_ROW)
    return;
  for (unsigned row = 0; row + 1 < group->n / group->across; row++)
    if (find_strongest (group, row, &from) && find_strongest (group, row + 1, &to))
      {
        bool   number;
        SlRect a = box_of (d, group, place, from, &number);
        SlRect b = box_of (d, group, place, to, &number);

        sl_draw_segment (d, a.x + a.w / 2.0, a.y + a.h, b.x + b.w / 2.0, b.y, d->theme->soft,
                         MAX (0.12 * d->theme->type, 1.0), NULL);
      }
}

static void
draw_box (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell)
{
  SlRgba colour = sl_draw_alive_part_colour (d, cell_of (group, cell));
  double size = number_size (d, place);
  bool   has_number;
  SlRect box = box_of (d, group, place, cell, &has_number);
  char   number[16];

  d->canvas->rect (d->canvas, &box, colour);
  write_number (cell_of (group, cell), number);
  if (has_number)
    sl_draw_words (d, box.x + box.w / 2.0, box.y + box.h / 2.0 + 0.36 * size, number, size, true,
                   SL_ANCHOR_MIDDLE, sl_ink_on (colour));
  if (d->figure->picks.possible && cell_of (group, cell)[4] == d->figure->picks.picked)
    sl_draw_alive_outline (d, &box, d->theme->ink, MAX (1.2, sl_draw_hair (d)));
}

/* As many as have room, among them that of the row which the tokens have their tints from. */
static void
draw_names (const SlDrawing *d, const SlAlive *alive, unsigned g)
{
  const SlAlivePlace *place = &d->frame->alive.group[g];
  double              size = d->frame->alive.small;
  unsigned            every = (unsigned) MAX (ceil (1.2 * size / place->h), 1.0);
  unsigned            tints = alive->group[g].slot;

  for (unsigned row = tints % every; row < alive->group[g].n / place->across; row += every)
    {
      char name[SL_ALIVE_TEXT] = "", text[SL_ALIVE_TEXT];

      sl_figure_row_name (d->figure, alive->n_points + 1 + row, name, sizeof name);
      sl_text_ellipsise (d->canvas->text, name, size, row == tints, place->margin - 0.4 * size,
                         text, sizeof text);
      sl_draw_words (d, place->area.x - 0.5 * size,
                     place->area.y + (row + 0.5) * place->h + 0.36 * size, text, size, row == tints,
                     SL_ANCHOR_END, row == tints ? d->theme->ink : d->theme->soft);
    }
}

void
sl_draw_alive_way (const SlDrawing *d, const SlAlive *alive, unsigned g)
{
  const SlAliveGroup *group = &alive->group[g];
  const SlAlivePlace *place = &d->frame->alive.group[g];
  double              pitch = MIN (place->w, place->h);

  for (unsigned i = 0; i < group->n; i++)
    {
      SlRect at = sl_alive_cell_place (group, place, i);

      if (sl_alive_state (cell_of (group, i)) != SL_ALIVE_USED)
        sl_draw_alive_mark (d, &(SlAliveMark) { sl_alive_state (cell_of (group, i)),
                                                at.x + at.w / 2.0, at.y + at.h / 2.0, pitch, 0.0,
                                                0.0, d->theme->neutral });
    }
  for (unsigned i = 0; i < group->n; i++)
    if (sl_alive_state (cell_of (group, i)) == SL_ALIVE_USED)
      draw_box (d, group, place, i);
  draw_way (d, group, place);
  draw_names (d, alive, g);
}
