/* SPDX-License-Identifier: MIT
 *
 * Curves of other programs in the window: opened, compared with a stored run, chosen, exported and removed.  */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/run/foreign/events.h"
#include "core/run/record/name.h"
#include "tests/ui/fixture.h"
#include "ui/charts/front-view.h"
#include "ui/plot-view/view.h"
#include "ui/runs/page.h"

static GtkWidget *
child_of (SlFixture *f, const char *id)
{
  GtkWidget *page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);

  return GTK_WIDGET (gtk_widget_get_template_child (page, SL_TYPE_RUNS_PAGE, id));
}

static const SlFigure *
figure_of (SlFixture *f)
{
  return sl_plot_view_get_figure (SL_PLOT_VIEW (child_of (f, "curves")));
}

/* How many curves have this in their title. */
static unsigned
count_curves (SlFixture *f, const char *part)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure_of (f)->n_curves; c++)
    n += strstr (figure_of (f)->curve[c].title, part) != NULL;
  return n;
}

typedef struct
{
  SlFixture  *f;
  const char *part;
  unsigned    n;
} Wanted;

static gboolean
is_drawn (gpointer data)
{
  const Wanted *wanted = data;

  return count_curves (wanted->f, wanted->part) == wanted->n;
}

static void
wait_for (SlFixture *f, const char *part, unsigned n)
{
  sl_wait (is_drawn, &(Wanted) { f, part, n });
}

static gboolean
is_empty (gpointer f)
{
  return figure_of (f)->n_curves == 0;
}

/* How many curves have the name of the run that is shown. */
static unsigned
count_own (SlFixture *f)
{
  g_autofree char *name = sl_run_name (sl_session_uuid (f->session));

  return count_curves (f, name);
}

static gboolean
is_run_drawn (gpointer f)
{
  return count_own (f) > 0;
}

/* The first widget below that was given something of this name. */
static GtkWidget *
find_with (GtkWidget *root, const char *key, const char *value)
{
  const char *has = g_object_get_data (G_OBJECT (root), key);
  GtkWidget  *found = has != NULL && (value == NULL || g_str_equal (has, value)) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_with (child, key, value);
  return found;
}

static void
write_table (SlFixture *f, const char *name, const char *table)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, table, -1, NULL));
  sl_act (f, "open-file", g_variant_new_string (path));
}

static void
open_window (SlFixture *f)
{
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
}

/* Tables without any run of ours. */
static void
test_tables (SlFixture *f, gconstpointer data)
{
  g_autofree char *svg = g_build_filename (f->folder, "curves.svg", NULL), *text = NULL;
  GtkWidget       *files;

  open_window (f);
  write_table (f, "first.csv", "epoch,loss,val_loss\n0,1,2\n1,0.5,1.5\n2,0.25,1.25\n");
  wait_for (f, "first.csv", 1);
  g_assert_cmpstr (figure_of (f)->x.label, ==, "epoch");
  g_assert_cmpstr (figure_of (f)->y.label, ==, "loss");
  write_table (f, "second.csv", "step,loss\n0,1\n10,0.5\n");
  wait_for (f, "second.csv", 1);
  g_assert_cmpuint (figure_of (f)->n_curves, ==, 2);
  g_assert_cmpstr (figure_of (f)->x.label, ==, "step");

  /* The list of curves, each of the files that has it. */
  files = child_of (f, "files");
  gtk_menu_button_popup (GTK_MENU_BUTTON (gtk_widget_get_first_child (files)));
  sl_settle ();
  sl_assert_named (files);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_with (files, "name", "val_loss")), TRUE);
  wait_for (f, "first.csv, val_loss", 1);
  g_assert_cmpuint (figure_of (f)->n_curves, ==, 3);
  g_assert_cmpuint (count_curves (f, "second.csv, loss"), ==, 1);

  gtk_widget_activate_action (child_of (f, "views"), "runs.export-to", "s", svg);
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "val_loss"));
  g_assert_nonnull (strstr (text, "second.csv"));

  g_signal_emit_by_name (find_with (files, "path", NULL), "clicked");
  wait_for (f, "first.csv", 0);
  wait_for (f, "second.csv", 1);
  g_signal_emit_by_name (find_with (files, "path", NULL), "clicked");
  sl_wait (is_empty, f);

  /* What is no table leaves all as it is. */
  write_table (f, "third.csv", "step,loss\n0,1\n10,0.5\n20,high\n");
  sl_settle ();
  g_assert_true (is_empty (f));
}

