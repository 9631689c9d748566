/* SPDX-License-Identifier: MIT
 *
 * The start page in the real window: four runs, three sliders, and the way to a lab and back.  */
#include <math.h>
#include <string.h>

#include "core/run/headline.h"
#include "tests/ui/ui.h"
#include "ui/sl-banner.h"
#include "ui/sl-window.h"

typedef struct
{
  SlPrefs   *prefs;
  SlSession *session;
  SlGroup   *group;
  SlWindow  *window;
  SlGlance  *glance;
} Fixture;

static gboolean
all_step (gpointer data)
{
  for (unsigned i = 0; i < sl_group_size (data); i++)
    if (sl_session_info (sl_group_session (data, i))->step < 3)
      return FALSE;
  return TRUE;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->prefs = sl_prefs_new ();
  g_object_set (f->prefs, "glance-seen", data == NULL, NULL);
  f->session = sl_session_new ();
  f->group = sl_group_new ();
  sl_group_start (f->group, "digits:images=600", 3, TRUE);
  f->window = sl_window_new (NULL, f->session, f->prefs);
  sl_window_set_group (f->window, f->group);
  f->glance = sl_window_get_glance (f->window);
  gtk_window_present (GTK_WINDOW (f->window));
  sl_wait (all_step, f->group);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  g_assert_finalize_object (f->group);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->prefs);
}

static void
act (Fixture *f, const char *name, GVariant *parameter)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (f->window), name);

  g_assert_nonnull (action);
  g_assert_true (g_action_get_enabled (action));
  g_action_activate (action, parameter);
}

static SlSession *
session_of (Fixture *f, const char *lab)
{
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    if (strcmp (sl_group_lab (f->group, i)->id, lab) == 0)
      return sl_group_session (f->group, i);
  g_assert_not_reached ();
}

static SlGlanceCard *
card_of (Fixture *f, const char *lab)
{
  for (unsigned i = 0; i < sl_glance_get_n_cards (f->glance); i++)
    if (sl_glance_card_get_session (sl_glance_get_card (f->glance, i)) == session_of (f, lab))
      return sl_glance_get_card (f->glance, i);
  g_assert_not_reached ();
}

static const SlValue *
value_of (Fixture *f, const char *lab, const char *id)
{
  SlSession   *session = session_of (f, lab);
  const SlLab *of = sl_session_lab (session);

  return &sl_session_settings (session)->value[sl_param_find (of->params, of->n_params, id)];
}

static gboolean
all_drawn (gpointer data)
{
  for (unsigned i = 0; i < sl_glance_get_n_cards (data); i++)
    if (!sl_glance_card_is_drawn (sl_glance_get_card (data, i)))
      return FALSE;
  return TRUE;
}

static gboolean
all_worded (gpointer data)
{
  for (unsigned i = 0; i < sl_glance_get_n_cards (data); i++)
    if (strstr (sl_glance_card_get_words (sl_glance_get_card (data, i)), "…") != NULL)
      return FALSE;
  return TRUE;
}

