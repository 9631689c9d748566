/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/alive.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/own/own.h"
#include "plot/layout/alive.h"
#include "ui/kit/spoken.h"
#include "ui/plot-view/overlay.h"

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

/* "high 1: used, 83 %" */
static char *
placed_text (const SlFigure *figure, const SlAliveGroup *group, const double *cell,
             const char *word)
{
  unsigned i = (unsigned) ((cell - group->cell) / SL_ALIVE_COLUMNS);
  char     name[SL_ALIVE_TEXT] = "";

  sl_figure_row_name (figure, group->first_name + i, name, sizeof name);
  if (sl_alive_is_on (cell))
    /* Translators: a part of a network, its state, and its size in per cent: "high 1: used, 83 %". */
    return g_strdup_printf (_ ("%s: %s, %.0f %%"), name, word, 100.0 * sl_alive_value (cell));
  return g_strdup_printf (_ ("%s: %s"), name, word);
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

/* "light: 40 % of the brightest, theory 36 %" */
static char *
light_text (const double *cell, double power)
{
  /* Translators: of one position in one layer, or where light arrives. */
  return g_strdup_printf (_ ("light: %.0f %% of the brightest, theory %.0f %%"),
                          100.0 * pow (cell[2], power), 100.0 * pow (cell[3], power));
}

/* Whether a group is a way, or the bars beside one. */
static gboolean
is_of_way (const SlAlive *alive, unsigned g)
{
  return alive->group[g].form == SL_ALIVE_WAY
         || (g > 0 && alive->group[g].form == SL_ALIVE_BARS
             && alive->group[g - 1].form == SL_ALIVE_WAY);
}

unsigned
sl_plot_alive_part (const SlFigure *figure, unsigned row)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (!figure->picks.possible || !sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return 0;
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (row >= alive.group[g].first && row < alive.group[g].first + alive.group[g].n
        && is_of_way (&alive, g))
      return (unsigned) sl_matrix_row (m, row)[4];
  return 0;
}

/* "layer 3, expert 17: used, 41 %" */
static char *
part_text (const SlFigure *figure, const SlAlive *alive, unsigned g, unsigned row)
{
  const SlAliveGroup *group = &alive->group[g];
  const double       *cell = sl_matrix_row (&figure->matrix, row);
  const char         *word = sl_figure_words (figure, sl_alive_word (sl_alive_state (cell)));
  char                name[SL_ALIVE_TEXT] = "";

  sl_figure_row_name (figure, alive->n_points + 1 + (row - group->first) / group->across, name,
                      sizeof name);
  if (group->form == SL_ALIVE_BARS && sl_alive_state (cell) == SL_ALIVE_USED)
    /* Translators: a layer, an expert's number, its state, and its gate value: "layer 3, expert 17: used, 41 %". */
    return g_strdup_printf (_ ("%s, expert %.0f: %s, %.0f %%"), name, cell[4] - 1.0, word,
                            100.0 * sl_alive_value (cell));
  return group->form == SL_ALIVE_BARS
           ? g_strdup (name)
           : g_strdup_printf (_ ("%s, expert %.0f: %s"), name, cell[4] - 1.0, word);
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
  if (strstr (name, " (") != NULL)
    *strstr (name, " (") = '\0';
  if (group->form == SL_ALIVE_NECK || group->form == SL_ALIVE_SUM
      || group->form == SL_ALIVE_PICTURE)
    return g_strdup (name);
  if (group->form == SL_ALIVE_LIGHT || group->form == SL_ALIVE_PROFILE)
    return light_text (cell, group->form == SL_ALIVE_LIGHT ? 2.0 : 1.0);
  if (group->place != NULL)
    return placed_text (figure, group, cell, word);
  if (state == SL_ALIVE_USED || state == SL_ALIVE_MISSED || group->form == SL_ALIVE_CHANCES)
    /* Translators: a unit of a group, its state, and its size in per cent of the largest: "layer 1, 17: used, 83 %". */
    return g_strdup_printf (_ ("%s, %.0f: %s, %.0f %%"), name, cell[4], word, 100.0 * share);
  return g_strdup_printf (_ ("%s, %.0f: %s"), name, cell[4], word);
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
    *by = (int) sl_matrix_row (m, row)[3];
  return row == 0 || alive.input == SL_ALIVE_LINE;
}

/* Of a field under letters, the letter of a cell; or NULL. */
static char *
head_of (const SlFigure *figure, const SlAlive *alive, unsigned row)
{
  char name[SL_ALIVE_TEXT] = "";

  if (!sl_alive_has_heads (alive) || row < alive->group[0].first
      || row >= alive->group[0].first + alive->group[0].n)
    return NULL;
  sl_figure_row_name (figure, (row - alive->group[0].first) % alive->group[0].across + 1, name,
                      sizeof name);
  return g_strdup (name);
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
    return _ ("Click or → for the next, ← for the one before");
  return alive->input == SL_ALIVE_PLANE ? _ ("Drag the point, Escape goes back\n"
                                             "Click or → for the next, ← for the one before")
                                        : _ ("Draw on it, Shift erases, Escape goes back\n"
                                             "Click or → for the next, ← for the one before");
}

static char *
text_of_unit (const SlFigure *figure, const SlAlive *alive, unsigned g, unsigned row)
{
  const double *cell = sl_matrix_row (&figure->matrix, row);
  char         *unit = is_of_way (alive, g) ? part_text (figure, alive, g, row)
                                            : cell_text (figure, &alive->group[g], g, cell);

  return sl_alive_field (alive, g) < 0 ? unit : with_hint (unit, cell);
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
        g_autofree char *text = text_of_unit (figure, &alive, g, row);
        g_autofree char *head = head_of (figure, &alive, row);

        return head != NULL ? g_strdup_printf ("%s\n%s", head, text) : g_steal_pointer (&text);
      }
  if (row > 0 && row <= alive.n_points && alive.input == SL_ALIVE_LINE)
    {
      sl_figure_row_name (figure, row, name, sizeof name);
      return g_strdup_printf ("%s\n%s", name, _ ("A click looks at this one"));
    }
  sl_figure_row_name (figure, 0, name, sizeof name);
  if (alive.n_groups > 0 && alive.group[alive.n_groups - 1].form == SL_ALIVE_PICTURE)
    return g_strdup (name); /* there is no other one */
  return g_strdup_printf ("%s\n%s", name, input_hint (&alive, drawable));
}

