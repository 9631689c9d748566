/* SPDX-License-Identifier: MIT
 *
 * Runs in the window beside others: two of one seed, and how the plots of a run are looked at, which
 * comes back with it.  */
#include "tests/ui/fixture.h"
#include "ui/grid/views.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "12-8", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->path = g_build_filename (f->folder, "saved.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

static SlPlotView *
plot (SlFixture *f, const char *panel)
{
  return sl_plot_grid_get_view (sl_window_get_grid (f->window), sl_fixture_panel (f, panel));
}

static SlFigure *
figure (SlFixture *f, const char *panel)
{
  return sl_plot_view_get_figure (plot (f, panel));
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* ---- views ---- */

static const char FIRST[] = "agreement", HIDDEN[] = "agreement.agreement.2";

static gboolean
has_curve (gpointer data)
{
  return sl_figure_find (figure (data, FIRST), HIDDEN) >= 0;
}

static void
change_views (SlFixture *f)
{
  SlView view = figure (f, FIRST)->view;

  view.zoomed = view.y_locked = true;
  view.x_lo = 3.0;
  view.x_hi = 9.5;
  view.y_lo = 0.1;
  view.y_hi = 0.3;
  view.inset = true;
  view.inset_x = (SlRange) { 4.0, 5.0 };
  view.inset_y = (SlRange) { 0.2, 0.25 };
  view.smooth = 0.0;
  view.log_y = !view.log_y;
  sl_figure_set_view (figure (f, FIRST), &view);
  sl_figure_hide (figure (f, FIRST), (unsigned) sl_figure_find (figure (f, FIRST), HIDDEN), true);
  sl_plot_view_touch (plot (f, FIRST));
}

static void
check_views (SlFixture *f, gboolean changed)
{
  const SlFigure *first = figure (f, FIRST), *second = figure (f, "error");
  SlView          plain = sl_panel_view (first->record->lab, sl_fixture_panel (f, FIRST));

  g_assert_cmpint (first->view.zoomed, ==, changed);
  g_assert_cmpint (first->view.y_locked, ==, changed);
  g_assert_cmpint (first->view.inset, ==, changed);
  g_assert_cmpfloat (first->view.smooth, ==, changed ? 0.0 : plain.smooth);
  g_assert_cmpint (first->view.log_y, ==, plain.log_y != (bool) changed);
  for (unsigned c = 0; c < first->n_curves; c++)
    g_assert_cmpint (first->curve[c].hidden, ==,
                     changed && g_str_equal (first->curve[c].id, HIDDEN));
  g_assert_false (second->view.zoomed);
  if (changed)
    {
      g_assert_cmpfloat (first->view.x_lo, ==, 3.0);
      g_assert_cmpfloat (first->view.x_hi, ==, 9.5);
      g_assert_cmpfloat (first->view.y_lo, ==, 0.1);
      g_assert_cmpfloat (first->view.y_hi, ==, 0.3);
      g_assert_cmpfloat (first->view.inset_x.lo, ==, 4.0);
      g_assert_cmpfloat (first->view.inset_x.hi, ==, 5.0);
      g_assert_cmpfloat (first->view.inset_y.lo, ==, 0.2);
      g_assert_cmpfloat (first->view.inset_y.hi, ==, 0.25);
    }
}

/* Zoom, smoothing, axes and hidden curves are those of the run, in the store and in a file. */
static void
test_views (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = NULL, *first = NULL;
  unsigned         generation;

  g_assert_null (sl_plot_views_write (sl_window_get_grid (f->window)));
  sl_wait (has_curve, f);
  change_views (f);
  first = sl_plot_views_write (sl_window_get_grid (f->window));
  g_assert_nonnull (first);
  uuid = g_strdup (sl_session_uuid (f->session));
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "save-to", g_variant_new_string (f->path));
  sl_wait (exists, f->path);

  /* Another run, looked at as it comes. */
  generation = sl_session_generation (f->session);
  sl_act (f, "seed", g_variant_new_uint64 (8));
  sl_wait_for_run (f->session, generation);
  check_views (f, TRUE);
  sl_plot_views_read (sl_window_get_grid (f->window), "{}");
  check_views (f, FALSE);
  sl_act (f, "run", NULL);
  sl_wait (sl_is_running, f->session);

  /* The first one from the store, and from its file. */
  generation = sl_session_generation (f->session);
  sl_window_resume (f->window, uuid, TRUE);
  sl_wait_for_run (f->session, generation);
  check_views (f, TRUE);
  sl_plot_views_read (sl_window_get_grid (f->window), "{}");
  generation = sl_session_generation (f->session);
  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  check_views (f, TRUE);
}

