/* SPDX-License-Identifier: MIT
 *
 * A lesson as a class takes it: answers saved under a name and put together, its worksheet, its notes,
 * back to its start; and plots on paper.  */
#include <string.h>

#include "core/run/answers/class.h"
#include "tests/ui/fixture.h"
#include "ui/charts/class-view.h"
#include "ui/lesson/paper.h"

static const char lesson[]
  = "{ \"sluice-lesson\": 1, \"title\": \"A test\", \"summary\": \"\", \"goal\": \"Know it.\",\n"
    "  \"notes\": \"Let them guess.\", \"steps\": [\n"
    "  { \"title\": \"First\", \"text\": \"Which?\", \"lab\": \"experts\", \"data\": \"moons\",\n"
    "    \"settings\": { \"experts\": 4, \"hidden\": 4, \"report-every\": 1 }, \"run\": 10,\n"
    "    \"question\": { \"kind\": \"choice\", \"prompt\": \"Which?\", \"options\": [ \"this\", "
    "\"that\" ], \"answer\": 2 } },\n"
    "  { \"title\": \"Second\", \"text\": \"How much?\", \"run\": 10, \"question\": { \"kind\": "
    "\"number\",\n"
    "    \"prompt\": \"How much?\", \"range\": [ 0, 100 ], \"answer\": \"cost.executed\" } } ] }\n";

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "8", NULL };
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  f->path = g_build_filename (f->folder, "a.lesson", NULL);
  g_assert_true (g_file_set_contents (f->path, lesson, -1, NULL));
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
  sl_window_open_lesson (f->window, f->path, &error);
  g_assert_no_error (error);
}

static gboolean
is_finished (gpointer data)
{
  SlSession *session = sl_window_get_session (((SlFixture *) data)->window);

  return sl_is_loaded (session) && sl_session_state (session) == SL_FINISHED;
}

static gboolean
is_file (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static void
answer (SlFixture *f)
{
  sl_act (f, "lesson-answer", g_variant_new_string ("1"));
  sl_wait (is_finished, f);
  sl_act (f, "lesson-next", NULL);
  sl_act (f, "lesson-answer", g_variant_new_string ("40"));
  sl_wait_for_step (sl_window_get_session (f->window), 20);
  sl_wait (is_finished, f);
}

static void
test_answers (SlFixture *f, gconstpointer data)
{
  g_autofree char *ada = g_build_filename (f->folder, "ada.json", NULL);
  g_autofree char *none = g_build_filename (f->folder, "none.json", NULL);
  const char      *paths[] = { ada, f->path, none, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SlAnswers) answers = NULL;
  const SlAnswer *number;
  GtkWidget *class;

  sl_act (f, "lesson-save-answers-to", g_variant_new ("(ss)", "Ada", none));
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS)); /* nothing was answered */
  answer (f);
  sl_act (f, "lesson-save-answers-to", g_variant_new ("(ss)", "Ada", ada));
  answers = sl_answers_load (ada, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answers->name, ==, "Ada");
  g_assert_cmpuint (answers->answers->len, ==, 2);
  number = g_ptr_array_index (answers->answers, 1);
  g_assert_cmpfloat (number->number, ==, 40.0);
  g_assert_true (number->measured > 0.0);
  sl_act (f, "class-files", g_variant_new_strv (paths, -1));
  class = sl_window_of (ADW_TYPE_WINDOW);
  g_assert_nonnull (class);
  g_assert_nonnull (sl_find (class, SL_TYPE_CLASS_VIEW));
  sl_settle ();
  gtk_window_destroy (GTK_WINDOW (class));
}

static void
add_person (SlClass *class, const char *folder, const char *name, double guess)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text
    = g_strdup_printf ("{ \"sluice-answers\": 1, \"lesson\": \"A test\", \"of\": "
                       "\"0123456789abcdef\", \"name\": \"%s\","
                       "  \"answers\": [ { \"step\": 1, \"kind\": \"number\", \"prompt\": \"How "
                       "many?\", \"range\": [ 2, 8 ],"
                       "    \"unit\": \"\", \"guess\": %g, \"measured\": 3 } ] }",
                       name, guess);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  sl_class_load (class, path, &error);
  g_assert_no_error (error);
}

