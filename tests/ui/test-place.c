/* SPDX-License-Identifier: MIT
 *
 * The menu of what can be taken back, and a window that shows what the last one did.  */
#include "core/run/store/workspace.h"
#include "tests/ui/fixture.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "12-8", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_window_restore (f->window, NULL, FALSE, FALSE);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

static char *
dup_item (SlFixture *f, int number)
{
  GMenuModel *menu = G_MENU_MODEL (
    gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "history"));
  char *label = NULL;

  g_menu_model_get_item_attribute (menu, number, "label", "s", &label);
  return label;
}

static void
assert_item (SlFixture *f, int number, const char *words)
{
  g_autofree char *label = dup_item (f, number);

  g_assert_cmpstr (label, ==, words);
}

typedef struct
{
  SlFixture *fixture;
  double     rate;
} Rate;

static gboolean
is_at_rate (gpointer data)
{
  const Rate *wanted = data;

  return sl_is_paused (wanted->fixture->session)
         && sl_value (wanted->fixture, "learning-rate")->v[0] == wanted->rate;
}

/* Two live changes with another run between them, all taken back by one choice. */
static void
test_undo_to (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  double           rate = sl_value (f, "learning-rate")->v[0];
  unsigned         generation = sl_session_generation (f->session);

  sl_wait_for_step (f->session, 20);
  g_assert_false (sl_can (f, "undo-to"));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, f->session);
  sl_act (f, "seed", g_variant_new_uint64 (8));
  sl_wait_for_run (f->session, generation);
  sl_wait_for_step (f->session, 20);
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.002"));
  sl_wait (sl_is_marked, f->session);
  sl_settle ();
  assert_item (f, 0, "Learning rate 0.004 → 0.002");
  assert_item (f, 1, "New run with another seed");

  sl_act (f, "undo-to", g_variant_new_uint32 (3));
  sl_wait (is_at_rate, &(Rate) { f, rate });
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  g_assert_cmpuint (sl_session_edits (f->session)->undo->len, ==, 0);
  g_assert_cmpuint (sl_session_edits (f->session)->redo->len, ==, 3);
  sl_settle ();
  g_assert_false (sl_can (f, "undo-to"));
}

/* The window closes, and another one shows what it did. */
static void
reopen (SlFixture *f)
{
  g_autofree char *text = NULL;

  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->session);
  sl_store_flush (f->store, NULL);
  text = sl_store_workspace (f->store);
  f->session = sl_session_new ();
  sl_session_set_store (f->session, f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  g_assert_true (sl_window_restore (f->window, text, TRUE, FALSE));
}

static void
test_same_place (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session)), *other = NULL;
  unsigned         generation = sl_session_generation (f->session);
  uint64_t         step;

  sl_wait_for_step (f->session, 20);
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  sl_act (f, "limit", g_variant_new_uint64 (1000000));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, f->session);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  other = g_strdup (sl_session_uuid (f->session));
  step = sl_session_info (f->session)->step;

  reopen (f);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, other);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, step);
  g_assert_cmpuint (sl_session_info (f->session)->limit, ==, 1000000);
  g_assert_true (sl_session_can_undo (f->session));

  /* The other lab has the run that it had, which goes on. */
  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("sign-estimator"));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_wait (sl_is_running, f->session);

  reopen (f);
  sl_wait (sl_is_running, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
}

static gboolean
is_group_there (gpointer fixture)
{
  SlFixture *f = fixture;
  SlGroup   *group = sl_overview_get_group (sl_window_get_overview (f->window));

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_info (sl_group_session (group, i))->step == 0)
      return FALSE;
  return group != NULL;
}

/* A run that is gone from the store is no reason to show nothing. */
static void
test_run_is_gone (SlFixture *f, gconstpointer data)
{
  const SlLab     *lab = sl_session_lab (f->session);
  g_autofree char *text = NULL, *uuid = g_strdup (sl_session_uuid (f->session));

  sl_wait_for_step (f->session, 20);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->session);
  sl_store_set_deleted (f->store, uuid, TRUE);
  sl_store_prune (f->store, G_MAXUINT);
  sl_store_flush (f->store, NULL);
  text = sl_store_workspace (f->store);
  f->session = sl_session_new ();
  sl_session_set_store (f->session, f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  g_assert_true (sl_window_restore (f->window, text, TRUE, FALSE));
  sl_wait_for_step (f->session, 1);
  g_assert_true (sl_session_lab (f->session) == lab);
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
}

