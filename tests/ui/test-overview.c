/* SPDX-License-Identifier: MIT
 *
 * The start page in the real window: four runs, three sliders, and the way to a lab and back.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/run/group/summary.h"
#include "tests/ui/fixture.h"
#include "ui/kit/banner.h"
#include "ui/runs/page.h"
#include "ui/sweep/bar.h"

/* px of a plot on a projector. */
enum { HIGH = 64 };

static gboolean
all_step (gpointer data)
{
  for (unsigned i = 0; i < sl_group_size (data); i++)
    if (sl_session_info (sl_group_session (data, i))->step < 3)
      return FALSE;
  return TRUE;
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  g_object_set (f->prefs, "glance-seen", data == NULL, NULL);
  f->group = sl_group_new ();
  sl_group_start (f->group, "digits:images=600", 3, TRUE);
  sl_fixture_open (f);
  sl_window_set_group (f->window, f->group);
  sl_wait (all_step, f->group);
}

static SlOverview *
overview_of (SlFixture *f)
{
  return sl_window_get_overview (f->window);
}

static SlSession *
session_of (SlFixture *f, const char *lab)
{
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    if (strcmp (sl_group_lab (f->group, i)->id, lab) == 0)
      return sl_group_session (f->group, i);
  g_assert_not_reached ();
}

static SlOverviewCard *
card_of (SlFixture *f, const char *lab)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (overview_of (f)); i++)
    if (sl_overview_card_get_session (sl_overview_get_card (overview_of (f), i))
        == session_of (f, lab))
      return sl_overview_get_card (overview_of (f), i);
  g_assert_not_reached ();
}

static const SlValue *
value_of (SlFixture *f, const char *lab, const char *id)
{
  SlSession   *session = session_of (f, lab);
  const SlLab *of = sl_session_lab (session);

  return &sl_session_settings (session)->value[sl_param_find (of->params, of->n_params, id)];
}

/* Painted with data. */
static gboolean
is_drawn (SlOverviewCard *card)
{
  const SlFrame *frame = sl_plot_view_get_frame (sl_overview_card_get_view (card));

  return frame->plot.w > 0.0 && !frame->empty;
}

static gboolean
all_drawn (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (data); i++)
    if (!is_drawn (sl_overview_get_card (data, i)))
      return FALSE;
  return TRUE;
}

static gboolean
all_worded (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (data); i++)
    if (strstr (sl_child_text (sl_overview_get_card (data, i), "words"), "…") != NULL)
      return FALSE;
  return TRUE;
}

/* The column in which a plot stands. */
static int
column_of (SlOverview *overview, unsigned plot)
{
  int column;

  gtk_grid_query_child (GTK_GRID (sl_child (overview, "plots")),
                        GTK_WIDGET (sl_overview_get_card (overview, plot)), &column, NULL, NULL,
                        NULL);
  return column;
}

static gboolean
one_row (gpointer data)
{
  return column_of (data, 3) == 3;
}

static gboolean
all_bars (gpointer data)
{
  const char *text = sl_figure_bars_text (SL_FIGURE_BARS (sl_child (data, "bars")));

  return *text != '\0' && strstr (text, "…") == NULL;
}

/* Networks have their bars one after another. */
static gboolean
all_networks (gpointer data)
{
  SlFixture  *f = data;
  const char *text = sl_figure_bars_text (SL_FIGURE_BARS (sl_child (overview_of (f), "bars")));

  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    if (sl_group_lab (f->group, i)->overview->error != NULL)
      {
        g_autofree char *network = g_strdup_printf ("%s: ", sl_group_lab (f->group, i)->title);

        if (strstr (text, network) == NULL)
          return FALSE;
      }
  return all_bars (overview_of (f));
}

static SlOverviewPicture *
picture_at (SlFixture *f, unsigned i)
{
  return sl_overview_band_get_picture (sl_overview_get_band (overview_of (f)), i);
}

/* It is drawn, with what the network says. */
static gboolean
is_pictured (SlOverviewPicture *picture)
{
  SlPlotView *view = sl_overview_picture_get_view (picture);

  return !sl_figure_empty (sl_plot_view_get_figure (view)) && !sl_plot_view_get_frame (view)->empty
         && strstr (sl_child_text (picture, "words"), "It says ") != NULL;
}

static gboolean
all_pictured (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_band_get_n_pictures (data); i++)
    if (!is_pictured (sl_overview_band_get_picture (data, i)))
      return FALSE;
  return sl_overview_band_get_n_pictures (data) > 0;
}

