/* SPDX-License-Identifier: MIT
 *
 * The gating map in the real window: it fills, is read, turned, isolated and painted on.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "tests/ui/fixture.h"

/* What a test begins with. */
typedef struct
{
  const char *lab, *spec;
} Opening;

static const Opening moons = { "experts", "moons:points=400" },
                     signs = { "sign-estimator", "moons:points=400" },
                     digits = { "experts", "digits:images=300" };

static gboolean
is_settled (gpointer data)
{
  return !sl_session_is_loading (data) && sl_session_info (data)->step > 0;
}

/* Begins a run and waits until it is under way. */
static void
start (SlFixture *f, const char *id, const char *spec)
{
  sl_fixture_start (f, id, NULL, spec, TRUE);
  sl_wait (is_settled, f->session);
  g_assert_null (sl_session_error (f->session));
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  const Opening *opening = data;

  sl_fixture_begin (f, data);
  sl_fixture_open (f);
  start (f, opening->lab, opening->spec);
  sl_fixture_show_all (f);
}

/* ---- the parts of the map's card ---- */

static SlPlotCard *
card_of (SlFixture *f)
{
  int panel = sl_lab_panel (sl_session_lab (f->session), "map");

  g_assert_cmpint (panel, >=, 0);
  return sl_plot_grid_get_card (sl_window_get_grid (f->window), (unsigned) panel);
}

static SlPlotView *
view_of (SlFixture *f)
{
  return sl_plot_card_get_view (card_of (f));
}

static const SlFigure *
figure_of (SlFixture *f)
{
  return sl_plot_view_get_figure (view_of (f));
}

static gpointer
part (SlFixture *f, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (sl_plot_card_get_bar (card_of (f))),
                                        SL_TYPE_MAP_BAR, id);
}

static gboolean
is_filled (gpointer data)
{
  const SlFigure *figure = figure_of (data);

  return figure->plane.side > 0
         && sl_plot_canvas_get_frame (sl_plot_view_get_canvas (view_of (data)))->plot.w > 0.0;
}

/* Waits until the map of the run shows, alone in the window so that it is in sight. */
static void
wait_for_map (SlFixture *f)
{
  sl_act (f, "maximise", g_variant_new_string ("map"));
  sl_wait (is_filled, f);
}

typedef struct
{
  SlFixture  *fixture;
  const char *part;
} Saying;

static gboolean
note_says (gpointer data)
{
  const Saying *saying = data;

  return strstr (figure_of (saying->fixture)->note, saying->part) != NULL;
}

static gboolean
says_else (gpointer data)
{
  return !note_says (data);
}

static void
wait_for_note (SlFixture *f, const char *words)
{
  Saying saying = { f, words };

  sl_wait (note_says, &saying);
}

static gboolean
is_fine (gpointer data)
{
  return figure_of (data)->plane.side == 192;
}

static gboolean
is_coarse (gpointer data)
{
  unsigned side = figure_of (data)->plane.side;

  return side > 0 && side <= 96;
}

/* Stops the run; the picture is finer than before and stands. */
static void
pause_run (SlFixture *f)
{
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_wait (is_fine, f);
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type, guint button, GtkPropagationPhase phase)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (g_type_is_a (G_OBJECT_TYPE (one), type)
          && gtk_event_controller_get_propagation_phase (one) == phase
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (one)) == button)
        return one;
    }
  g_assert_not_reached ();
}

/* Pixels of the view at a share of the plot's width and height. */
static void
pixel (SlFixture *f, double across, double down, double *x, double *y)
{
  const SlRect *plot = &sl_plot_canvas_get_frame (sl_plot_view_get_canvas (view_of (f)))->plot;

  *x = plot->x + across * plot->w;
  *y = plot->y + down * plot->h;
}

static void
click (SlFixture *f, double across, double down)
{
  GtkEventController *gesture = find_controller (GTK_WIDGET (view_of (f)), GTK_TYPE_GESTURE_CLICK,
                                                 GDK_BUTTON_PRIMARY, GTK_PHASE_BUBBLE);
  double              x, y;

  pixel (f, across, down, &x, &y);
  g_signal_emit_by_name (gesture, "pressed", 1, x, y);
  g_signal_emit_by_name (gesture, "released", 1, x, y);
}

/* ---- looking ---- */

