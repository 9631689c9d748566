/* SPDX-License-Identifier: MIT */
#include "ui/grid/views.h"

#include <math.h>
#include <string.h>

#include "core/run/base/json-tree.h"
#include "core/run/base/number.h"

/* The switches of a view, and their names in the text. */
static const struct
{
  const char *name;
  size_t      offset; /* of a bool in SlView */
} switches[] = {
  { "log-x", offsetof (SlView, log_x) },   { "log-y", offsetof (SlView, log_y) },
  { "robust", offsetof (SlView, robust) }, { "hide-raw", offsetof (SlView, hide_raw) },
  { "sorted", offsetof (SlView, sorted) },
};

static bool *
switch_of (SlView *view, unsigned i)
{
  return (bool *) ((char *) view + switches[i].offset);
}

/* ---- writing ---- */

static void
add_key (GString *out, const char *key)
{
  const char last = out->str[out->len - 1];

  if (last != '{' && last != '[')
    g_string_append (out, ", ");
  if (key != NULL)
    {
      sl_json_string (out, key);
      g_string_append (out, ": ");
    }
}

static void
add_number (GString *out, const char *key, double value)
{
  add_key (out, key);
  sl_json_number (out, value);
}

static void
add_range (GString *out, const char *key, double lo, double hi)
{
  add_key (out, key);
  g_string_append_c (out, '[');
  add_number (out, NULL, lo);
  add_number (out, NULL, hi);
  g_string_append_c (out, ']');
}

static void
add_hidden (GString *out, const SlFigure *figure)
{
  bool any = false;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      if (!figure->curve[c].hidden || figure->curve[c].ghost)
        continue;
      if (!any)
        {
          add_key (out, "hidden");
          g_string_append_c (out, '[');
        }
      any = true;
      add_key (out, NULL);
      sl_json_string (out, figure->curve[c].id);
    }
  if (any)
    g_string_append_c (out, ']');
}

static void
add_notes (GString *out, const SlNotes *notes)
{
  if (notes->n == 0)
    return;
  add_key (out, "notes");
  g_string_append_c (out, '[');
  for (unsigned i = 0; i < notes->n; i++)
    {
      add_key (out, NULL);
      g_string_append_c (out, '{');
      add_number (out, "x", notes->at[i].x);
      add_number (out, "y", notes->at[i].y);
      add_key (out, "text");
      sl_json_string (out, notes->at[i].text);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

/* What differs from the plain view; "{}" when nothing does. */
static char *
write_panel (SlFigure *figure)
{
  GString *out = g_string_new ("{");
  SlView   plain = sl_panel_view (figure->lab, figure->panel);
  SlView  *view = &figure->view;

  if (view->zoomed)
    add_range (out, "x", view->x_lo, view->x_hi);
  if (view->y_locked)
    add_range (out, "y", view->y_lo, view->y_hi);
  if (view->window > 0.0)
    add_number (out, "window", view->window);
  if (view->half_life > 0.0)
    add_number (out, "half-life", view->half_life);
  if (view->plane != plain.plane)
    add_number (out, "plane", view->plane);
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    if (*switch_of (view, i) != *switch_of (&plain, i))
      {
        add_key (out, switches[i].name);
        g_string_append (out, *switch_of (view, i) ? "true" : "false");
      }
  add_hidden (out, figure);
  add_notes (out, &figure->notes);
  g_string_append_c (out, '}');
  return g_string_free (out, FALSE);
}

static SlFigure *
figure_at (SlPlotGrid *grid, unsigned panel)
{
  return sl_plot_view_get_figure (sl_plot_card_get_view (sl_plot_grid_get_card (grid, panel)));
}

/* That of the plots, whatever the record has by now; NULL before they have anything to show. */
static const SlLab *
lab_of (SlPlotGrid *grid)
{
  const SlLab *lab = sl_plot_grid_get_n_cards (grid) > 0 ? figure_at (grid, 0)->lab : NULL;

  return lab != NULL && lab->n_panels == sl_plot_grid_get_n_cards (grid) ? lab : NULL;
}

char *
sl_plot_views_write (SlPlotGrid *grid)
{
  const SlLab *lab = lab_of (grid);
  GString     *panels = g_string_new ("{"), *out = g_string_new ("{");
  int          alone = sl_plot_grid_get_maximised (grid);

  for (unsigned p = 0; lab != NULL && p < lab->n_panels; p++)
    {
      g_autofree char *panel = write_panel (figure_at (grid, p));

      if (g_str_equal (panel, "{}"))
        continue;
      add_key (panels, lab->panels[p].id);
      g_string_append (panels, panel);
    }
  g_string_append_c (panels, '}');
  if (lab != NULL && alone >= 0)
    {
      add_key (out, "maximised");
      sl_json_string (out, lab->panels[alone].id);
    }
  if (panels->len > 2)
    {
      add_key (out, "panels");
      g_string_append (out, panels->str);
    }
  g_string_append_c (out, '}');
  g_string_free (panels, TRUE);
  return g_string_free (out, out->len == 2);
}

/* ---- reading ---- */

static double
number_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member (object, key);

  return member != NULL && member->kind == SL_JSON_NUMBER ? member->number : (double) NAN;
}

static bool
read_range (const SlJson *object, const char *key, double *lo, double *hi)
{
  const SlJson *pair = sl_json_member (object, key);
  const SlJson *a, *b;

  if (pair == NULL || pair->kind != SL_JSON_ARRAY || pair->children->len != 2)
    return false;
  a = g_ptr_array_index (pair->children, 0);
  b = g_ptr_array_index (pair->children, 1);
  if (a->kind != SL_JSON_NUMBER || b->kind != SL_JSON_NUMBER || !(a->number < b->number))
    return false;
  *lo = a->number;
  *hi = b->number;
  return true;
}

static void
read_hidden (const SlJson *object, SlFigure *figure)
{
  const SlJson *hidden = object != NULL ? sl_json_member (object, "hidden") : NULL;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      bool off = false;

      for (guint i = 0;
           hidden != NULL && hidden->kind == SL_JSON_ARRAY && i < hidden->children->len; i++)
        {
          const SlJson *id = g_ptr_array_index (hidden->children, i);

          off = off || (id->kind == SL_JSON_TEXT && g_str_equal (id->text, figure->curve[c].id));
        }
      if (!figure->curve[c].ghost)
        sl_figure_hide (figure, c, off);
    }
}

