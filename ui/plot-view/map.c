/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/map.h"

#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/plot-view/inside.h"

enum { CURSOR = 9 };

static size_t
cell_of (const SlPlotCursor *self)
{
  return (size_t) self->row * self->figure->plane.side + self->column;
}

static gboolean
on_a_cell (const SlPlotCursor *self)
{
  return self->figure->kind == SL_MAP && self->celled && self->row < self->figure->plane.side
         && self->column < self->figure->plane.side;
}

/* Where the pointer is, the eye is; the cursor of the keys needs a mark, larger than a cell. */
static void
mark_cell (const SlPlotCursor *self, SlMarks *marks)
{
  const SlRect *plot = &sl_plot_view_get_frame (self->view)->plot;
  double        side = self->figure->plane.side;
  double        x = plot->x + (self->column + 0.5) / side * plot->w;
  double        y = plot->y + (self->row + 0.5) / side * plot->h;

  marks->x = x;
  marks->y = y;
  marks->boxed = self->pinned;
  marks->box = (SlRect) { floor (x) - CURSOR / 2, floor (y) - CURSOR / 2, CURSOR, CURSOR };
}

/* Two lines, since one would be cut in a plot of usual width. */
static void
add_parts (GString *markup, char *words)
{
  static const char between[] = " · ";
  size_t            half = strlen (words) / 2;
  char             *middle = NULL;

  for (char *at = strstr (words, between); at != NULL; at = strstr (at + 1, between))
    if (middle == NULL || ABS (at - words - (gssize) half) < ABS (middle - words - (gssize) half))
      middle = at;
  if (middle != NULL)
    *middle = '\0';
  sl_plot_reading_add_line (markup, words);
  if (middle != NULL)
    sl_plot_reading_add_line (markup, middle + strlen (between));
}

void
sl_plot_map_read (const SlPlotCursor *self, GString *markup, SlMarks *marks)
{
  const SlPlane *plane = &self->figure->plane;
  double         cell = 1.0 / plane->side;
  char           text[2 * SL_MESSAGE_SIZE], x[32], y[32], place[96];
  SlMessage      message;

  if (!on_a_cell (self))
    return;
  mark_cell (self, marks);
  g_snprintf (
    place, sizeof place, "%s %s, %s %s", self->figure->x.label,
    sl_number_text (plane->left + (self->column + 0.5) * cell * (plane->right - plane->left), 3, x,
                    sizeof x),
    self->figure->y.label,
    sl_number_text (plane->top - (self->row + 0.5) * cell * (plane->top - plane->bottom), 3, y,
                    sizeof y));
  sl_plot_reading_add_line (markup, place);
  message = sl_plane_text (plane, cell_of (self));
  sl_message_show (message.packed, sl_words, text, sizeof text);
  add_parts (markup, text);
}

void
sl_plot_map_isolate (const SlPlotCursor *self)
{
  unsigned colour;

  if (!on_a_cell (self))
    return;
  colour = (unsigned) self->figure->plane.plane[SL_MAP_PATTERN][cell_of (self)];
  self->figure->view.alone = self->figure->view.alone == colour + 1 ? 0 : colour + 1;
  sl_plot_view_touch (self->view);
}