static void
test_fills (SlFixture *f, gconstpointer data)
{
  SlPlotCard *card = card_of (f);

  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_plot_card_get_bar (card))));
  wait_for_map (f);
  g_assert_cmpuint (figure_of (f)->plane.n, ==, sl_session_dataset (f->session)->n[SL_TRAIN]);
  wait_for_note (f, "Colour: what is on.");
  sl_wait_drawn (GTK_WIDGET (view_of (f)), 5000);
  g_assert_true (gtk_widget_get_visible (part (f, "paint")));
  g_assert_false (gtk_widget_get_visible (part (f, "slice")));
  gtk_toggle_button_set_active (part (f, "paint"), TRUE);
  g_assert_true (gtk_widget_get_visible (part (f, "classes")));
  sl_assert_named (GTK_WIDGET (card));
}

/* Keys, drop-down and picture go together, and every mode can be read. */
static void
test_modes (SlFixture *f, gconstpointer data)
{
  SlPlotView  *view;
  GtkDropDown *modes = part (f, "modes");

  wait_for_map (f);
  view = view_of (f);
  for (unsigned i = 1; i <= SL_PLANE_MODES; i++)
    {
      g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_m, 0));
      g_assert_cmpuint (sl_plot_view_get_figure (view)->view.plane, ==, i % SL_PLANE_MODES);
      g_assert_cmpuint (gtk_drop_down_get_selected (modes), ==, i % SL_PLANE_MODES);
      sl_wait_drawn (GTK_WIDGET (view), 1000);
    }
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_m, GDK_SHIFT_MASK));
  g_assert_cmpuint (gtk_drop_down_get_selected (modes), ==, SL_PLANE_MODES - 1);
  gtk_drop_down_set_selected (modes, SL_PLANE_COST);
  g_assert_cmpuint (sl_plot_view_get_figure (view)->view.plane, ==, SL_PLANE_COST);
}

/* What the colours say at first is the lab's to say, and the words beside them say so. */
static void
test_first (SlFixture *f, gconstpointer data)
{
  static const Opening turns[] = { { "sign-estimator", "moons:points=400" },
                                   { "experts", "moons:points=400" },
                                   { "stochastic-gates", "moons:points=400" } };

  for (size_t i = 0; i < G_N_ELEMENTS (turns); i++)
    {
      start (f, turns[i].lab, turns[i].spec);
      g_assert_cmpuint (sl_plot_view_get_figure (view_of (f))->view.plane, ==,
                        i == 1 ? SL_PLANE_PATTERN : SL_PLANE_ACTIVE);
      g_assert_cmpuint (gtk_drop_down_get_selected (part (f, "modes")), ==,
                        sl_plot_view_get_figure (view_of (f))->view.plane);
    }
}

static gboolean
is_second (gpointer data)
{
  return sl_session_generation (data) == 2 && !sl_session_is_loading (data);
}

/* Share of the cells and of the examples that have the colour, in words. */
static char *
expected_note (const SlPlane *plane, double colour)
{
  size_t        cells = (size_t) plane->side * plane->side, inside = 0, examples = 0, right = 0;
  const double *pattern = plane->plane[SL_MAP_PATTERN];

  for (size_t i = 0; i < cells; i++)
    inside += pattern[i] == colour;
  for (size_t i = 0; i < plane->n; i++)
    {
      size_t column
        = (size_t) ((plane->x[i] - plane->left) / (plane->right - plane->left) * plane->side);
      size_t row
        = (size_t) ((plane->top - plane->y[i]) / (plane->top - plane->bottom) * plane->side);
      size_t cell = row * plane->side + column;

      if (pattern[cell] != colour)
        continue;
      examples++;
      right += plane->plane[SL_MAP_LABEL][cell] == plane->label[i];
    }
  if (examples == 0)
    return g_strdup_printf (": %.1f %% of the area, 0.0 %% of the examples, ",
                            100.0 * (double) inside / (double) cells);
  return g_strdup_printf (": %.1f %% of the area, %.1f %% of the examples, %.0f %% of them right, ",
                          100.0 * (double) inside / (double) cells,
                          100.0 * (double) examples / (double) plane->n,
                          100.0 * (double) right / (double) examples);
}

/* A click leaves the colour of the one region; its note says what there is in it.  Another click
 * brings the others back.  */
