/* SPDX-License-Identifier: MIT
 *
 * Plots on a record of our own: what is drawn, read, zoomed and switched, by key and by action.  */
#include <math.h>

#include "core/lab/alive.h"
#include "tests/ui/ui.h"
#include "ui/grid/grid.h"
#include "ui/kit/banner.h"
#include "ui/plot-view/alive.h"
#include "ui/plot-view/overlay.h"

/* clang-format off */
#define ONE { "one", "one", "%", "The first.", SL_MEASURED, NULL }
#define TWO { "two", "two", "%", "The second.", SL_REFERENCE, NULL }
/* clang-format on */

static const char *const categories[] = { "left", "middle", "right", NULL };

/* clang-format off */
static const SlParam params[] = {
  { .id = "experts", .title = "Experts", .kind = SL_INTEGER, .lo = 1, .hi = 64, .fallback = 4,
    .one = "expert", .effect = SL_RESTART },
  { .id = "look-at", .title = "Look at", .kind = SL_INTEGER, .lo = 1, .hi = 64, .fallback = 2 },
};

static const SlPanel panels[] = {
  { .id = "series", .title = "Series", .help = "Over steps.", .source = "nowhere",
    .kind = SL_SERIES, .x = { .label = "update", .unit = "" },
    .y = { .label = "value", .unit = "%", .least = 0, .most = HUGE_VAL }, SL_TRACES (ONE, TWO) },
  { .id = "other", .title = "Other", .help = "Also over steps.", .source = "", .kind = SL_SERIES,
    .x = { .label = "update", .unit = "" }, .y = { .label = "value", .unit = "%" },
    SL_TRACES (ONE) },
  { .id = "bars", .title = "Bars", .help = "By name.", .source = "", .kind = SL_BARS,
    .x = { .label = "", .unit = "" }, .y = { .label = "value", .unit = "%" },
    SL_TRACES (ONE), .categories = categories },
  { .id = "map", .title = "Map", .help = "A matrix.", .source = "", .kind = SL_HEATMAP,
    .x = { .label = "column", .unit = "" }, .y = { .label = "row", .unit = "" }, .zero = "none",
    .picks = "look-at" },
  { .id = "history", .title = "History", .help = "Rows.", .source = "", .kind = SL_HISTORY,
    .x = { .label = "update", .unit = "" }, .y = { .label = "expert", .unit = "" },
    .z = { .label = "load", .unit = "", .lo = 0, .hi = 3 }, .centre = 1, .zero = "dead",
    SL_TRACES ({ "load", "load", "", "The load.", SL_MEASURED, "experts" }), .picks = "look-at" },
  { .id = "shares", .title = "Shares", .help = "Bands.", .source = "", .kind = SL_SHARES,
    .x = { .label = "update", .unit = "" }, .y = { .label = "share", .unit = "%" },
    .of = "history", .picks = "look-at" },
  { .id = "ranges", .title = "Ranges", .help = "Rows of ranges.", .source = "", .kind = SL_HISTORY,
    .x = { .label = "update", .unit = "" }, .y = { .label = "expert", .unit = "" },
    .z = { .label = "load", .unit = "", .lo = 0, .hi = 3 }, .centre = 1, .zero = "dead",
    SL_TRACES ({ "load", "load", "", "The load.", SL_MEASURED, "experts", 2 }),
    .picks = "look-at" },
  { .id = "alive", .title = "Alive", .help = "Units.", .source = "", .kind = SL_ALIVE,
    .picks = "look-at" },
};

static const SlLab lab = { .id = "plots", .title = "Plots", .summary = "", .reference = "",
                           .params = params, .n_params = G_N_ELEMENTS (params),
                           .panels = panels, .n_panels = G_N_ELEMENTS (panels) };
/* clang-format on */

static void
take (SlRecord *record, unsigned channel, uint64_t step, double value)
{
  SlSample sample = { .step = step, .value = value, .channel = channel, .generation = 1 };

  g_assert_true (sl_record_take (record, &sample));
}

static void
fill (SlRecord *record, uint64_t from, uint64_t to)
{
  for (uint64_t step = from; step < to; step++)
    {
      take (record, 0, step, 50.0 + 40.0 * sin ((double) step / 30.0));
      take (record, 1, step, 20.0);
      take (record, 2, step, 5.0);
      for (unsigned e = 0; e < 4; e++)
        take (record, record->layout.first[4][0] + e, step, e == 3 ? 0.0 : 1.0 + e);
      for (unsigned range = 0; range < 2; range++)
        take (record, record->layout.first[6][0] + range, step, 1.0 + range);
    }
}

