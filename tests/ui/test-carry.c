/* SPDX-License-Identifier: MIT
 *
 * A run carried out of the window as a page and a film: the same bytes as on the command line, nothing at all where it is
 * cancelled or fails, and the run again where the file is dropped.  */
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/error.h"
#include "tests/plot/page-text.h"
#include "tests/ui/fixture.h"
#include "ui/carry/dialog.h"
#include "ui/carry/job.h"

enum { UPDATES = 30, MANY = 100000, NARROW = 340 };
enum { SHOWN_NOW = 1 };               /* plots */
enum { APNG = 1, FRAMES, SLIDE = 1 }; /* rows of formats and sizes */

static const char *const small[] = { "experts", "4", NULL };

static gboolean
has_updates (gpointer session)
{
  return sl_session_info (session)->step >= UPDATES;
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", small, "moons:points=200", TRUE);
  sl_fixture_open (f);
  sl_wait (has_updates, f->session);
}

static void
set_up_paused (SlFixture *f, gconstpointer data)
{
  set_up (f, data);
  sl_session_pause (f->session);
  sl_wait (sl_is_paused, f->session);
}

static SlCarryDialog *
dialog (void)
{
  return sl_window_of (SL_TYPE_CARRY_DIALOG);
}

static gpointer
in (const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (dialog ()), SL_TYPE_CARRY_DIALOG, id);
}

static gboolean
is_over (gpointer data)
{
  return dialog () == NULL || !sl_carry_dialog_is_busy (dialog ());
}

static gboolean
is_closed (gpointer data)
{
  return dialog () == NULL;
}

static gboolean
is_under_way (gpointer data)
{
  return gtk_progress_bar_get_fraction (in ("bar")) > 0;
}

static void
choose (const char *id, guint row)
{
  adw_combo_row_set_selected (in (id), row);
}

static gboolean
says_wrong (void)
{
  return gtk_widget_has_css_class (in ("note"), "error");
}

static char *
path_in (SlFixture *f, const char *name)
{
  return g_build_filename (f->folder, name, NULL);
}

/* As the dialog is now, into the test's folder. */
static char *
carry (SlFixture *f, const char *name)
{
  char *path = path_in (f, name);

  sl_carry_dialog_save (dialog (), path);
  g_assert_true (sl_carry_dialog_is_busy (dialog ()));
  g_assert_false (gtk_widget_get_sensitive (in ("rows")));
  sl_wait (is_closed, NULL);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  return path;
}

static unsigned
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  unsigned n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static GBytes *
read_file (const char *path)
{
  char   *text;
  gsize   length;
  GError *error = NULL;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, length);
}