static void
test_isolate (SlFixture *f, gconstpointer data)
{
  const SlPlane   *plane;
  g_autofree char *expected = NULL;
  unsigned         alone;

  wait_for_map (f);
  pause_run (f);
  click (f, 0.3, 0.4);
  alone = figure_of (f)->view.alone;
  g_assert_cmpuint (alone, >, 0);
  plane = &figure_of (f)->plane;
  g_assert_cmpfloat (plane->plane[SL_MAP_PATTERN][(size_t) (0.4 * plane->side) * plane->side
                                                  + (size_t) (0.3 * plane->side)],
                     ==, alone - 1);
  expected = expected_note (plane, alone - 1);
  wait_for_note (f, expected);
  g_assert_true (g_str_has_suffix (figure_of (f)->note, " multiplications"));
  click (f, 0.3, 0.4);
  g_assert_cmpuint (figure_of (f)->view.alone, ==, 0);
  sl_drawn_pixels (GTK_WIDGET (view_of (f)));
  sl_wait (says_else, &(Saying) { f, expected });
  /* Another run has other patterns. */
  click (f, 0.3, 0.4);
  g_assert_cmpuint (figure_of (f)->view.alone, ==, alone);
  sl_act (f, "rewind", NULL);
  sl_wait (is_second, f->session);
  g_assert_cmpuint (figure_of (f)->view.alone, ==, 0);
  /* The picture of the old run is still there; mostly there is nothing to read yet. */
  click (f, 0.3, 0.4);
  g_assert_true (figure_of (f)->view.alone == 0 || figure_of (f)->plane.side > 0);
}

/* "x₁ 0.25, x₂ −0.5" and more lines: the numbers. */
static void
read_place (SlFixture *f, double *x, double *y)
{
  g_auto (GStrv) parts = g_strsplit (sl_readout (view_of (f)), "−", -1);
  g_autofree char *text = g_strjoinv ("-", parts);
  const char      *second = strchr (text, ',');
  char            *end;

  g_assert_nonnull (second);
  *x = g_ascii_strtod (strchr (text, ' '), &end);
  g_assert_true (end == second);
  *y = g_ascii_strtod (strchr (second + 2, ' '), &end);
  g_assert_cmpint (*end, ==, '\n');
}

/* The cursor begins in the middle, moves by keys, isolates, and stays at its place when the picture
 * becomes coarser under it.  */
static void
test_keys (SlFixture *f, gconstpointer data)
{
  const SlPlane *plane;
  double         x, y, coarse_x, coarse_y, width, height;
  GtkWidget     *view;
  g_auto (GStrv) lines = NULL;

  wait_for_map (f);
  pause_run (f);
  view = GTK_WIDGET (view_of (f));
  plane = &figure_of (f)->plane;
  width = plane->right - plane->left;
  height = plane->top - plane->bottom;
  for (unsigned i = 0; i < 10; i++)
    g_assert_true (sl_press (view, GDK_KEY_Right, 0));
  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_press (view, GDK_KEY_Up, 0));
  g_assert_nonnull (strstr (sl_readout (view_of (f)), "multiplications"));
  /* A place, and what is there in two lines, none so long that it would be cut. */
  lines = g_strsplit (sl_readout (view_of (f)), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  for (unsigned i = 0; lines[i] != NULL; i++)
    g_assert_cmpint (g_utf8_strlen (lines[i], -1), <, 45);
  read_place (f, &x, &y);
  g_assert_cmpfloat (fabs (x - plane->left - (0.5 + 10.0 / 48) * width), <, 0.02 * width);
  g_assert_cmpfloat (fabs (y - plane->bottom - (0.5 + 5.0 / 48) * height), <, 0.02 * height);
  sl_act (f, "run", NULL);
  sl_wait (is_coarse, f);
  sl_settle ();
  read_place (f, &coarse_x, &coarse_y);
  g_assert_cmpfloat (fabs (coarse_x - x), <, 0.05 * width);
  g_assert_cmpfloat (fabs (coarse_y - y), <, 0.05 * height);
  pause_run (f);
  g_assert_true (sl_press (view, GDK_KEY_i, 0));
  g_assert_cmpuint (figure_of (f)->view.alone, >, 0);
  for (unsigned i = 0; i < 60; i++)
    g_assert_true (sl_press (view, GDK_KEY_Left, 0));
  read_place (f, &x, &y);
  g_assert_cmpfloat (fabs (x - plane->left), <, 0.02 * width);
  g_assert_true (sl_press (view, GDK_KEY_Escape, 0));
  g_assert_cmpstr (sl_readout (view_of (f)), ==, "");
}