static gboolean
all_costs (gpointer data)
{
  const char *text = sl_cost_strip_get_text (sl_glance_get_costs (data));

  return *text != '\0' && strstr (text, "…") == NULL;
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
test_opens (Fixture *f, gconstpointer data)
{
  g_assert_true (sl_window_is_glancing (f->window));
  g_assert_cmpuint (sl_glance_get_n_cards (f->glance), ==, sl_group_size (f->group));
  g_assert_cmpuint (sl_glance_get_columns (f->glance), ==, 2);
  sl_wait (all_drawn, f->glance);
  sl_wait (all_worded, f->glance);
  /* Costs by probabilities, as counted, and by this machine's clock. */
  sl_wait (all_costs, f->glance);
  sl_assert_named (GTK_WIDGET (f->window));
  g_assert_false (has_toast (f->window));
  for (SlRole r = SL_ROLE_NONE + 1; r < SL_N_ROLES; r++)
    g_assert_nonnull (sl_glance_get_role (f->glance, r));
}

/* The first time, and only then, a toast points at the sliders. */
static void
test_hint (Fixture *f, gconstpointer data)
{
  g_assert_true (sl_prefs_get_boolean (f->prefs, "glance-seen"));
  g_assert_true (has_toast (f->window));
  sl_assert_named (GTK_WIDGET (f->window));
}

static gboolean
has_flag (gpointer data)
{
  return sl_session_record (data)->n_flags > 0;
}

/* A person moves a slider: every lab that has the role follows, and its curves get a flag. */
static void
test_sliders (Fixture *f, gconstpointer data)
{
  SlRoleScale *k = sl_glance_get_role (f->glance, SL_ROLE_ACTIVE);
  SlRoleScale *rank = sl_glance_get_role (f->glance, SL_ROLE_RANK);
  GtkAdjustment *range = gtk_range_get_adjustment (GTK_RANGE (sl_role_scale_get_scale (k)));

  gtk_range_set_value (GTK_RANGE (sl_role_scale_get_scale (k)), gtk_adjustment_get_upper (range));
  g_assert_cmpfloat (value_of (f, "experts", "k")->v[0], ==,
                     value_of (f, "experts", "experts")->v[0]);
  g_assert_cmpfloat (value_of (f, "capacity", "radius")->v[0], ==, 8.0);
  g_assert_cmpstr (sl_role_scale_get_text (k), ==, "16");
  sl_wait (has_flag, session_of (f, "experts"));
  sl_wait (has_flag, session_of (f, "capacity"));
  g_assert_cmpuint (sl_session_record (session_of (f, "sign-estimator"))->n_flags, ==, 0);

  act (f, "role", g_variant_new ("(sd)", "r", 150.0));
  g_assert_cmpfloat (value_of (f, "sign-estimator", "rank")->v[0], ==, 150.0);
  g_assert_cmpfloat (value_of (f, "sign-estimator", "rank")->v[1], ==,
                     value_of (f, "sign-estimator", "hidden")->v[1]);
  g_assert_cmpstr (sl_role_scale_get_text (rank), ==, "150");
  g_assert_cmpfloat (sl_param_scale_get_number (sl_role_scale_get_scale (rank)), ==, 150.0);

  act (f, "role", g_variant_new ("(sd)", "s", 0.3));
  g_assert_cmpfloat (value_of (f, "stochastic-gates", "target-density")->v[0], ==, 0.3);
  g_assert_cmpstr (sl_role_scale_get_text (sl_glance_get_role (f->glance, SL_ROLE_SPARSITY)), ==,
                   "0.30");
}

/* Enter on a plot shows that very run, and back again all of them go on. */
static void
test_closer (Fixture *f, gconstpointer data)
{
  SlSession *experts = session_of (f, "experts"), *gates = session_of (f, "stochastic-gates");
  SlGlanceCard *card = card_of (f, "experts");
  uint64_t step;

  act (f, "role", g_variant_new ("(sd)", "k", 3.0));
  step = sl_session_info (experts)->step;
  gtk_widget_activate_action (GTK_WIDGET (sl_glance_card_get_view (card)), "plot.enter", NULL);
  g_assert_false (sl_window_is_glancing (f->window));
  g_assert_true (sl_window_get_session (f->window) == experts);
  g_assert_cmpuint (sl_plot_grid_get_n_cards (sl_window_get_grid (f->window)), ==,
                    sl_session_lab (experts)->n_panels);
  g_assert_cmpint (sl_session_state (experts), ==, SL_RUNNING);
  g_assert_cmpuint (sl_session_info (experts)->step, >=, step);
  g_assert_cmpint (sl_session_state (gates), ==, SL_PAUSED);
  g_assert_cmpfloat (value_of (f, "experts", "k")->v[0], ==, 3.0);
  sl_settle ();
  g_assert_true (gtk_widget_get_visible (
    GTK_WIDGET (sl_sidebar_get_form (sl_window_get_sidebar (f->window)))));
  sl_assert_named (GTK_WIDGET (f->window));

  act (f, "set", g_variant_new ("(ss)", "k", "5"));
  act (f, "glance", NULL);
  g_assert_true (sl_window_is_glancing (f->window));
  g_assert_cmpint (sl_session_state (gates), ==, SL_RUNNING);
  sl_settle ();
  g_assert_cmpstr (sl_role_scale_get_text (sl_glance_get_role (f->glance, SL_ROLE_ACTIVE)), ==,
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
test_own_session (Fixture *f, gconstpointer data)
{
  g_assert_null (sl_session_lab (f->session));
  act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_true (sl_window_get_session (f->window) == f->session);
  g_assert_false (sl_group_is_running (f->group));
  sl_wait (runs_a_lab, f->session);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "prefix-tree");
  g_assert_cmpuint (sl_session_seed (f->session), ==, 3);
  g_assert_true (sl_session_dataset (f->session)
                 == sl_session_dataset (session_of (f, "experts")));

  /* It waits while the start page is shown, and goes on afterwards. */
  act (f, "glance", NULL);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  g_assert_true (sl_group_is_running (f->group));
  act (f, "lab", g_variant_new_string ("prefix-tree"));
  g_assert_cmpint (sl_session_state (f->session), ==, SL_RUNNING);
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
is_enabled (Fixture *f, const char *name)
{
  return g_action_get_enabled (g_action_map_lookup_action (G_ACTION_MAP (f->window), name));
}

/* The header's buttons are for all four. */
static void
test_steering (Fixture *f, gconstpointer data)
{
  act (f, "toggle", NULL);
  sl_wait (group_rests, f->group);
  g_assert_false (is_enabled (f, "pause"));
  g_assert_false (is_enabled (f, "export"));
  act (f, "toggle", NULL);
  sl_wait (group_runs, f->group);
  act (f, "pause", NULL);
  sl_wait (group_rests, f->group);
  act (f, "reseed", NULL);
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    while (sl_session_is_loading (sl_group_session (f->group, i)))
      g_main_context_iteration (NULL, TRUE);
  for (unsigned i = 1; i < sl_group_size (f->group); i++)
    g_assert_cmpuint (sl_session_seed (sl_group_session (f->group, i)), ==,
                      sl_session_seed (sl_group_session (f->group, 0)));
  g_assert_false (sl_group_is_running (f->group));
  act (f, "step", NULL);
  for (unsigned i = 0; i < sl_group_size (f->group); i++)
    while (sl_session_info (sl_group_session (f->group, i))->step < 1)
      g_main_context_iteration (NULL, TRUE);
  act (f, "run", NULL);
  sl_wait (all_step, f->group);
}

/* A file opened on the start page is for the window's own session. */
static void
test_opens_file (Fixture *f, gconstpointer data)
{
  sl_window_open_file (f->window, "/no/such/file.csv");
  g_assert_false (sl_window_is_glancing (f->window));
  g_assert_true (sl_window_get_session (f->window) == f->session);
  act (f, "glance", NULL);
  g_assert_true (sl_window_is_glancing (f->window));
}

static gboolean
one_column (gpointer data)
{
  return sl_glance_get_columns (data) == 1;
}

static void
test_narrow (Fixture *f, gconstpointer data)
{
  SlGlance  *glance = sl_glance_new ();
  GtkWindow *window;

  sl_glance_set_group (glance, f->group);
  window = sl_show (GTK_WIDGET (glance), 560, 600);
  sl_wait (one_column, glance);
  gtk_window_destroy (window);
}

#define ADD(name, test) g_test_add ("/glance/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("opens", test_opens);
  g_test_add ("/glance/hint", Fixture, "first", set_up, test_hint, tear_down);
  ADD ("sliders", test_sliders);
  ADD ("closer", test_closer);
  ADD ("own-session", test_own_session);
  ADD ("steering", test_steering);
  ADD ("opens-file", test_opens_file);
  ADD ("narrow", test_narrow);
  return g_test_run ();
}
