/* SPDX-License-Identifier: MIT */
#include "ui/grid/views.h"

#include <math.h>
#include <string.h>

#include "core/run/base/json.h"

enum { VIEW_BYTES = 1 << 20 };

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
add_range (SlJsonWriter *w, const char *key, double lo, double hi)
{
  sl_json_add_numbers (w, key, (double[]) { lo, hi }, 2, SL_JSON_TIGHT);
}

static gboolean
is_off (const SlCurve *curve)
{
  return curve->hidden && !curve->ghost;
}

static void
add_hidden (SlJsonWriter *w, const SlFigure *figure)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    n += is_off (&figure->curve[c]);
  if (n == 0)
    return;
  sl_json_open (w, "hidden", '[', SL_JSON_TIGHT);
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (is_off (&figure->curve[c]))
      sl_json_add_text (w, NULL, figure->curve[c].id);
  sl_json_close (w);
}

static void
add_notes (SlJsonWriter *w, const SlNotes *notes)
{
  if (notes->n == 0)
    return;
  sl_json_open (w, "notes", '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < notes->n; i++)
    {
      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_number (w, "x", notes->at[i].x);
      sl_json_add_number (w, "y", notes->at[i].y);
      sl_json_add_text (w, "text", notes->at[i].text);
      sl_json_close (w);
    }
  sl_json_close (w);
}

/* What differs from the plain view; "{}" when nothing does. */
static char *
write_panel (SlFigure *figure)
{
  SlView       plain = sl_panel_view (figure->lab, figure->panel);
  SlView      *view = &figure->view;
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  if (view->zoomed)
    add_range (&w, "x", view->x_lo, view->x_hi);
  if (view->y_locked)
    add_range (&w, "y", view->y_lo, view->y_hi);
  if (view->inset)
    add_range (&w, "inset-x", view->inset_x.lo, view->inset_x.hi);
  if (view->inset && view->inset_y.lo < view->inset_y.hi)
    add_range (&w, "inset-y", view->inset_y.lo, view->inset_y.hi);
  if (view->window > 0.0)
    sl_json_add_number (&w, "window", view->window);
  if (view->smooth != plain.smooth)
    sl_json_add_number (&w, "smooth", view->smooth);
  if (view->plane != plain.plane)
    sl_json_add_number (&w, "plane", view->plane);
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    if (*switch_of (view, i) != *switch_of (&plain, i))
      sl_json_add_truth (&w, switches[i].name, *switch_of (view, i));
  add_hidden (&w, figure);
  add_notes (&w, &figure->notes);
  return sl_json_writer_end (&w, FALSE);
}

static SlFigure *
figure_at (SlPlotGrid *grid, unsigned panel)
{
  return sl_plot_view_get_figure (sl_plot_grid_get_view (grid, panel));
}

static void
add_panels (SlJsonWriter *w, SlPlotGrid *grid, const SlLab *lab)
{
  gboolean any = FALSE;

  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      g_autofree char *panel
        = sl_plot_grid_has_card (grid, p) ? write_panel (figure_at (grid, p)) : g_strdup ("{}");

      if (g_str_equal (panel, "{}"))
        continue;
      if (!any)
        sl_json_open (w, "panels", '{', SL_JSON_TIGHT);
      any = TRUE;
      sl_json_add_json (w, lab->panels[p].id, panel);
    }
  if (any)
    sl_json_close (w);
}

char *
sl_plot_views_write (SlPlotGrid *grid)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (grid), NULL);

  const SlLab *lab = sl_plot_grid_get_lab (grid);
  int          alone = sl_plot_grid_get_maximised (grid);
  SlJsonWriter w;

  if (lab == NULL)
    return NULL;
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  if (alone >= 0)
    sl_json_add_text (&w, "maximised", lab->panels[alone].id);
  add_panels (&w, grid, lab);
  if (w.text->len > 1)
    return sl_json_writer_end (&w, FALSE);
  g_string_free (w.text, TRUE);
  return NULL;
}

/* ---- reading ---- */

static double
number_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_NUMBER);

  return member != NULL ? member->number : (double) NAN;
}