/* What makes no sense is passed over. */
static void
test_nonsense (SlFixture *f, gconstpointer data)
{
  static const char *const texts[]
    = { "",
        "[]",
        "{",
        "{\"panels\": 3}",
        "{\"panels\": {\"nobody\": {}}}",
        "{\"panels\": {\"agreement\": {\"x\": [2, 1], \"y\": [\"a\"], \"window\": -3,"
        " \"smooth\": \"much\", \"hidden\": [1, \"nobody\"], \"plane\": 99, \"log-x\": 7}},"
        " \"maximised\": \"nobody\"}" };
  SlPlotGrid *grid = sl_window_get_grid (f->window);

  for (unsigned i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      sl_plot_views_read (grid, texts[i]);
      check_views (f, FALSE);
      g_assert_cmpint (sl_plot_grid_get_maximised (grid), ==, -1);
    }
}

/* ---- twins ---- */

static SlSession *
shown (SlFixture *f)
{
  return sl_window_get_session (f->window);
}

static gboolean
is_apart (gpointer data)
{
  SlFixture *f = data;

  return sl_is_running (shown (f)) && shown (f) != f->session;
}

static unsigned
ghosts (SlFixture *f, const char *panel)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure (f, panel)->n_curves; c++)
    n += figure (f, panel)->curve[c].ghost;
  return n;
}

static gboolean
has_ghosts (gpointer data)
{
  return ghosts (data, FIRST) > 0;
}

static void
test_twin (SlFixture *f, gconstpointer data)
{
  SlSession *b;
  uint64_t   step;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GVariant) page = NULL;

  /* From the page of runs, too, it is to be seen. */
  sl_act (f, "runs", NULL);
  sl_act (f, "twin", NULL);
  page = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "runs");
  g_assert_false (g_variant_get_boolean (page));
  sl_wait (is_apart, f);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  step = sl_session_info (f->session)->step;
  b = shown (f);
  sl_wait (has_ghosts, f);

  /* A change is for the one that is shown. */
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.02"));
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], !=, 0.02);
  sl_act (f, "twin-side", g_variant_new_string ("a"));
  g_assert_true (shown (f) != b && shown (f) != f->session);
  sl_wait (has_ghosts, f);
  sl_wait_for_step (shown (f), 30);
  sl_wait_for_step (b, 30);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, b);
  sl_wait (sl_is_paused, shown (f));
  g_assert_cmpint (ABS ((int) sl_session_info (b)->step - (int) sl_session_info (shown (f))->step),
                   <=, 1);

  /* Back to what was there, which goes on; both are stored. */
  sl_act (f, "twin", NULL);
  g_assert_true (shown (f) == f->session);
  g_assert_cmpuint (ghosts (f, FIRST), ==, 0);
  sl_wait_for_step (f->session, step + 5);
  sl_store_flush (f->store, NULL);
  runs = sl_store_list (f->store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 3);
}

/* Whatever is chosen meanwhile ends it. */
static void
test_twin_left (SlFixture *f, gconstpointer data)
{
  sl_act (f, "twin", NULL);
  sl_wait (is_apart, f);
  sl_act (f, "lab", g_variant_new_string ("experts"));
  g_assert_true (shown (f) == f->session);
  sl_wait (sl_is_loaded, f->session);
  sl_act (f, "twin", NULL);
  sl_wait (is_apart, f);
  sl_act (f, "glance", NULL);
  g_assert_true (sl_window_shows_overview (f->window));
  g_assert_false (
    g_variant_get_boolean (g_action_group_get_action_state (G_ACTION_GROUP (f->window), "twin")));
}

#define ADD(name, test) g_test_add (name, SlFixture, NULL, set_up, test, sl_fixture_end)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("/views/run", test_views);
  ADD ("/views/nonsense", test_nonsense);
  ADD ("/twin/sides", test_twin);
  ADD ("/twin/left", test_twin_left);
  return g_test_run ();
}
