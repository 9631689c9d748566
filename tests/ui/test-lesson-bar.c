/* SPDX-License-Identifier: MIT
 *
 * Lessons in the real window: what a step shows, locks and waits for, guesses that stay on the
 * plots, and what is measured of them.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "tests/support/close.h"
#include "tests/ui/fixture.h"
#include "ui/kit/banner.h"
#include "ui/lesson/bar.h"
#include "ui/lesson/ending.h"
#include "ui/lesson/ghosts.h"

static const char lesson[]
  = "{ \"sluice-lesson\": 1, \"title\": \"A test\", \"summary\": \"\", \"steps\": [\n"
    "  { \"title\": \"First\", \"text\": \"Nothing is asked.\", \"lab\": \"experts\",\n"
    "    \"data\": \"moons\", \"seed\": 3, \"settings\": { \"experts\": 4, \"hidden\": 4, \"k\": "
    "1,\n"
    "      \"report-every\": 1, \"evaluate-every\": 2 }, \"run\": 30, \"show\": [ \"cost\", "
    "\"error\" ],\n"
    "    \"offer\": [ \"k\", \"noise\" ], \"locks\": [ \"k\" ], \"highlight\": { \"param\": "
    "\"noise\" },\n"
    "    \"keep\": { \"before\": \"cost.executed\" } },\n"
    "  { \"title\": \"Second\", \"text\": \"It was {before:1}.\", \"settings\": { \"k\": 2 },\n"
    "    \"run\": 10, \"question\": { \"kind\": \"number\", \"prompt\": \"How much?\",\n"
    "      \"range\": [ 0, 100 ], \"answer\": \"cost.executed\", \"tolerance\": 60 },\n"
    "    \"reveal\": \"You said {guess:0}, it is {answer:2}.\" },\n"
    "  { \"title\": \"Third\", \"text\": \"Draw.\", \"restart\": true, \"run\": 20, \"question\": "
    "{\n"
    "      \"kind\": \"curve\", \"prompt\": \"How will it fall?\", \"panel\": \"error\",\n"
    "      \"range\": [ 0, 100 ], \"answer\": \"error.valid\", \"tolerance\": 0.001 },\n"
    "    \"reveal\": \"Off by {off:3}.\" },\n"
    "  { \"title\": \"Fourth\", \"text\": \"The end.\", \"run\": true, \"question\": { \"kind\": "
    "\"choice\",\n"
    "      \"prompt\": \"Which?\", \"options\": [ \"this\", \"that\" ], \"answer\": 2 } } ] }\n";

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "8", NULL };

  sl_fixture_begin (f, data);
  f->path = g_build_filename (f->folder, "a.lesson", NULL);
  g_assert_true (g_file_set_contents (f->path, lesson, -1, NULL));
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
}

/* The session that is shown: the lesson's own, while there is a lesson. */
static SlSession *
lesson_of (SlFixture *f)
{
  return sl_window_get_session (f->window);
}

/* With a text as its parameter, if any. */
static void
act (SlFixture *f, const char *name, const char *text)
{
  sl_act (f, name, text != NULL ? g_variant_new_string (text) : NULL);
}

/* A visible label of the bar or a banner that has this in it. */
static GtkWidget *
find_text (GtkWidget *root, const char *text)
{
  GtkWidget *found = NULL;

  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), text) != NULL)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_text (child, text);
  return found;
}

static GtkWidget *
bar_of (SlFixture *f)
{
  return sl_find (GTK_WIDGET (f->window), SL_TYPE_LESSON_BAR);
}

/* Words, and where they are to be read. */
typedef struct
{
  GtkWidget  *where;
  const char *text;
} Saying;

static gboolean
is_said (gpointer data)
{
  const Saying *saying = data;

  return find_text (saying->where, saying->text) != NULL;
}

static void
wait_for_text (SlFixture *f, const char *text)
{
  sl_wait (is_said, &(Saying) { bar_of (f), text });
}

static gboolean
is_staged (gpointer data)
{
  SlFixture  *f = data;
  SlParamRow *row
    = sl_session_lab (lesson_of (f)) == sl_lab_find ("experts") ? sl_row (f, "k") : NULL;

  return row != NULL && sl_param_row_is_locked (row);
}

static gboolean
is_finished (gpointer data)
{
  SlSession *session = lesson_of (data);

  /* The run that gives way may have finished, too: where the next one is to. */
  return sl_is_loaded (session) && sl_session_state (session) == SL_FINISHED;
}

static double
newest (SlFixture *f, const char *channel)
{
  double value;

  g_assert_true (
    sl_lesson_channel (sl_session_record (lesson_of (f)), channel, (double) NAN, &value));
  return value;
}

/* The first step is done. */
static void
begin_at (SlFixture *f)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  g_assert_no_error (error);
  sl_wait (is_finished, f);
}

/* The first step: lab, data, seed and settings, rows and plots. */
static void
begin (SlFixture *f)
{
  begin_at (f);
  sl_wait (is_staged, f);
}

/* How a plot is looked at. */
static const SlView *
view_of (SlFixture *f, const char *panel)
{
  int i = sl_lab_panel (sl_session_lab (lesson_of (f)), panel);

  return &sl_plot_view_get_figure (
            sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) i))
            ->view;
}

static void
test_stage (SlFixture *f, gconstpointer data)
{
  SlPlotGrid  *grid;
  const SlLab *lab = sl_lab_find ("experts");
  GtkWidget   *k, *noise;

  g_assert_false (gtk_widget_get_visible (bar_of (f)));
  begin (f);
  grid = sl_window_get_grid (f->window);
  g_assert_cmpstr (sl_session_spec (lesson_of (f)), ==, "moons");
  g_assert_cmpuint (sl_session_seed (lesson_of (f)), ==, 3);
  g_assert_cmpuint (sl_session_info (lesson_of (f))->step, ==, 30);
  for (unsigned i = 0; i < lab->n_panels; i++)
    g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (sl_plot_grid_get_card (grid, i))), ==,
                     g_str_equal (lab->panels[i].id, "cost")
                       || g_str_equal (lab->panels[i].id, "error"));
  for (unsigned i = 0; i < lab->n_params; i++)
    g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, lab->params[i].id))), ==,
                     g_str_equal (lab->params[i].id, "k")
                       || g_str_equal (lab->params[i].id, "noise"));
  k = sl_control (sl_row (f, "k"));
  noise = sl_control (sl_row (f, "noise"));
  g_assert_false (gtk_widget_is_sensitive (k));
  g_assert_true (gtk_widget_is_sensitive (noise));
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (sl_row (f, "noise")), "lesson-ring"));
  g_assert_false (sl_can (f, "lesson-back"));
  /* Curves on plain axes; afterwards as the lab wants them. */
  g_assert_true (lab->panels[sl_lab_panel (lab, "error")].y.logarithmic);
  g_assert_false (view_of (f, "error")->log_y);
  wait_for_text (f, "Nothing is asked.");
  g_assert_nonnull (find_text (bar_of (f), "1 of 4"));
  sl_assert_named (GTK_WIDGET (f->window));

  act (f, "lesson-leave", NULL);
  g_assert_false (gtk_widget_get_visible (bar_of (f)));
  g_assert_true (gtk_widget_is_sensitive (k));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "experts"))));
  g_assert_true (view_of (f, "error")->log_y);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_plot_grid_get_card (grid, 0))));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (sl_row (f, "noise")), "lesson-ring"));
  act (f, "lesson-resume", NULL);
  g_assert_true (gtk_widget_get_visible (bar_of (f)));
  sl_wait (is_staged, f);
}