/* The runs of the start page go on from where they were, with what its sliders were set to. */
static void
test_same_overview (SlFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SlHeadlineRange range;
  SlGroup        *group;

  sl_act (f, "glance", NULL);
  sl_wait (is_group_there, f);
  sl_act (f, "role", g_variant_new ("(sd)", "s", 0.3));
  group = sl_overview_get_group (sl_window_get_overview (f->window));
  for (unsigned i = 0; i < sl_group_size (group); i++)
    g_ptr_array_add (names, g_strdup (sl_session_uuid (sl_group_session (group, i))));
  sl_settle ();

  reopen (f);
  g_assert_true (sl_window_shows_overview (f->window));
  sl_wait (is_group_there, f);
  group = sl_overview_get_group (sl_window_get_overview (f->window));
  for (unsigned i = 0; i < sl_group_size (group); i++)
    g_assert_cmpstr (sl_session_uuid (sl_group_session (group, i)), ==,
                     g_ptr_array_index (names, i));
  g_assert_true (sl_group_is_running (group));
  g_assert_true (sl_group_headline (group, SL_HEADLINE_SPARSITY, &range));
  g_assert_cmpfloat (range.value, ==, 0.3);
}

/* The run of the lab without data, which does not wait for the others. */
static SlSession *
capacity_of (SlFixture *f)
{
  SlGroup *group = sl_overview_get_group (sl_window_get_overview (f->window));

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (g_str_equal (sl_group_lab (group, i)->id, "capacity"))
      return sl_group_session (group, i);
  return NULL;
}

typedef struct
{
  SlFixture *fixture;
  char      *before; /* NULL: any run */
} Begun;

static gboolean
has_capacity_begun (gpointer data)
{
  const Begun *begun = data;
  SlSession   *session = capacity_of (begun->fixture);

  return session != NULL && sl_session_lab (session) != NULL && sl_session_present (session) > 0
         && g_strcmp0 (sl_session_uuid (session), begun->before) != 0;
}

/* A run of the start page is another one before those of the other labs have their data. */
static void
test_another_run_early (SlFixture *f, gconstpointer data)
{
  g_autofree char *before = NULL, *uuid = NULL;

  sl_act (f, "glance", NULL);
  sl_wait (is_group_there, f);
  before = g_strdup (sl_session_uuid (capacity_of (f)));
  sl_act (f, "closer", g_variant_new_string ("capacity"));
  sl_settle ();

  reopen (f);
  sl_wait (has_capacity_begun, &(Begun) { f, NULL });
  sl_act (f, "seed", g_variant_new_uint64 (8));
  sl_wait (has_capacity_begun, &(Begun) { f, before });
  uuid = g_strdup (sl_session_uuid (capacity_of (f)));

  reopen (f);
  sl_wait (has_capacity_begun, &(Begun) { f, NULL });
  g_assert_cmpstr (sl_session_uuid (capacity_of (f)), ==, uuid);
  sl_wait (is_group_there, f);
}

static SlOwn *
own_of (SlFixture *f)
{
  return sl_input_pad_get_own (
    sl_overview_band_get_pad (sl_overview_get_band (sl_window_get_overview (f->window))));
}

static gboolean
has_drawing (gpointer fixture)
{
  return sl_own_is_shown (own_of (fixture));
}

/* What was drawn on the start page is there again. */
static void
test_same_drawing (SlFixture *f, gconstpointer data)
{
  SlOwnKept drawn, found;

  sl_act (f, "glance", NULL);
  sl_wait (is_group_there, f);
  sl_own_hand (own_of (f), SL_HAND_BEGINS, 0.4, 0.2, SL_PEN_NEW);
  sl_own_hand (own_of (f), SL_HAND_MOVES, 0.6, 0.8, SL_PEN_NEW);
  g_assert_true (sl_own_send (own_of (f)));
  g_assert_true (sl_own_get_kept (own_of (f), &drawn));
  reopen (f);
  sl_wait (has_drawing, f);
  sl_wait (is_group_there, f);
  g_assert_true (sl_own_get_kept (own_of (f), &found));
  g_assert_true (found.data == drawn.data);
  g_assert_cmpuint (found.n, ==, drawn.n);
  for (unsigned i = 0; i < found.n; i++)
    g_assert_cmpfloat_with_epsilon (found.number[i], drawn.number[i], 1e-3f);
}

static gboolean
is_finished (gpointer window)
{
  SlSession *session = sl_window_get_session (window);

  return sl_is_loaded (session) && sl_session_state (session) == SL_FINISHED;
}

static gboolean
waits_for_answer (gpointer fixture)
{
  SlFixture *f = fixture;

  return sl_is_loaded (sl_window_get_session (f->window)) && sl_can (f, "lesson-answer");
}