static void
make_record (SlRecord *record)
{
  SlSettings settings;
  SlStatus   status;
  SlSnapshot snapshot = { .generation = 1, .panel = 2, .mark = (double) NAN };
  double    *data;

  sl_settings_default (&settings, lab.params, lab.n_params);
  status = sl_record_init (record, &lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  fill (record, 1, 301);
  data = sl_snapshot_curve (&snapshot, record->layout.first[2][0], 3, false);
  for (unsigned i = 0; i < 3; i++)
    data[i] = i, data[3 + i] = 10.0 * (i + 1);
  g_assert_true (sl_record_show (record, &snapshot));
  sl_snapshot_reset (&snapshot);
  snapshot.panel = 3;
  snapshot.generation = 1;
  data = sl_snapshot_matrix (&snapshot, 1, 2, 3);
  for (unsigned i = 0; i < 6; i++)
    data[i] = i;
  snapshot.hi = 5.0;
  g_assert_true (sl_record_show (record, &snapshot));
  sl_snapshot_reset (&snapshot);
  snapshot.panel = 7;
  data = sl_snapshot_matrix (&snapshot, 1, 7, SL_ALIVE_COLUMNS);
  memcpy (data,
          (double[]) { SL_ALIVE_ROW_INPUT,
                       SL_ALIVE_GREY,
                       1,
                       1,
                       15,
                       SL_ALIVE_ROW_PIXEL,
                       1,
                       1,
                       1,
                       0,
                       SL_ALIVE_ROW_GROUP,
                       SL_ALIVE_MOSAIC,
                       2,
                       0,
                       0,
                       SL_ALIVE_ROW_CELL,
                       SL_ALIVE_USED,
                       0.5,
                       0,
                       1,
                       SL_ALIVE_ROW_CELL,
                       SL_ALIVE_MISSED,
                       0,
                       0.25,
                       2,
                       SL_ALIVE_ROW_CLASS,
                       0.75,
                       1,
                       1,
                       0,
                       SL_ALIVE_ROW_CLASS,
                       0.25,
                       0,
                       0,
                       1 },
          35 * sizeof *data);
  g_strlcpy (snapshot.names, "layer 1: 1 of 2\nyes\nno\n", sizeof snapshot.names);
  g_strlcpy (snapshot.row_names, "example 1\n", sizeof snapshot.row_names);
  g_assert_true (sl_record_show (record, &snapshot));
  sl_snapshot_clear (&snapshot);
}

static gboolean
is_painted (gpointer data)
{
  return sl_plot_canvas_get_frame (sl_plot_view_get_canvas (data))->plot.w > 0;
}

typedef struct
{
  SlRecord    record;
  SlPlotView *view;
  GtkWindow  *window;
} Fixture;

static void
set_up (Fixture *f, gconstpointer panel)
{
  *f = (Fixture) { 0 };
  make_record (&f->record);
  f->view = g_object_ref_sink (g_object_new (SL_TYPE_PLOT_VIEW, NULL));
  sl_plot_view_set_panel (f->view, &f->record, GPOINTER_TO_UINT (panel));
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

static void
test_draws (Fixture *f, gconstpointer panel)
{
  sl_wait_drawn (GTK_WIDGET (f->view), 500);
  gtk_test_accessible_assert_role (f->view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (f->view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       panels[GPOINTER_TO_UINT (panel)].title);
}

static void
test_follows (Fixture *f, gconstpointer panel)
{
  SlFigure *figure = sl_plot_view_get_figure (f->view);

  g_assert_false (sl_plot_view_update (f->view));
  fill (&f->record, 301, 2001);
  g_assert_true (sl_plot_view_update (f->view));
  g_assert_false (sl_plot_view_update (f->view));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpfloat (figure->x_range.hi, >=, 2000.0);

  /* What a cursor read before is still to be drawn. */
  fill (&f->record, 2001, 2101);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_true (sl_plot_view_update (f->view));
  g_assert_false (sl_plot_view_update (f->view));
}

/* Live data never move a zoomed view. */
static void
test_zoom (Fixture *f, gconstpointer panel)
{
  SlFigure *figure = sl_plot_view_get_figure (f->view);
  gboolean  following;
  SlRange   zoomed;

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_plus, 0));
  g_assert_true (figure->view.zoomed);
  g_object_get (f->view, "following", &following, NULL);
  g_assert_false (following);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  zoomed = figure->x_range;
  fill (&f->record, 301, 2001);
  sl_plot_view_update (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpfloat (figure->x_range.lo, ==, zoomed.lo);
  g_assert_cmpfloat (figure->x_range.hi, ==, zoomed.hi);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, GDK_ALT_MASK));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_BackSpace, 0));
  g_assert_false (figure->view.zoomed);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_plus, GDK_SHIFT_MASK));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Home, 0));
  g_object_get (f->view, "following", &following, NULL);
  g_assert_true (following);
}