static gboolean
is_toast (GtkWidget *widget)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget"))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (is_toast (child))
      return TRUE;
  return FALSE;
}

static gboolean
has_toast (SlWindow *window)
{
  return is_toast (GTK_WIDGET (window));
}

static void
test_opens (SlFixture *f, gconstpointer data)
{
  g_assert_true (sl_window_shows_overview (f->window));
  g_assert_cmpuint (sl_overview_get_n_cards (overview_of (f)), ==, sl_group_size (f->group));
  sl_wait (one_row, overview_of (f));
  sl_wait (all_drawn, overview_of (f));
  sl_wait (all_worded, overview_of (f));
  sl_wait (all_pictured, sl_overview_get_band (overview_of (f)));
  /* Work as counted, time by this machine's clock, wrong answers. */
  sl_wait (all_networks, f);
  sl_assert_named (GTK_WIDGET (f->window));
  g_assert_false (has_toast (f->window));
  for (SlHeadline r = SL_HEADLINE_NONE + 1; r < SL_N_HEADLINES; r++)
    g_assert_nonnull (sl_overview_get_headline (overview_of (f), r));
  /* Nothing can be set here but the sliders. */
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (sl_window_get_sidebar (f->window))));
  g_assert_false (sl_can (f, "sidebar"));
}

/* The parts of a picture as assistive tools have them. */
static gboolean
is_spoken (gpointer view)
{
  unsigned parts = 0, counted = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (view); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BOX (child))
      {
        g_autofree char *sentence = sl_description (child);

        parts++;
        counted += strstr (sentence, " used") != NULL && strstr (sentence, " skipped") != NULL;
      }
  return parts >= 3 && counted > 0;
}

static gboolean
shows_third (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_band_get_n_pictures (data); i++)
    if (sl_session_example (
          sl_overview_picture_get_session (sl_overview_band_get_picture (data, i)))
        != 2)
      return FALSE;
  return TRUE;
}

/* The next example is that of all pictures, and none comes before the first; a unit is switched off in its own
 * network alone.  */
static void
test_pictures (SlFixture *f, gconstpointer data)
{
  SlOverviewBand *band = sl_overview_get_band (overview_of (f));
  SlSession      *first, *second;

  g_assert_cmpuint (sl_overview_band_get_n_pictures (band), ==, 3);
  sl_wait (all_pictured, band);
  for (unsigned i = 0; i < sl_overview_band_get_n_pictures (band); i++)
    sl_wait (is_spoken, sl_overview_picture_get_view (picture_at (f, i)));
  g_signal_emit_by_name (sl_overview_picture_get_view (picture_at (f, 1)), "example", 2);
  g_assert_true (shows_third (band));
  g_signal_emit_by_name (sl_overview_picture_get_view (picture_at (f, 0)), "example", -3);
  g_assert_true (shows_third (band));
  first = sl_overview_picture_get_session (picture_at (f, 0));
  second = sl_overview_picture_get_session (picture_at (f, 1));
  g_signal_emit_by_name (sl_overview_picture_get_view (picture_at (f, 1)), "switch-off", 0, 3);
  g_assert_cmpuint (sl_session_subject (first)->n_closed, ==, 0);
  g_assert_cmpuint (sl_session_subject (second)->n_closed, ==, 1);
  g_assert_true (sl_subject_closes (sl_session_subject (second), 0, 3));
}

/* The first time, and only then, a toast points at the sliders and covers none of them. */
static void
test_hint (SlFixture *f, gconstpointer data)
{
  g_assert_true (sl_prefs_get_boolean (f->prefs, "glance-seen"));
  g_assert_true (is_toast (GTK_WIDGET (sl_overview_get_hints (overview_of (f)))));
  sl_assert_named (GTK_WIDGET (f->window));
}

/* The first that Tab finds below the plots is a slider, and not what tells more of the costs. */
static void
test_tab (SlFixture *f, gconstpointer data)
{
  GtkWidget *sliders = sl_child (overview_of (f), "sliders");

  sl_wait (one_row, overview_of (f));
  sl_settle ();
  gtk_window_set_focus (GTK_WINDOW (f->window), NULL);
  g_assert_true (gtk_widget_child_focus (gtk_widget_get_parent (sliders), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (f->window)), sliders));
}

static gboolean
has_flag (gpointer data)
{
  return sl_session_record (data)->n_flags > 0;
}

