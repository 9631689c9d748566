/* SPDX-License-Identifier: MIT
 *
 * Own lessons: a step saved from the window is listed, ordered, given a question of each kind and taken; and a file
 * that cannot be read says why.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/run/lesson/edit.h"
#include "core/run/lesson/own.h"
#include "tests/ui/fixture.h"
#include "ui/lesson/chooser.h"
#include "ui/lesson/editor/editor.h"
#include "ui/lesson/editor/step-row.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small[] = { "experts", "4", "hidden", "4", NULL };

  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", small, "moons:points=300", TRUE);
  sl_fixture_open (f);
  sl_wait (sl_is_running, f->session);
}

/* ---- finding ---- */

static GtkWidget *
toplevel (GType type)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (l->data, type) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
is_edited (gpointer unused)
{
  return toplevel (SL_TYPE_LESSON_EDITOR) != NULL;
}

static gboolean
is_not_edited (gpointer unused)
{
  return !is_edited (unused);
}

static gboolean
is_listed (gpointer unused)
{
  return toplevel (SL_TYPE_LESSON_CHOOSER) != NULL;
}

/* Number `n` of what has this type under a widget, from 0, shown or not. */
static GtkWidget *
nth (GtkWidget *root, GType type, unsigned *n)
{
  GtkWidget *found = NULL;

  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type) && (*n)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = nth (child, type, n);
  return found;
}

static GtkWidget *
step_row (unsigned n)
{
  return nth (toplevel (SL_TYPE_LESSON_EDITOR), SL_TYPE_STEP_ROW, &n);
}

/* A row under this title. */
static GtkWidget *
row (GtkWidget *root, const char *title)
{
  GtkWidget *found = NULL;

  if (ADW_IS_PREFERENCES_ROW (root)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = row (child, title);
  return found;
}

static void
type_in (GtkWidget *root, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row (root, title)), text);
}

static void
set_number (GtkWidget *root, const char *title, double value)
{
  unsigned first = 0;

  gtk_spin_button_set_value (
    GTK_SPIN_BUTTON (nth (row (root, title), GTK_TYPE_SPIN_BUTTON, &first)), value);
}

static void
choose (GtkWidget *root, const char *title, const char *word)
{
  AdwComboRow *combo = ADW_COMBO_ROW (row (root, title));
  GListModel  *words = adw_combo_row_get_model (combo);

  for (guint i = 0; i < g_list_model_get_n_items (words); i++)
    {
      g_autoptr (GtkStringObject) item = g_list_model_get_item (words, i);

      if (g_str_equal (gtk_string_object_get_string (item), word))
        {
          adw_combo_row_set_selected (combo, i);
          return;
        }
    }
  g_error ("%s has no %s", title, word);
}

static GtkWidget *
button (GtkWidget *root, const char *tooltip)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_widget_get_tooltip_text (root), tooltip) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = button (child, tooltip);
  return found;
}

static void
press (GtkWidget *root, const char *tooltip)
{
  g_signal_emit_by_name (button (root, tooltip), "clicked");
  sl_settle ();
}

/* ---- lessons ---- */

static void
save_step (SlFixture *f, const char *path, const char *title)
{
  g_action_group_activate_action (G_ACTION_GROUP (f->window), "lesson-save-step-to",
                                  g_variant_new ("(sss)", path, title, "Look."));
}

static SlLesson *
load (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_load (file, &error);

  g_assert_no_error (error);
  return lesson;
}