static void
test_switches (Fixture *f, gconstpointer panel)
{
  SlFigure *figure = sl_plot_view_get_figure (f->view);
  gboolean  logarithmic;
  SlRange   held;
  double    usual;

  g_assert_cmpuint (figure->n_curves, ==, 2);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_2, 0));
  g_assert_true (figure->curve[1].hidden);
  g_assert_false (sl_press (GTK_WIDGET (f->view), GDK_KEY_9, 0));
  fill (&f->record, 301, 310);
  sl_plot_view_update (f->view);
  g_assert_true (figure->curve[1].hidden);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_0, 0));
  g_assert_false (figure->curve[1].hidden);

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_l, 0));
  g_object_get (f->view, "log-y", &logarithmic, NULL);
  g_assert_true (logarithmic && figure->view.log_y);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_l, GDK_SHIFT_MASK));
  g_assert_true (figure->view.log_x);

  /* Held, the axis stays where it is whatever comes. */
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_k, 0));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  held = figure->y_range;
  fill (&f->record, 311, 2000);
  take (&f->record, 1, 2000, 500.0);
  sl_plot_view_update (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_true (figure->y_range.lo == held.lo && figure->y_range.hi == held.hi);
  g_assert_cmpfloat (figure->x_range.hi, ==, 2000);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_k, 0));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpfloat (figure->y_range.hi, >, held.hi);

  usual = figure->view.smooth;
  g_assert_cmpfloat (usual, >, 0.0);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_bracketright, 0));
  g_assert_cmpfloat (figure->view.smooth, >, usual);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_bracketleft, 0));
  g_assert_cmpfloat (figure->view.smooth, ==, usual);
  for (unsigned i = 0; i < 9 && figure->view.smooth > 0.0; i++)
    g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_bracketleft, 0));
  g_assert_cmpfloat (figure->view.smooth, ==, 0);
  /* Nothing is rougher than that, and rows have nothing to smooth. */
  g_assert_false (sl_press (GTK_WIDGET (f->view), GDK_KEY_bracketleft, 0));
  sl_plot_view_set_panel (f->view, &f->record, 4);
  g_assert_false (sl_press (GTK_WIDGET (f->view), GDK_KEY_bracketright, 0));
  sl_plot_view_set_panel (f->view, &f->record, 0);
}

static int
curve_read_first (const char *readout)
{
  const char *one = strstr (readout, "one: "), *two = strstr (readout, "two: ");

  g_assert_true (one != NULL && two != NULL);
  return one < two ? 1 : 2;
}

static const SlMarks *
marks (SlPlotView *view)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (SL_IS_PLOT_OVERLAY (child))
      return sl_plot_overlay_get_marks (SL_PLOT_OVERLAY (child));
  g_assert_not_reached ();
}

static const SlFrame *
frame_of (SlPlotView *view)
{
  return sl_plot_canvas_get_frame (sl_plot_view_get_canvas (view));
}

/* Wherever the cursor is, the readout covers none of the values that it says, nor the line. */
static void
test_readout_place (Fixture *f, gconstpointer panel)
{
  GtkWidget *readout = NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (f->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_has_css_class (child, "readout"))
      readout = child;
  g_assert_nonnull (readout);
  for (unsigned i = 0; i < 40; i++)
    {
      graphene_rect_t box;
      SlRect          rect;

      for (unsigned k = 0; k < 7; k++)
        g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
      sl_drawn_pixels (GTK_WIDGET (f->view));
      g_assert_true (gtk_widget_compute_bounds (readout, GTK_WIDGET (f->view), &box));
      rect = (SlRect) { box.origin.x, box.origin.y, box.size.width, box.size.height };
      g_assert_cmpuint (marks (f->view)->n_dots, ==, 2);
      for (unsigned d = 0; d < 2; d++)
        g_assert_false (
          sl_rect_contains (&rect, marks (f->view)->dot_x[d], marks (f->view)->dot_y[d]));
      g_assert_false (marks (f->view)->x > rect.x && marks (f->view)->x < rect.x + rect.w);
      g_assert_cmpuint (
        sl_frame_hidden (frame_of (f->view), sl_plot_view_get_figure (f->view), &rect), <=, 10);
    }
}

static void
test_cursor (Fixture *f, gconstpointer panel)
{
  SlCrosshair *crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  const char  *text;

  sl_plot_view_set_crosshair (f->view, crosshair);
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpfloat (sl_crosshair_get_step (crosshair), ==, 300);
  text = sl_readout (f->view);
  g_assert_nonnull (strstr (text, "update 300"));
  g_assert_nonnull (strstr (text, "one"));
  g_assert_nonnull (strstr (text, "two: 20\u00a0%"));
  gtk_test_accessible_assert_property (f->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpfloat (sl_crosshair_get_step (crosshair), ==, 299);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Page_Down, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_cmpfloat (sl_crosshair_get_step (crosshair), ==, 300);
  /* What the keys follow is read first, and the other way round again. */
  text = sl_readout (f->view);
  g_assert_cmpint (curve_read_first (text), ==, 2);
  gtk_test_accessible_assert_property (f->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Page_Up, 0));
  g_assert_cmpint (curve_read_first (sl_readout (f->view)), ==, 1);

  /* Another plot moves it, and takes it away. */
  sl_crosshair_set_step (crosshair, 17);
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_true (marks (f->view)->crosshair);
  g_assert_cmpfloat_with_epsilon (marks (f->view)->x, sl_frame_x (frame_of (f->view), 17.0), 0.01);
  g_assert_cmpuint (marks (f->view)->n_dots, ==, 0);
  sl_crosshair_set_step (crosshair, (double) NAN);
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_false (marks (f->view)->crosshair);

  /* It goes also from a plot that is on no page at that moment. */
  sl_crosshair_set_step (crosshair, 17);
  g_assert_true (marks (f->view)->crosshair);
  gtk_widget_set_visible (GTK_WIDGET (f->view), FALSE);
  sl_crosshair_set_step (crosshair, (double) NAN);
  g_assert_false (marks (f->view)->crosshair);
  gtk_widget_set_visible (GTK_WIDGET (f->view), TRUE);
  sl_drawn_pixels (GTK_WIDGET (f->view));

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Escape, 0));
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  sl_plot_view_set_crosshair (f->view, NULL);
  g_assert_finalize_object (crosshair);
}