/* A person moves a slider: every lab that has the role follows, and its curves get a flag. */
static void
test_sliders (SlFixture *f, gconstpointer data)
{
  SlHeadlineScale *k = sl_overview_get_headline (overview_of (f), SL_HEADLINE_ACTIVE);
  SlHeadlineScale *rank = sl_overview_get_headline (overview_of (f), SL_HEADLINE_RANK);
  GtkAdjustment   *range = gtk_range_get_adjustment (GTK_RANGE (sl_headline_scale_get_scale (k)));

  gtk_range_set_value (GTK_RANGE (sl_headline_scale_get_scale (k)),
                       gtk_adjustment_get_upper (range));
  g_assert_cmpfloat (value_of (f, "experts", "k")->v[0], ==,
                     value_of (f, "experts", "experts")->v[0]);
  g_assert_cmpfloat (value_of (f, "capacity", "radius")->v[0], ==, 8.0);
  g_assert_cmpstr (sl_child_text (k, "value"), ==, "16");
  sl_wait (has_flag, session_of (f, "experts"));
  sl_wait (has_flag, session_of (f, "capacity"));
  g_assert_cmpuint (sl_session_record (session_of (f, "sign-estimator"))->n_flags, ==, 0);

  sl_act (f, "role", g_variant_new ("(sd)", "r", 150.0));
  g_assert_cmpfloat (value_of (f, "sign-estimator", "rank")->v[0], ==, 150.0);
  g_assert_cmpfloat (value_of (f, "sign-estimator", "rank")->v[1], ==,
                     value_of (f, "sign-estimator", "hidden")->v[1]);
  g_assert_cmpstr (sl_child_text (rank, "value"), ==, "150");

  sl_act (f, "role", g_variant_new ("(sd)", "s", 0.3));
  g_assert_cmpfloat (value_of (f, "stochastic-gates", "target-density")->v[0], ==, 0.3);
  g_assert_cmpstr (
    sl_child_text (sl_overview_get_headline (overview_of (f), SL_HEADLINE_SPARSITY), "value"), ==,
    "0.30");
}

/* Enter on a plot shows that very run, and back again all of them go on. */
static void
test_closer (SlFixture *f, gconstpointer data)
{
  SlSession      *experts = session_of (f, "experts"), *gates = session_of (f, "stochastic-gates");
  SlOverviewCard *card = card_of (f, "experts");
  uint64_t        step;

  sl_act (f, "role", g_variant_new ("(sd)", "k", 3.0));
  step = sl_session_info (experts)->step;
  gtk_widget_activate_action (GTK_WIDGET (sl_overview_card_get_view (card)), "plot.enter", NULL);
  g_assert_false (sl_window_shows_overview (f->window));
  g_assert_true (sl_window_get_session (f->window) == experts);
  g_assert_cmpuint (sl_plot_grid_get_n_cards (sl_window_get_grid (f->window)), ==,
                    sl_session_lab (experts)->n_panels);
  g_assert_cmpint (sl_session_state (experts), ==, SL_RUNNING);
  g_assert_cmpuint (sl_session_info (experts)->step, >=, step);
  g_assert_cmpint (sl_session_state (gates), ==, SL_PAUSED);
  g_assert_cmpfloat (value_of (f, "experts", "k")->v[0], ==, 3.0);
  sl_settle ();
  g_assert_true (
    gtk_widget_get_visible (GTK_WIDGET (sl_sidebar_get_form (sl_window_get_sidebar (f->window)))));
  sl_assert_named (GTK_WIDGET (f->window));

  sl_act (f, "set", g_variant_new ("(ss)", "k", "5"));
  sl_act (f, "glance", NULL);
  g_assert_true (sl_window_shows_overview (f->window));
  g_assert_cmpint (sl_session_state (gates), ==, SL_RUNNING);
  sl_settle ();
  g_assert_cmpstr (
    sl_child_text (sl_overview_get_headline (overview_of (f), SL_HEADLINE_ACTIVE), "value"), ==,
    "5");
}

static gboolean
runs_a_lab (gpointer data)
{
  return sl_session_lab (data) != NULL && sl_session_state (data) == SL_RUNNING
         && sl_session_info (data)->step > 0;
}