/* None without the member. */
static void
read_notes (const SlJson *object, SlPlotView *view)
{
  const SlJson *list = object != NULL ? sl_json_member (object, "notes") : NULL;
  SlNotes       notes = { 0 };

  for (guint i = 0; list != NULL && list->kind == SL_JSON_ARRAY && i < list->children->len; i++)
    {
      const SlJson *note = g_ptr_array_index (list->children, i);
      const SlJson *text = note->kind == SL_JSON_OBJECT ? sl_json_member (note, "text") : NULL;
      SlNote       *to = &notes.at[MIN (notes.n, SL_NOTES_MAX - 1)];

      if (text == NULL || text->kind != SL_JSON_TEXT || text->text[0] == '\0'
          || notes.n == SL_NOTES_MAX)
        continue;
      to->x = number_of (note, "x");
      to->y = number_of (note, "y");
      sl_note_set_text (to, text->text);
      notes.n += isfinite (to->x) && isfinite (to->y);
    }
  sl_plot_view_set_notes (view, &notes);
}

/* `object` NULL: as it is by itself. */
static void
read_panel (const SlJson *object, SlFigure *figure)
{
  SlView view = sl_panel_view (figure->lab, figure->panel);
  double window = object != NULL ? number_of (object, "window") : (double) NAN;
  double half_life = object != NULL ? number_of (object, "half-life") : (double) NAN;
  double plane = object != NULL ? number_of (object, "plane") : (double) NAN;

  if (object != NULL)
    {
      view.zoomed = read_range (object, "x", &view.x_lo, &view.x_hi);
      view.y_locked = read_range (object, "y", &view.y_lo, &view.y_hi);
    }
  read_hidden (object, figure);
  if (window > 0.0)
    view.window = window;
  if (half_life > 0.0)
    view.half_life = half_life;
  if (plane >= 0.0 && plane < SL_PLANE_MODES)
    view.plane = (SlPlaneMode) plane;
  for (unsigned i = 0; object != NULL && i < G_N_ELEMENTS (switches); i++)
    {
      const SlJson *member = sl_json_member (object, switches[i].name);

      if (member != NULL && member->kind == SL_JSON_TRUTH)
        *switch_of (&view, i) = member->truth;
    }
  sl_figure_set_view (figure, &view);
}

static const SlJson *
object_of (const SlJson *object, const char *key)
{
  const SlJson *member
    = object != NULL && object->kind == SL_JSON_OBJECT ? sl_json_member (object, key) : NULL;

  return member != NULL && member->kind == SL_JSON_OBJECT ? member : NULL;
}

void
sl_plot_views_read (SlPlotGrid *grid, const char *json)
{
  const SlLab *lab = lab_of (grid);
  g_autoptr (SlJson) tree = sl_json_tree (json, strlen (json), "view", NULL);
  const SlJson *panels, *alone;

  if (lab == NULL || tree == NULL || tree->kind != SL_JSON_OBJECT)
    return;
  panels = object_of (tree, "panels");
  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      read_panel (object_of (panels, lab->panels[p].id), figure_at (grid, p));
      read_notes (object_of (panels, lab->panels[p].id),
                  sl_plot_card_get_view (sl_plot_grid_get_card (grid, p)));
      sl_plot_view_touch (sl_plot_card_get_view (sl_plot_grid_get_card (grid, p)));
    }
  alone = sl_json_member (tree, "maximised");
  sl_plot_grid_maximise (
    grid, alone != NULL && alone->kind == SL_JSON_TEXT ? sl_lab_panel (lab, alone->text) : -1);
}

void
sl_plot_views_forget_notes (SlPlotGrid *grid)
{
  static const SlNotes none = { 0 };

  for (unsigned p = 0; p < sl_plot_grid_get_n_cards (grid); p++)
    sl_plot_view_set_notes (sl_plot_card_get_view (sl_plot_grid_get_card (grid, p)), &none);
}