/* In the middle of a lesson, with its run, what was guessed and kept; the labs have theirs. */
static void
test_same_lesson (SlFixture *f, gconstpointer data)
{
  static const char lesson[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"A\","
      "\"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\", \"seed\": 3, \"settings\": {"
      "\"experts\": 4, \"report-every\": 1 }, \"run\": 20, \"keep\": { \"x\": \"cost.executed\" },"
      "\"question\": { \"kind\": \"number\", \"prompt\": \"?\", \"range\": [ 0, 9 ], \"answer\": "
      "\"3\","
      "\"tolerance\": 1 } }, { \"title\": \"B\", \"text\": \"{x:1}\", \"locks\": [ \"k\" ],"
      "\"run\": 15, \"question\": { \"kind\": \"choice\", \"prompt\": \"?\", \"options\": [ \"x\", "
      "\"y\""
      "], \"answer\": 2 } } ] }";
  g_autofree char *own = g_strdup (sl_session_uuid (f->session)), *uuid = NULL;
  g_autoptr (GError) error = NULL;

  f->path = g_build_filename (f->folder, "a.lesson", NULL);
  g_assert_true (g_file_set_contents (f->path, lesson, -1, NULL));
  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  sl_wait (waits_for_answer, f);
  sl_act (f, "lesson-answer", g_variant_new_string ("4"));
  sl_wait (is_finished, f->window);
  sl_act (f, "lesson-next", NULL);
  sl_wait (waits_for_answer, f);
  uuid = g_strdup (sl_session_uuid (sl_window_get_session (f->window)));
  sl_settle ();

  reopen (f);
  sl_wait (waits_for_answer, f);
  g_assert_true (sl_window_get_session (f->window) != f->session);
  g_assert_cmpstr (sl_session_uuid (sl_window_get_session (f->window)), ==, uuid);
  g_assert_cmpuint (sl_session_info (sl_window_get_session (f->window))->step, ==, 20);
  g_assert_true (sl_param_row_is_locked (sl_row (f, "k")));
  sl_act (f, "lesson-answer", g_variant_new_string ("2"));
  sl_wait_for_step (sl_window_get_session (f->window), 35);
  sl_wait (is_finished, f->window);
  g_assert_cmpuint (sl_session_info (sl_window_get_session (f->window))->step, ==, 35);
  sl_act (f, "lesson-back", NULL);
  g_assert_true (sl_can (f, "lesson-next")); /* the guess is there */
  sl_act (f, "lab", g_variant_new_string ("sign-estimator"));
  sl_wait (sl_is_running, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, own);
}

static SlSession *
shown (SlFixture *f)
{
  return sl_window_get_session (f->window);
}

static gboolean
is_other_paused (gpointer fixture)
{
  SlFixture *f = fixture;

  return shown (f) != f->session && sl_is_paused (shown (f));
}

static gboolean
is_own_back (gpointer fixture)
{
  SlFixture *f = fixture;

  return shown (f) == f->session && sl_is_running (f->session);
}

/* Two runs side by side, the side that is edited, and the run beneath them. */
static void
test_same_pair (SlFixture *f, gconstpointer data)
{
  g_autofree char *own = g_strdup (sl_session_uuid (f->session)), *a = NULL, *b = NULL;
  uint64_t         step;

  sl_wait_for_step (f->session, 20);
  sl_act (f, "twin", NULL);
  sl_wait_for_step (shown (f), 20);
  b = g_strdup (sl_session_uuid (shown (f)));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, shown (f));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "twin-side",
                                      g_variant_new_string ("a"));
  sl_wait_for_step (shown (f), 20);
  a = g_strdup (sl_session_uuid (shown (f)));
  sl_act (f, "pause", NULL);
  sl_wait (is_other_paused, f);
  step = sl_session_info (shown (f))->step;

  reopen (f);
  sl_wait (is_other_paused, f);
  g_assert_cmpstr (sl_session_uuid (shown (f)), ==, a);
  g_assert_cmpuint (sl_session_info (shown (f))->step, ==, step);
  g_assert_true (gtk_widget_get_visible (sl_child (f->window, "pair_bar")));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "twin-side",
                                      g_variant_new_string ("b"));
  sl_wait (is_other_paused, f);
  g_assert_cmpstr (sl_session_uuid (shown (f)), ==, b);
  g_assert_cmpfloat (
    sl_session_settings (shown (f))
      ->value[sl_param_find (sl_session_lab (shown (f))->params,
                             sl_session_lab (shown (f))->n_params, "learning-rate")]
      .v[0],
    ==, 0.004);
  sl_act (f, "twin", NULL);
  sl_wait (is_own_back, f);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, own);
}

static gboolean
shows_list (SlFixture *f)
{
  g_autoptr (GVariant) list = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "runs");

  return g_variant_get_boolean (list);
}

static gboolean
has_own (gpointer fixture)
{
  SlFixture *f = fixture;

  return shown (f) == f->session && sl_is_loaded (f->session) && shows_list (f);
}