/* Nothing goes on until there is a guess; then the reveal is what the run says. */
static void
test_predict (SlFixture *f, gconstpointer data)
{
  g_autofree char *before = NULL, *reveal = NULL;
  double           cost;

  begin (f);
  cost = newest (f, "cost.executed");
  act (f, "lesson-next", NULL);
  before = g_strdup_printf ("It was %.1f.", cost);
  wait_for_text (f, before);
  g_assert_false (sl_can (f, "lesson-next"));
  g_assert_true (sl_can (f, "lesson-answer"));
  sl_settle ();
  g_assert_cmpuint (sl_session_info (lesson_of (f))->step, ==, 30);
  act (f, "lesson-answer", "all of it"); /* no number: nothing happens */
  g_assert_false (sl_can (f, "lesson-next"));

  act (f, "lesson-answer", "50");
  g_assert_true (sl_can (f, "lesson-next"));
  sl_wait (is_finished, f);
  wait_for_text (f, "You said 50");
  g_assert_cmpuint (sl_session_info (lesson_of (f))->step, ==, 40);
  g_assert_cmpfloat (newest (f, "cost.executed"), >, cost);
  reveal = g_strdup_printf ("Right. You said 50, it is %.2f.", newest (f, "cost.executed"));
  wait_for_text (f, reveal);
  g_assert_cmpuint (sl_session_record (lesson_of (f))->n_flags, >=, 1);
}

static const SlCurve *
find_ghost (SlFixture *f, const char *id)
{
  int       panel = sl_lab_panel (sl_lab_find ("experts"), "error");
  SlFigure *figure = sl_plot_view_get_figure (
    sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) panel));
  int curve = sl_figure_find (figure, id);

  return curve >= 0 ? &figure->curve[curve] : NULL;
}

static gboolean
is_sketched (gpointer data)
{
  return find_ghost (data, "ghost-1.error.valid") != NULL;
}

static gboolean
press (GtkWidget *widget, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &taken);
    }
  return taken;
}

/* A curve drawn by keys stays behind the measured one, and another person's beside it. */
static void
test_sketch (SlFixture *f, gconstpointer data)
{
  SlPlotView      *view;
  const SlCurve   *ghost;
  g_autofree char *reveal = NULL;
  double           off = 0.0;
  const SlSeries  *series;

  begin (f);
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "");
  act (f, "lesson-next", NULL);
  sl_wait (sl_is_paused, lesson_of (f));
  sl_wait (is_sketched, f);
  ghost = find_ghost (f, "ghost-1.error.valid");
  g_assert_true (ghost->ghost);
  g_assert_cmpuint (ghost->series->n, ==, SL_SKETCH_POINTS);
  g_assert_cmpfloat (ghost->series->value[SL_SKETCH_POINTS / 2], ==, 50.0);
  view = sl_plot_card_get_view (sl_plot_grid_get_card (
    sl_window_get_grid (f->window), (unsigned) sl_lab_panel (sl_lab_find ("experts"), "error")));
  g_assert_true (press (GTK_WIDGET (view), GDK_KEY_Up));
  g_assert_true (press (GTK_WIDGET (view), GDK_KEY_Up));
  ghost = find_ghost (f, "ghost-1.error.valid");
  g_assert_cmpfloat (ghost->series->value[SL_SKETCH_POINTS / 2], ==, 60.0);
  g_assert_cmpfloat (ghost->series->value[0], ==, 50.0);

  act (f, "lesson-answer", "40 30 20");
  sl_wait (is_finished, f);
  ghost = find_ghost (f, "ghost-1.error.valid");
  g_assert_cmpfloat (ghost->series->value[0], ==, 40.0);
  g_assert_cmpfloat (ghost->series->value[SL_SKETCH_POINTS - 1], ==, 20.0);
  series = &sl_session_record (lesson_of (f))
              ->series[sl_layout_find (&sl_session_record (lesson_of (f))->layout, "error.valid")];
  for (size_t i = 0; i < series->n; i++)
    off += fabs (series->value[i] - (40.0 - series->step[i])) / (double) series->n;
  reveal = g_strdup_printf ("Not quite. Off by %.3f.", off);
  wait_for_text (f, reveal);
  g_assert_false (press (GTK_WIDGET (view), GDK_KEY_Up));

  act (f, "lesson-ask-again", NULL);
  sl_wait (sl_is_paused, lesson_of (f));
  g_assert_false (sl_can (f, "lesson-next"));
  g_assert_null (find_ghost (f, "ghost-2.error.valid"));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "lesson-earlier",
                                      g_variant_new_boolean (TRUE));
  ghost = find_ghost (f, "ghost-2.error.valid");
  g_assert_nonnull (ghost);
  g_assert_cmpfloat (ghost->series->value[0], ==, 40.0);
  act (f, "lesson-answer", "");
  g_assert_null (find_ghost (f, "ghost-1.error.valid"));
}

/* To the end, and what a right and a wrong option look like. */
static void
test_choice (SlFixture *f, gconstpointer data)
{
  GtkWidget *option;

  begin (f);
  for (unsigned i = 0; i < 2; i++)
    {
      act (f, "lesson-next", NULL);
      act (f, "lesson-answer", "");
    }
  act (f, "lesson-next", NULL);
  wait_for_text (f, "that");
  option = gtk_widget_get_ancestor (find_text (bar_of (f), "that"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (option, "clicked");
  wait_for_text (f, "Right.");
  g_assert_true (gtk_widget_has_css_class (option, "lesson-right"));
  g_assert_false (gtk_widget_get_sensitive (option));
  act (f, "lesson-back", NULL);
  g_assert_nonnull (find_text (bar_of (f), "3 of 4"));
  act (f, "lesson-next", NULL);
  act (f, "lesson-next", NULL);
  g_assert_false (gtk_widget_get_visible (bar_of (f)));
  g_assert_false (sl_can (f, "lesson-resume") && sl_can (f, "lesson-next"));
}

/* Page Down is the lesson's, but only while there is one. */
static void
test_keys (SlFixture *f, gconstpointer data)
{
  g_assert_false (sl_press (GTK_WIDGET (f->window), GDK_KEY_Page_Down, 0));
  begin (f);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_Page_Down, 0));
  wait_for_text (f, "2 of 4");
  g_assert_false (sl_press (GTK_WIDGET (f->window), GDK_KEY_Page_Down, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_Page_Up, 0));
  wait_for_text (f, "1 of 4");
}

