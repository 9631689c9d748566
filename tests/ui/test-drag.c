/* SPDX-License-Identifier: MIT
 *
 * Dragging the mark of a plot: where it can be gripped, what it sets, and where it stands until the
 * run has answered.  */
#include <math.h>

#include "tests/ui/ui.h"
#include "ui/plot-view/view.h"

enum { PANEL_CELLS, PANEL_SIZES, PANEL_STILL };

static const SlTrace lines[] = { { "line", "line", "", "A line.", SL_THEORY, NULL }, { 0 } };

/* clang-format off */
static const SlParam params[] = {
  { .id = "place", .title = "Place", .kind = SL_INTEGER, .lo = -8, .hi = 8, .step = 1 },
  { .id = "size", .title = "Size", .kind = SL_REAL, .lo = 1, .hi = 1000, .step = 1, .fallback = 10,
    .logarithmic = true },
};

static const SlPanel panels[] = {
  [PANEL_CELLS] = { .id = "cells", .title = "Cells", .help = "", .source = "", .kind = SL_HEATMAP,
                    .drags = "place", .x = { .label = "x", .unit = "" },
                    .y = { .label = "y", .unit = "", .lo = 0, .hi = 1 },
                    .z = { .label = "z", .unit = "" }, .traces = lines },
  [PANEL_SIZES] = { .id = "sizes", .title = "Sizes", .help = "", .source = "", .kind = SL_PROFILE,
                    .drags = "size", .x = { .label = "size", .unit = "", .logarithmic = true },
                    .y = { .label = "y", .unit = "" }, .traces = lines },
  [PANEL_STILL] = { .id = "still", .title = "Still", .help = "", .source = "", .kind = SL_PROFILE,
                    .x = { .label = "size", .unit = "" }, .y = { .label = "y", .unit = "" },
                    .traces = lines },
};

static const SlLab lab = { .id = "drags", .title = "Drags", .summary = "", .reference = "",
                           .params = params, .n_params = G_N_ELEMENTS (params),
                           .panels = panels, .n_panels = G_N_ELEMENTS (panels) };
/* clang-format on */

typedef struct
{
  SlRecord    record;
  SlPlotView *view;
  GtkWindow  *window;
  unsigned    panel, drags;
  double      value; /* of the last drag */
} Fixture;

/* A probe's answer with the mark at this x. */
static void
answer (Fixture *f, double mark)
{
  SlSnapshot snapshot = { .generation = 1, .panel = f->panel };
  double    *data;

  sl_snapshot_reset (&snapshot);
  if (f->panel == PANEL_CELLS)
    {
      sl_snapshot_matrix (&snapshot, 1, 5, 21);
      snapshot.left = -10.5;
      snapshot.right = 10.5;
    }
  data = sl_snapshot_curve (&snapshot, f->record.layout.first[f->panel][0], 4, false);
  for (unsigned i = 0; i < 4; i++)
    {
      data[i] = pow (10.0, i);
      data[4 + i] = 0.25 * i;
    }
  snapshot.mark = mark;
  g_assert_true (sl_record_show (&f->record, &snapshot));
  sl_snapshot_clear (&snapshot);
  sl_plot_view_update (f->view);
}

static void
on_drag (SlPlotView *view, double value, Fixture *f)
{
  f->drags++;
  f->value = value;
}

static gboolean
is_painted (gpointer data)
{
  return sl_plot_canvas_get_frame (sl_plot_view_get_canvas (data))->plot.w > 0;
}

static void
set_up (Fixture *f, gconstpointer panel)
{
  SlSettings settings;

  *f = (Fixture) { .panel = GPOINTER_TO_UINT (panel) };
  sl_settings_default (&settings, lab.params, lab.n_params);
  g_assert_cmpint (sl_record_init (&f->record, &lab, &settings, 1).code, ==, SL_OK);
  f->view = g_object_ref_sink (g_object_new (SL_TYPE_PLOT_VIEW, NULL));
  sl_plot_view_set_panel (f->view, &f->record, f->panel);
  answer (f, f->panel == PANEL_CELLS ? 0.0 : 10.0);
  g_signal_connect (f->view, "drag", G_CALLBACK (on_drag), f);
  f->window = sl_show (GTK_WIDGET (f->view), 480, 300);
  sl_wait (is_painted, f->view);
}

static void
tear_down (Fixture *f, gconstpointer panel)
{
  gtk_window_destroy (f->window);
  g_assert_finalize_object (f->view);
  sl_record_clear (&f->record);
}

static const SlFrame *
frame_of (Fixture *f)
{
  sl_drawn_pixels (GTK_WIDGET (f->view));
  return sl_plot_canvas_get_frame (sl_plot_view_get_canvas (f->view));
}

/* Grips the mark by its knob and moves it to an x. */
static void
drag_to (Fixture *f, double value)
{
  const SlFrame *frame = frame_of (f);
  double         bottom = frame->plot.y + frame->plot.h;
  double         dx = sl_frame_x (frame, value) - frame->mark;

  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (f->view)), "drag-begin", frame->mark, bottom);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (f->view)), "drag-update", 0.4 * dx, 3.0);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (f->view)), "drag-update", dx, -200.0);
}