/* An event file of a run stands with the curve of that run: their names are the same. */
static void
test_beside (SlFixture *f, gconstpointer data)
{
  enum { STEPS = 30 };
  g_autofree char *path = g_build_filename (f->folder, "events.out.tfevents.1.sluice", NULL);
  g_autofree char *title = g_path_get_basename (f->folder);
  g_autoptr (GBytes) events = NULL;
  SlStoredRun run;
  unsigned    n;

  open_window (f);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "limit", g_variant_new_uint64 (STEPS));
  sl_act (f, "run", NULL);
  sl_wait_for_step (f->session, STEPS);
  sl_act (f, "runs", NULL);
  gtk_widget_activate_action (child_of (f, "views"), "runs.view", "s", "curves");
  sl_wait (is_run_drawn, f);
  n = figure_of (f)->n_curves;
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_true (
    sl_store_load (f->store, sl_session_uuid (f->session), FALSE, G_MAXUINT64, &run, NULL));
  events = sl_events_write (&run.record, 0);
  sl_stored_run_clear (&run);
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (events, NULL),
                                      (gssize) g_bytes_get_size (events), NULL));
  sl_act (f, "open-file", g_variant_new_string (path));
  wait_for (f, title, n);
  g_assert_cmpuint (count_own (f), ==, n);
}

/* A table that was meant as data. */
static void
test_train_on (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "both.csv", NULL);
  unsigned         generation;

  open_window (f);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  generation = sl_session_generation (f->session);
  write_table (f, "both.csv",
               "step,x,label\n0,1,0\n1,0,1\n2,1,0\n3,0,1\n4,1,0\n5,0,1\n6,1,0\n7,0,1\n");
  wait_for (f, "both.csv", 1);
  sl_act (f, "train-on", g_variant_new_string (path));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_spec (f->session), ==, path);
}

/* Drops a file or folder on the window. */
static void
drop (SlFixture *f, const char *path)
{
  GObject *target = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "drop");
  g_auto (GValue) value = G_VALUE_INIT;
  GSList   files = { .data = g_file_new_for_path (path) };
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &files);
  g_signal_emit_by_name (target, "drop", &value, 0.0, 0.0, &taken);
  g_assert_true (taken);
  g_object_unref (files.data);
}

/* Writes a trainer's log with so many loads of experts and other curves. */
static char *
write_loads (SlFixture *f, const char *name, unsigned loads, unsigned others)
{
  char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned step = 1; step <= 8; step++)
    {
      g_string_append_printf (text, "{\"step\": %u", step);
      for (unsigned i = 0; i < loads; i++)
        g_string_append_printf (text, ", \"layer_0_expert_%u_load\": %u", i, 10 + (i + step) % 5);
      for (unsigned i = 0; i < others; i++)
        g_string_append_printf (text, ", \"loss%u\": 0.5", i);
      g_string_append (text, "}\n");
    }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static gboolean
replays (gpointer f)
{
  SlSession       *session = ((SlFixture *) f)->session;
  const SlDataset *data = sl_session_dataset (session);

  return !sl_session_is_loading (session) && data != NULL && data->routing != NULL;
}