/* What is wrong with a file is said with its line and key, and stays until it is closed. */
static void
test_damage (SlFixture *f, gconstpointer data)
{
  g_autofree char *text = g_strdup (lesson);
  guint            generation = sl_session_generation (lesson_of (f));
  Saying           complaint;

  memcpy (strstr (text, "\"k\": 2"), "\"k\": 0", 6);
  g_assert_true (g_file_set_contents (f->path, text, -1, NULL));
  sl_window_open_file (f->window, f->path);
  complaint = (Saying) { GTK_WIDGET (f->window), "a.lesson, line 7: found \"k\" with \"0\"" };
  sl_wait (is_said, &complaint);
  sl_settle ();
  g_assert_true (is_said (&complaint));
  g_assert_false (gtk_widget_get_visible (bar_of (f)));
  g_assert_cmpuint (sl_session_generation (lesson_of (f)), ==, generation);
}

/* What is on the screen becomes a step, of a lesson that is new or there. */
static void
test_save (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "own.lesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (SlLesson) saved = NULL;
  g_autoptr (GError) error = NULL;
  const SlLessonStep *step;
  SlLessonState       state;
  SlStatus            status;

  begin (f);
  for (unsigned i = 0; i < 2; i++)
    g_action_group_activate_action (G_ACTION_GROUP (f->window), "lesson-save-step-to",
                                    g_variant_new ("(sss)", path, i == 0 ? "One" : "Two", "Text"));
  saved = sl_lesson_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (saved->title, ==, "One");
  g_assert_cmpuint (saved->steps->len, ==, 2);
  step = sl_lesson_step (saved, 1);
  g_assert_cmpstr (step->title, ==, "Two");
  g_assert_true (step->lab == sl_lab_find ("experts"));
  g_assert_cmpuint (step->seed, ==, 3);
  g_assert_cmpstr (step->locks[0], ==, "k");
  g_assert_cmpuint (g_strv_length (step->show), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) step->show, "cost"));
  g_assert_cmpint (step->go, ==, SL_GO_UNTIL);
  g_assert_cmpuint (step->updates, ==, 30);
  status = sl_lesson_state (saved, 1, &state);
  g_assert_true (sl_ok (&status));
  g_assert_cmpmem (&state.settings, sizeof state.settings, sl_session_settings (lesson_of (f)),
                   sizeof state.settings);
  g_free (state.data);
}

static gboolean
is_three (gpointer data)
{
  SlHeadlineRange range;

  for (unsigned i = 0; i < sl_group_size (sl_overview_get_group (data)); i++)
    if (!sl_is_loaded (sl_group_session (sl_overview_get_group (data), i)))
      return FALSE;
  return sl_group_headline (sl_overview_get_group (data), SL_HEADLINE_ACTIVE, &range)
         && range.value == 3.0;
}

/* The start page takes part: its sliders, and back to a lab. */
static void
test_overview (SlFixture *f, gconstpointer data)
{
  static const char with_overview[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"A\","
      "\"text\": \"\", \"lab\": \"glance\", \"settings\": { \"k\": 3 }, \"highlight\": { \"param\":"
      "\"k\" }, \"question\": { \"kind\": \"choice\", \"prompt\": \"?\", \"options\": [ \"x\","
      "\"y\" ] } }, { \"title\": \"B\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\","
      "\"settings\": { \"experts\": 4 } } ] }";
  SlOverview *overview = sl_window_get_overview (f->window);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (f->path, with_overview, -1, NULL));
  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  g_assert_no_error (error);
  g_assert_true (sl_window_shows_overview (f->window));
  g_assert_true (gtk_widget_get_visible (bar_of (f)));
  sl_wait (is_three, overview);
  g_assert_false (sl_group_is_running (sl_overview_get_group (overview)));
  act (f, "lesson-answer", "1");
  g_assert_true (sl_group_is_running (sl_overview_get_group (overview)));
  act (f, "lesson-next", NULL);
  g_assert_false (sl_window_shows_overview (f->window));
  g_assert_true (gtk_widget_get_visible (bar_of (f)));
  sl_wait (sl_is_loaded, lesson_of (f));
}