static void
let_go (Fixture *f)
{
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (f->view)), "drag-end", 0.0, 0.0);
}

/* The knob follows the hand whatever the run still says, and then the run. */
static void
test_cells (Fixture *f, gconstpointer panel)
{
  const SlFigure *figure = sl_plot_view_get_figure (f->view);

  g_assert_true (frame_of (f)->handle);
  drag_to (f, 5.2);
  g_assert_cmpuint (f->drags, ==, 2);
  g_assert_cmpfloat (f->value, ==, 5); /* a whole number */
  g_assert_cmpfloat (figure->mark, ==, 5);
  answer (f, 0.0); /* of before */
  g_assert_cmpfloat (figure->mark, ==, 5);
  g_assert_cmpfloat (fabs (frame_of (f)->mark - sl_frame_x (frame_of (f), 5)), <, 0.01);
  /* From here on the clock runs: nothing is drawn, for that may take as long as the run has. */
  let_go (f);
  answer (f, 2.0); /* of on the way */
  g_assert_cmpfloat (figure->mark, ==, 5);
  answer (f, 5.0);
  answer (f, 4.0); /* of the slider, later */
  g_assert_cmpfloat (figure->mark, ==, 4);
  /* Beyond its range it stays at the end, and beyond the plot too. */
  drag_to (f, 400.0);
  g_assert_cmpfloat (f->value, ==, 8);
  let_go (f);
}

static gboolean
is_where_the_run_says (gpointer data)
{
  return sl_plot_view_get_figure (data)->mark == 10.0;
}

/* On a logarithmic axis, with three digits; a run that answers otherwise is believed in the end. */
static void
test_sizes (Fixture *f, gconstpointer panel)
{
  drag_to (f, 123.456);
  g_assert_cmpfloat (fabs (f->value / 123.456 - 1), <, 0.005);
  g_assert_cmpfloat (f->value, ==, round (f->value));
  let_go (f);
  g_assert_cmpfloat (sl_plot_view_get_figure (f->view)->mark, ==, f->value);
  sl_wait (is_where_the_run_says, f->view);
}

/* Keys move it by a step of the slider. */
static void
test_keys (Fixture *f, gconstpointer panel)
{
  gboolean cells = f->panel == PANEL_CELLS;

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_cmpuint (f->drags, ==, 1);
  g_assert_cmpfloat (f->value, ==, cells ? 1 : 11.2);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_cmpfloat (f->value, ==, cells ? 2 : 12.6);
  gtk_widget_activate_action (GTK_WIDGET (f->view), "plot.mark-left", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->view), "plot.mark-left", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->view), "plot.mark-left", NULL);
  g_assert_cmpuint (f->drags, ==, 5);
  g_assert_cmpfloat (f->value, <, cells ? 0 : 10);
}

/* Elsewhere a drag is a zoom, and a mark that sets nothing has no knob. */
static void
test_elsewhere (Fixture *f, gconstpointer panel)
{
  const SlFrame *frame = frame_of (f);
  const SlView  *view = &sl_plot_view_get_figure (f->view)->view;
  gboolean       still = f->panel == PANEL_STILL;
  GtkGesture    *gesture = sl_drag_of (GTK_WIDGET (f->view));
  double         from = frame->mark + (still ? 0.0 : 60.0);
  double         lo = sl_frame_value_x (frame, from), hi = sl_frame_value_x (frame, from + 40.0);

  g_assert_true (isfinite (frame->mark));
  g_assert_true (frame->handle == !still);
  g_assert_true (sl_frame_on_handle (frame, frame->mark + 2.0, frame->plot.y + 20.0) == !still);
  g_assert_false (sl_frame_on_handle (frame, frame->mark + 30.0, frame->plot.y + 20.0));
  g_signal_emit_by_name (gesture, "drag-begin", from, frame->plot.y + 20.0);
  g_signal_emit_by_name (gesture, "drag-update", 40.0, 0.0);
  g_signal_emit_by_name (gesture, "drag-end", 40.0, 0.0);
  g_assert_cmpuint (f->drags, ==, 0);
  g_assert_true (view->zoomed);
  g_assert_cmpfloat (fabs (view->x_lo - lo), <=, 1e-6 * fabs (lo));
  g_assert_cmpfloat (fabs (view->x_hi - hi), <=, 1e-6 * fabs (hi));
  if (still)
    gtk_widget_activate_action (GTK_WIDGET (f->view), "plot.mark-left", NULL);
  g_assert_cmpuint (f->drags, ==, 0);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, panel, function)                                                                  \
  g_test_add ("/ui/drag/" name, Fixture, GUINT_TO_POINTER (panel), set_up, function, tear_down)
  ON ("cells", PANEL_CELLS, test_cells);
  ON ("sizes", PANEL_SIZES, test_sizes);
  ON ("keys-cells", PANEL_CELLS, test_keys);
  ON ("keys-sizes", PANEL_SIZES, test_keys);
  ON ("elsewhere", PANEL_SIZES, test_elsewhere);
  ON ("still", PANEL_STILL, test_elsewhere);
#undef ON
  return g_test_run ();
}