/* ---- painting ---- */

static size_t
examples (SlFixture *f)
{
  const SlDataset *dataset = sl_session_dataset (f->session);

  return dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
}

static void
dab (SlFixture *f, double x, double y, int label, double radius)
{
  g_signal_emit_by_name (view_of (f), "dab", x, y, label, radius, radius);
}

static void
end_stroke (SlFixture *f)
{
  g_signal_emit_by_name (view_of (f), "stroke");
}

typedef struct
{
  SlFixture *fixture;
  size_t     examples;
} Count;

static gboolean
has_loaded (gpointer data)
{
  const Count *count = data;

  return !sl_session_is_loading (count->fixture->session)
         && examples (count->fixture) == count->examples;
}

static gboolean
has_examples (gpointer data)
{
  const Count *count = data;

  return is_settled (count->fixture->session) && has_loaded (data);
}

static void
wait_for_examples (SlFixture *f, size_t n)
{
  Count count = { f, n };

  sl_wait (has_examples, &count);
  g_assert_null (sl_session_error (f->session));
}

/* A stroke is a run on as many examples more, with the lab, settings and seed that were there; an
 * eraser takes them away again; the recipe of such a run brings the examples back.  */
static void
test_paint (SlFixture *f, gconstpointer data)
{
  size_t           before = examples (f);
  g_autofree char *path = g_build_filename (f->folder, "painted.svg", NULL);
  uint64_t         hash;

  wait_for_map (f);
  dab (f, 5.0, 5.0, 0, 0.1);
  dab (f, 5.1, 5.0, 1, 0.1);
  dab (f, 5.2, 5.0, 2, 0.1);
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  end_stroke (f);
  wait_for_examples (f, before + 3);
  g_assert_cmpuint (sl_session_generation (f->session), ==, 2);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "experts");
  g_assert_cmpint (sl_session_state (f->session), ==, SL_RUNNING);
  g_assert_cmpuint (sl_session_dataset (f->session)->classes, ==, 3);
  hash = sl_session_dataset (f->session)->hash;
  wait_for_map (f);
  sl_act (f, "export-to", g_variant_new_string (path));

  dab (f, 5.1, 5.0, -1, 0.5);
  end_stroke (f);
  wait_for_examples (f, before);
  g_assert_cmpuint (sl_session_dataset (f->session)->classes, ==, 2);

  /* What a figure shows trains when it is asked to. */
  sl_act (f, "restore", g_variant_new_string (path));
  sl_wait (has_loaded, &(Count) { f, before + 3 });
  g_assert_cmpuint (sl_session_dataset (f->session)->hash, ==, hash);
}

/* The second stroke comes before the run on the first is there; and a third one is under way when
 * that happens.  */
static void
test_paint_quickly (SlFixture *f, gconstpointer data)
{
  size_t before = examples (f);

  wait_for_map (f);
  dab (f, 0.1, 0.1, 0, 0.1);
  end_stroke (f);
  dab (f, 0.2, 0.1, 1, 0.1);
  end_stroke (f);
  dab (f, 0.3, 0.1, 0, 0.1);
  wait_for_examples (f, before + 2);
  dab (f, 0.4, 0.1, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, before + 4);
  /* What the painting began with is gone from memory: the next one begins with these. */
  dab (f, 0.5, 0.1, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, before + 5);
}

static gboolean
can_undo (gpointer session)
{
  return sl_session_can_undo (session);
}

/* Strokes are taken back one by one, also by an eraser, up to the data that were there first, and
 * made again; a new one ends that.  A change of a parameter after a stroke goes first.  */
