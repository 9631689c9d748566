/* SPDX-License-Identifier: MIT
 *
 * Data files as people have them, dropped on the window: right at once, or right after one choice on the page that
 * asks, by the keyboard alone; and the run that is shown, which nothing disturbs before.  */
#include <string.h>

#include "tests/ui/fixture.h"
#include "ui/form/sidebar.h"
#include "ui/import/page.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "12-8", NULL };

  sl_fixture_begin (f, data);
  sl_fixture_open (f);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

/* The page that is open, or NULL. */
static SlImportPage *
page (void)
{
  return sl_window_of (SL_TYPE_IMPORT_PAGE);
}

static gboolean
is_asked (gpointer data)
{
  return page () != NULL && *sl_child_text (page (), "said") != '\0';
}

static gboolean
is_gone (gpointer data)
{
  return page () == NULL;
}

static gboolean
can_open (gpointer data)
{
  return gtk_widget_get_sensitive (sl_child (page (), "open"));
}

/* The first button that does this, visible in the window or not. */
static GtkButton *
button_for (GtkWidget *widget, const char *action)
{
  GtkButton *found = NULL;

  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0
      && gtk_widget_get_mapped (widget))
    return GTK_BUTTON (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = button_for (child, action);
  return found;
}

static void
drop (SlFixture *f, const char *name)
{
  g_autofree char *path
    = g_strdup_printf ("%s/tests/fixtures/files/%s", g_getenv ("SLUICE_SOURCE"), name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList list = { .data = file };
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &list);
  g_assert_true (sl_window_dropped (f->window, &value));
  g_value_unset (&value);
}

static void
press_focus (void)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (page ()));

  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_activate (focus));
}

static void
test_at_once (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  drop (f, data);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_loaded, f->session);
  g_assert_null (page ());
  g_assert_nonnull (sl_session_dataset (f->session));
  /* How it was read is said, with the way to the page, which shows the same file. */
  g_assert_nonnull (button_for (GTK_WIDGET (f->window), "win.import"));
  sl_act (f, "import", g_variant_new_string (sl_session_dataset (f->session)->id));
  sl_wait (is_asked, NULL);
  sl_wait (can_open, NULL);
  sl_assert_named (GTK_WIDGET (page ()));
  g_assert_true (sl_press (GTK_WIDGET (page ()), GDK_KEY_Escape, 0));
  sl_wait (is_gone, NULL);
}

static void
test_load_table (SlFixture *f, gconstpointer data)
{
  test_at_once (f, data);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "routing");
  g_assert_nonnull (sl_session_dataset (f->session)->routing);
}

/* A table of examples where recorded routing is shown begins a lab that learns from it. */
static void
test_other_lab (SlFixture *f, gconstpointer data)
{
  sl_act (f, "lab", g_variant_new_string ("routing"));
  test_at_once (f, data);
  g_assert_cmpstr (sl_session_lab (f->session)->id, !=, "routing");
  g_assert_cmpuint (sl_session_dataset (f->session)->classes, >, 0);
}

typedef struct
{
  const char *name, *option; /* in the id of the data after the first way out was taken */
} Question;

/* The first way out has the focus, and then the button that opens. */
static void
test_question (SlFixture *f, gconstpointer data)
{
  const Question *question = data;
  unsigned        generation = sl_session_generation (f->session);

  drop (f, question->name);
  sl_wait (is_asked, NULL);
  g_assert_false (can_open (NULL));
  sl_assert_named (GTK_WIDGET (page ()));
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  press_focus ();
  sl_wait (can_open, NULL);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (page ())) == sl_child (page (), "open"));
  press_focus ();
  sl_wait (is_gone, NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_loaded, f->session);
  g_assert_null (sl_session_error (f->session));
  g_assert_nonnull (strstr (sl_session_dataset (f->session)->id, question->option));
}