/* The command line makes the run in the file once more, and of it the same file. */
static void
assert_as_replayed (SlFixture *f, const char *path, const char *name, const char *const *options)
{
  g_autofree char *program = g_build_filename (g_getenv ("SLUICE_BUILD"), "app/sluice-cli", NULL);
  g_autofree char *again = path_in (f, name);
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();
  g_autoptr (GBytes) ours = NULL, theirs = NULL;
  g_auto (GStrv) all = NULL;
  GError *error = NULL;
  int     status;

  g_strv_builder_add_many (arguments, program, "replay", path, NULL);
  g_strv_builder_addv (arguments, (const char **) options);
  g_strv_builder_add (arguments, again);
  all = g_strv_builder_end (arguments);
  g_spawn_sync (NULL, all, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  ours = read_file (path);
  theirs = read_file (again);
  g_assert_cmpuint (g_bytes_get_size (ours), >, 1000);
  g_assert_true (g_bytes_equal (ours, theirs));
}

/* ---- pages ---- */

static void
test_page (SlFixture *f, gconstpointer data)
{
  static const char *const options[] = { "--html", NULL };
  g_autofree char         *path = NULL;
  uint64_t                 step;

  sl_act (f, "export-page", NULL);
  sl_assert_named (GTK_WIDGET (dialog ()));
  g_assert_true (sl_session_state (f->session) == SL_RUNNING);
  path = carry (f, "a.html");
  assert_as_replayed (f, path, "again.html", options);
  /* What waited goes on. */
  step = sl_session_info (f->session)->step;
  g_assert_true (sl_session_goes (f->session));
  sl_wait_for_step (f->session, step + 1);
}

static gboolean
has_moments (gpointer fixture)
{
  return sl_moments_count (sl_session_moments (((SlFixture *) fixture)->session)) > 1;
}

/* Nothing is trained, nothing waits, and what was chosen is there. */
static void
test_page_of_now (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = path_in (f, "now.html");
  g_autoptr (GBytes) bytes = NULL;
  PageText page = { 0 };

  sl_fixture_show_all (f);
  sl_wait (has_moments, f);
  sl_act (f, "export-page", NULL);
  gtk_editable_set_text (in ("name"), "A title <of> mine");
  gtk_editable_set_text (in ("sentence"), "And a sentence.");
  choose ("plots", SHOWN_NOW);
  choose ("moments", 0);
  sl_carry_dialog_save (dialog (), path);
  g_assert_true (sl_session_state (f->session) == SL_RUNNING);
  sl_wait (is_closed, NULL);
  bytes = read_file (path);
  page_text_read (&page, bytes);
  page_text_assert_safe (&page);
  g_assert_cmpstr (page_text_words (page.data, "title"), ==, "A title <of> mine");
  g_assert_cmpstr (page_text_words (page.data, "sentence"), ==, "And a sentence.");
  g_assert_nonnull (strstr (page.json, "\"effective\""));
  /* Those that were kept of the picture. */
  g_assert_cmpuint (sl_json_member_of (page.data, "moments", SL_JSON_ARRAY)->n, >, 1);
  g_assert_nonnull (strstr (page.json, "\"views\""));
  g_assert_nonnull (strstr (page.recipe, "moons:points=200"));
  page_text_clear (&page);
}

/* ---- films ---- */

static void
test_film (SlFixture *f, gconstpointer data)
{
  static const char *const plain[] = { "--moments", "20", "--film", NULL };
  g_autofree char         *gif = NULL, *png = NULL;
  unsigned                 shown[SL_PANELS_MAX];
  const char              *other;

  sl_act (f, "export-film", NULL);
  sl_assert_named (GTK_WIDGET (dialog ()));
  choose ("moments", 0);
  gif = carry (f, "a.gif");
  assert_as_replayed (f, gif, "again.gif", plain);

  /* The picture comes first in the window and the dialog. */
  g_assert_cmpuint (sl_plot_grid_get_shown (sl_window_get_grid (f->window), shown), >, 1);
  other = sl_session_lab (f->session)->panels[shown[1]].id;
  sl_act (f, "export-film", NULL);
  choose ("plot", 1);
  choose ("moments", 0);
  choose ("format", APNG);
  choose ("size", SLIDE);
  gtk_spin_button_set_value (in ("delay"), 0.4);
  png = carry (f, "a.png");
  assert_as_replayed (f, png, "again.png",
                      (const char *[]) { "--moments", "20", "--film-delay", "0.4", "--film-size",
                                         "slide", "--film-panel", other, "--film", NULL });
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
}

/* A file for each moment. */
static void
test_frames (SlFixture *f, gconstpointer data)
{
  g_autofree char *folder = NULL;

  sl_act (f, "export-film", NULL);
  choose ("moments", 0);
  choose ("format", FRAMES);
  folder = carry (f, "frames");
  g_assert_cmpuint (count_files (folder), ==, 20);
}

/* ---- nothing ---- */

/* A page at once, a film halfway. */
static void
test_cancel (SlFixture *f, gconstpointer halfway)
{
  g_autofree char *path = path_in (f, "never");
  uint64_t         step;

  sl_act (f, halfway != NULL ? "export-film" : "export-page", NULL);
  choose ("moments", 2);
  sl_carry_dialog_save (dialog (), path);
  if (halfway != NULL)
    sl_wait (is_under_way, NULL);
  gtk_window_close (GTK_WINDOW (dialog ()));
  sl_wait (is_over, NULL);
  g_assert_nonnull (dialog ());
  g_assert_false (says_wrong ());
  g_assert_true (gtk_widget_get_sensitive (in ("rows")));
  g_assert_cmpuint (count_files (f->folder), ==, 0);
  step = sl_session_info (f->session)->step;
  sl_wait_for_step (f->session, step + 1);
  gtk_window_close (GTK_WINDOW (dialog ()));
  sl_wait (is_closed, NULL);
}

static void
on_cancelled (gpointer over, const SlCarryJob *job, const GError *error)
{
  g_assert_true (sl_carry_could_not_train (job));
  g_assert_error (error, SL_ERROR, SL_ECANCELLED);
  *(gboolean *) over = TRUE;
}

static gboolean
is_true (gpointer value)
{
  return *(gboolean *) value;
}

/* It is training that is cancelled, not only what comes behind it. */
static void
test_training (SlFixture *f, gconstpointer data)
{
  g_autofree char *recipe = sl_session_recipe (f->session);
  SlCarryOrder     order = { .moments = 2, .n = 1, .path = path_in (f, "never.html") };
  gboolean         over = FALSE;
  GError          *error = NULL;

  sl_recipe_read (recipe, &order.recipe, &error);
  g_assert_no_error (error);
  order.recipe.step = MANY;
  sl_carry_cancel (sl_carry_begin (order, on_cancelled, &over));
  sl_wait (is_true, &over);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
}

/* The window goes while it waits for one, and so does all that was at work. */
static void
test_gone (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = path_in (f, "never.gif");

  sl_act (f, "export-film", NULL);
  choose ("moments", 2);
  sl_carry_dialog_save (dialog (), path);
  sl_wait (is_under_way, NULL);
}

static void
test_no_folder (SlFixture *f, gconstpointer data)
{
  sl_act (f, "export-page", NULL);
  sl_carry_dialog_save (dialog (), "/no/such/folder/a.html");
  g_assert_false (sl_carry_dialog_is_busy (dialog ()));
  g_assert_true (says_wrong ());
  g_assert_nonnull (strstr (sl_child_text (dialog (), "note"), "/no/such/folder"));
  g_assert_true (sl_session_state (f->session) == SL_RUNNING);
  gtk_window_close (GTK_WINDOW (dialog ()));
}

/* Data that are others by now: the run cannot be made again, but its curves are there. */
static void
test_other_data (SlFixture *f, gconstpointer data)
{
  g_autofree char *table = path_in (f, "points.csv"), *path = path_in (f, "a.html");
  g_autoptr (GString) text = g_string_new ("x,y,class\n");
  unsigned generation = sl_session_generation (f->session);
  GError  *error = NULL;

  for (unsigned i = 0; i < 120; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i % 11, i % 7, i % 2 > 0 ? "a" : "b");
  g_file_set_contents (table, text->str, -1, &error);
  g_assert_no_error (error);
  sl_fixture_start (f, "experts", small, table, TRUE);
  sl_wait_for_run (f->session, generation);
  sl_wait (has_updates, f->session);
  g_string_append (text, "1,1,a\n");
  g_file_set_contents (table, text->str, -1, &error);
  g_assert_no_error (error);

  sl_act (f, "export-page", NULL);
  sl_carry_dialog_save (dialog (), path);
  sl_wait (is_over, NULL);
  g_assert_nonnull (dialog ());
  g_assert_true (says_wrong ());
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  choose ("moments", 0);
  g_assert_false (says_wrong ());
  g_free (carry (f, "a.html"));
  g_assert_true (sl_session_goes (f->session));
}

/* ---- and back ---- */

static gboolean
is_shown (gpointer banner)
{
  return gtk_widget_get_visible (GTK_WIDGET (sl_child (banner, "line")));
}

static void
drop (SlFixture *f, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList list = { .data = file };
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &list);
  g_assert_true (sl_window_dropped (f->window, &value));
  g_value_unset (&value);
}