/* Whole numbers have a bar each; with anything between, there are ten bins. */
static void
test_bars (SlFixture *f, gconstpointer data)
{
  SlClass *class = sl_class_new ();
  SlClassChart chart = { 0 };
  SlFigure     figure = { 0 };

  add_person (class, f->folder, "Ada", 5.0);
  add_person (class, f->folder, "Ben", 8.0);
  add_person (class, f->folder, "Cem", 2.0);
  add_person (class, f->folder, "Dilek", 5.0);
  sl_class_chart_update (&chart, class, 1, &figure);
  g_assert_cmpuint (figure.categories.n, ==, 7);
  g_assert_cmpstr (figure.categories.name[0], ==, "2");
  g_assert_cmpstr (figure.categories.name[6], ==, "8");
  g_assert_cmpfloat (chart.y[0], ==, 1.0);
  g_assert_cmpfloat (chart.y[3], ==, 2.0);
  g_assert_cmpfloat (chart.y[6], ==, 1.0);
  add_person (class, f->folder, "Eve", 7.9);
  sl_class_chart_update (&chart, class, 1, &figure);
  g_assert_cmpuint (figure.categories.n, ==, SL_CLASS_BINS);
  g_assert_cmpfloat (chart.y[0], ==, 1.0);
  g_assert_cmpfloat (chart.y[5], ==, 2.0);
  g_assert_cmpfloat (chart.y[9], ==, 2.0);
  sl_figure_clear (&figure);
  sl_class_chart_clear (&chart);
  sl_class_free (class);
}

/* Answers to the first curve of a lesson of the program, said to be of step `step`. */
static SlClass *
class_with_curve (unsigned step)
{
  g_autoptr (GFile) file = sl_lesson_file ("4-collapse");
  g_autoptr (SlLesson) own = sl_lesson_load (file, NULL);
  SlAnswers *answers = sl_answers_new (own, "Ada");
  SlAnswer  *answer = sl_answers_add (answers, own, 2);
  SlClass *class = sl_class_new ();

  g_assert_cmpint (answer->kind, ==, SL_ASK_CURVE);
  answer->step = step;
  g_assert_true (sl_class_take (class, answers, "a file", NULL));
  return class;
}

/* The lesson knows what the axes are; answers that are not what it asks for have none. */
static void
test_axes (void)
{
  static const char *const labels[][2] = { { "update", "CV over the experts" }, { NULL, NULL } };
  static const unsigned    steps[] = { 3, 1 };

  for (unsigned i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      SlClass *class = class_with_curve (steps[i]);
      SlClassChart chart = { 0 };
      SlFigure     figure = { 0 };

      sl_class_chart_update (&chart, class, steps[i], &figure);
      g_assert_cmpstr (figure.x.label, ==, labels[i][0]);
      g_assert_cmpstr (figure.y.label, ==, labels[i][1]);
      g_assert_nonnull (
        strstr (figure.title, " … ")); /* in place of a value that is not known yet */
      g_assert_null (strpbrk (figure.title, "{}"));
      sl_figure_clear (&figure);
      sl_class_chart_clear (&chart);
      sl_class_free (class);
    }
}

static void
test_start (SlFixture *f, gconstpointer data)
{
  answer (f);
  sl_act (f, "lesson-start", NULL);
  sl_act (f, "lesson-answer", g_variant_new_string ("2")); /* asked once more */
  g_assert_true (sl_can (f, "lesson-leave"));
}

/* The window beside the others, which the test fails for where there are two. */
static GtkWindow *
notes_of (SlFixture *f)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWindow  *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (window == GTK_WINDOW (f->window))
        continue;
      g_assert_null (found);
      found = window;
    }
  return found;
}

static gboolean
has_label (GtkWidget *root, const char *words)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_label (GTK_LABEL (root)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_label (child, words))
      return TRUE;
  return FALSE;
}

