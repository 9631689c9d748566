/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/alive.h"

#include <glib/gi18n.h>
#include <string.h>

#include "plot/layout/alive.h"
#include "plot/layout/frame.h"

gboolean
sl_plot_alive_at (const struct SlFrame *frame, const SlFigure *figure, double px, double py,
                  unsigned *row)
{
  unsigned at = sl_alive_at (frame, figure, px, py);

  *row = at > 0 ? at - 1 : 0;
  return at > 0;
}

/* Over what stands between the cells of two groups. */
unsigned
sl_plot_alive_next (const struct SlFrame *frame, const SlFigure *figure, unsigned row, int by)
{
  SlRect place;

  do
    row += by > 0 ? 1 : -1;
  while (row < figure->matrix.rows && !sl_alive_find (frame, figure, row + 1, &place));
  return row < figure->matrix.rows ? row : 0;
}

/* "layer 1, 17: used, 83 %" */
static char *
cell_text (const SlFigure *figure, const SlAliveGroup *group, unsigned number, const double *cell)
{
  SlAliveState state = sl_alive_state (cell);
  double       share = state == SL_ALIVE_MISSED ? cell[3] : sl_alive_value (cell);
  const char  *word = sl_figure_words (figure, sl_alive_word (state));
  char         name[SL_ALIVE_TEXT] = "";

  sl_figure_column_name (figure, number, name, sizeof name);
  if (strstr (name, ": ") != NULL)
    *strstr (name, ": ") = '\0';
  if (group->form == SL_ALIVE_NECK || group->form == SL_ALIVE_SUM)
    return g_strdup (name);
  if (state == SL_ALIVE_USED || state == SL_ALIVE_MISSED || group->form == SL_ALIVE_CHANCES)
    /* Translators: a unit of a group, its state, and its size in per cent of the largest: "layer 1, 17: used, 83 %". */
    return g_strdup_printf (_ ("%s, %.0f: %s, %.0f %%"), name, cell[4], word, 100.0 * share);
  return g_strdup_printf (_ ("%s, %.0f: %s"), name, cell[4], word);
}

/* The token that is looked at, from 0. */
static unsigned
looked_at (const SlAlive *alive)
{
  unsigned i = 0;

  while (i + 1 < alive->n_points && !(alive->pixel[(size_t) i * SL_ALIVE_COLUMNS + 2] > 0.0))
    i++;
  return i;
}

gboolean
sl_plot_alive_leads (const SlFigure *figure, unsigned row, int *by)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (!sl_alive_read (&alive, m->cell, m->rows, m->columns) || row > alive.n_points)
    return FALSE;
  *by = 1;
  if (row > 0 && alive.input == SL_ALIVE_LINE)
    *by = (int) row - 1 - (int) looked_at (&alive);
  return row == 0 || alive.input == SL_ALIVE_LINE;
}

/* Of a field under letters, the letter of a cell; or NULL. */
static char *
head_of (const SlFigure *figure, const SlAlive *alive, unsigned row)
{
  char name[SL_FRAME_TEXT] = "";

  if (!sl_alive_has_heads (alive) || row < alive->group[0].first
      || row >= alive->group[0].first + alive->group[0].n)
    return NULL;
  sl_figure_row_name (figure, (row - alive->group[0].first) % alive->group[0].across + 1, name,
                      sizeof name);
  return g_strdup (name);
}

char *
sl_plot_alive_text (const SlFigure *figure, unsigned row)
{
  const SlMatrix *m = &figure->matrix;
  char            name[SL_ALIVE_TEXT] = "";
  SlAlive         alive;

  if (!sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return g_strdup ("");
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (row >= alive.group[g].first && row < alive.group[g].first + alive.group[g].n)
      {
        g_autofree char *text = cell_text (figure, &alive.group[g], g, sl_matrix_row (m, row));
        g_autofree char *head = head_of (figure, &alive, row);

        return head != NULL ? g_strdup_printf ("%s\n%s", head, text) : g_steal_pointer (&text);
      }
  sl_figure_row_name (figure, row <= alive.n_points && alive.input == SL_ALIVE_LINE ? row : 0, name,
                      sizeof name);
  return g_strdup_printf ("%s\n%s", name, _ ("Click or → for the next one, ← for the one before"));
}
