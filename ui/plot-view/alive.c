/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/alive.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/own/own.h"

#include "plot/layout/alive.h"

enum { HAND_MIN = 6 /* px from which on a press is a stroke */ };

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

gboolean
sl_plot_alive_unit (const SlFigure *figure, unsigned row, guint *field, guint *unit)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (!sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return FALSE;
  for (unsigned g = 0; g < alive.n_groups; g++)
    {
      const SlAliveGroup *group = &alive.group[g];
      double              number
        = row >= group->first && row < group->first + group->n ? sl_matrix_row (m, row)[4] : 0.0;

      if (!(number >= 1.0) || sl_alive_field (&alive, g) < 0)
        continue;
      *field = (guint) sl_alive_field (&alive, g);
      *unit = (guint) number - 1;
      return TRUE;
    }
  return FALSE;
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

/* How the unit is switched; takes the text over. */
static char *
with_hint (char *unit, const double *cell)
{
  g_autofree char *text = unit;

  return g_strdup_printf ("%s\n%s", text,
                          sl_alive_state (cell) == SL_ALIVE_CLOSED
                            ? _ ("Ctrl+click or Delete switches it on")
                            : _ ("Ctrl+click or Delete switches it off"));
}

/* What can be done with the input. */
static const char *
input_hint (const SlAlive *alive, gboolean drawable)
{
  if (!drawable)
    return _ ("Click or → for the next one, ← for the one before");
  return alive->input == SL_ALIVE_PLANE ? _ (
           "Drag the point, Escape goes back\nClick or → for the next one, ← for the one before")
                                        : _ ("Draw on it, Shift erases, Escape goes back\n"
                                             "Click or → for the next one, ← for the one before");
}

char *
sl_plot_alive_text (const SlFigure *figure, unsigned row, gboolean drawable)
{
  const SlMatrix *m = &figure->matrix;
  char            name[SL_ALIVE_TEXT] = "";
  SlAlive         alive;

  if (!sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return g_strdup ("");
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (row >= alive.group[g].first && row < alive.group[g].first + alive.group[g].n)
      {
        char *unit = cell_text (figure, &alive.group[g], g, sl_matrix_row (m, row));

        return sl_alive_field (&alive, g) < 0 ? unit : with_hint (unit, sl_matrix_row (m, row));
      }
  sl_figure_row_name (figure, 0, name, sizeof name);
  return g_strdup_printf ("%s\n%s", name, input_hint (&alive, drawable));
}

/* ---- the hand ---- */

static void
draw (SlPlotHand *self, SlHand phase, double x, double y, gboolean erases)
{
  double at[2];

  sl_alive_on_input (sl_plot_view_get_frame (self->view), sl_plot_view_get_figure (self->view), x,
                     y, at);
  self->drawn = TRUE;
  g_signal_emit_by_name (self->view, "draw", phase, CLAMP (at[0], 0.0, 1.0),
                         CLAMP (at[1], 0.0, 1.0), erases);
}

gboolean
sl_plot_hand_grip (SlPlotHand *self, double x, double y)
{
  double at[2];

  self->gripped = self->enabled
                  && sl_alive_on_input (sl_plot_view_get_frame (self->view),
                                        sl_plot_view_get_figure (self->view), x, y, at);
  self->drawing = FALSE;
  self->x = x;
  self->y = y;
  return self->gripped;
}

void
sl_plot_hand_move (SlPlotHand *self, GtkGesture *gesture, double dx, double dy)
{
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  gboolean erases = (state & GDK_SHIFT_MASK) != 0;

  if (!self->drawing && hypot (dx, dy) < HAND_MIN)
    return;
  if (!self->drawing)
    {
      /* No click any more, and no scrolling by finger. */
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
      self->drawing = TRUE;
      draw (self, SL_HAND_BEGINS, self->x, self->y, erases);
    }
  draw (self, SL_HAND_MOVES, self->x + dx, self->y + dy, erases);
}

void
sl_plot_hand_end (SlPlotHand *self)
{
  if (self->drawing)
    draw (self, SL_HAND_ENDS, self->x, self->y, FALSE);
  self->gripped = self->drawing = FALSE;
}

gboolean
sl_plot_hand_go_back (SlPlotHand *self)
{
  if (!self->drawn)
    return FALSE;
  g_signal_emit_by_name (self->view, "example", 0);
  return TRUE;
}