static void
test_notes (SlFixture *f, gconstpointer data)
{
  GtkWindow *notes;

  sl_act (f, "help", NULL);
  notes = notes_of (f);
  g_assert_nonnull (notes);
  g_assert_true (has_label (GTK_WIDGET (notes), "Let them guess."));
  g_assert_false (gtk_window_get_modal (notes));
  g_assert_null (gtk_window_get_transient_for (notes));
  sl_act (f, "lesson-notes", g_variant_new_string ("")); /* again: one window of them */
  g_assert_nonnull (notes_of (f));
  gtk_window_destroy (notes_of (f));
  g_assert_null (notes_of (f));
}

/* The only screen is what the audience sees. */
static void
test_presented_notes (SlFixture *f, gconstpointer data)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "present",
                                      g_variant_new_boolean (TRUE));
  sl_act (f, "help", NULL);
  g_assert_null (notes_of (f));
  g_assert_nonnull (sl_find (GTK_WIDGET (f->window), g_type_from_name ("AdwToastWidget")));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "present",
                                      g_variant_new_boolean (FALSE));
}

static void
test_paper (SlFixture *f, gconstpointer data)
{
  g_autofree char *sheet = g_build_filename (f->folder, "sheet.pdf", NULL);
  g_autofree char *plots = g_build_filename (f->folder, "plots.pdf", NULL);

  answer (f);
  sl_act (f, "lesson-worksheet-to", g_variant_new_string (sheet));
  sl_wait (is_file, sheet);
  sl_act (f, "print-to", g_variant_new_string (plots));
  sl_wait (is_file, plots);
}

static void
on_written (gpointer said, const char *sentence)
{
  g_assert_nonnull (strstr (sentence, "Saved"));
  *(gboolean *) said = TRUE;
}

static gboolean
is_said (gpointer said)
{
  return *(gboolean *) said;
}

/* Every paper begins as files of its kind do. */
static void
test_papers (SlFixture *f, gconstpointer data)
{
  static const struct
  {
    SlLessonPaper paper;
    const char   *name, *begins;
  } rows[] = { { SL_LESSON_SHEET, "a.pdf", "%PDF" },
               { SL_LESSON_KEY, "b.pdf", "%PDF" },
               { SL_LESSON_QUESTIONS, "c.xml", "<?xml" },
               { SL_LESSON_QUESTIONS, "d.gift", "$CATEGORY" },
               { SL_LESSON_PAGE, "l.html", "<!DOCTYPE html>" },
               { SL_LESSON_CHEAT_SHEET, "e.pdf", "%PDF" } };
  g_autoptr (GCancellable) closing = g_cancellable_new ();
  g_autoptr (GFile) file = g_file_new_for_path (f->path);

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, rows[i].name, NULL), *text = NULL;
      gboolean         said = FALSE;
      SlLesson *taken = rows[i].paper != SL_LESSON_CHEAT_SHEET ? sl_lesson_load (file, NULL) : NULL;

      sl_lesson_paper_write (taken, rows[i].paper, path, on_written, &said, closing);
      sl_wait (is_said, &said);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, rows[i].begins));
    }
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add ("/ui/class/answers", SlFixture, NULL, set_up, test_answers, sl_fixture_end);
  g_test_add ("/ui/class/bars", SlFixture, NULL, set_up, test_bars, sl_fixture_end);
  g_test_add_func ("/ui/class/axes", test_axes);
  g_test_add ("/ui/class/start", SlFixture, NULL, set_up, test_start, sl_fixture_end);
  g_test_add ("/ui/class/notes", SlFixture, NULL, set_up, test_notes, sl_fixture_end);
  g_test_add ("/ui/class/presented-notes", SlFixture, NULL, set_up, test_presented_notes,
              sl_fixture_end);
  g_test_add ("/ui/class/paper", SlFixture, NULL, set_up, test_paper, sl_fixture_end);
  g_test_add ("/ui/class/papers", SlFixture, NULL, set_up, test_papers, sl_fixture_end);
  return g_test_run ();
}