/* Another run is shown, until the file brings this one. */
static void
test_back (SlFixture *f, gconstpointer name)
{
  g_autofree char *path = NULL;
  unsigned         generation;

  sl_act (f, g_str_has_suffix (name, "html") ? "export-page" : "export-film", NULL);
  choose ("moments", 0);
  path = carry (f, name);
  generation = sl_session_generation (f->session);
  sl_fixture_start (f, "sign-estimator", NULL, "moons", FALSE);
  sl_wait_for_run (f->session, generation);
  generation = sl_session_generation (f->session);
  drop (f, path);
  sl_wait_for_run (f->session, generation);
  sl_wait (is_shown, sl_child (f->window, "untrained"));
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "experts");
  g_assert_false (sl_can (f, "export-page"));
  g_assert_cmpfloat (sl_value (f, "experts")->v[0], ==, 4);
}

/* ---- where it can be opened ---- */

static void
test_before_updates (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  g_assert_true (sl_can (f, "export-page") && sl_can (f, "export-film"));
  sl_fixture_start (f, "experts", small, "moons:points=200", FALSE);
  sl_wait_for_run (f->session, generation);
  g_assert_false (sl_can (f, "export-page") || sl_can (f, "export-film"));
}

/* All of it can be read where there is little room. */
static void
test_narrow (SlFixture *f, gconstpointer data)
{
  static const char *const actions[] = { "export-page", "export-film" };

  for (unsigned i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      sl_act (f, actions[i], NULL);
      gtk_window_set_default_size (GTK_WINDOW (dialog ()), NARROW, 300);
      sl_settle ();
      g_assert_cmpstr (sl_cut_in (GTK_WIDGET (dialog ())), ==, NULL);
      gtk_window_close (GTK_WINDOW (dialog ()));
      sl_wait (is_closed, NULL);
    }
}

#define ADD(name, data, begin, test)                                                               \
  g_test_add ("/ui/carry/" name, SlFixture, data, begin, test, sl_fixture_end)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  /* The command line takes another kernel than the library does for a processor it does not know. */
  g_setenv ("OPENBLAS_CORETYPE", sl_blas_kernel (), TRUE);
  ADD ("page", NULL, set_up, test_page);
  ADD ("page-of-now", NULL, set_up, test_page_of_now);
  ADD ("film", NULL, set_up_paused, test_film);
  ADD ("frames", NULL, set_up_paused, test_frames);
  ADD ("cancelled-at-once", NULL, set_up, test_cancel);
  ADD ("cancelled-halfway", "halfway", set_up, test_cancel);
  ADD ("training-cancelled", NULL, set_up_paused, test_training);
  ADD ("gone", NULL, set_up, test_gone);
  ADD ("no-folder", NULL, set_up, test_no_folder);
  ADD ("other-data", NULL, set_up, test_other_data);
  ADD ("page-dropped", "a.html", set_up_paused, test_back);
  ADD ("film-dropped", "a.gif", set_up_paused, test_back);
  ADD ("before-updates", NULL, set_up_paused, test_before_updates);
  ADD ("narrow", NULL, set_up_paused, test_narrow);
  return g_test_run ();
}