static gboolean
is_group_there (gpointer group)
{
  for (unsigned i = 0; i < sl_group_size (group); i++)
    if (sl_session_info (sl_group_session (group, i))->step == 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_at_rest (gpointer group)
{
  return !sl_group_is_running (group);
}

static gboolean
is_at_work (gpointer group)
{
  return sl_group_is_running (group);
}

/* The runs of the start page wait while a lesson shows its own there, and are what they were after it. */
static void
test_overview_untouched (SlFixture *f, gconstpointer data)
{
  static const char with_overview[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"A\","
      "\"text\": \"\", \"lab\": \"glance\", \"settings\": { \"k\": 3 } } ] }";
  SlOverview *overview = sl_window_get_overview (f->window);
  g_autoptr (SlGroup) group = NULL;
  g_autoptr (GError) error = NULL;
  SlHeadlineRange before, after;

  act (f, "glance", NULL);
  group = g_object_ref (sl_overview_get_group (overview));
  sl_wait (is_group_there, group);
  g_assert_true (sl_group_headline (group, SL_HEADLINE_ACTIVE, &before));
  g_assert_cmpfloat (before.value, !=, 3.0);

  g_assert_true (g_file_set_contents (f->path, with_overview, -1, NULL));
  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  sl_wait (is_three, overview);
  sl_wait (is_at_rest, group);
  act (f, "lesson-next", NULL);
  g_assert_true (sl_window_shows_overview (f->window));
  g_assert_true (sl_overview_get_group (overview) == group);
  sl_wait (is_at_work, group);
  g_assert_true (sl_group_headline (group, SL_HEADLINE_ACTIVE, &after));
  g_assert_cmpfloat (after.value, ==, before.value);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    g_assert_false (sl_session_can_undo (sl_group_session (group, i)));
}

static gboolean
is_experts (gpointer session)
{
  return sl_is_loaded (session) && sl_session_lab (session) == sl_lab_find ("experts");
}

static gboolean
shows (SlFixture *f, const char *panel)
{
  int i = sl_lab_panel (sl_session_lab (lesson_of (f)), panel);

  return gtk_widget_get_visible (
    GTK_WIDGET (sl_plot_grid_get_card (sl_window_get_grid (f->window), (unsigned) i)));
}

/* To a lab and back: what the guess is about is to be seen there, and not in the lesson. */
static void
look_elsewhere (SlFixture *f)
{
  act (f, "lab", "sign-estimator");
  g_assert_true (lesson_of (f) == f->session);
  g_assert_false (gtk_widget_get_visible (bar_of (f)));
  g_assert_true (shows (f, "agreement"));
  act (f, "lab", "experts");
  sl_wait (is_experts, f->session);
  sl_fixture_show_all (f);
  g_assert_true (shows (f, "cost"));
  act (f, "lesson-resume", NULL);
  g_assert_true (lesson_of (f) != f->session);
  g_assert_false (shows (f, "cost"));
}

/* A plot that tells the number already comes after the guess, and is gone for the next guess. */
static void
test_withheld (SlFixture *f, gconstpointer data)
{
  static const char guess_the_cost[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"A\","
      "\"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\", \"settings\": { \"experts\": 4 },"
      "\"run\": 20 }, { \"title\": \"B\", \"text\": \"\", \"show\": [ \"cost\", \"error\" ],"
      "\"highlight\": { \"panel\": \"cost\" }, \"question\": { \"kind\": \"number\", \"prompt\": "
      "\"?\","
      "\"range\": [ 0, 100 ], \"answer\": \"100 - cost.executed\" } } ] }";

  g_assert_true (g_file_set_contents (f->path, guess_the_cost, -1, NULL));
  begin_at (f);
  act (f, "lesson-next", NULL);
  sl_wait (sl_is_loaded, lesson_of (f));
  g_assert_false (shows (f, "cost"));
  g_assert_true (shows (f, "error"));
  g_assert_false (shows (f, "usage"));
  look_elsewhere (f);
  act (f, "lesson-answer", "40");
  g_assert_true (shows (f, "cost"));
  g_assert_true (shows (f, "error"));
  act (f, "lesson-ask-again", NULL);
  g_assert_false (shows (f, "cost"));
  act (f, "lesson-leave", NULL);
  sl_fixture_show_all (f);
  g_assert_true (shows (f, "cost"));
  g_assert_true (shows (f, "usage"));
}

static gboolean
has_cost (gpointer data)
{
  return isfinite (newest (data, "cost.executed"));
}

/* Begins a lesson that has this for its steps. */
static void
take_steps (SlFixture *f, const char *steps)
{
  g_autofree char *text = g_strdup_printf ("{ \"sluice-lesson\": 1, \"title\": \"Waiting\","
                                           "\"summary\": \"\", \"steps\": [ %s ] }",
                                           steps);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (f->path, text, -1, NULL));
  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  g_assert_no_error (error);
}

/* Who goes on before the run has ended takes along what it said until then. */
static void
test_hurry (SlFixture *f, gconstpointer data)
{
  g_autofree char *before = NULL;

  take_steps (f, "{ \"title\": \"A\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\","
                 "\"settings\": { \"experts\": 4, \"report-every\": 1 }, \"run\": 100000000,"
                 "\"keep\": { \"cost\": \"cost.executed\" } },"
                 "{ \"title\": \"B\", \"text\": \"It was {cost:3}.\", \"run\": false }");
  sl_wait (sl_is_loaded, lesson_of (f));
  sl_wait (has_cost, f);
  before = g_strdup_printf ("It was %.3f.", newest (f, "cost.executed"));
  act (f, "lesson-next", NULL);
  wait_for_text (f, before);
}

/* What is not measured yet says what it waits for: beside the title, or where the reveal will be. */
static void
test_waiting (SlFixture *f, gconstpointer data)
{
  take_steps (f,
              "{ \"title\": \"A\", \"text\": \"{cost.executed:0} %\", \"lab\": \"experts\","
              "\"data\": \"moons\", \"settings\": { \"experts\": 4 }, \"run\": 100000000 },"
              "{ \"title\": \"B\", \"text\": \"\", \"run\": 100000000, \"question\": {"
              "\"kind\": \"choice\", \"prompt\": \"Which?\", \"options\": [ \"this\", \"that\" ],"
              "\"answer\": 2 }, \"reveal\": \"That.\" },"
              "{ \"title\": \"C\", \"text\": \"{speed.parameters@1:1}\", \"run\": false,"
              "\"show\": [ \"cost\" ] }");
  g_assert_nonnull (find_text (bar_of (f), "The run is being prepared"));
  g_assert_null (find_text (bar_of (f), "Waiting"));
  wait_for_text (f, " of 100");
  act (f, "pause", NULL);
  wait_for_text (f, "Paused at update ");
  act (f, "lesson-next", NULL);
  wait_for_text (f, "Waiting");
  act (f, "lesson-answer", "1");
  wait_for_text (f, " of 100");
  g_assert_null (find_text (bar_of (f), "That."));
  act (f, "lesson-next", NULL);
  wait_for_text (f, "This machine is measuring");
}

/* The lab's own run is as it was before the lesson, and so is what a lab chosen next begins with. */
static void
assert_untouched (SlFixture *f, unsigned generation, gboolean running)
{
  g_assert_true (lesson_of (f) == f->session);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpuint (sl_session_info (f->session)->limit, ==, 0);
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 0);
  g_assert_cmpint (sl_session_state (f->session), ==, running ? SL_RUNNING : SL_PAUSED);
  g_assert_true (gtk_widget_is_sensitive (sl_control (sl_row (f, "learning-rate"))));
}

static void
test_no_trace (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);
  uint64_t step;

  sl_wait (sl_is_running, f->session);
  begin (f);
  g_assert_true (lesson_of (f) != f->session);
  g_assert_false (sl_can (f, "undo"));
  sl_wait (sl_is_paused, f->session);
  step = sl_session_info (f->session)->step;
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "");
  sl_wait (is_finished, f);
  act (f, "lesson-leave", NULL);
  g_assert_cmpuint (sl_session_info (lesson_of (f))->limit, ==, 0);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, step);

  act (f, "lab", "sign-estimator");
  assert_untouched (f, generation, TRUE);
  sl_wait_for_step (f->session, step + 1);
  act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  act (f, "lesson-resume", NULL);
  sl_wait (is_finished, f);
  act (f, "lab", "sign-estimator");
  assert_untouched (f, generation, FALSE);

  act (f, "lesson-resume", NULL);
  act (f, "lab", "prefix-tree");
  sl_wait_for_run (f->session, generation);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpstr (sl_session_spec (f->session), ==, "moons");
  g_assert_cmpuint (sl_session_info (f->session)->limit, ==, 0);
}