/* The page of runs with its chart and the sweep that is set up. */
static void
test_same_list (SlFixture *f, gconstpointer data)
{
  g_autofree char *own = g_strdup (sl_session_uuid (f->session));
  GtkWidget       *page;

  sl_wait_for_step (f->session, 20);
  sl_act (f, "runs", NULL);
  page = sl_child (f->window, "runs");
  gtk_widget_activate_action (page, "runs.view", "s", "parallel");
  gtk_editable_set_text (GTK_EDITABLE (sl_child (sl_child (page, "sweep"), "values_1")), "7 9");
  sl_settle ();

  reopen (f);
  sl_wait (has_own, f);
  sl_settle ();
  page = sl_child (f->window, "runs");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (sl_child (page, "views"))), ==,
                   "parallel");
  g_assert_cmpstr (
    gtk_editable_get_text (GTK_EDITABLE (sl_child (sl_child (page, "sweep"), "values_1"))), ==,
    "7 9");
  g_assert_cmpstr (sl_session_uuid (f->session), ==, own);
  sl_act (f, "runs", NULL);
  sl_wait (sl_is_running, f->session);
}

/* A lesson taken from the page of runs has no run yet when it is shown first. */
static void
test_lesson_over_list (SlFixture *f, gconstpointer data)
{
  sl_act (f, "runs", NULL);
  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  g_assert_true (shown (f) != f->session);
  sl_wait (sl_is_loaded, shown (f));
}

static gboolean
has_lesson (gpointer fixture)
{
  SlFixture *f = fixture;

  return shown (f) != f->session && sl_is_loaded (shown (f));
}

static const char *
subtitle (SlFixture *f)
{
  return adw_window_title_get_subtitle (sl_window_child (f->window, "title"));
}

static gboolean
has_start_data (gpointer fixture)
{
  SlFixture *f = fixture;

  return *subtitle (f) != '\0';
}

/* The start page has its own data, and their name, also where it is first seen after a lesson. */
static void
test_start_after_lesson (SlFixture *f, gconstpointer data)
{
  SlStage         *stage = sl_window_stage (f->window);
  g_autofree char *taught = NULL, *spec = NULL;

  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  sl_wait (has_lesson, f);
  sl_settle ();
  taught = g_strdup (subtitle (f));
  spec = g_strdup (sl_session_spec (shown (f)));
  g_assert_cmpstr (taught, !=, "");
  sl_act (f, "glance", NULL);
  g_assert_cmpstr (subtitle (f), !=, taught);
  sl_wait (has_start_data, f);
  g_assert_cmpstr (subtitle (f), !=, taught);
  for (unsigned i = 0; i < sl_group_size (sl_stage_group (stage)); i++)
    g_assert_cmpstr (sl_session_spec (sl_group_session (sl_stage_group (stage), i)), !=, spec);
}

static gboolean
has_lesson_under_list (gpointer fixture)
{
  return has_lesson (fixture) && shows_list (fixture);
}

/* A lesson shows its plots, also one that is taken from the page of runs; that page comes back over it. */
static void
test_same_lesson_under_list (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = NULL;

  sl_wait_for_step (f->session, 20);
  sl_act (f, "runs", NULL);
  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  sl_wait (has_lesson, f);
  g_assert_false (shows_list (f));
  sl_wait_for_step (shown (f), 20);
  uuid = g_strdup (sl_session_uuid (shown (f)));
  sl_act (f, "runs", NULL);
  sl_settle ();

  reopen (f);
  sl_wait (has_lesson_under_list, f);
  g_assert_cmpstr (sl_session_uuid (shown (f)), ==, uuid);
  sl_act (f, "runs", NULL);
  g_assert_false (shows_list (f));
  g_assert_cmpstr (sl_session_uuid (shown (f)), ==, uuid);
  g_assert_true (gtk_widget_get_visible (sl_child (f->window, "lesson_bar")));
}

#define ADD(name, test) g_test_add (name, SlFixture, NULL, set_up, test, sl_fixture_end)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("/place/undo-to", test_undo_to);
  ADD ("/place/same-place", test_same_place);
  ADD ("/place/run-is-gone", test_run_is_gone);
  ADD ("/place/same-overview", test_same_overview);
  ADD ("/place/another-run-early", test_another_run_early);
  ADD ("/place/same-drawing", test_same_drawing);
  ADD ("/place/same-lesson", test_same_lesson);
  ADD ("/place/same-pair", test_same_pair);
  ADD ("/place/same-list", test_same_list);
  ADD ("/place/lesson-over-list", test_lesson_over_list);
  ADD ("/place/start-after-lesson", test_start_after_lesson);
  ADD ("/place/same-lesson-under-list", test_same_lesson_under_list);
  return g_test_run ();
}