static void
empty_folder (void)
{
  g_auto (GStrv) names = sl_own_lessons ();

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *path = sl_own_lesson_find (*name);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

static char *
make_lesson (SlFixture *f)
{
  g_autoptr (GError) error = NULL;
  char *path;

  empty_folder ();
  path = sl_own_lesson_path ("How few are enough?", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (path, "/how-few-are-enough.lesson"));
  save_step (f, path, "First");
  save_step (f, path, "Second");
  save_step (f, path, "Third");
  return path;
}

static GtkWidget *
edit (SlFixture *f, const char *path)
{
  sl_act (f, "lesson-edit", g_variant_new_string (path));
  sl_wait (is_edited, NULL);
  return toplevel (SL_TYPE_LESSON_EDITOR);
}

/* A question of each kind, in another order of steps. */
static void
test_questions (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = make_lesson (f);
  GtkWidget       *editor = edit (f, path);
  g_autoptr (SlLesson) lesson = NULL;
  const SlQuestion *question;

  type_in (editor, "Goal: what a learner can do afterwards", "Say how few.");
  press (step_row (0), "Later");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (step_row (0))), ==,
                   "1. Second");
  set_number (step_row (0), "Updates", 40.0);
  set_number (step_row (0), "Updates a second", 60.0);
  choose (step_row (0), "Question", "Number");
  type_in (step_row (0), "What is asked", "How many are wrong?");
  choose (step_row (0), "What is measured", "Error: validation");
  set_number (step_row (0), "Right within", 4.0);
  choose (step_row (1), "Question", "Choice");
  type_in (step_row (1), "What is asked", "Which?");
  type_in (step_row (1), "Option 1", "this");
  type_in (step_row (1), "Option 3", "that");
  choose (step_row (1), "Right option", "3");
  choose (step_row (2), "Question", "Curve");
  type_in (step_row (2), "What is asked", "How will it fall?");
  choose (step_row (2), "What is measured", "Error: validation");
  set_number (step_row (2), "Updates", 80.0);
  set_number (step_row (2), "Largest guess", 60.0);
  press (editor, "Save the lesson and close the page");
  sl_wait (is_not_edited, NULL);

  lesson = load (path);
  g_assert_cmpstr (lesson->goal, ==, "Say how few.");
  g_assert_cmpuint (lesson->steps->len, ==, 3);
  g_assert_cmpstr (sl_lesson_step (lesson, 1)->title, ==, "First");
  g_assert_cmpuint (sl_lesson_step (lesson, 0)->updates, ==, 40);
  g_assert_cmpuint (sl_lesson_step (lesson, 0)->speed, ==, 60);
  question = &sl_lesson_step (lesson, 0)->question;
  g_assert_cmpint (question->kind, ==, SL_ASK_NUMBER);
  g_assert_cmpstr (question->answer, ==, "error.valid");
  g_assert_cmpstr (question->unit, ==, "%");
  g_assert_cmpfloat (question->tolerance, ==, 4.0);
  g_assert_cmpfloat (question->hi, ==, 100.0);
  question = &sl_lesson_step (lesson, 1)->question;
  g_assert_cmpint (question->kind, ==, SL_ASK_CHOICE);
  g_assert_cmpuint (g_strv_length (question->options), ==, 2);
  g_assert_cmpuint (question->right, ==, 2);
  question = &sl_lesson_step (lesson, 2)->question;
  g_assert_cmpint (question->kind, ==, SL_ASK_CURVE);
  g_assert_cmpstr (question->panel, ==, "error");
  g_assert_cmpfloat (question->to, ==, 80.0);
  g_assert_cmpfloat (question->hi, ==, 60.0);
  g_assert_true (isnan (question->tolerance));
}

static void
assert_same_lines (const char *before, const char *after)
{
  g_auto (GStrv) want = g_strsplit (before, "\n", -1), got = g_strsplit (after, "\n", -1);

  for (unsigned i = 0; want[i] != NULL && *want[i] != '\0'; i++)
    g_assert_cmpstr (got[i], ==, want[i]);
}

