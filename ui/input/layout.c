/* SPDX-License-Identifier: MIT */
#include "ui/input/layout.h"

#include "core/run/own/strip.h"

enum { GAP = 4, CELL_LEAST = 12, CELL_MOST = 48, THIRD = 3 };

/* What a pixel more of an example is worth, in pixels of the square. */
static const double WORTH = 1.5;

/* The side of the square next to a strip with cells of so many pixels; less than 1 where it does not fit. */
static int
square_side (int width, int height, unsigned columns, gboolean below, int cell)
{
  int across = (int) columns * cell, down = (int) (SL_STRIP / columns) * cell;

  if (below)
    return across <= width ? MIN (width, height - down - GAP) : 0;
  return down <= height ? MIN (height, width - across - GAP) : 0;
}

static void
place (SlInputLayout *l, int width, int height, gboolean below, int side, int cell)
{
  int across = (int) l->columns * cell, down = (int) (SL_STRIP / l->columns) * cell;
  int used = below ? side : side + GAP + across;

  l->square = (GdkRectangle) { (width - used) / 2, 0, side, side };
  if (below)
    l->strip = (GdkRectangle) { (width - across) / 2, side + GAP, across, down };
  else
    l->strip
      = (GdkRectangle) { l->square.x + side + GAP, (MIN (side, height) - down) / 2, across, down };
  l->strip.y = MAX (l->strip.y, 0);
}

SlInputLayout
sl_input_layout (int width, int height, int words, int buttons)
{
  static const struct
  {
    unsigned columns;
    gboolean below;
  } shapes[] = { { 8, TRUE }, { 4, TRUE }, { 2, FALSE }, { 1, FALSE } };
  SlInputLayout l = { .columns = SL_STRIP };
  int           room = MAX (height - words - buttons - 2 * GAP, 1), foot;
  double        best = 0.0;

  for (unsigned i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (int cell = CELL_LEAST; cell <= CELL_MOST; cell++)
      {
        int side = square_side (width, room, shapes[i].columns, shapes[i].below, cell);

        if (side < THIRD * cell || side + WORTH * cell <= best)
          continue;
        best = side + WORTH * cell;
        l.columns = shapes[i].columns;
        place (&l, width, room, shapes[i].below, side, cell);
      }
  foot = MAX (l.square.y + l.square.height, l.strip.y + l.strip.height) + GAP;
  l.words = (GdkRectangle) { 0, foot, width, words };
  l.buttons = (GdkRectangle) { 0, foot + words + GAP, width, buttons };
  return l;
}