/* ---- for assistive tools ---- */

enum { SPOKEN_CLASSES = 3, SPOKEN_MAX = SL_ALIVE_GROUPS + 2 };

/* "61 used, 40 in vain, 7 missed" */
static char *
states_text (const SlFigure *figure, const SlAliveGroup *group)
{
  GString *text = g_string_new (NULL);
  unsigned count[SL_N_ALIVE_STATES] = { 0 };

  for (unsigned i = 0; i < group->n; i++)
    count[sl_alive_state (group->cell + (size_t) i * SL_ALIVE_COLUMNS)]++;
  for (unsigned state = 0; group->n > 1 && state < SL_N_ALIVE_STATES; state++)
    if (count[state] > 0)
      g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", count[state],
                              sl_figure_words (figure, sl_alive_word ((SlAliveState) state)));
  return g_string_free (text, FALSE);
}

/* "Sneaker 66 %, Sandal 20 %": the likely ones. */
static char *
classes_text (const SlFigure *figure, const SlAlive *alive)
{
  GString *text = g_string_new (NULL);
  double   below = HUGE_VAL;

  for (unsigned said = 0; said < MIN (alive->n_classes, SPOKEN_CLASSES); said++)
    {
      char     name[SL_ALIVE_TEXT] = "";
      unsigned best = alive->n_classes;

      for (unsigned i = 0; i < alive->n_classes; i++)
        {
          double p = alive->class[(size_t) i * SL_ALIVE_COLUMNS + 1];

          if (p < below
              && (best == alive->n_classes
                  || p > alive->class[(size_t) best * SL_ALIVE_COLUMNS + 1]))
            best = i;
        }
      if (best == alive->n_classes)
        break;
      below = alive->class[(size_t) best * SL_ALIVE_COLUMNS + 1];
      sl_figure_column_name (figure, alive->n_groups + best, name, sizeof name);
      g_string_append_printf (text, "%s%s %.0f %%", text->len > 0 ? ", " : "", name, 100.0 * below);
    }
  return g_string_free (text, FALSE);
}

static GtkAllocation
place_of (const SlRect *at)
{
  return (GtkAllocation) { (int) at->x, (int) at->y, MAX ((int) at->w, 1), MAX ((int) at->h, 1) };
}

void
sl_plot_alive_speak (GtkWidget *view, GPtrArray *children, const struct SlFrame *frame,
                     const SlFigure *figure)
{
  const SlMatrix *m = &figure->matrix;
  SlSpoken        parts[SPOKEN_MAX];
  char            name[SPOKEN_MAX][SL_ALIVE_TEXT] = { "" };
  char           *sentence[SPOKEN_MAX] = { NULL };
  unsigned        n = 0;
  SlAlive         alive = { 0 };

  if (figure->kind == SL_ALIVE && !frame->empty
      && sl_alive_read (&alive, m->cell, m->rows, m->columns))
    {
      if (frame->alive.input.w > 0.0)
        {
          sl_figure_row_name (figure, 0, name[n], sizeof name[n]);
          sentence[n] = g_strdup (_ ("What the network decides about"));
          parts[n].at = place_of (&frame->alive.input);
          n++;
        }
      for (unsigned g = 0; g < alive.n_groups; g++, n++)
        {
          sl_figure_column_name (figure, g, name[n], sizeof name[n]);
          sentence[n] = states_text (figure, &alive.group[g]);
          parts[n].at = place_of (&frame->alive.group[g].area);
        }
      if (alive.n_classes > 0)
        {
          g_strlcpy (name[n], _ ("Output"), sizeof name[n]);
          sentence[n] = classes_text (figure, &alive);
          parts[n].at = place_of (&frame->alive.output);
          n++;
        }
    }
  for (unsigned i = 0; i < n; i++)
    {
      parts[i].name = name[i];
      parts[i].sentence = sentence[i];
    }
  sl_spoken_show (view, children, parts, n);
  for (unsigned i = 0; i < n; i++)
    g_free (sentence[i]);
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