static void
test_undo (SlFixture *f, gconstpointer data)
{
  size_t   before = examples (f);
  uint64_t hash = sl_session_dataset (f->session)->hash;

  wait_for_map (f);
  g_assert_false (sl_can (f, "undo"));
  dab (f, 0.1, 0.1, 0, 0.1);
  end_stroke (f);
  wait_for_examples (f, before + 1);
  dab (f, 5.0, 5.0, -1, 1000.0);
  dab (f, 1.0, 1.0, 0, 0.1);
  dab (f, 1.1, 1.0, 0, 0.1);
  dab (f, 1.2, 1.0, 0, 0.1);
  dab (f, 2.0, 1.0, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, 4);
  sl_act (f, "undo", NULL);
  wait_for_examples (f, before + 1);
  sl_act (f, "undo", NULL);
  wait_for_examples (f, before);
  g_assert_cmpuint (sl_session_dataset (f->session)->hash, ==, hash);
  g_assert_false (sl_can (f, "undo"));
  sl_act (f, "redo", NULL);
  wait_for_examples (f, before + 1);
  g_assert_true (sl_can (f, "redo"));
  dab (f, 0.2, 0.1, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, before + 2);
  g_assert_false (sl_can (f, "redo"));
  g_assert_true (sl_session_set (f->session, "k", &(SlValue) { .n = 1, .v = { 1.0 } }, NULL));
  sl_wait (can_undo, f->session);
  g_assert_cmpfloat (sl_value (f, "k")->v[0], ==, 1.0);
  sl_act (f, "undo", NULL);
  g_assert_cmpfloat (sl_value (f, "k")->v[0], ==, 2.0);
  wait_for_examples (f, before + 2);
  sl_act (f, "undo", NULL);
  wait_for_examples (f, before + 1);
}

static void
on_stroke (SlPlotView *view, unsigned *strokes)
{
  ++*strokes;
}

/* The brush by its button and gesture: the class stays chosen when a new one joins, and a gesture
 * that paints nothing is no stroke.  */
static void
test_brush (SlFixture *f, gconstpointer data)
{
  size_t              before = examples (f);
  unsigned            strokes = 0;
  GtkEventController *gesture;
  double              x, y;

  wait_for_map (f);
  gesture = find_controller (GTK_WIDGET (view_of (f)), GTK_TYPE_GESTURE_DRAG, 0, GTK_PHASE_CAPTURE);
  g_signal_connect (view_of (f), "stroke", G_CALLBACK (on_stroke), &strokes);
  pixel (f, 0.5, 0.5, &x, &y);
  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, 0.0);
  g_assert_cmpuint (strokes, ==, 0);

  gtk_toggle_button_set_active (part (f, "paint"), TRUE);
  gtk_drop_down_set_selected (part (f, "classes"), 1);
  gtk_widget_grab_focus (part (f, "paint"));
  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  dab (f, 0.0, 0.0, 2, 0.1);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, 0.0);
  g_assert_cmpuint (strokes, ==, 1);
  wait_for_examples (f, before + 2);
  g_assert_cmpuint (sl_session_dataset (f->session)->classes, ==, 3);
  g_assert_true (gtk_toggle_button_get_active (part (f, "paint")));
  g_assert_cmpuint (gtk_drop_down_get_selected (part (f, "classes")), ==, 1);
  /* The keys are still the map's, and the page has not moved to another plot. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) == GTK_WIDGET (view_of (f)));
  gtk_toggle_button_set_active (part (f, "paint"), FALSE);
  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, 0.0);
  g_assert_cmpuint (strokes, ==, 1);
}

static gboolean
shows_text (GtkWidget *root, const char *words)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, words))
      return TRUE;
  return FALSE;
}

/* Too few points are refused in words; the run goes on, and what is painted next is added to what
 * was left.  */
static void
test_too_few (SlFixture *f, gconstpointer data)
{
  size_t before = examples (f);

  wait_for_map (f);
  dab (f, 0.0, 0.0, -1, 1000.0);
  end_stroke (f);
  g_assert_true (shows_text (GTK_WIDGET (f->window), "at least three points of two classes"));
  g_assert_false (sl_session_is_loading (f->session));
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_assert_cmpuint (examples (f), ==, before);
  dab (f, 0.0, 0.0, 0, 0.1);
  dab (f, 0.1, 0.5, 0, 0.1);
  end_stroke (f);
  g_assert_false (sl_session_is_loading (f->session));
  for (unsigned i = 0; i < 6; i++)
    dab (f, 0.2 * i, 1.0, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, 8);
}