/* Who left a lesson in a lab comes back to their own run in that lab by choosing it. */
static void
test_own_run (SlFixture *f, gconstpointer data)
{
  GtkListBox *labs = sl_fixture_labs (f);
  unsigned    generation = sl_session_generation (f->session);

  act (f, "lab", "experts");
  sl_wait_for_run (f->session, generation);
  begin (f);
  sl_wait (sl_is_paused, f->session);
  /* During the lesson the lab that it is in leads nowhere else. */
  g_signal_emit_by_name (labs, "row-activated", gtk_list_box_get_selected_row (labs));
  g_assert_true (lesson_of (f) != f->session);
  act (f, "lesson-leave", NULL);
  g_assert_true (lesson_of (f) != f->session);
  g_signal_emit_by_name (labs, "row-activated", gtk_list_box_get_selected_row (labs));
  g_assert_true (lesson_of (f) == f->session);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "experts");
  /* And the lab that is shown leads nowhere, least of all to a new run. */
  generation = sl_session_generation (f->session);
  g_signal_emit_by_name (labs, "row-activated", gtk_list_box_get_selected_row (labs));
  sl_settle ();
  g_assert_true (sl_is_loaded (f->session));
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
}

/* The last page of a lesson, or NULL. */
static GtkWidget *
ending (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (SL_IS_LESSON_ENDING (l->data))
      return l->data;
  return NULL;
}

static gboolean
ends (gpointer unused)
{
  return ending () != NULL && gtk_widget_get_mapped (ending ());
}

static void
press_on_ending (const char *label)
{
  g_signal_emit_by_name (gtk_widget_get_ancestor (find_text (ending (), label), GTK_TYPE_BUTTON),
                         "clicked");
}

/* The program's own lessons, one after the other, without waiting for their runs. */
typedef struct
{
  SlFixture      *fixture;
  graphene_rect_t before[2];
} Steady;

static void
places (SlFixture *f, graphene_rect_t place[2])
{
  GtkWidget *window = GTK_WIDGET (f->window);

  g_assert_true (
    gtk_widget_compute_bounds (GTK_WIDGET (sl_window_get_grid (f->window)), window, &place[0]));
  g_assert_true (gtk_widget_compute_bounds (sl_child (bar_of (f), "count"), window, &place[1]));
}

static gboolean
is_over_steadily (gpointer data)
{
  Steady         *steady = data;
  SlSession      *session = lesson_of (steady->fixture);
  graphene_rect_t now[2];

  places (steady->fixture, now);
  for (unsigned i = 0; i < 2; i++)
    if (!graphene_rect_equal (&now[i], &steady->before[i]))
      g_error ("%s: y %g, %g px high; was y %g, %g px high",
               i == 0 ? "plots" : "number of the step", now[i].origin.y, now[i].size.height,
               steady->before[i].origin.y, steady->before[i].size.height);
  return sl_is_loaded (session) && sl_session_state (session) != SL_RUNNING;
}

/* While a step trains, and when it has and its reveal comes, nothing moves, however long the reveal is. */
static void
test_steady (SlFixture *f, gconstpointer data)
{
  g_autofree char *spaces = g_strnfill (300, ' ');
  g_auto (GStrv) words = g_strsplit (spaces, " ", -1);
  g_autofree char *reveal
    = g_strjoinv ("word ", words),
    *text = g_strdup_printf (
      "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"A\","
      "\"text\": \"Words.\", \"lab\": \"experts\", \"data\": \"moons\", \"settings\": { "
      "\"experts\": 4 },"
      "\"run\": 3000, \"question\": { \"kind\": \"choice\", \"prompt\": \"?\", \"options\": [ "
      "\"x\","
      "\"y\" ], \"answer\": 1 }, \"reveal\": \"%s\" } ] }",
      reveal);
  Steady steady = { .fixture = f };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (f->path, text, -1, NULL));
  g_assert_true (sl_window_open_lesson (f->window, f->path, &error));
  g_assert_no_error (error);
  sl_wait (sl_is_loaded, lesson_of (f));
  act (f, "lesson-answer", "2");
  act (f, "pause", NULL);
  sl_wait (sl_is_paused, lesson_of (f));
  sl_settle ();
  places (f, steady.before);
  act (f, "run", NULL);
  sl_wait (sl_is_running, lesson_of (f));
  sl_wait (is_over_steadily, &steady);
  sl_settle ();
  is_over_steadily (&steady);
}

static void
note_height (SlFixture *f, int *height)
{
  int now;

  sl_settle ();
  now = gtk_widget_get_height (sl_window_child (f->window, "pages"));
  g_assert_cmpint (gtk_widget_get_height (bar_of (f)), >, 0);
  g_assert_cmpint (now, >, 0);
  if (*height > 0)
    g_assert_cmpint (now, ==, *height);
  *height = now;
}

/* What is above the bar is as high in all steps of a lesson, before and after each answer, and beside it are the
 * settings that it offers.  */
static void
test_one_height (SlFixture *f, gconstpointer data)
{
  SlSidebar *sidebar = sl_window_get_sidebar (f->window);
  int        height = 0;
  unsigned   steps = 0;

  act (f, "lesson", "1-gate");
  for (; gtk_widget_get_visible (bar_of (f)); steps++)
    {
      sl_wait (sl_is_loaded, lesson_of (f));
      note_height (f, &height);
      g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_sidebar_get_data (sidebar))));
      g_assert_true (gtk_widget_get_mapped (
        GTK_WIDGET (sl_param_form_row (sl_sidebar_get_form (sidebar), "k"))));
      if (sl_can (f, "lesson-answer"))
        {
          act (f, "lesson-answer", "");
          note_height (f, &height);
        }
      act (f, "lesson-next", NULL);
    }
  sl_settle ();
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_sidebar_get_data (sidebar))));
  g_assert_cmpuint (steps, >=, 6);
  g_assert_cmpint (height, >=, gtk_widget_get_height (GTK_WIDGET (f->window)) / 3);
}

static void
test_built_in (SlFixture *f, gconstpointer data)
{
  enum { N_LESSONS = 15 };

  act (f, "lesson", "1-gate");
  for (unsigned i = 0; i < N_LESSONS; i++)
    {
      unsigned steps = 0;

      if (i > 0)
        {
          sl_wait (ends, NULL);
          press_on_ending ("Next lesson");
          g_assert_true (gtk_widget_get_visible (bar_of (f)));
        }
      for (; gtk_widget_get_visible (bar_of (f)); steps++)
        {
          g_assert_cmpuint (steps, <, 8);
          sl_wait (sl_is_loaded, lesson_of (f));
          sl_settle ();
          if (sl_can (f, "lesson-answer"))
            act (f, "lesson-answer", "");
          g_action_group_change_action_state (G_ACTION_GROUP (f->window), "pace",
                                              g_variant_new_string ("0"));
          act (f, "lesson-next", NULL);
        }
      g_assert_cmpuint (steps, >=, 3);
    }
  sl_wait (ends, NULL);
  g_assert_null (find_text (ending (), "Next lesson"));
  press_on_ending ("Close");
}