/* The sidebar's labs run in the window's own session, on the data that are there. */
static void
test_own_session (SlFixture *f, gconstpointer data)
{
  g_assert_null (sl_session_lab (f->session));
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_true (sl_window_get_session (f->window) == f->session);
  g_assert_false (sl_group_is_running (f->group));
  sl_wait (runs_a_lab, f->session);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "prefix-tree");
  g_assert_cmpuint (sl_session_seed (f->session), ==, 3);
  g_assert_true (sl_session_dataset (f->session) == sl_session_dataset (session_of (f, "experts")));

  /* It waits while the start page is shown, and goes on afterwards. */
  sl_act (f, "glance", NULL);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  g_assert_true (sl_group_is_running (f->group));
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_cmpint (sl_session_state (f->session), ==, SL_RUNNING);
  g_assert_false (sl_session_is_loading (f->session));
}

/* A run of the start page that is opened from the store is shown where it is: one session writes it. */
static void
test_opened (SlFixture *f, gconstpointer data)
{
  SlSession       *gates = session_of (f, "stochastic-gates");
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autofree char *uuid = NULL;
  g_autoptr (GError) error = NULL;

  f->store = sl_store_open (path, &error);
  g_assert_no_error (error);
  sl_window_set_store (f->window, f->store, NULL);
  uuid = g_strdup (sl_session_uuid (gates));
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait (runs_a_lab, f->session);
  g_assert_cmpint (sl_session_state (gates), ==, SL_PAUSED);

  sl_act (f, "runs", NULL);
  sl_act (f, "resume", g_variant_new_string (uuid));
  sl_wait (runs_a_lab, gates);
  g_assert_true (sl_window_get_session (f->window) == gates);
  g_assert_cmpstr (sl_session_uuid (gates), ==, uuid);
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
  g_assert_false (sl_session_is_loading (f->session));
}

static gboolean
group_runs (gpointer data)
{
  return sl_group_is_running (data);
}

static gboolean
group_rests (gpointer data)
{
  return !sl_group_is_running (data);
}

static gboolean
says_waits (gpointer window)
{
  return gtk_widget_get_visible (sl_child (sl_child (window, "status"), "waits"));
}

static gboolean
says_nothing (gpointer window)
{
  return !says_waits (window);
}

/* As long as all rest, pictures, work and error are those from before a change. */
static void
test_waits (SlFixture *f, gconstpointer data)
{
  sl_act (f, "pause", NULL);
  sl_wait (group_rests, f->group);
  sl_wait (says_nothing, f->window);
  sl_act (f, "role", g_variant_new ("(sd)", "s", 0.3));
  sl_wait (says_waits, f->window);
  sl_act (f, "step", NULL);
  sl_wait (says_nothing, f->window);
  sl_act (f, "role", g_variant_new ("(sd)", "s", 0.2));
  sl_wait (says_waits, f->window);
  sl_act (f, "role", g_variant_new ("(sd)", "s", 0.3));
  sl_wait (says_nothing, f->window);
}

/* The header's buttons are for all four. */
static void
test_steering (SlFixture *f, gconstpointer data)
{
  sl_act (f, "toggle", NULL);
  sl_wait (group_rests, f->group);
  g_assert_false (sl_can (f, "pause"));
  sl_act (f, "toggle", NULL);
  sl_wait (group_runs, f->group);
  sl_act (f, "pause", NULL);
  sl_wait (group_rests, f->group);
  sl_act (f, "reseed", NULL);
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    sl_wait (sl_is_loaded, sl_group_session (f->group, i));
  for (unsigned i = 1; i < sl_group_size (f->group); i++)
    g_assert_cmpuint (sl_session_seed (sl_group_session (f->group, i)), ==,
                      sl_session_seed (sl_group_session (f->group, 0)));
  g_assert_false (sl_group_is_running (f->group));
  sl_act (f, "step", NULL);
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    sl_wait_for_step (sl_group_session (f->group, i), 1);
  sl_act (f, "run", NULL);
  sl_wait (all_step, f->group);
}

static char *
written (SlFixture *f, const char *action, const char *name)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  char            *text = NULL;
  gsize            length;
  g_autoptr (GError) error = NULL;

  sl_act (f, action, g_variant_new_string (path));
  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, 2000);
  return text;
}