/* A log that is mostly loads of experts is a recording, and is curves as well; one with a few the other way round. */
static void
test_loads (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = write_loads (f, "most.jsonl", 4, 2);
  g_autofree char *few = write_loads (f, "few.jsonl", 3, 5);
  g_autofree char *spec = g_strconcat (few, ":as=loads", NULL);
  unsigned         generation;

  open_window (f);
  drop (f, path);
  sl_wait (replays, f);
  g_assert_cmpstr (sl_session_spec (f->session), ==, path);
  g_assert_false (sl_stage_shows_list (sl_window_stage (f->window)));
  sl_act (f, "open-curves", g_variant_new_string (path));
  wait_for (f, "most.jsonl", 1);
  drop (f, few);
  wait_for (f, "few.jsonl", 1);
  generation = sl_session_generation (f->session);
  sl_act (f, "train-on", g_variant_new_string (spec));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_spec (f->session), ==, spec);
  g_assert_true (replays (f));
}

static gboolean
has_points (gpointer f)
{
  SlFrontView *front = SL_FRONT_VIEW (child_of (f, "front"));

  return sl_front_view_get_front (front)->n == 9;
}

/* Cases as people have them. */
static char *
fixture (const char *name)
{
  return g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures", "files", name, NULL);
}

/* A folder of logs is as many runs as it has folders of event files, called by their paths in it. */
static void
test_folder (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = fixture ("16-tensorboard-folder/logs");

  open_window (f);
  drop (f, path);
  wait_for (f, "run1", 1);
  wait_for (f, "run2/train", 1);
  g_assert_cmpuint (figure_of (f)->n_curves, ==, 2);
}

/* Of the log of a trainer the loss is shown first, not how its epochs rise. */
static void
test_log (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = fixture ("19-trainer-logs/trainer_state.json");

  open_window (f);
  sl_act (f, "open-file", g_variant_new_string (path));
  wait_for (f, "19-trainer-logs", 1);
  g_assert_cmpstr (figure_of (f)->y.label, ==, "loss");
  g_assert_cmpstr (figure_of (f)->x.label, ==, "step");
}

/* The sweep of another program is a trade-off and an item of the list of sweeps, from which one comes back. */
static void
test_trials (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = fixture ("19-trainer-logs/optuna.csv");
  GtkDropDown     *scope;

  open_window (f);
  sl_act (f, "open-file", g_variant_new_string (path));
  sl_wait (has_points, f);
  scope = GTK_DROP_DOWN (child_of (f, "scope"));
  g_assert_cmpuint (gtk_drop_down_get_selected (scope), ==, 1);
  g_assert_cmpstr (gtk_string_object_get_string (gtk_drop_down_get_selected_item (scope)), ==,
                   "optuna.csv");
  g_assert_false (gtk_widget_get_sensitive (child_of (f, "x_axis")));
  gtk_drop_down_set_selected (scope, 0);
  sl_settle ();
  g_assert_true (gtk_widget_get_sensitive (child_of (f, "x_axis")));
  g_assert_false (has_points (f));
}

/* What a pipe is taken for is said without waiting for its other end. */
static void
test_pipe (void)
{
  g_autofree char         *folder = g_dir_make_tmp ("sluice-files-XXXXXX", NULL);
  static const char *const names[]
    = { "pipe", "pipe.csv", "pipe.sluice", "pipe.lesson", "pipe.png" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      g_assert_false (sl_window_opens (path));
      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_func ("/files/pipe", test_pipe);
  g_test_add ("/files/tables", SlFixture, NULL, sl_fixture_begin, test_tables, sl_fixture_end);
  g_test_add ("/files/beside", SlFixture, NULL, sl_fixture_begin, test_beside, sl_fixture_end);
  g_test_add ("/files/train-on", SlFixture, NULL, sl_fixture_begin, test_train_on, sl_fixture_end);
  g_test_add ("/files/loads", SlFixture, NULL, sl_fixture_begin, test_loads, sl_fixture_end);
  g_test_add ("/files/folder", SlFixture, NULL, sl_fixture_begin, test_folder, sl_fixture_end);
  g_test_add ("/files/log", SlFixture, NULL, sl_fixture_begin, test_log, sl_fixture_end);
  g_test_add ("/files/trials", SlFixture, NULL, sl_fixture_begin, test_trials, sl_fixture_end);
  return g_test_run ();
}