/* The options of the question, in the order of the bar. */
static char *
options_of (SlFixture *f)
{
  GString *options = g_string_new (NULL);

  for (GtkWidget *button = gtk_widget_get_first_child (sl_child (bar_of (f), "options"));
       button != NULL; button = gtk_widget_get_next_sibling (button))
    g_string_append_printf (
      options, "%s ", gtk_label_get_label (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)))));
  return g_string_free (options, FALSE);
}

/* To the last page: a number, a curve that is skipped, and a choice; then once more, with other orders of options. */
static void
test_last_page (SlFixture *f, gconstpointer data)
{
  gboolean seen[2] = { FALSE };

  begin (f);
  act (f, "lesson-next", NULL);
  wait_for_text (f, "A guess is right within 60.");
  act (f, "lesson-answer", "50");
  wait_for_text (f, "You said 50");
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "");
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "1");
  act (f, "lesson-next", NULL);
  sl_wait (ends, NULL);
  g_assert_nonnull (find_text (ending (), "1 of 2 right"));
  g_assert_nonnull (find_text (ending (), "How much?"));
  g_assert_nonnull (find_text (ending (), "You: 50. Measured: "));
  g_assert_nonnull (find_text (ending (), "Right is within 60."));
  g_assert_nonnull (find_text (ending (), "Skipped"));
  g_assert_nonnull (find_text (ending (), "You: this. Right: that."));
  g_assert_nonnull (find_text (ending (), "Save answers"));
  g_assert_true (sl_can (f, "lesson-save-answers"));
  press_on_ending ("Begin again");
  g_assert_null (ending ());
  for (unsigned i = 0; i < 40 && !(seen[0] && seen[1]); i++)
    {
      g_autofree char *options = NULL;

      act (f, "lesson-start", NULL);
      sl_wait (sl_is_loaded, lesson_of (f));
      for (unsigned step = 0; step < 3; step++)
        {
          if (sl_can (f, "lesson-answer"))
            act (f, "lesson-answer", "");
          act (f, "lesson-next", NULL);
        }
      options = options_of (f);
      g_assert_true (g_str_equal (options, "this that ") || g_str_equal (options, "that this "));
      seen[g_str_has_prefix (options, "that")] = TRUE;
    }
  g_assert_true (seen[0] && seen[1]);
  act (f, "lesson-answer", "2");
  act (f, "lesson-next", NULL);
  sl_wait (ends, NULL); /* and the window closes under the page */
}

/* The number of a ghost on the plot of the cost, from 1. */
static const SlCurve *
find_level (SlFixture *f, unsigned ghost)
{
  g_autofree char *id = g_strdup_printf ("ghost-%u.cost.executed", ghost);
  int              panel = sl_lab_panel (sl_lab_find ("experts"), "cost");
  SlFigure        *figure = sl_plot_view_get_figure (
           sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) panel));
  int curve = sl_figure_find (figure, id);

  return curve >= 0 ? &figure->curve[curve] : NULL;
}

static gboolean
has_level (gpointer data)
{
  return find_level (data, 1) != NULL;
}

/* A number stays on the plot of its channel as a level, which goes with the guess. */
static void
test_level (SlFixture *f, gconstpointer data)
{
  const SlCurve *level;

  begin (f);
  act (f, "lesson-next", NULL);
  sl_settle ();
  g_assert_false (has_level (f));
  act (f, "lesson-answer", "50");
  sl_wait (is_finished, f);
  sl_wait (has_level, f);
  level = find_level (f, 1);
  g_assert_true (level->ghost);
  for (size_t i = 0; i < level->series->n; i++)
    g_assert_cmpfloat (level->series->value[i], ==, 50.0);
  g_assert_cmpfloat (level->series->step[level->series->n - 1], ==, 40.0);
  act (f, "lesson-ask-again", NULL);
  g_assert_false (has_level (f));
}

static SlFigure *
profile_of (SlFixture *f)
{
  int panel = sl_lab_panel (sl_lab_find ("capacity"), "profile");

  return sl_plot_view_get_figure (
    sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) panel));
}

static gboolean
has_point (gpointer data)
{
  return sl_figure_find (profile_of (data), "ghost-1.profile.networks") >= 0;
}

/* On a curve over places the guess is at the place that was asked for; what was skipped is nowhere. */
static void
test_point (SlFixture *f, gconstpointer data)
{
  const char *const steps
    = "{ \"sluice-lesson\": 1, \"title\": \"Place\", \"summary\": \"\", \"steps\": [ "
      "{ \"title\": \"a\", \"text\": \"\", \"lab\": \"capacity\", \"run\": 2, \"show\": [ "
      "\"profile\" ] }, "
      "{ \"title\": \"b\", \"text\": \"\", \"run\": 2, \"question\": { \"kind\": \"number\", "
      "\"prompt\": "
      "\"How much?\", \"range\": [ 0, 1 ], \"answer\": \"profile.networks@4\" } } ] }";
  const SlCurve *point;

  g_assert_true (g_file_set_contents (f->path, steps, -1, NULL));
  begin_at (f);
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "");
  sl_settle ();
  g_assert_false (has_point (f));
  act (f, "lesson-ask-again", NULL);
  act (f, "lesson-answer", "0.25");
  sl_wait (has_point, f);
  point = &profile_of (f)->curve[sl_figure_find (profile_of (f), "ghost-1.profile.networks")];
  g_assert_cmpuint (point->n, ==, 1);
  g_assert_cmpfloat (point->x[0], ==, 4.0);
  g_assert_cmpfloat (point->y[0], ==, 0.25);
}

/* Of the guesses of a class the last few are shown beside one's own, however many there are. */
static void
test_earlier (SlFixture *f, gconstpointer data)
{
  begin (f);
  act (f, "lesson-next", NULL);
  for (unsigned i = 0; i <= SL_GHOSTS_EARLIER; i++)
    {
      g_autofree char *guess = g_strdup_printf ("%u", i);

      act (f, "lesson-answer", guess);
      act (f, "lesson-ask-again", NULL);
    }
  act (f, "lesson-answer", "50");
  g_assert_cmpfloat (find_level (f, 1)->series->value[0], ==, 50.0);
  g_assert_null (find_level (f, 2));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "lesson-earlier",
                                      g_variant_new_boolean (TRUE));
  g_assert_cmpfloat (find_level (f, 1)->series->value[0], ==, 50.0);
  for (unsigned i = 0; i < SL_GHOSTS_EARLIER; i++)
    g_assert_cmpfloat (find_level (f, 2 + i)->series->value[0], ==, SL_GHOSTS_EARLIER - i);
  g_assert_null (find_level (f, 2 + SL_GHOSTS_EARLIER));
}