/* A plot that gets another panel takes away only a cursor that it put there itself. */
static void
test_cursor_of_another (Fixture *f, gconstpointer panel)
{
  g_autoptr (SlCrosshair) crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  SlPlotView *other = g_object_ref_sink (g_object_new (SL_TYPE_PLOT_VIEW, NULL));

  sl_plot_view_set_crosshair (f->view, crosshair);
  sl_plot_view_set_crosshair (other, crosshair);
  sl_plot_view_set_panel (other, &f->record, 0);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  sl_plot_view_set_panel (other, &f->record, 1);
  g_assert_cmpfloat (sl_crosshair_get_step (crosshair), ==, 300);
  g_assert_nonnull (strstr (sl_readout (f->view), "update 300"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (other), "plot.cursor-clear", NULL));
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  sl_plot_view_set_panel (f->view, &f->record, 1);
  g_assert_true (isnan (sl_crosshair_get_step (crosshair)));
  sl_plot_view_set_crosshair (f->view, NULL);
  sl_plot_view_set_crosshair (other, NULL);
  g_assert_finalize_object (other);
}

/* Between two samples the values are those of the nearer one, and the line stands there; a curve that
 * has its samples elsewhere says where.  A cursor goes with the page.  */
static void
hover_at (SlPlotView *view, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", x, y);
    }
}

/* The pointer at an x, px, in the middle of the height. */
static void
hover (SlPlotView *view, double x)
{
  hover_at (view, x, gtk_widget_get_height (GTK_WIDGET (view)) / 2.0);
}