/* What the editor does not show stays as it was in the file, to the byte. */
static void
test_kept (SlFixture *f, gconstpointer data)
{
  g_auto (GStrv) names = sl_lesson_names ();
  g_autoptr (GError) error = NULL;

  empty_folder ();
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, &error);
      g_autofree char *before = sl_lesson_write (lesson), *after = NULL;
      g_autofree char *path = sl_own_lesson_path (*name, &error);
      gsize            length;
      GtkWidget       *editor;

      g_assert_true (sl_lesson_save (lesson, path, &error));
      editor = edit (f, path);
      g_assert_true (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &after, &length, &error));
      assert_same_lines (before, after);
      gtk_window_destroy (GTK_WINDOW (editor));
      sl_settle ();
    }
}

/* What a field shows rounded, out of its bounds or not at all, in a file that was written by hand. */
static const char written[]
  = "{ \"sluice-lesson\": 1, \"title\": \"By hand\", \"summary\": \"\", \"steps\": [\n"
    "  { \"title\": \"Fine\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons\", "
    "\"restart\": true,\n"
    "    \"run\": 20000000000, \"speed\": 50, \"question\": { \"kind\": \"number\", \"prompt\": "
    "\"How much?\",\n"
    "    \"range\": [ 0.0005, 5000000.125 ], \"answer\": \"error.valid\", \"tolerance\": 0.0004 } "
    "},\n"
    "  { \"title\": \"Half\", \"text\": \"\", \"restart\": true, \"run\": 800, \"question\": {\n"
    "    \"kind\": \"curve\", \"prompt\": \"Draw.\", \"panel\": \"error\", \"range\": [ 0, 50 ],\n"
    "    \"along\": [ 0, 400 ], \"answer\": \"error.valid\" } },\n"
    "  { \"title\": \"On\", \"text\": \"\", \"restart\": true, \"run\": true, \"speed\": 0, "
    "\"question\": {\n"
    "    \"kind\": \"curve\", \"prompt\": \"Draw.\", \"panel\": \"error\", \"range\": [ 0, 50 ],\n"
    "    \"along\": [ 10, 400 ], \"answer\": \"error.valid\" } },\n"
    "  { \"title\": \"Start\", \"text\": \"\", \"lab\": \"glance\" },\n"
    "  { \"title\": \"Still\", \"text\": \"\", \"question\": { \"kind\": \"number\", \"prompt\":\n"
    "    \"How many?\", \"range\": [ 0, 10 ], \"answer\": 4, \"tolerance\": 1 } } ] }\n";

/* As when the keyboard leaves them. */
static void
leave_fields (GtkWidget *root)
{
  if (GTK_IS_SPIN_BUTTON (root))
    gtk_spin_button_update (GTK_SPIN_BUTTON (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    leave_fields (child);
}

static void
test_by_hand (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "by-hand.lesson", NULL);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = sl_lesson_parse (written, strlen (written), "it", NULL, &error);
  g_autoptr (SlLesson) slow = NULL;
  GtkWidget *editor;

  g_assert_no_error (error);
  before = sl_lesson_write (lesson);
  g_assert_true (sl_lesson_save (lesson, path, &error));
  editor = edit (f, path);
  leave_fields (editor);
  g_assert_true (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);
  g_assert_null (row (step_row (4), "Updates")); /* the start page goes on, and has no speed */
  set_number (step_row (0), "Updates a second", 0.0);
  set_number (step_row (1), "Updates", 900.0);
  g_assert_true (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
  slow = load (path);
  g_assert_false (sl_lesson_step (slow, 0)->has_speed);
  g_assert_true (sl_lesson_step (slow, 2)->has_speed);
  g_assert_cmpfloat (sl_lesson_step (slow, 1)->question.to, ==, 400.0);
  gtk_window_destroy (GTK_WINDOW (editor));
  sl_settle ();
}

/* A step that is saved is as fast as its run, whatever the step before it said. */
static void
test_speed (SlFixture *f, gconstpointer data)
{
  static const unsigned paces[] = { 60, 60, 0, 0, 5 };
  g_autofree char      *path = make_lesson (f);
  g_autoptr (SlLesson) lesson = NULL;

  for (unsigned i = 0; i < G_N_ELEMENTS (paces); i++)
    {
      sl_session_set_pace (f->session, paces[i]);
      save_step (f, path, "Next");
    }
  lesson = load (path);
  for (unsigned i = 0; i < G_N_ELEMENTS (paces); i++)
    g_assert_cmpuint (sl_lesson_speed (lesson, 3 + i), ==, paces[i]);
  g_assert_cmpuint (sl_lesson_speed (lesson, 2), ==, 0);
  g_assert_false (sl_lesson_step (lesson, 2)->has_speed);
  g_assert_false (sl_lesson_step (lesson, 4)->has_speed);
  g_assert_true (sl_lesson_step (lesson, 5)->has_speed);
}

/* Presses a button of the question over the page, which ends both. */
static void
answer (const char *label)
{
  GtkWidget *dialog = toplevel (ADW_TYPE_MESSAGE_DIALOG), *found = NULL;

  for (unsigned i = 0, n = 0; found == NULL; n = ++i)
    {
      GtkWidget *one = nth (dialog, GTK_TYPE_BUTTON, &n);

      g_assert_nonnull (one);
      if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (one)), label) == 0)
        found = one;
    }
  g_signal_emit_by_name (found, "clicked");
  sl_wait (is_not_edited, NULL);
  sl_settle ();
  g_assert_null (toplevel (ADW_TYPE_MESSAGE_DIALOG));
}