/* An answer is undone by another one that comes at once: the page shows the last. */
static void
test_last_answer (SlFixture *f, gconstpointer data)
{
  GtkWidget *rows;
  unsigned   generation = sl_session_generation (f->session);

  drop (f, "10-class-first-no-heading/spect-like.csv");
  sl_wait (is_asked, NULL);
  rows = sl_child (page (), "rows");
  for (guint column = 1; column <= 23; column += 11)
    adw_combo_row_set_selected (ADW_COMBO_ROW (gtk_widget_get_first_child (rows)), column);
  g_assert_false (can_open (NULL));
  sl_wait (can_open, NULL);
  g_assert_nonnull (strstr (sl_child_text (page (), "said"), "column 23"));
  g_assert_true (gtk_widget_activate (sl_child (page (), "open")));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_loaded, f->session);
  g_assert_nonnull (strstr (sl_session_dataset (f->session)->id, "class=23"));
}

/* What no option helps, and what is left by Escape, disturb nothing; the run goes on. */
static void
test_cancel (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  drop (f, data);
  sl_wait (is_asked, NULL);
  g_assert_false (can_open (NULL));
  g_assert_true (sl_press (GTK_WIDGET (page ()), GDK_KEY_Escape, 0));
  sl_wait (is_gone, NULL);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_assert_cmpstr (sl_session_dataset (f->session)->title, ==, "Two moons");
  g_assert_null (sl_session_error (f->session));
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 10);
}

static void
test_pointer (SlFixture *f, gconstpointer data)
{
  drop (f, data);
  sl_wait (is_asked, NULL);
  g_assert_nonnull (strstr (sl_child_text (page (), "said"), "Git LFS"));
  g_assert_nonnull (strstr (sl_child_text (page (), "more"), "git lfs pull"));
  g_assert_false (gtk_widget_get_visible (sl_child (page (), "ways")));
  gtk_window_close (GTK_WINDOW (page ()));
  sl_wait (is_gone, NULL);
}

/* A line of Python, which is copied. */
static void
test_line (SlFixture *f, gconstpointer data)
{
  drop (f, data);
  sl_wait (is_asked, NULL);
  g_assert_true (gtk_widget_get_visible (sl_child (page (), "python")));
  g_assert_nonnull (strstr (sl_child_text (page (), "line"), "torch.save"));
  gtk_window_close (GTK_WINDOW (page ()));
  sl_wait (is_gone, NULL);
}

/* A window that is closed while a file is looked at, and while its page is. */
static void
test_close (SlFixture *f, gconstpointer data)
{
  drop (f, data);
}

static void
test_close_page (SlFixture *f, gconstpointer data)
{
  drop (f, data);
  sl_wait (is_asked, NULL);
  press_focus ();
}

int
main (int argc, char **argv)
{
  static const Question logits = { "23-torch-save/router_logits.pt", "k=2" },
                        missing = { "13-missing-values/NA.csv", "missing=drop" },
                        class = { "10-class-first-no-heading/spect-like.csv", "class=1" };

  sl_ui_init (&argc, &argv);
#define ADD(path, data, test)                                                                      \
  g_test_add ("/import/" path, SlFixture, data, set_up, test, sl_fixture_end)
  ADD ("load-table", "04-csv-layer-expert-count/load.csv", test_load_table);
  ADD ("imatrix", "08-imatrix-gguf/imatrix.gguf", test_load_table);
  ADD ("german-table", "12-decimal-comma/excel-de.csv", test_at_once);
  ADD ("other-lab", "12-decimal-comma/excel-de.csv", test_other_lab);
  ADD ("image-folder", "22-other-collections/image-folder", test_at_once);
  ADD ("logits", &logits, test_question);
  ADD ("missing", &missing, test_question);
  ADD ("class", &class, test_question);
  ADD ("last-answer", NULL, test_last_answer);
  ADD ("cancel", "13-missing-values/NA.csv", test_cancel);
  ADD ("pointer", "24-downloads-as-they-come/lfs-ids.npy", test_pointer);
  ADD ("pointer-disturbs-nothing", "24-downloads-as-they-come/lfs-ids.npy", test_cancel);
  ADD ("line", "23-torch-save/not-a-tensor.pt", test_line);
  ADD ("close", "13-missing-values/NA.csv", test_close);
  ADD ("close-page", "13-missing-values/NA.csv", test_close_page);
#undef ADD
  return g_test_run ();
}