static void
test_cursor_place (Fixture *f, gconstpointer panel)
{
  const SlMarks *marks = sl_plot_overlay_get_marks (
    SL_PLOT_OVERLAY (sl_find (GTK_WIDGET (f->view), SL_TYPE_PLOT_OVERLAY)));
  const SlFrame *frame = sl_plot_view_get_frame (f->view);
  g_autoptr (SlCrosshair) crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);

  sl_plot_view_set_crosshair (f->view, crosshair);
  take (&f->record, 0, 400, 70.0);
  take (&f->record, 0, 500, 80.0);
  take (&f->record, 1, 500, 21.0);
  sl_plot_view_update (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  hover (f->view, sl_frame_x (frame, 420.0));
  g_assert_nonnull (strstr (sl_readout (f->view), "update 400"));
  g_assert_nonnull (strstr (sl_readout (f->view), "one: 70\u00a0%"));
  g_assert_null (strstr (sl_readout (f->view), "(update 400)"));
  g_assert_nonnull (strstr (sl_readout (f->view), "two: 21\u00a0% (update 500)"));
  g_assert_cmpfloat_with_epsilon (marks->x, sl_frame_x (frame, 400), 1e-6);
  hover (f->view, sl_frame_x (frame, 460.0));
  g_assert_nonnull (strstr (sl_readout (f->view), "update 500"));
  g_assert_null (strstr (sl_readout (f->view), "(update"));
  hover (f->view, 0.0);
  g_assert_cmpstr (sl_readout (f->view), ==, "");

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpstr (sl_readout (f->view), !=, "");
  gtk_widget_set_visible (GTK_WIDGET (f->view), FALSE);
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_true (isnan (sl_crosshair_get_step (crosshair)));
  gtk_widget_set_visible (GTK_WIDGET (f->view), TRUE);

  /* It says nothing of an update that a new run does not have yet. */
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_nonnull (strstr (sl_readout (f->view), "update 500"));
  sl_record_truncate (&f->record, 100);
  sl_plot_view_update (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  sl_plot_view_set_crosshair (f->view, NULL);
}

/* A plot without values shows the line of another one's crosshair and says nothing; where its own
 * pointer or keys are, there is nothing to stand on either.  */
static void
test_cursor_of_nothing (Fixture *f, gconstpointer panel)
{
  g_autoptr (SlCrosshair) crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  SlRecord   nothing;
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, lab.params, lab.n_params);
  status = sl_record_init (&nothing, &lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  for (unsigned p = 0; p < lab.n_panels; p++)
    {
      sl_plot_view_set_panel (f->view, &nothing, p);
      sl_plot_view_set_crosshair (f->view, crosshair);
      for (double step = 0; step < 4; step++)
        {
          sl_crosshair_set_step (crosshair, step);
          g_assert_cmpstr (sl_readout (f->view), ==, "");
        }
      sl_crosshair_set_step (crosshair, (double) NAN);
      g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
      g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
      g_assert_cmpstr (sl_readout (f->view), ==, "");
      g_assert_true (isnan (sl_crosshair_get_step (crosshair)));
      sl_plot_view_set_crosshair (f->view, NULL);
    }
  sl_plot_view_set_panel (f->view, &f->record, 0);
  sl_record_clear (&nothing);
}

static void
test_bars_cursor (Fixture *f, gconstpointer panel)
{
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_nonnull (strstr (sl_readout (f->view), "left"));
  for (unsigned i = 0; i < 4; i++)
    g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_nonnull (strstr (sl_readout (f->view), "right"));
  g_assert_nonnull (strstr (sl_readout (f->view), "30\u00a0%"));
}

/* The values, and which row a key would select. */
static void
assert_choice (const char *readout, const char *values, const char *row)
{
  g_assert_true (g_str_has_prefix (readout, values));
  g_assert_true (g_str_has_suffix (readout, row));
  g_assert_nonnull (strstr (readout + strlen (values), "Enter"));
}

/* The label that the axis has at a place; NULL where it has none. */
static const char *
label_at (const SlTick *ticks, unsigned n, double value)
{
  for (unsigned i = 0; i < n; i++)
    if (ticks[i].value == value && ticks[i].label[0] != '\0')
      return ticks[i].label;
  return NULL;
}

/* A cell has the names that the axes have there, in what can be chosen, too. */
static void
check_cell_names (Fixture *f, double first_column)
{
  SlFigure      *figure = sl_plot_view_get_figure (f->view);
  const SlFrame *frame = frame_of (f->view);
  unsigned       compared = 0;

  figure->version++;
  sl_plot_view_touch (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  for (unsigned row = 0; row < figure->matrix.rows; row++)
    for (unsigned column = 0; column < figure->matrix.columns; column++)
      {
        double      x = frame->plot.x + frame->plot.w * (column + 0.5) / figure->matrix.columns;
        double      y = frame->plot.y + frame->plot.h * (row + 0.5) / figure->matrix.rows;
        const char *r = label_at (frame->y_tick, frame->n_y_ticks, row + 1);
        const char *c = label_at (frame->x_tick, frame->n_x_ticks, first_column + column);
        g_autofree char *across = NULL, *choice = NULL, *down = NULL;

        hover_at (f->view, x, y);
        g_assert_nonnull (r);
        down = g_strdup_printf (" %s, ", r);
        choice = g_strdup_printf (" %s", r);
        g_assert_nonnull (strstr (sl_readout (f->view), down));
        g_assert_true (g_str_has_suffix (sl_readout (f->view), choice));
        if (c == NULL)
          continue;
        across = g_strdup_printf ("%s: ", c);
        g_assert_nonnull (strstr (sl_readout (f->view), across));
        compared++;
      }
  g_assert_cmpuint (compared, >, 0);
}

static void
test_cell_names (Fixture *f, gconstpointer panel)
{
  SlFigure *figure = sl_plot_view_get_figure (f->view);

  check_cell_names (f, 1.0);
  figure->picks.span = 4;
  figure->fitted = false;
  check_cell_names (f, 1.0);
  figure->picks.span = 1;
  figure->matrix.row_names = "0\n7\n";
  figure->y.label = "layer";
  check_cell_names (f, 1.0);
  /* Columns counted from 0. */
  figure->integer_x = true;
  figure->x.lo = -0.5;
  figure->x.hi = figure->matrix.columns - 0.5;
  check_cell_names (f, 0.0);
  figure->x.lo = figure->x.hi = 0.0;
  figure->matrix.names = "red\ngreen\nblue\n";
  check_cell_names (f, 1.0);
  figure->matrix.names = "0\n1\n2\n";
  figure->x.label = "class";
  check_cell_names (f, 1.0);
  g_assert_nonnull (strstr (sl_readout (f->view), "class 2: "));
}

static void
test_map_cursor (Fixture *f, gconstpointer panel)
{
  SlFigure *figure = sl_plot_view_get_figure (f->view);

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  assert_choice (sl_readout (f->view), "row 1, column 1: 0 (none)\n", "row 1");
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  assert_choice (sl_readout (f->view), "row 2, column 2: 4\n", "row 2");
  /* The name that the axis has for the row, as of a layer that is counted from 0. */
  figure->matrix.row_names = "0\n1\n";
  figure->y.label = "layer";
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Up, 0));
  assert_choice (sl_readout (f->view), "layer 0, column 2: 1\n", "layer 0");
  sl_plot_view_set_picked (f->view, 2);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpuint (sl_plot_canvas_get_frame (sl_plot_view_get_canvas (f->view))->picked, ==, 2);
}

static void
on_pick (SlPlotView *view, guint number, gpointer data)
{
  *(guint *) data = number;
}

/* What the primary button does at a point, moved to another one before it is let go. */
static void
click (GtkWidget *widget, double x, double y, double dx)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (!GTK_IS_GESTURE_CLICK (controller)
          || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) != GDK_BUTTON_PRIMARY)
        continue;
      g_signal_emit_by_name (controller, "pressed", 1, x, y);
      g_signal_emit_by_name (controller, "released", 1, x + dx, y);
    }
}

/* A click chooses the row under it; a drag, or a click beside the plot, none. */
static void
test_click (Fixture *f, gconstpointer panel)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (sl_plot_view_get_canvas (f->view));
  const SlRect  *plot = &frame->plot;
  double         x = plot->x + 0.4 * plot->w;
  guint          picked = 0;

  g_signal_connect (f->view, "pick", G_CALLBACK (on_pick), &picked);
  /* Row 3 of 4; of the shares, the band of the third, which has half of all. */
  click (GTK_WIDGET (f->view), x, plot->y + 0.7 * plot->h, 0.0);
  g_assert_cmpuint (picked, ==, 3);
  g_assert_nonnull (strstr (sl_readout (f->view), "Click to select expert 3"));
  picked = 0;
  click (GTK_WIDGET (f->view), x, plot->y + 0.1 * plot->h, 40.0);
  click (GTK_WIDGET (f->view), plot->x - 5.0, plot->y + 0.1 * plot->h, 0.0);
  g_assert_cmpuint (picked, ==, 0);
  click (GTK_WIDGET (f->view), x, plot->y + 0.1 * plot->h, 2.0);
  g_assert_cmpuint (picked, ==, 1);
}