/* The difference of two places of a curve is no level of that curve. */
static void
test_formula (SlFixture *f, gconstpointer data)
{
  const char *const steps
    = "{ \"sluice-lesson\": 1, \"title\": \"Difference\", \"summary\": \"\", \"steps\": [ "
      "{ \"title\": \"a\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\", "
      "\"settings\": "
      "{ \"hidden\": 4, \"evaluate-every\": 2 }, \"run\": 10 }, "
      "{ \"title\": \"b\", \"text\": \"\", \"run\": 10, \"question\": { \"kind\": \"number\", "
      "\"prompt\": \"How much?\", \"range\": [ 0, 100 ], \"answer\": \"error.valid@2 - "
      "error.valid@10\" "
      "} }, "
      "{ \"title\": \"c\", \"text\": \"\", \"run\": 10, \"question\": { \"kind\": \"number\", "
      "\"prompt\": \"How much?\", \"range\": [ 0, 100 ], \"answer\": \"error.valid@20\" } } ] }";

  g_assert_true (g_file_set_contents (f->path, steps, -1, NULL));
  begin_at (f);
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "50");
  sl_wait (is_finished, f);
  sl_settle ();
  g_assert_false (is_sketched (f));
  act (f, "lesson-next", NULL);
  act (f, "lesson-answer", "50");
  sl_wait (is_sketched, f);
}

/* A lesson is watched at its speed, which the user may change until a step has another one. */
static void
test_speed (SlFixture *f, gconstpointer data)
{
  const char *const steps
    = "{ \"sluice-lesson\": 1, \"title\": \"Slow\", \"summary\": \"\", \"steps\": [ "
      "{ \"title\": \"a\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\", "
      "\"settings\": { \"hidden\": 4 }, \"run\": 5, \"speed\": 50 }, "
      "{ \"title\": \"b\", \"text\": \"\", \"run\": 5 }, "
      "{ \"title\": \"c\", \"text\": \"\", \"run\": 5, \"speed\": 200 } ] }";
  GAction *pace = g_action_map_lookup_action (G_ACTION_MAP (f->window), "pace");
  gint64   begun = g_get_monotonic_time ();

  g_assert_true (g_file_set_contents (f->path, steps, -1, NULL));
  begin_at (f);
  g_assert_cmpfloat (sl_session_pace (lesson_of (f)), ==, 50.0);
  g_assert_true (sl_window_is_on (f->window, "timeline"));
  sl_wait (is_finished, f);
  g_assert_cmpint (g_get_monotonic_time () - begun, >, 4 * G_USEC_PER_SEC / 50);
  g_action_change_state (pace, g_variant_new_string ("5000"));
  act (f, "lesson-next", NULL);
  g_assert_cmpfloat (sl_session_pace (lesson_of (f)), ==, 5000.0);
  act (f, "lesson-next", NULL);
  g_assert_cmpfloat (sl_session_pace (lesson_of (f)), ==, 200.0);
  act (f, "lesson-leave", NULL);
  g_assert_false (sl_window_is_on (f->window, "timeline"));
  g_assert_cmpfloat (sl_session_pace (lesson_of (f)), ==, 0.0);
}

/* Before an audience: the places of Next and of what is answered with, and nothing that no class needs. */
static void
assert_next_at (SlFixture *f, graphene_rect_t *place)
{
  GtkWidget      *bar = bar_of (f), *window = GTK_WIDGET (f->window);
  graphene_rect_t next, answers;

  sl_settle ();
  g_assert_true (gtk_widget_compute_bounds (sl_child (bar, "way"), window, &next));
  if (place->size.width > 0.0f)
    {
      g_assert_cmpfloat_with_epsilon (next.origin.x, place->origin.x, 0.5);
      g_assert_cmpfloat_with_epsilon (next.origin.y, place->origin.y, 0.5);
    }
  *place = next;
  if (!gtk_widget_get_visible (sl_child (bar, "ask")))
    return;
  g_assert_true (gtk_widget_compute_bounds (sl_child (bar, "actions"), window, &answers));
  g_assert_false (graphene_rect_intersection (&next, &answers, NULL));
  g_assert_true (gtk_widget_compute_bounds (sl_child (bar, "ask"), window, &answers));
  g_assert_false (graphene_rect_intersection (&next, &answers, NULL));
}

static gboolean
has_place (gpointer widget)
{
  return gtk_widget_get_height (widget) > 0;
}

static void
test_present (SlFixture *f, gconstpointer data)
{
  AdwHeaderBar   *header = ADW_HEADER_BAR (sl_child (f->window, "header"));
  GtkWidget      *console = sl_child (f->window, "console");
  GtkWidget      *form = GTK_WIDGET (sl_sidebar_get_form (sl_window_get_sidebar (f->window)));
  graphene_rect_t next = GRAPHENE_RECT_INIT (0, 0, 0, 0);

  begin (f);
  act (f, "present", NULL);
  sl_wait (is_staged, f);
  sl_settle ();
  sl_wait (has_place, console);
  g_assert_false (adw_header_bar_get_show_end_title_buttons (header));
  g_assert_false (adw_flap_get_reveal_flap (ADW_FLAP (sl_child (f->window, "flap"))));
  g_assert_true (gtk_widget_get_parent (form) == console);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (sl_row (f, "noise"))));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "k")))); /* locked */
  for (unsigned i = 0; i < 4; i++)
    {
      assert_next_at (f, &next);
      if (sl_can (f, "lesson-answer"))
        {
          act (f, "lesson-answer", "");
          assert_next_at (f, &next);
        }
      if (i < 3)
        act (f, "lesson-next", NULL);
    }
  /* The sidebar is there for whoever asks for it. */
  act (f, "sidebar", NULL);
  g_assert_false (gtk_widget_get_parent (form) == console);
  g_assert_false (gtk_widget_get_visible (console));
  act (f, "sidebar", NULL);
  g_assert_true (gtk_widget_get_parent (form) == console);
  act (f, "present", NULL);
  sl_settle ();
  g_assert_true (adw_header_bar_get_show_end_title_buttons (header));
  g_assert_false (gtk_widget_get_visible (console));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "noise"))));
}