/* A lesson that is not good is not written, and the page says what is wrong. */
static void
test_trouble (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = make_lesson (f), *before = NULL, *after = NULL;
  GtkWidget       *editor = edit (f, path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  choose (step_row (1), "Question", "Choice");
  type_in (step_row (1), "What is asked", "Which?");
  type_in (step_row (1), "Option 1", "the only one");
  g_assert_false (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
  g_assert_nonnull (strstr (error->message, "options"));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);
  gtk_window_close (GTK_WINDOW (editor)); /* asks, and goes on as long as it has no answer */
  sl_settle ();
  g_assert_true (is_edited (NULL));
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (toplevel (ADW_TYPE_MESSAGE_DIALOG)), "cancel");
  sl_settle ();
  g_assert_true (is_edited (NULL));
  press (step_row (1), "Remove the step");
  g_clear_error (&error);
  g_assert_true (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
  gtk_window_close (GTK_WINDOW (editor));
  sl_wait (is_not_edited, NULL);
}

/* Changes are dropped, or written where the file went away meanwhile; and the file goes with what was typed since. */
static void
test_end (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = make_lesson (f), *before = NULL, *after = NULL;
  GtkWidget       *editor = edit (f, path);

  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  type_in (editor, "Summary", "Another.");
  gtk_window_close (GTK_WINDOW (editor));
  sl_settle ();
  answer ("_Discard");
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);

  editor = edit (f, path);
  type_in (editor, "Summary", "Another.");
  g_assert_cmpint (g_unlink (path), ==, 0);
  gtk_window_close (GTK_WINDOW (editor));
  sl_settle ();
  answer ("_Save");
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));

  editor = edit (f, path);
  type_in (editor, "Summary", "A third one.");
  press (editor, "Delete the lesson");
  answer ("_Delete");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static GtkWidget *left_open;

/* The window closes while the page asks what to do with the changes: both go with it. */
static void
test_left_open (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = make_lesson (f);
  GtkWidget       *editor = edit (f, path);

  g_set_weak_pointer (&left_open, editor);
  type_in (editor, "Summary", "Another.");
  gtk_window_close (GTK_WINDOW (editor));
  sl_settle ();
  g_assert_nonnull (toplevel (ADW_TYPE_MESSAGE_DIALOG));
}

static void
end_left_open (SlFixture *f, gconstpointer data)
{
  sl_fixture_end (f, data);
  g_assert_null (left_open);
  g_assert_null (toplevel (ADW_TYPE_MESSAGE_DIALOG));
}