/* A row of a range of experts stands for its first one, and is marked for any of them. */
static void
test_click_ranges (Fixture *f, gconstpointer panel)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (sl_plot_view_get_canvas (f->view));
  const SlRect  *plot = &frame->plot;
  guint          picked = 0;

  g_signal_connect (f->view, "pick", G_CALLBACK (on_pick), &picked);
  click (GTK_WIDGET (f->view), plot->x + 0.4 * plot->w, plot->y + 0.7 * plot->h, 0.0);
  g_assert_cmpuint (picked, ==, 3);
  g_assert_nonnull (strstr (sl_readout (f->view), "Click to select expert 3–4"));
  sl_plot_view_set_picked (f->view, 4);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpuint (frame->picked, ==, 2);
  g_assert_cmpstr (frame->y_tick[0].label, ==, "1");
  g_assert_cmpstr (frame->y_tick[1].label, ==, "3");
}

/* The data cursor goes over rows too, says what is in them and picks one. */
static void
test_rows_cursor (Fixture *f, gconstpointer panel)
{
  SlCrosshair    *crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  const SlFigure *figure = sl_plot_view_get_figure (f->view);
  const char     *text;
  guint           picked = 0;

  g_signal_connect (f->view, "pick", G_CALLBACK (on_pick), &picked);
  sl_plot_view_set_crosshair (f->view, crosshair);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpfloat (sl_crosshair_get_step (crosshair), ==, 300);
  text = sl_readout (f->view);
  assert_choice (text, "update 300\nexpert 1: 1\n", "expert 1");
  gtk_test_accessible_assert_property (f->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  for (unsigned i = 0; i < 6; i++)
    g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  assert_choice (sl_readout (f->view), "update 300\nexpert 4: 0 (dead)\n", "expert 4");
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Return, 0));
  g_assert_cmpuint (picked, ==, 4);
  sl_plot_view_set_picked (f->view, 4);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpstr (sl_readout (f->view), ==, "update 299\nexpert 4: 0 (dead)");

  /* Largest first, with the cursor on the same expert as before. */
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_s, 0));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_true (figure->rows.curve[0] == 2 && figure->rows.curve[1] == 1
                 && figure->rows.curve[3] == 3);
  g_assert_cmpuint (sl_plot_canvas_get_frame (sl_plot_view_get_canvas (f->view))->picked, ==, 4);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Up, 0));
  g_assert_nonnull (strstr (sl_readout (f->view), "expert 1: 1"));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_s, 0));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_true (figure->rows.curve[0] == 0 && figure->rows.curve[3] == 3);

  /* Without the cursor, Enter means the whole plot; the step of another plot is a line. */
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Escape, 0));
  picked = 0;
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Return, 0));
  g_assert_cmpuint (picked, ==, 0);
  sl_crosshair_set_step (crosshair, 17);
  g_assert_cmpstr (sl_readout (f->view), ==, "");
  g_assert_true (marks (f->view)->crosshair);
  sl_plot_view_set_crosshair (f->view, NULL);
  g_assert_finalize_object (crosshair);
}

static void
on_example (SlPlotView *view, int by, gpointer sum)
{
  *(int *) sum += by;
}

/* Left and Right ask for another example, Down and Up go from unit to unit. */
static void
test_alive_cursor (Fixture *f, gconstpointer panel)
{
  int sum = 0;

  g_signal_connect (f->view, "example", G_CALLBACK (on_example), &sum);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Right, 0));
  g_assert_cmpint (sum, ==, 2);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_cmpint (sum, ==, 1);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  g_assert_true (g_str_has_prefix (sl_readout (f->view), "layer 1, 1: used, 50 %\n"));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  g_assert_true (g_str_has_prefix (sl_readout (f->view), "layer 1, 2: missed, 25 %\n"));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  g_assert_true (g_str_has_prefix (sl_readout (f->view), "example 1\n"));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Up, 0));
  g_assert_true (g_str_has_prefix (sl_readout (f->view), "example 1\n"));
}