/* A folder that cannot be made is a sentence, and the stroke is not lost for that. */
static void
test_unwritable (SlFixture *f, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "sluice", NULL);
  g_autofree char *away = g_strconcat (folder, ".away", NULL);
  gboolean         there = g_rename (folder, away) == 0;
  size_t           before = examples (f);

  wait_for_map (f);
  g_mkdir_with_parents (g_get_user_data_dir (), 0700);
  g_assert_true (g_file_set_contents (folder, "a file", -1, NULL));
  dab (f, 0.0, 0.0, 1, 0.1);
  end_stroke (f);
  g_assert_true (shows_text (GTK_WIDGET (f->window), "painted"));
  g_assert_false (sl_session_is_loading (f->session));
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_assert_cmpint (g_unlink (folder), ==, 0);
  if (there)
    g_assert_cmpint (g_rename (away, folder), ==, 0);
  dab (f, 0.1, 0.0, 1, 0.1);
  end_stroke (f);
  wait_for_examples (f, before + 2);
}

/* ---- other data ---- */

/* Images have a choice of planes, which reaches the picture, and nothing to paint on.  The map of
 * another lab shows the plane that its own card says.  */
static void
test_slice (SlFixture *f, gconstpointer data)
{
  g_assert_false (gtk_widget_get_visible (part (f, "paint")));
  g_assert_true (gtk_widget_get_visible (part (f, "slice")));
  wait_for_map (f);
  wait_for_note (f, "principal components");
  gtk_check_button_set_active (part (f, "components"), FALSE);
  gtk_spin_button_set_value (part (f, "across"), 300);
  gtk_spin_button_set_value (part (f, "up"), 301);
  gtk_spin_button_set_value (part (f, "through"), 17);
  wait_for_note (f, "features 300 and 301 through example 17");
  for (unsigned i = 0; i < 3; i++)
    {
      static const char *const spins[] = { "across", "up", "through" };
      GtkAccessible           *spin = part (f, spins[i]);

      g_assert_true (gtk_test_accessible_has_relation (spin, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
                     || gtk_test_accessible_has_property (spin, GTK_ACCESSIBLE_PROPERTY_LABEL));
    }
  sl_assert_named (GTK_WIDGET (card_of (f)));
  start (f, "sign-estimator", NULL);
  wait_for_map (f);
  wait_for_note (f, gtk_check_button_get_active (part (f, "components"))
                      ? "principal components"
                      : "features 300 and 301 through example 17");
  start (f, "experts", NULL);
  wait_for_map (f);
  wait_for_note (f, gtk_check_button_get_active (part (f, "components"))
                      ? "principal components"
                      : "features 300 and 301 through example 17");
}

static void
write_table (const char *path, unsigned features, unsigned classes)
{
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (unsigned i = 0; i < 90; i++)
    {
      for (unsigned j = 0; j < features; j++)
        g_string_append_printf (csv, "%u.%u,", i % classes * (1 + j % 3) + i % 7, i % 10);
      g_string_append_printf (csv, "%u\n", i % classes + 1);
    }
  g_file_set_contents (path, csv->str, -1, &error);
  g_assert_no_error (error);
}

/* One feature runs across and changes nothing upwards; three classes are three to paint; 300
 * features are sliced.  */
static void
test_tables (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "table.csv", NULL);
  g_autofree char *other = g_build_filename (f->folder, "other.csv", NULL);
  g_autofree char *wide = g_build_filename (f->folder, "wide.csv", NULL);
  const SlPlane   *plane;

  write_table (path, 1, 2);
  start (f, "experts", path);
  wait_for_map (f);
  plane = &figure_of (f)->plane;
  for (unsigned p = 0; p < SL_MAP_PLANES; p++)
    for (unsigned r = 1; r < plane->side; r++)
      for (unsigned c = 0; c < plane->side; c++)
        g_assert_cmpfloat (plane->plane[p][r * plane->side + c], ==, plane->plane[p][c]);
  g_assert_false (gtk_widget_get_visible (part (f, "paint")));
  g_assert_false (gtk_widget_get_visible (part (f, "slice")));

  write_table (other, 2, 3);
  start (f, "experts", other);
  wait_for_map (f);
  g_assert_true (gtk_widget_get_visible (part (f, "paint")));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (part (f, "classes"))), ==,
                    3);

  write_table (wide, 300, 3);
  start (f, "sign-estimator", wide);
  wait_for_map (f);
  g_assert_false (gtk_widget_get_visible (part (f, "paint")));
  wait_for_note (f, "principal components");
}

/* ---- runs ---- */