/* The page as a figure: the input, the networks and the curves by their names, and what the sliders say. */
static void
test_export (SlFixture *f, gconstpointer data)
{
  g_autofree char *svg = NULL, *png = NULL, *paper = NULL;

  sl_wait (all_pictured, sl_overview_get_band (overview_of (f)));
  sl_wait (all_drawn, overview_of (f));
  g_assert_true (sl_can (f, "export"));
  g_assert_true (sl_can (f, "print"));
  svg = written (f, "export-to", "page.svg");
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    g_assert_nonnull (strstr (svg, sl_group_lab (f->group, i)->overview->idea));
  g_assert_nonnull (strstr (svg, "Input"));
  g_assert_nonnull (strstr (svg, "digits:images=600"));
  png = written (f, "export-to", "page.png");
  g_assert_true (g_str_has_prefix (png + 1, "PNG"));
  paper = written (f, "print-to", "page.pdf");
  g_assert_true (g_str_has_prefix (paper, "%PDF"));
}

/* Training can be slowed down and set free again, for all runs of the page. */
static void
test_pace (SlFixture *f, gconstpointer data)
{
  GAction                 *pace = g_action_map_lookup_action (G_ACTION_MAP (f->window), "pace");
  static const char *const wished[] = { "5", "0", "50" };
  static const char *const odd[] = { "", "fast", "5x", "-1", "nan", "inf" };

  g_assert_cmpfloat (sl_session_pace (session_of (f, "experts")), >, 0.0);
  for (unsigned w = 0; w < G_N_ELEMENTS (wished); w++)
    {
      g_action_change_state (pace, g_variant_new_string (wished[w]));
      for (unsigned i = 0; i < sl_group_size (f->group); i++)
        g_assert_cmpfloat (sl_session_pace (sl_group_session (f->group, i)), ==,
                           g_ascii_strtod (wished[w], NULL));
    }
  for (unsigned o = 0; o < G_N_ELEMENTS (odd); o++)
    {
      g_action_change_state (pace, g_variant_new_string (odd[o]));
      g_assert_cmpfloat (sl_session_pace (session_of (f, "experts")), ==, 50.0);
    }
  /* That of a lab is its own. */
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_cmpfloat (sl_session_pace (f->session), ==, 0.0);
  {
    g_autoptr (GVariant) state = g_action_get_state (pace);

    g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "0");
  }
}

static gboolean
all_own (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_band_get_n_pictures (data); i++)
    if (sl_session_subject (
          sl_overview_picture_get_session (sl_overview_band_get_picture (data, i)))
          ->n_own
        == 0)
      return FALSE;
  return TRUE;
}

/* What is drawn on the pad is what all networks decide about. */
static void
test_drawing (SlFixture *f, gconstpointer data)
{
  SlOverviewBand *band = sl_overview_get_band (overview_of (f));
  SlOwn          *own = sl_input_pad_get_own (sl_overview_band_get_pad (band));

  sl_wait (all_pictured, band);
  sl_own_hand (own, SL_HAND_BEGINS, 0.5, 0.2, SL_PEN_NEW);
  sl_own_hand (own, SL_HAND_MOVES, 0.5, 0.8, SL_PEN_NEW);
  sl_own_hand (own, SL_HAND_ENDS, 0.5, 0.8, SL_PEN_NEW);
  g_assert_true (sl_own_send (own));
  g_assert_true (all_own (band));
  g_signal_emit_by_name (sl_overview_picture_get_view (picture_at (f, 0)), "example", 1);
  g_assert_false (all_own (band));
}

/* A file opened on the start page is for the window's own session. */
static void
test_opens_file (SlFixture *f, gconstpointer data)
{
  sl_window_open_file (f->window, "/no/such/file.csv");
  g_assert_false (sl_window_shows_overview (f->window));
  g_assert_true (sl_window_get_session (f->window) == f->session);
  sl_act (f, "glance", NULL);
  g_assert_true (sl_window_shows_overview (f->window));
}

/* Whether the page of runs is shown, and about this. */
static gboolean
is_about (SlFixture *f, const char *subject)
{
  GtkWidget *page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);

  return gtk_widget_get_mapped (page)
         && g_str_has_suffix (sl_child_text (sl_find (page, SL_TYPE_SWEEP_BAR), "subject"),
                              subject);
}