/* Tokens lead to the examples that they are, parts of a way are read with their rows. */
static void
test_alive_line (Fixture *f, gconstpointer panel)
{
  static const double rows[][SL_ALIVE_COLUMNS] = {
    { SL_ALIVE_ROW_INPUT, SL_ALIVE_LINE, 1, 1, 5 },
    { SL_ALIVE_ROW_TOKEN, 3, 0, -7, 0 },
    { SL_ALIVE_ROW_TOKEN, 1, 1, 0, 0 },
    { SL_ALIVE_ROW_GROUP, SL_ALIVE_WAY, 2, 1, 2 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_SKIPPED, 0, 0, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 1, 1, 2 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 1, 1, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_SKIPPED, 0, 0, 2 },
    { SL_ALIVE_ROW_GROUP, SL_ALIVE_BARS, 2, 7, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.41, 0, 2 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.6, 0, 1 },
  };
  static const char *const read[] = { "2\n",
                                      "9\n",
                                      "layer 4, expert 0: skipped",
                                      "layer 4, expert 1: used",
                                      "layer 9, expert 0: used",
                                      "layer 9, expert 1: skipped",
                                      "layer 4, expert 1: used, 41 %",
                                      "layer 9, expert 0: used, 60 %" };
  SlSnapshot               snapshot = { .panel = 7, .generation = 1 };
  SlFigure                 figure = { 0 };
  guint                    picked = 0;
  int                      by;

  memcpy (sl_snapshot_matrix (&snapshot, 1, G_N_ELEMENTS (rows), SL_ALIVE_COLUMNS), rows,
          sizeof rows);
  g_strlcpy (snapshot.names, "experts\ngates\n", sizeof snapshot.names);
  g_strlcpy (snapshot.row_names, "token 9\n2\n9\nlayer 4\nlayer 9\n", sizeof snapshot.row_names);
  g_assert_true (sl_record_show (&f->record, &snapshot));
  sl_snapshot_clear (&snapshot);
  sl_plot_view_update (f->view);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_signal_connect (f->view, "pick", G_CALLBACK (on_pick), &picked);
  for (unsigned i = 0; i < G_N_ELEMENTS (read); i++)
    {
      g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
      g_assert_true (g_str_has_prefix (sl_readout (f->view), read[i]));
      /* Of a part of the way or a bar beside it the number is chosen, of a token nothing. */
      picked = 0;
      g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Return, 0));
      g_assert_cmpuint (picked, ==, i < 2 ? 0 : (guint) rows[i < 6 ? i + 2 : i + 3][4]);
      g_assert_cmpint (strstr (sl_readout (f->view), "to select expert") != NULL, ==, i >= 2);
    }
  sl_panel_update (&figure, &f->record, 7, NULL, 0);
  g_assert_true (sl_plot_alive_leads (&figure, 0, &by));
  g_assert_cmpint (by, ==, 1);
  g_assert_true (sl_plot_alive_leads (&figure, 1, &by));
  g_assert_cmpint (by, ==, -7);
  g_assert_true (sl_plot_alive_leads (&figure, 2, &by));
  g_assert_cmpint (by, ==, 0);
  g_assert_false (sl_plot_alive_leads (&figure, 4, &by));
  sl_figure_clear (&figure);
}

static void
test_shares_cursor (Fixture *f, gconstpointer panel)
{
  const char *text;

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Down, 0));
  text = sl_readout (f->view);
  g_assert_nonnull (strstr (text, "expert 1: 16.7\u00a0%"));
  g_assert_nonnull (strstr (text, "expert 3: 50\u00a0%"));
  g_assert_true (g_str_has_suffix (text, "expert 2"));
  /* What is switched off has no share. */
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_3, 0));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Left, 0));
  text = sl_readout (f->view);
  g_assert_nonnull (strstr (text, "expert 1: 33.3\u00a0%"));
  g_assert_null (strstr (text, "expert 3"));
}

/* Rows zoom along the steps only, and move with the data. */
static void
test_rows_zoom (Fixture *f, gconstpointer panel)
{
  const SlFigure *figure = sl_plot_view_get_figure (f->view);

  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_plus, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_plus, GDK_SHIFT_MASK));
  g_assert_true (figure->view.zoomed && !figure->view.y_locked);
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpfloat (figure->y_range.lo, ==, figure->kind == SL_HISTORY ? 0.5 : 0.0);
  g_assert_true (sl_press (GTK_WIDGET (f->view), GDK_KEY_Home, 0));
  fill (&f->record, 301, 2001);
  g_assert_true (sl_plot_view_update (f->view));
  sl_drawn_pixels (GTK_WIDGET (f->view));
  g_assert_cmpfloat (figure->x_range.hi, ==, 2000.0);
}

/* A run that was begun anew has its curves elsewhere in memory; its generation tells. */
static void
test_restart (Fixture *f, gconstpointer panel)
{
  sl_record_clear (&f->record);
  make_record (&f->record);
  f->record.generation = 2;
  sl_plot_view_set_panel (f->view, &f->record, GPOINTER_TO_UINT (panel));
  sl_wait_drawn (GTK_WIDGET (f->view), 500);
  sl_plot_view_set_panel (f->view, NULL, 0);
  g_assert_true (sl_figure_empty (sl_plot_view_get_figure (f->view)));
  sl_drawn_pixels (GTK_WIDGET (f->view));
}

static gboolean
all_drawn (gpointer data)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (panels); i++)
    if (!is_painted (sl_plot_grid_get_view (data, i)))
      return FALSE;
  return TRUE;
}

typedef struct
{
  SlPlotGrid *grid;
  guint64     before;
} Redrawn;

static gboolean
drew_again (gpointer data)
{
  const Redrawn *redrawn = data;

  return sl_plot_grid_get_redraws (redrawn->grid) >= redrawn->before + 5;
}