/* What came into the file meanwhile is not written over; what was typed is not lost with the file. */
static void
test_changed_meanwhile (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = make_lesson (f);
  GtkWidget       *editor = edit (f, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = NULL;

  type_in (editor, "Goal: what a learner can do afterwards", "Say how few.");
  save_step (f, path, "Fourth");
  g_assert_false (sl_lesson_editor_save (SL_LESSON_EDITOR (editor), &error));
  g_assert_nonnull (error);
  lesson = load (path);
  g_assert_cmpuint (lesson->steps->len, ==, 4);
  g_assert_cmpint (g_unlink (path), ==, 0);
  gtk_window_close (GTK_WINDOW (editor));
  sl_settle ();
  g_assert_true (is_edited (NULL));
  answer ("_Save");
  g_clear_pointer (&lesson, sl_lesson_free);
  lesson = load (path);
  g_assert_cmpuint (lesson->steps->len, ==, 3);
  g_assert_cmpstr (lesson->goal, ==, "Say how few.");
  press (edit (f, path), "Delete the lesson");
  answer ("_Delete");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* The start page is no lab, whose settings a step could have: it is not saved as the lab beneath. */
static void
test_start_page (SlFixture *f, gconstpointer data)
{
  g_assert_true (sl_can (f, "lesson-save-step"));
  sl_act (f, "glance", NULL);
  sl_settle ();
  g_assert_false (sl_can (f, "lesson-save-step"));
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_settle ();
  g_assert_true (sl_can (f, "lesson-save-step"));
}

/* Listed above the program's, also one that cannot be read; from there it is edited and taken. */
static void
test_mine (SlFixture *f, gconstpointer data)
{
  g_autofree char *folder = sl_own_lessons_folder ();
  g_autofree char *broken = g_build_filename (folder, "broken.lesson", NULL);
  GtkWidget       *chooser, *found;
  const char      *trouble;

  g_free (make_lesson (f));
  g_assert_true (
    g_file_set_contents (broken, "{ \"sluice-lesson\": 1, \"titel\": \"\" }", -1, NULL));
  sl_act (f, "lessons", NULL);
  sl_wait (is_listed, NULL);
  chooser = toplevel (SL_TYPE_LESSON_CHOOSER);
  found = row (chooser, "broken.lesson");
  g_assert_true (ADW_IS_ACTION_ROW (found));
  trouble = adw_action_row_get_subtitle (ADW_ACTION_ROW (found));
  g_assert_nonnull (strstr (trouble, "line 1"));
  g_assert_nonnull (strstr (trouble, "titel"));
  found = row (chooser, "First");
  g_assert_true (ADW_IS_EXPANDER_ROW (found));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (found), TRUE);
  sl_settle ();
  g_assert_nonnull (row (found, "Edit…"));
  g_signal_emit_by_name (row (found, "Edit…"), "activated");
  sl_wait (is_edited, NULL);
  press (toplevel (SL_TYPE_LESSON_EDITOR), "Save the lesson and take it");
  sl_wait (is_not_edited, NULL);
  g_assert_true (gtk_widget_get_visible (sl_window_child (f->window, "lesson_bar")));
  sl_act (f, "lesson-leave", NULL);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (SlFixture *f, gconstpointer data);
  } tests[] = {
    { "/editor/questions", test_questions },
    { "/editor/kept", test_kept },
    { "/editor/by-hand", test_by_hand },
    { "/editor/speed", test_speed },
    { "/editor/trouble", test_trouble },
    { "/editor/changed-meanwhile", test_changed_meanwhile },
    { "/editor/start-page", test_start_page },
    { "/editor/mine", test_mine },
    { "/editor/end", test_end },
  };

  sl_ui_init (&argc, &argv);
  for (unsigned i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, SlFixture, NULL, set_up, tests[i].test, sl_fixture_end);
  g_test_add ("/editor/left-open", SlFixture, NULL, set_up, test_left_open, end_left_open);
  return g_test_run ();
}