static bool
read_range (const SlJson *object, const char *key, double *lo, double *hi)
{
  const SlJson *pair = sl_json_member_of (object, key, SL_JSON_ARRAY);
  const SlJson *a = pair != NULL && pair->n == 2 ? pair->first : NULL;

  if (a == NULL || a->kind != SL_JSON_NUMBER || a->next->kind != SL_JSON_NUMBER
      || !(a->number < a->next->number))
    return false;
  *lo = a->number;
  *hi = a->next->number;
  return true;
}

static void
read_hidden (const SlJson *object, SlFigure *figure)
{
  const SlJson *hidden = sl_json_member_of (object, "hidden", SL_JSON_ARRAY);

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      bool off = false;

      for (const SlJson *id = hidden != NULL ? hidden->first : NULL; id != NULL; id = id->next)
        off = off || (id->kind == SL_JSON_TEXT && g_str_equal (id->text, figure->curve[c].id));
      if (!figure->curve[c].ghost)
        sl_figure_hide (figure, c, off);
    }
}

/* None without the member. */
static void
read_notes (const SlJson *object, SlPlotView *view)
{
  const SlJson *list = sl_json_member_of (object, "notes", SL_JSON_ARRAY);
  SlNotes       notes = { 0 };

  for (const SlJson *note = list != NULL ? list->first : NULL;
       note != NULL && notes.n < SL_NOTES_MAX; note = note->next)
    {
      const SlJson *text = sl_json_member_of (note, "text", SL_JSON_TEXT);
      SlNote       *to = &notes.at[notes.n];

      if (text == NULL || text->text[0] == '\0')
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
  double window = number_of (object, "window"), smooth = number_of (object, "smooth");
  double plane = number_of (object, "plane");

  if (object != NULL)
    {
      view.zoomed = read_range (object, "x", &view.x_lo, &view.x_hi);
      view.y_locked = read_range (object, "y", &view.y_lo, &view.y_hi);
      view.inset = read_range (object, "inset-x", &view.inset_x.lo, &view.inset_x.hi);
      if (view.inset)
        read_range (object, "inset-y", &view.inset_y.lo, &view.inset_y.hi);
    }
  read_hidden (object, figure);
  if (window > 0.0)
    view.window = window;
  if (smooth >= 0.0 && smooth <= 1.0)
    view.smooth = smooth;
  if (plane >= 0.0 && plane < SL_PLANE_MODES)
    view.plane = (SlPlaneMode) plane;
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      const SlJson *member = sl_json_member_of (object, switches[i].name, SL_JSON_TRUTH);

      if (member != NULL)
        *switch_of (&view, i) = member->number != 0.0;
    }
  sl_figure_set_view (figure, &view);
}

void
sl_plot_views_read (SlPlotGrid *grid, const char *json)
{
  g_return_if_fail (SL_IS_PLOT_GRID (grid));

  const SlLab *lab = sl_plot_grid_get_lab (grid);
  g_autoptr (SlJson) tree = sl_json_parse (json, strlen (json), VIEW_BYTES, "view", NULL);
  const SlJson *panels, *alone;

  if (lab == NULL || tree == NULL)
    return;
  panels = sl_json_member_of (tree, "panels", SL_JSON_OBJECT);
  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      const SlJson *panel = sl_json_member_of (panels, lab->panels[p].id, SL_JSON_OBJECT);
      SlPlotView   *view;

      /* A card that is not made yet looks as every new one does. */
      if (panel == NULL && !sl_plot_grid_has_card (grid, p))
        continue;
      view = sl_plot_grid_get_view (grid, p);
      read_panel (panel, figure_at (grid, p));
      read_notes (panel, view);
      sl_plot_view_touch (view);
    }
  alone = sl_json_member_of (tree, "maximised", SL_JSON_TEXT);
  sl_plot_grid_maximise (grid, alone != NULL ? sl_lab_panel (lab, alone->text) : -1);
}

void
sl_plot_views_forget_notes (SlPlotGrid *grid)
{
  static const SlNotes none = { 0 };

  g_return_if_fail (SL_IS_PLOT_GRID (grid));
  for (unsigned p = 0; p < sl_plot_grid_get_n_cards (grid); p++)
    if (sl_plot_grid_has_card (grid, p))
      sl_plot_view_set_notes (sl_plot_grid_get_view (grid, p), &none);
}