static void
test_grid (void)
{
  SlPlotGrid *grid = g_object_ref_sink (g_object_new (SL_TYPE_PLOT_GRID, NULL));
  SlRecord    record;
  GtkWindow  *window;
  guint64     redraws;

  make_record (&record);
  sl_plot_grid_set_rate (grid, 60);
  sl_plot_grid_set_record (grid, &record);
  g_assert_cmpuint (sl_plot_grid_get_n_cards (grid), ==, G_N_ELEMENTS (panels));
  window = sl_show (GTK_WIDGET (grid), 1250, 1000);
  sl_wait (all_drawn, grid);
  sl_assert_named (GTK_WIDGET (grid));
  sl_settle ();

  /* Only the five plots over updates have news, and only they are drawn again. */
  redraws = sl_plot_grid_get_redraws (grid);
  fill (&record, 301, 400);
  sl_plot_grid_wake (grid);
  sl_wait (drew_again, &(Redrawn) { grid, redraws });
  sl_settle ();
  g_assert_cmpuint (sl_plot_grid_get_redraws (grid), ==, redraws + 5);

  /* One plot alone, and back. */
  g_assert_true (sl_press (GTK_WIDGET (sl_plot_grid_get_view (grid, 1)), GDK_KEY_Return, 0));
  g_assert_cmpint (sl_plot_grid_get_maximised (grid), ==, 1);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_plot_grid_get_card (grid, 0))));
  sl_plot_grid_maximise (grid, -1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_plot_grid_get_card (grid, 0))));

  sl_plot_grid_set_record (grid, NULL);
  g_assert_cmpuint (sl_plot_grid_get_n_cards (grid), ==, 0);
  gtk_window_destroy (window);
  g_assert_finalize_object (grid);
  sl_record_clear (&record);
}

static void
on_closed (SlBanner *banner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
test_banner (void)
{
  SlBanner  *banner = g_object_ref_sink (g_object_new (SL_TYPE_BANNER, NULL));
  GtkWindow *window = sl_show (GTK_WIDGET (banner), 500, 80);
  gboolean   closed = FALSE;
  int        least, high, low;

  g_signal_connect (banner, "closed", G_CALLBACK (on_closed), &closed);
  g_assert_false (gtk_widget_get_visible (sl_child (banner, "line")));
  sl_banner_show (banner, "Something happened.");
  g_assert_true (gtk_widget_get_visible (sl_child (banner, "line")));
  g_assert_cmpstr (sl_child_text (banner, "text"), ==, "Something happened.");
  sl_banner_show (banner,
                  "A sentence that is far too long for one line of a window as narrow as this "
                  "one, so that it has to be broken somewhere between two of its words.");
  g_object_set (banner, "first-label", "Go back", "first-action", "win.back", NULL);
  gtk_widget_measure (GTK_WIDGET (banner), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL,
                      NULL);
  gtk_widget_measure (GTK_WIDGET (banner), GTK_ORIENTATION_VERTICAL, 300, &high, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (banner), GTK_ORIENTATION_VERTICAL, 900, &low, NULL, NULL, NULL);
  g_assert_cmpint (least, <, 300);
  g_assert_cmpint (high, >, 2 * low);
  sl_assert_named (GTK_WIDGET (banner));
  sl_banner_show (banner, NULL);
  g_assert_false (gtk_widget_get_visible (sl_child (banner, "line")));
  g_assert_false (closed);
  gtk_window_destroy (window);
  g_assert_finalize_object (banner);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, panel, function)                                                                  \
  g_test_add ("/ui/plot/" name, Fixture, GUINT_TO_POINTER (panel), set_up, function, tear_down)
  ON ("draws-series", 0u, test_draws);
  ON ("draws-bars", 2u, test_draws);
  ON ("draws-map", 3u, test_draws);
  ON ("follows", 0u, test_follows);
  ON ("zoom", 0u, test_zoom);
  ON ("switches", 0u, test_switches);
  ON ("cursor", 0u, test_cursor);
  ON ("readout-place", 0u, test_readout_place);
  ON ("cursor-of-another", 0u, test_cursor_of_another);
  ON ("cursor-place", 0u, test_cursor_place);
  ON ("cursor-of-nothing", 0u, test_cursor_of_nothing);
  ON ("cursor-bars", 2u, test_bars_cursor);
  ON ("cursor-map", 3u, test_map_cursor);
  ON ("cell-names", 3u, test_cell_names);
  ON ("draws-history", 4u, test_draws);
  ON ("draws-shares", 5u, test_draws);
  ON ("cursor-history", 4u, test_rows_cursor);
  ON ("draws-alive", 7u, test_draws);
  ON ("cursor-alive", 7u, test_alive_cursor);
  ON ("line-alive", 7u, test_alive_line);
  ON ("cursor-shares", 5u, test_shares_cursor);
  ON ("click-history", 4u, test_click);
  ON ("click-shares", 5u, test_click);
  ON ("click-ranges", 6u, test_click_ranges);
  ON ("zoom-history", 4u, test_rows_zoom);
  ON ("zoom-shares", 5u, test_rows_zoom);
  ON ("restart", 0u, test_restart);
  g_test_add_func ("/ui/plot/grid", test_grid);
  g_test_add_func ("/ui/plot/banner", test_banner);
  return g_test_run ();
}