/* Words without an end are broken: they do not widen the window. */
static void
test_long_words (SlFixture *f, gconstpointer data)
{
  enum { LONG = 300, NARROWEST = 700 };
  g_autofree char *word = g_strnfill (LONG, 'w');
  g_autofree char *steps = g_strdup_printf (
    "{ \"title\": \"%s\", \"text\": \"%s\", \"lab\": \"experts\", \"data\": \"moons\","
    "\"run\": false, \"reveal\": \"%s\", \"question\": { \"kind\": \"choice\","
    "\"prompt\": \"%s\", \"options\": [ \"%s\", \"that\" ] } }",
    word, word, word, word, word);

  take_steps (f, steps);
  sl_wait (sl_is_loaded, lesson_of (f));
  for (unsigned answered = 0; answered < 2; answered++)
    {
      int least;

      sl_settle ();
      gtk_widget_measure (bar_of (f), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <, NARROWEST);
      if (answered == 0)
        act (f, "lesson-answer", "1");
    }
}

/* Before an audience the last page is as large as what was before it. */
static void
test_last_page_presented (SlFixture *f, gconstpointer data)
{
  act (f, "present", NULL);
  take_steps (f, "{ \"title\": \"A\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\","
                 "\"run\": false, \"question\": { \"kind\": \"choice\","
                 "\"prompt\": \"Which?\", \"options\": [ \"this\", \"that\" ] } }");
  sl_wait (sl_is_loaded, lesson_of (f));
  act (f, "lesson-answer", "1");
  act (f, "lesson-next", NULL);
  sl_wait (ends, NULL);
  g_assert_true (gtk_widget_has_css_class (ending (), "present"));
  g_assert_cmpint (gtk_widget_has_css_class (ending (), "low"), ==,
                   gtk_widget_has_css_class (GTK_WIDGET (f->window), "low"));
  press_on_ending ("Close");
}

static const char *
best_of (SlFixture *f)
{
  return sl_child_text (sl_window_child (f->window, "status"), "best");
}

static gboolean
says_best (gpointer data)
{
  return g_str_has_prefix (best_of (data), "Error: best");
}

/* "Next" before the end of a run that is watched first brings it to its end, so that what is marked is what was asked;
 * and only then to the next step, at the speed of the lesson.  */
static void
test_next_early (SlFixture *f, gconstpointer data)
{
  take_steps (
    f, "{ \"title\": \"A\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\","
       "\"settings\": { \"hidden\": 4 }, \"run\": 900, \"speed\": 1, \"question\": {"
       "\"kind\": \"number\", \"prompt\": \"?\", \"range\": [0, 100], \"step\": 1, \"unit\": \"\","
       "\"answer\": \"cost.executed\", \"tolerance\": 100 } },"
       "{ \"title\": \"B\", \"text\": \"\", \"run\": 1, \"question\": { \"kind\": \"choice\","
       "\"prompt\": \"Which?\", \"options\": [ \"this\", \"that\" ] } }");
  sl_wait (sl_is_loaded, lesson_of (f));
  act (f, "lesson-answer", "50");
  sl_wait_for_step (lesson_of (f), 1);
  g_assert_null (find_text (bar_of (f), "Right."));
  act (f, "lesson-next", NULL);
  g_assert_nonnull (find_text (bar_of (f), "1 of 2"));
  sl_wait (is_finished, f);
  g_assert_cmpuint (sl_session_info (lesson_of (f))->step, ==, 900);
  wait_for_text (f, "Right.");
  sl_wait (says_best, f);
  act (f, "lesson-next", NULL);
  wait_for_text (f, "2 of 2");
  g_assert_cmpfloat (sl_session_pace (lesson_of (f)), ==, 1.0);
  /* An open question is not answered by the best value so far. */
  g_assert_cmpstr (best_of (f), ==, "");
  act (f, "lesson-answer", "1");
  sl_wait (says_best, f);
}

/* Nothing is measured of a run that was left before its end. */
static void
test_left_early (SlFixture *f, gconstpointer data)
{
  g_autofree char *saved = g_strconcat (f->path, ".json", NULL);
  g_autoptr (SlAnswers) answers = NULL;

  take_steps (
    f, "{ \"title\": \"A\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\","
       "\"settings\": { \"report-every\": 1 }, \"run\": 100000000, \"question\": {"
       "\"kind\": \"number\", \"prompt\": \"?\", \"range\": [0, 100], \"step\": 1, \"unit\": \"\","
       "\"answer\": \"cost.executed\", \"tolerance\": 100 } },"
       "{ \"title\": \"B\", \"text\": \"\", \"run\": false }");
  sl_wait (sl_is_loaded, lesson_of (f));
  act (f, "lesson-answer", "50");
  sl_wait (has_cost, f);
  act (f, "lesson-next", NULL);
  wait_for_text (f, "2 of 2");
  sl_act (f, "lesson-save-answers-to", g_variant_new ("(ss)", "Ada", saved));
  answers = sl_answers_load (saved, NULL);
  g_assert_nonnull (answers);
  g_assert_cmpuint (answers->answers->len, ==, 1);
  g_assert_true (isnan (((SlAnswer *) g_ptr_array_index (answers->answers, 0))->measured));
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (SlFixture *f, gconstpointer data);
  } tests[] = {
    { "/lesson/stage", test_stage },
    { "/lesson/predict", test_predict },
    { "/lesson/sketch", test_sketch },
    { "/lesson/choice", test_choice },
    { "/lesson/keys", test_keys },
    { "/lesson/damage", test_damage },
    { "/lesson/save", test_save },
    { "/lesson/glance", test_overview },
    { "/lesson/glance-untouched", test_overview_untouched },
    { "/lesson/withheld", test_withheld },
    { "/lesson/hurry", test_hurry },
    { "/lesson/waiting", test_waiting },
    { "/lesson/steady", test_steady },
    { "/lesson/one-height", test_one_height },
    { "/lesson/built-in", test_built_in },
    { "/lesson/no-trace", test_no_trace },
    { "/lesson/own-run", test_own_run },
    { "/lesson/present", test_present },
    { "/lesson/last-page", test_last_page },
    { "/lesson/level", test_level },
    { "/lesson/earlier", test_earlier },
    { "/lesson/point", test_point },
    { "/lesson/formula", test_formula },
    { "/lesson/speed", test_speed },
    { "/lesson/last-page-presented", test_last_page_presented },
    { "/lesson/long-words", test_long_words },
    { "/lesson/next-early", test_next_early },
    { "/lesson/left-early", test_left_early },
  };

  sl_ui_init (&argc, &argv);
  for (unsigned i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, SlFixture, NULL, set_up, tests[i].test, sl_fixture_end);
  return g_test_run ();
}
