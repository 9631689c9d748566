/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/alive.h"

#include <glib/gi18n.h>
#include <string.h>

#include "plot/layout/frame.h"
#include "ui/plot-view/inside.h"

static gboolean
take_apart (const SlPlotCursor *self, SlAlive *alive)
{
  const SlMatrix *m = &self->figure->matrix;

  return sl_alive_read (alive, m->cell, m->rows, m->columns);
}

void
sl_plot_alive_hover (SlPlotCursor *self, double px, double py)
{
  unsigned at = sl_alive_at (sl_plot_view_get_frame (self->view), self->figure, px, py);

  self->celled = at > 0;
  self->row = at > 0 ? at - 1 : 0;
  self->tile = self->column = 0;
}

void
sl_plot_alive_step (const SlPlotCursor *self, int by)
{
  g_signal_emit_by_name (self->view, "example", by);
}

/* Over what stands between the cells of two groups, and from the last back to the input. */
void
sl_plot_alive_move (SlPlotCursor *self, int by)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);
  unsigned       row = self->celled ? self->row : 0;
  SlRect         place;

  do
    row += by > 0 ? 1 : -1;
  while (row < self->figure->matrix.rows && !sl_alive_find (frame, self->figure, row + 1, &place));
  self->row = row < self->figure->matrix.rows ? row : 0;
  self->tile = self->column = 0;
  self->celled = self->pinned = TRUE;
  sl_plot_reading_show (self->view);
}

void
sl_plot_alive_click (const SlPlotCursor *self)
{
  if (self->celled && self->row == 0)
    sl_plot_alive_step (self, 1);
}

/* "layer 1, 17: used, 83 %" */
static void
read_cell (const SlPlotCursor *self, const SlAlive *alive, unsigned group, GString *markup)
{
  const double    *cell = sl_matrix_row (&self->figure->matrix, self->row);
  SlAliveState     state = sl_alive_state (cell);
  double           share = state == SL_ALIVE_MISSED ? cell[3] : sl_alive_value (cell);
  char             name[SL_FRAME_TEXT] = "";
  g_autofree char *line = NULL;
  const char      *word = sl_figure_words (self->figure, sl_alive_word (state));

  sl_figure_column_name (self->figure, group, name, sizeof name);
  if (strstr (name, ": ") != NULL)
    *strstr (name, ": ") = '\0';
  if (alive->group[group].form == SL_ALIVE_NECK || alive->group[group].form == SL_ALIVE_SUM)
    line = g_strdup (name);
  else if (state == SL_ALIVE_USED || state == SL_ALIVE_MISSED)
    /* Translators: a unit of a group, its state, and its size in per cent of the largest: "layer 1, 17: used, 83 %". */
    line = g_strdup_printf (_ ("%s, %.0f: %s, %.0f %%"), name, cell[4], word, 100.0 * share);
  else
    line = g_strdup_printf (_ ("%s, %.0f: %s"), name, cell[4], word);
  sl_plot_reading_add_line (markup, line);
}

void
sl_plot_alive_read (const SlPlotCursor *self, GString *markup)
{
  SlAlive alive;
  char    name[SL_FRAME_TEXT] = "";

  if (!take_apart (self, &alive))
    return;
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (self->row >= alive.group[g].first && self->row < alive.group[g].first + alive.group[g].n)
      read_cell (self, &alive, g, markup);
  if (self->row > 0)
    return;
  if (sl_figure_row_name (self->figure, 0, name, sizeof name))
    sl_plot_reading_add_line (markup, name);
  sl_plot_reading_add_line (markup, _ ("Click or → for the next one, ← for the one before"));
}