static void
test_pause (SlFixture *f, gconstpointer data)
{
  wait_for_map (f);
  sl_wait (is_coarse, f);
  pause_run (f);
  sl_act (f, "step", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_wait (is_fine, f);
  sl_act (f, "run", NULL);
  sl_wait (is_coarse, f);
}

/* Labs follow one another while maps are under way, and the last one's map is there. */
static void
test_switch (SlFixture *f, gconstpointer data)
{
  static const char *const labs[]
    = { "experts", "sign-estimator", "stochastic-gates", "prefix-tree" };

  for (unsigned round = 0; round < 6; round++)
    for (unsigned i = 0; i < G_N_ELEMENTS (labs); i++)
      {
        sl_act (f, "lab", g_variant_new_string (labs[i]));
        for (unsigned j = 0; j < round * 10; j++)
          g_main_context_iteration (NULL, FALSE);
      }
  sl_wait (is_settled, f->session);
  for (unsigned i = 0; i < G_N_ELEMENTS (labs); i++)
    {
      const SlLab *lab = sl_lab_find (labs[i]);

      start (f, labs[i], NULL);
      wait_for_map (f);
      g_assert_cmpint (sl_session_state (f->session), ==, SL_RUNNING);
      /* The next lab may have no plot of this number. */
      sl_act (f, "maximise", g_variant_new_string (lab->panels[lab->n_panels - 1].id));
    }
}

typedef struct
{
  SlSession *session;
  unsigned   flags;
} Flags;

static gboolean
are_set (gpointer data)
{
  return sl_session_record (((Flags *) data)->session)->n_flags >= ((Flags *) data)->flags;
}

/* What the lab lets one move while it runs is moved, and the run stays the same. */
static void
test_live (SlFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *id, *text;
    double      value;
  } moves[] = {
    { "k", "4", 4 },       { "w-importance", "0", 0 }, { "w-load", "0", 0 },
    { "noise", "off", 0 }, { "w-load", "0.5", 0.5 },   { "k", "1", 1 },
    { "noise", "on", 1 },
  };
  Flags flags = { f->session, G_N_ELEMENTS (moves) };

  for (unsigned i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      GtkWidget *scale = sl_param_row_get_scale (sl_row (f, moves[i].id), 0);

      if (scale != NULL)
        gtk_range_set_value (GTK_RANGE (scale), moves[i].value);
      else
        sl_act (f, "set", g_variant_new ("(ss)", moves[i].id, moves[i].text));
      g_assert_cmpfloat (sl_value (f, moves[i].id)->v[0], ==, moves[i].value);
      flags.flags = i + 1;
      sl_wait (are_set, &flags);
    }
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 1);
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_RUNNING);
}

/* A panel that means nothing under the settings is not there, and is back with them. */
static void
test_needs (SlFixture *f, gconstpointer data)
{
  unsigned   noise = (unsigned) sl_lab_panel (sl_session_lab (f->session), "noise");
  GtkWidget *card = GTK_WIDGET (sl_plot_grid_get_card (sl_window_get_grid (f->window), noise));

  g_assert_true (gtk_widget_get_visible (card));
  sl_act (f, "set", g_variant_new ("(ss)", "gate", "balanced"));
  sl_wait (is_settled, f->session);
  g_assert_false (gtk_widget_get_visible (card));
  sl_act (f, "maximise", g_variant_new_string ("map"));
  sl_act (f, "maximise", g_variant_new_string (""));
  g_assert_false (gtk_widget_get_visible (card));
  sl_act (f, "set", g_variant_new ("(ss)", "gate", "noisy"));
  sl_wait (is_settled, f->session);
  g_assert_true (gtk_widget_get_visible (card));
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, opening, function)                                                                \
  g_test_add ("/ui/map/" name, SlFixture, &opening, set_up, function, sl_fixture_end)
  ON ("fills", moons, test_fills);
  ON ("modes", moons, test_modes);
  ON ("first", moons, test_first);
  ON ("isolate", moons, test_isolate);
  ON ("isolate-signs", signs, test_isolate);
  ON ("keys", moons, test_keys);
  ON ("paint", moons, test_paint);
  ON ("paint-quickly", moons, test_paint_quickly);
  ON ("paint-undo", moons, test_undo);
  ON ("brush", moons, test_brush);
  ON ("too-few", moons, test_too_few);
  ON ("unwritable", moons, test_unwritable);
  ON ("slice", digits, test_slice);
  ON ("tables", moons, test_tables);
  ON ("pause", moons, test_pause);
  ON ("switch", moons, test_switch);
  ON ("live", moons, test_live);
  ON ("needs", moons, test_needs);
  return g_test_run ();
}