/* A run that was opened from here is what sweeps are about and what one comes back to. */
static void
test_sweeps (SlFixture *f, gconstpointer data)
{
  SlSession       *experts = session_of (f, "experts");
  GtkListBox      *labs = sl_fixture_labs (f);
  g_autofree char *subject = g_strdup_printf ("%s · %s", sl_session_lab (experts)->title,
                                              sl_source_find ("digits")->title);

  sl_act (f, "closer", g_variant_new_string ("experts"));
  sl_act (f, "sweep", g_variant_new_string (sl_session_lab (experts)->sweeps[0].id));
  g_assert_true (is_about (f, subject));
  g_assert_false (has_toast (f->window));
  g_signal_emit_by_name (labs, "row-activated", gtk_list_box_get_selected_row (labs));
  g_assert_false (is_about (f, subject));
  g_assert_true (sl_window_get_session (f->window) == experts);
  g_assert_cmpuint (sl_session_info (experts)->step, >=, 3);
  sl_act (f, "runs", NULL);
  g_assert_true (is_about (f, subject));
  sl_act (f, "runs", NULL);
  g_assert_true (sl_window_get_session (f->window) == experts);
  g_assert_false (sl_window_shows_overview (f->window));
}

static gboolean
one_column (gpointer data)
{
  return column_of (data, 1) == 0;
}

static void
test_narrow (SlFixture *f, gconstpointer data)
{
  SlOverview *overview = g_object_new (SL_TYPE_OVERVIEW, NULL);
  GtkWindow  *window;

  sl_overview_set_group (overview, f->group);
  window = sl_show (GTK_WIDGET (overview), 560, 600);
  sl_wait (one_column, overview);
  gtk_window_destroy (window);
}

static gboolean
tooltip_of (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;

  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  return shown;
}

/* The sentence of a card is a tooltip only where it is cut. */
static void
test_tooltip (SlFixture *f, gconstpointer data)
{
  GtkWidget *words = sl_child (sl_overview_get_card (overview_of (f), 0), "words");

  gtk_label_set_label (GTK_LABEL (words), "i");
  g_assert_false (tooltip_of (words));
  for (unsigned i = 0; i < 4; i++)
    {
      g_autofree char *twice = g_strconcat (gtk_label_get_label (GTK_LABEL (words)),
                                            " a sentence far too long for any card to show the "
                                            "whole of it in one line of a window, however wide ",
                                            gtk_label_get_label (GTK_LABEL (words)), NULL);

      gtk_label_set_label (GTK_LABEL (words), twice);
    }
  g_assert_true (tooltip_of (words));
}

static gboolean
all_high (gpointer data)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (data); i++)
    if (!is_drawn (sl_overview_get_card (data, i))
        || sl_plot_view_get_frame (sl_overview_card_get_view (sl_overview_get_card (data, i)))
               ->plot.h
             < HIGH)
      return FALSE;
  return TRUE;
}

/* On a projector of 1280 × 720 all four plots are high enough to be read. */
static void
test_projector (SlFixture *f, gconstpointer data)
{
  SlOverview *overview = g_object_new (SL_TYPE_OVERVIEW, NULL);
  GtkWindow  *window;

  sl_overview_set_group (overview, f->group);
  window = sl_show (GTK_WIDGET (overview), 1270, 664);
  gtk_widget_add_css_class (GTK_WIDGET (window), "present");
  gtk_widget_add_css_class (GTK_WIDGET (window), "low");
  sl_wait (all_high, overview);
  gtk_window_destroy (window);
}

/* A run that was asked for and left while it was loaded waits until it is shown. */
static void
test_left_while_loading (SlFixture *f, gconstpointer data)
{
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_true (sl_session_is_loading (f->session));
  sl_window_show_overview (f->window);
  sl_wait (sl_is_loaded, f->session);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait (sl_is_running, f->session);
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
}

#define ADD(name, test)                                                                            \
  g_test_add ("/overview/" name, SlFixture, NULL, set_up, test, sl_fixture_end)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("opens", test_opens);
  g_test_add ("/overview/hint", SlFixture, "first", set_up, test_hint, sl_fixture_end);
  ADD ("pictures", test_pictures);
  ADD ("drawing", test_drawing);
  ADD ("export", test_export);
  ADD ("pace", test_pace);
  ADD ("tab", test_tab);
  ADD ("sliders", test_sliders);
  ADD ("closer", test_closer);
  ADD ("own-session", test_own_session);
  ADD ("left-while-loading", test_left_while_loading);
  ADD ("opened", test_opened);
  ADD ("waits", test_waits);
  ADD ("steering", test_steering);
  ADD ("opens-file", test_opens_file);
  ADD ("sweeps", test_sweeps);
  ADD ("narrow", test_narrow);
  ADD ("tooltip", test_tooltip);
  ADD ("projector", test_projector);
  return g_test_run ();
}
