/* SPDX-License-Identifier: MIT
 *
 * The real window on a real session: what a person does at first, and what goes wrong.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/labs/registry.h"
#include "tests/support/english.h"
#include "tests/ui/fixture.h"
#include "ui/dialogs/about.h"
#include "ui/dialogs/preferences.h"
#include "ui/export/dialog.h"
#include "ui/export/job.h"
#include "ui/import/page.h"
#include "ui/kit/banner.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/toast.h"
#include "ui/status/line.h"
#include "ui/window/services/services.h"

static const char *const small_net[] = { "hidden", "12-8", NULL };

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_fixture_open (f);
  sl_wait (sl_is_running, f->session);
}

static gboolean
all_painted (gpointer data)
{
  SlPlotGrid *grid = data;

  return sl_plot_grid_get_redraws (grid) > 3;
}

static void
test_opens_running (SlFixture *f, gconstpointer data)
{
  SlPlotGrid *grid = sl_window_get_grid (f->window);

  g_assert_cmpuint (sl_plot_grid_get_n_cards (grid), ==, sl_session_lab (f->session)->n_panels);
  sl_wait (all_painted, grid);
  sl_assert_named (GTK_WIDGET (f->window));
}

typedef struct
{
  SlSession *session;
  int        channel;
  double     step, bound;
} Reaction;

static gboolean
reacted (gpointer data)
{
  const Reaction *r = data;
  const SlSeries *series = &sl_session_record (r->session)->series[r->channel];

  return series->n > 0 && series->step[series->n - 1] > r->step
         && series->value[series->n - 1] <= r->bound;
}

static gboolean
takes_back (gpointer data)
{
  AdwToast **toast = data;

  return *toast == NULL || sl_toast_dismiss (*toast);
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

static gboolean
is_past (gpointer time)
{
  return g_get_monotonic_time () > *(const gint64 *) time;
}

/* What is said no longer goes, however soon and often that is said, and the program goes on.  */
static void
test_toast_goes (SlFixture *f, gconstpointer data)
{
  gint64    settled = g_get_monotonic_time () + 3 * G_USEC_PER_SEC / 2;
  AdwToast *toast, *next;

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  toast = sl_window_toast_button (f->window, "said", "Button", NULL);
  g_object_add_weak_pointer (G_OBJECT (toast), (gpointer *) &toast);
  next = sl_window_toast_button (f->window, "said next", "Button", NULL);
  g_object_add_weak_pointer (G_OBJECT (next), (gpointer *) &next);
  g_assert_false (sl_toast_dismiss (toast));
  sl_wait (is_past, &settled);
  sl_wait (takes_back, &toast);
  g_assert_true (toast == NULL || sl_toast_dismiss (toast));
  /* It waited until now, and begins to appear. */
  g_assert_nonnull (next);
  g_assert_false (sl_toast_dismiss (next));
  sl_wait (is_null, &toast);
  sl_wait (takes_back, &next);
  sl_wait (is_null, &next);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

/* A message does not wait behind those that are old by then; one with a button of its own stays. */
static void
test_toast_newest (SlFixture *f, gconstpointer data)
{
  AdwToast *old, *kept, *last;

  sl_window_toast (f->window, "shown");
  old = sl_window_toast_button (f->window, "old", NULL, NULL);
  g_object_add_weak_pointer (G_OBJECT (old), (gpointer *) &old);
  kept = sl_window_toast_button (f->window, "kept", "Button", NULL);
  g_object_add_weak_pointer (G_OBJECT (kept), (gpointer *) &kept);
  last = sl_window_toast_button (f->window, "last", NULL, NULL);
  g_object_add_weak_pointer (G_OBJECT (last), (gpointer *) &last);
  g_assert_null (old);
  g_assert_nonnull (kept);
  g_assert_nonnull (last);
  g_object_remove_weak_pointer (G_OBJECT (kept), (gpointer *) &kept);
  g_object_remove_weak_pointer (G_OBJECT (last), (gpointer *) &last);
}

/* The slider, the session and the curves: the rank in use falls to what was asked for. */
static void
test_slider (SlFixture *f, gconstpointer data)
{
  GtkRange *slider = GTK_RANGE (sl_param_row_get_scale (sl_row (f, "rank"), 0));
  Reaction  reaction = { .session = f->session, .bound = 0.0 };

  gtk_range_set_value (slider, gtk_adjustment_get_lower (gtk_range_get_adjustment (slider)));
  g_assert_cmpfloat (sl_value (f, "rank")->v[0], ==, 0);
  sl_wait (sl_is_marked, f->session);
  g_assert_nonnull (
    strstr (sl_english_text (sl_session_record (f->session)->flag[0].text), "Rank"));
  reaction.channel = sl_layout_find (&sl_session_record (f->session)->layout, "rank-used.rank.1");
  g_assert_cmpint (reaction.channel, >=, 0);
  reaction.step = sl_session_record (f->session)->flag[0].step;
  sl_wait (reacted, &reaction);
}

/* A parameter that restarts waits for the whole value, then begins a new run. */
static void
test_restart (SlFixture *f, gconstpointer data)
{
  GtkWidget *entry = sl_control (sl_row (f, "hidden"));

  gtk_editable_set_text (GTK_EDITABLE (entry), "6-5-4");
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_signal_emit_by_name (entry, "activate");
  sl_wait_for_run (f->session, 1);
  g_assert_cmpuint (sl_value (f, "hidden")->n, ==, 3);
  sl_settle ();
  g_assert_nonnull (sl_param_row_get_scale (sl_row (f, "rank"), 2));
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
}

static gboolean
is_step_one (gpointer data)
{
  return sl_session_info (data)->step == 1;
}

static void
test_transport (SlFixture *f, gconstpointer data)
{
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  g_assert_false (sl_can (f, "pause"));
  sl_act (f, "rewind", NULL);
  sl_wait_for_run (f->session, 1);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  sl_act (f, "step", NULL);
  sl_wait (is_step_one, f->session);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_space, 0));
  sl_wait (sl_is_running, f->session);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_space, 0));
  sl_wait (sl_is_paused, f->session);
}

static void
test_set_and_seed (SlFixture *f, gconstpointer data)
{
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.003"));
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], ==, 0.003);
  /* What is out of range changes nothing. */
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "-1"));
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], ==, 0.003);
  sl_act (f, "seed", g_variant_new_uint64 (99));
  sl_wait_for_run (f->session, 1);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 99);
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], ==, 0.003);
}

static void
assert_begins (const char *path, const char *magic)
{
  g_autofree char *bytes = NULL;
  gsize            length;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, strlen (magic));
  g_assert_cmpint (memcmp (bytes, magic, strlen (magic)), ==, 0);
}

/* Every format by action, then the run of one of them brought back on the window. */
static void
test_export (SlFixture *f, gconstpointer data)
{
  static const char *const kinds[][2] = {
    { "png", "\x89PNG" },
    { "svg", "<?xml" },
    { "pdf", "%PDF" },
    { "tikz", "%" },
    { "py", "#!/usr/bin/env python3" },
    { "csv", "step," },
    { "npy", "\x93NUMPY" },
    { "json", "{" },
  };

  sl_wait (all_painted, sl_window_get_grid (f->window));
  for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat ("all.", kinds[i][0], NULL);
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      sl_act (f, "export-to", g_variant_new_string (path));
      assert_begins (path, kinds[i][1]);
    }
  sl_act (f, "seed", g_variant_new_uint64 (99));
  sl_wait_for_run (f->session, 1);
  for (unsigned i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strconcat ("all.", kinds[i][0], NULL);
      g_autofree char *path = g_build_filename (f->folder, name, NULL);
      unsigned         before = sl_session_generation (f->session);

      sl_act (f, "restore", g_variant_new_string (path));
      sl_wait_for_run (f->session, before);
      g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
      g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
    }
}

/* One plot, offered in three forms at once. */
static void
test_copy (SlFixture *f, gconstpointer data)
{
  SlPlotGrid        *grid = sl_window_get_grid (f->window);
  SlPlotView        *view = sl_plot_grid_get_view (grid, sl_fixture_panel (f, "agreement"));
  GdkClipboard      *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (f->window));
  GdkContentFormats *formats;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK));
  formats = gdk_clipboard_get_formats (clipboard);
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "text/csv"));
  gdk_clipboard_set_content (clipboard, NULL);
}

typedef struct
{
  SlSession *session;
  unsigned   panel;
} Wanted;

static gboolean
has_data (gpointer data)
{
  const Wanted *wanted = data;

  return sl_export_has_data (wanted->session, wanted->panel);
}

/* A plot that is dragged out by its title: the same forms, and a file that is there until the next one. */
static void
test_drag_out (SlFixture *f, gconstpointer data)
{
  SlPlotGrid      *grid = sl_window_get_grid (f->window);
  g_autofree char *first = NULL;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  for (unsigned panel = 0; panel < 2; panel++)
    {
      g_autoptr (GdkContentProvider) offer = NULL;
      g_autoptr (GdkContentFormats) formats = NULL;
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *path = NULL;
      GSList          *files;

      sl_wait (has_data, &(Wanted) { f->session, panel });
      g_signal_emit_by_name (grid, "offer", panel, &offer);
      g_assert_nonnull (offer);
      formats = gdk_content_provider_ref_formats (offer);
      g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
      g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
      g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST));
      g_value_init (&value, GDK_TYPE_FILE_LIST);
      g_assert_true (gdk_content_provider_get_value (offer, &value, NULL));
      files = g_value_get_boxed (&value);
      path = g_file_get_path (files->data);
      g_assert_true (g_str_has_suffix (path, ".png"));
      assert_begins (path, "\x89PNG");
      g_assert_true (first == NULL || !g_file_test (first, G_FILE_TEST_EXISTS));
      g_free (first);
      first = g_steal_pointer (&path);
    }
}

/* What a clipboard said. */
static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  char **text = data;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
has_text (gpointer data)
{
  return *(char **) data != NULL;
}

/* The run as words for a shell: its settings, data and seed, and how far it is. */
static void
test_copy_command (SlFixture *f, gconstpointer data)
{
  GdkClipboard    *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (f->window));
  g_autofree char *text = NULL, *steps = NULL;

  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  steps = g_strdup_printf (" --steps %" G_GUINT64_FORMAT " --seed 7 ",
                           sl_session_info (f->session)->step);
  sl_act (f, "copy-command", NULL);
  gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
  sl_wait (has_text, &text);
  g_assert_true (g_str_has_prefix (text, "sluice-cli run sign-estimator --data moons:"));
  g_assert_nonnull (strstr (text, " --set hidden=12-8 "));
  g_test_message ("%s, expected%s", text, steps);
  g_assert_nonnull (strstr (text, steps));
  gdk_clipboard_set_content (clipboard, NULL);
}

/* The same as a line of text: another lab comes with it, and a damaged one changes nothing. */
static void
test_state (SlFixture *f, gconstpointer data)
{
  GdkClipboard    *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (f->window));
  g_autofree char *text = NULL;

  sl_act (f, "maximise", g_variant_new_string ("agreement"));
  sl_act (f, "copy-state", NULL);
  gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
  sl_wait (has_text, &text);
  g_assert_true (g_str_has_prefix (text, "sign-estimator"));
  g_assert_nonnull (strstr (text, " seed=7 see=agreement #"));
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_wait (sl_is_loaded, f->session);
  sl_act (f, "maximise", g_variant_new_string (""));
  text[0] = 'x';
  sl_act (f, "state", g_variant_new_string (text));
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "experts");
  text[0] = 's';
  sl_act (f, "state", g_variant_new_string (text));
  sl_wait (sl_is_loaded, f->session);
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "sign-estimator");
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpint (sl_plot_grid_get_maximised (sl_window_get_grid (f->window)), ==,
                   sl_lab_panel (sl_session_lab (f->session), "agreement"));
  gdk_clipboard_set_content (clipboard, NULL);
}

/* The list marks the lab as soon as it is chosen, while the plots are still those of the other. */
static void
test_choice (SlFixture *f, gconstpointer data)
{
  GtkListBox    *labs = sl_fixture_labs (f);
  GtkListBoxRow *before = gtk_list_box_get_selected_row (labs), *chosen;

  sl_act (f, "lab", g_variant_new_string ("experts"));
  g_assert_true (sl_session_is_loading (f->session));
  g_assert_cmpstr (sl_session_lab (f->session)->id, ==, "sign-estimator");
  chosen = gtk_list_box_get_selected_row (labs);
  g_assert_true (chosen != before);
  sl_wait (sl_is_loaded, f->session);
  g_assert_true (gtk_list_box_get_selected_row (labs) == chosen);
  sl_act (f, "lab", g_variant_new_string ("sign-estimator"));
  g_assert_true (gtk_list_box_get_selected_row (labs) == before);
}

static SlBanner *
banner (SlFixture *f, const char *id)
{
  return SL_BANNER (gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, id));
}

static gboolean
is_shown (gpointer data)
{
  return gtk_widget_get_visible (sl_child (data, "line"));
}

/* The page that asks how a file is read says this. */
static gboolean
asks_about (gpointer words)
{
  SlImportPage *page = sl_window_of (SL_TYPE_IMPORT_PAGE);

  return page != NULL && strstr (sl_child_text (page, "said"), words) != NULL;
}

/* A file that is no data set is refused in words, and the run goes on. */
static void
test_bad_file (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "bad.csv", NULL);
  g_autofree char *figure = g_build_filename (f->folder, "bad.png", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "a,b\n1,oops\n", -1, &error);
  g_assert_no_error (error);
  g_file_set_contents (figure, "no picture", -1, &error);
  g_assert_no_error (error);
  sl_window_open_file (f->window, path);
  sl_wait (asks_about, (gpointer) "one class");
  gtk_window_close (sl_window_of (SL_TYPE_IMPORT_PAGE));
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_assert_cmpstr (sl_session_spec (f->session), ==, "moons");
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 1);
  g_assert_false (gtk_widget_get_visible (sl_child (banner (f, "trouble"), "line")));
  sl_window_open_file (f->window, figure);
  sl_wait (is_shown, banner (f, "trouble"));
}

static gboolean
is_gone (gpointer data)
{
  return !is_shown (data);
}

static gboolean
speaks_of (gpointer fixture)
{
  SlFixture       *f = fixture;
  g_autofree char *name = g_path_get_basename (f->path);

  return is_shown (banner (f, "trouble"))
         && strstr (sl_child_text (banner (f, "trouble"), "text"), name) != NULL;
}

static void
open_refused (SlFixture *f, const char *name)
{
  g_free (f->path);
  f->path = g_build_filename (f->folder, name, NULL);
  if (!g_str_has_prefix (name, "gone"))
    g_assert_true (g_file_set_contents (f->path, "no picture", -1, NULL));
  sl_window_open_file (f->window, f->path);
  sl_wait (speaks_of, f);
}

/* What was wrong with a file leaves when the person goes to another page or lab, or opens another file.  The
 * session refuses the first, the window the second.  */
static void
test_refusal_leaves (SlFixture *f, gconstpointer data)
{
  static const char *const names[] = { "gone.csv", "bad.png" };
  static const char *const labs[] = { "prefix-tree", "experts" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      open_refused (f, names[i]);
      open_refused (f, names[1 - i]);
      open_refused (f, names[i]);
      for (unsigned times = 0; times < 2; times++)
        {
          sl_act (f, "runs", NULL);
          sl_wait (is_gone, banner (f, "trouble"));
        }
      sl_settle ();
      g_assert_true (is_gone (banner (f, "trouble")));
      open_refused (f, names[i]);
      sl_act (f, "lab", g_variant_new_string (labs[i]));
      sl_wait (is_gone, banner (f, "trouble"));
    }
}

/* A recording begins the lab that has a use for it, and other data stay where they are. */
static void
test_recording (SlFixture *f, gconstpointer data)
{
  g_autofree char *recording = g_build_filename (f->folder, "recording.csv", NULL);
  g_autofree char *table = g_build_filename (f->folder, "table.csv", NULL);
  g_autofree char *answers = g_build_filename (f->folder, "answers.json", NULL);
  g_autoptr (GString) text = g_string_new ("layer,token,e0,e1\n");
  const SlLab *shown = sl_session_lab (f->session);

  for (int t = 0; t < 600; t++)
    g_string_append_printf (text, "3,%d,%d,%d\n", t, t % 7, 7 + t % 5);
  g_file_set_contents (recording, text->str, -1, NULL);
  g_string_assign (text, "layer,width,label\n");
  for (int i = 0; i < 100; i++)
    g_string_append_printf (text, "%d,%d,%d\n", i, i % 13, i % 2);
  g_file_set_contents (table, text->str, -1, NULL);

  sl_window_open_file (f->window, table);
  sl_wait_for_run (f->session, 1);
  g_assert_true (sl_session_lab (f->session) == shown);
  sl_window_open_file (f->window, recording);
  sl_wait_for_run (f->session, 2);
  g_assert_cmpint (sl_session_lab (f->session)->data, ==, SL_NEEDS_ROUTING);
  g_assert_true (g_str_has_suffix (sl_session_spec (f->session), "recording.csv"));

  /* What a server answered is JSON, as figures are. */
  g_file_set_contents (answers, "{\"choices\": [{\"routed_experts\": \"AAAA\"}]}", -1, NULL);
  sl_window_open_file (f->window, answers);
  sl_wait (asks_about, (gpointer) "base 64");
  gtk_window_close (sl_window_of (SL_TYPE_IMPORT_PAGE));
}

static gboolean
offers_to_leave_out (gpointer offer)
{
  return is_shown (offer) && g_str_has_suffix (sl_child_text (offer, "text"), "They are counted.");
}

static gboolean
offers_to_count (gpointer offer)
{
  return is_shown (offer) && g_str_has_suffix (sl_child_text (offer, "text"), "They are left out.");
}

/* What a lab has to say of its data is in a banner; its button is a change like any other, and a run of
 * other data has no such banner.  */
static void
test_offer (SlFixture *f, gconstpointer data)
{
  SlBanner        *offer = banner (f, "offer");
  SlPlotView      *view;
  unsigned         generation;
  g_autofree char *label = NULL;

  g_assert_true (is_gone (offer));
  sl_fixture_start (f, "routing", NULL, "router:tokens=2048,warm-up=128,experts=24", FALSE);
  sl_wait (offers_to_count, offer);
  g_object_get (offer, "first-label", &label, NULL);
  g_assert_cmpstr (label, ==, "Count them");
  sl_act (f, "step", NULL);
  sl_wait_for_step (f->session, 1);
  view = sl_plot_grid_get_view (sl_window_get_grid (f->window),
                                (guint) sl_lab_panel (sl_session_lab (f->session), "cv"));
  sl_plot_view_update (view);
  g_assert_cmpstr (sl_plot_view_get_figure (view)->x.label, ==, "window");
  g_assert_cmpstr (sl_plot_view_get_figure (view)->note, ==, "");

  g_signal_emit_by_name (sl_child (offer, "first"), "clicked");
  sl_wait (offers_to_leave_out, offer);
  g_assert_cmpfloat (sl_value (f, "warm-up")->v[0], ==, 1.0);
  g_free (label);
  g_object_get (offer, "first-label", &label, NULL);
  g_assert_cmpstr (label, ==, "Leave them out");
  sl_plot_view_update (view);
  g_assert_cmpstr (sl_plot_view_get_figure (view)->note, ==, "With the warm-up, if any.");

  sl_act (f, "undo", NULL);
  sl_wait (offers_to_count, offer);
  g_assert_cmpfloat (sl_value (f, "warm-up")->v[0], ==, 0.0);

  /* Once closed it stays so while the data are the same. */
  g_signal_emit_by_name (offer, "closed");
  sl_banner_show (offer, NULL);
  generation = sl_session_generation (f->session);
  sl_act (f, "set", g_variant_new ("(ss)", "window", "128"));
  sl_wait_for_run (f->session, generation);
  g_assert_true (is_gone (offer));
  sl_fixture_start (f, "routing", NULL, "router:tokens=2048,warm-up=96,experts=24", FALSE);
  sl_wait (offers_to_count, offer);
  sl_fixture_start (f, "routing", NULL, "router:tokens=2048,warm-up=0,experts=24", FALSE);
  sl_wait (is_gone, offer);
}

/* A figure whose run is nowhere stored is set up, and trains when it is asked to. */
static void
test_untrained (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "all.svg", NULL);
  SlBanner        *offer = banner (f, "untrained");

  sl_act (f, "export-to", g_variant_new_string (path));
  sl_act (f, "restore", g_variant_new_string (path));
  sl_wait (is_shown, offer);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  g_assert_nonnull (strstr (sl_child_text (offer, "text"), "Not trained yet"));
  g_signal_emit_by_name (sl_child (offer, "first"), "clicked");
  sl_wait (is_gone, offer);
}

/* A map is there before the first update. */
static gboolean
has_something (gpointer session)
{
  const SlLab *lab = sl_session_lab (session);

  for (unsigned i = 0; lab != NULL && i < lab->n_panels; i++)
    if (sl_export_has_data (session, i))
      return TRUE;
  return FALSE;
}

/* One that was exported before the first update says so. */
static void
test_without_updates (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "first.svg", NULL);
  SlBanner        *offer = banner (f, "untrained");
  unsigned         generation = sl_session_generation (f->session);

  sl_fixture_start (f, "sign-estimator", small_net, "moons", FALSE);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  sl_wait (has_something, f->session);
  gtk_window_set_focus (GTK_WINDOW (f->window), NULL); /* all plots rather than one */
  sl_act (f, "export-to", g_variant_new_string (path));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  sl_act (f, "restore", g_variant_new_string (path));
  sl_wait (is_shown, offer);
  g_assert_nonnull (strstr (sl_child_text (offer, "text"), "no update"));
}

static gboolean
has_diverged (gpointer data)
{
  return sl_session_state (data) == SL_DIVERGED;
}

/* Momentum at the largest rate blows a deep net up within a few updates; the banner leads back at
 * half of it.  */
static void
test_divergence (SlFixture *f, gconstpointer data)
{
  static const char *const steep[]
    = { "hidden",   "120-120-120-120-120-120", "estimator", "off", "optimiser",
        "momentum", "learning-rate",           "10",        NULL };

  sl_fixture_start (f, "sign-estimator", steep, "moons", TRUE);
  sl_wait_for_run (f->session, 1);
  sl_wait (has_diverged, f->session);
  sl_settle ();
  g_assert_true (gtk_widget_get_visible (sl_child (banner (f, "diverged"), "line")));
  g_assert_nonnull (
    strstr (sl_child_text (banner (f, "diverged"), "text"), "no longer finite since update"));
  /* At half the rate it may well diverge again, so look before it can. */
  sl_act (f, "rescue-halve", NULL);
  g_assert_false (gtk_widget_get_visible (sl_child (banner (f, "diverged"), "line")));
  sl_settle ();
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], <=, 5.0);
}

static gboolean
is_troubled (gpointer fixture)
{
  return gtk_widget_get_visible (sl_child (banner (fixture, "health"), "line"));
}

/* A rate that spoils the network: the banner names it, and its button gives it its old value. */
static void
test_trouble (SlFixture *f, gconstpointer data)
{
  static const char *const bounded[] = {
    "hidden", "40-20", "activation", "tanh", "input-dropout", "0", "hidden-dropout", "0", NULL
  };
  const SlLab     *lab = sl_lab_find ("sign-estimator");
  g_autofree char *label = NULL;

  sl_fixture_start (f, "sign-estimator", bounded, "digits:images=600", TRUE);
  sl_wait_for_run (f->session, 1);
  sl_wait_for_step (f->session, 5);
  g_assert_false (is_troubled (f));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.0007"));
  sl_act (f, "set", g_variant_new ("(ss)", "report-every", "1"));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "5"));
  sl_wait (is_troubled, f);
  g_assert_nonnull (
    strstr (sl_child_text (banner (f, "health"), "text"),
            lab->params[sl_param_find (lab->params, lab->n_params, "learning-rate")].title));
  g_object_get (banner (f, "health"), "first-label", &label, NULL);
  g_assert_true (g_str_has_suffix (label, " 0.0007"));
  g_signal_emit_by_name (sl_child (banner (f, "health"), "first"), "clicked");
  g_assert_cmpfloat (sl_value (f, "learning-rate")->v[0], ==, 0.0007);
}

static gboolean
has_late_checkpoint (gpointer fixture)
{
  SlSession      *session = ((SlFixture *) fixture)->session;
  unsigned        n;
  const uint64_t *step = sl_session_checkpoints (session, &n);
  const SlRecord *record = sl_session_record (session);

  return n > 0 && record->n_flags > 0
         && (double) step[n - 1] > record->flag[record->n_flags - 1].step
         && sl_session_info (session)->step > step[n - 1] + 200;
}

static gboolean
is_slow_again (gpointer fixture)
{
  return sl_value (fixture, "learning-rate")->v[0] < 5.0;
}

/* Long after the rate spoiled the network, the way back still leads to before it. */
static void
test_trouble_way_back (SlFixture *f, gconstpointer data)
{
  static const char *const bounded[]
    = { "hidden", "40-20",        "activation", "tanh", "input-dropout", "0", "hidden-dropout",
        "0",      "report-every", "1",          NULL };

  sl_fixture_start (f, "sign-estimator", bounded, "digits:images=600", TRUE);
  sl_wait_for_run (f->session, 1);
  sl_wait_for_step (f->session, 5);
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "5"));
  sl_wait (is_troubled, f);
  sl_wait (has_late_checkpoint, f);
  g_signal_emit_by_name (sl_child (banner (f, "health"), "second"), "clicked");
  sl_wait (is_slow_again, f);
}

/* The figures of an SVG page are these panels in this order. */
static void
assert_letters (const char *path, const SlLab *lab, const unsigned *panels, unsigned n)
{
  g_autofree char *svg = NULL;
  const char      *at;

  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  at = svg;
  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *title
        = g_strdup_printf ("(%c) %s", 'a' + (int) i, lab->panels[panels[i]].title);

      at = strstr (at, title);
      g_assert_nonnull (at);
    }
}

static gpointer
in_dialog (SlExportDialog *dialog, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (dialog), SL_TYPE_EXPORT_DIALOG, id);
}

/* The check button number *n below a widget; counts *n down. */
static gpointer
nth_check (GtkWidget *root, unsigned *n)
{
  gpointer found = NULL;

  if (GTK_IS_CHECK_BUTTON (root) && (*n)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = nth_check (child, n);
  return found;
}

static void
on_written (gpointer data, const SlExportChoice *choice, const SlExportPanels *panels,
            const char *path, gboolean named)
{
}

static SlExportDialog *
open_dialog (SlFixture *f)
{
  return sl_export_dialog_open (GTK_WINDOW (f->window),
                                sl_export_of_grid (f->session, sl_window_get_grid (f->window)),
                                f->prefs, sl_fixture_panel (f, "agreement"), on_written, NULL);
}

static void
test_export_dialog (SlFixture *f, gconstpointer data)
{
  SlExportDialog  *dialog;
  g_autofree char *path = g_build_filename (f->folder, "one.svg", NULL);
  g_autofree char *other = g_build_filename (f->folder, "other.pdf", NULL);
  g_autofree char *format = NULL;
  g_autoptr (GError) error = NULL;
  AdwComboRow *row;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  dialog = open_dialog (f);
  row = ADW_COMBO_ROW (
    gtk_widget_get_template_child (GTK_WIDGET (dialog), SL_TYPE_EXPORT_DIALOG, "format"));
  adw_combo_row_set_selected (row, 1);
  sl_settle ();
  sl_assert_named (GTK_WIDGET (dialog));
  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  assert_begins (path, "<?xml");
  format = sl_prefs_get_string (f->prefs, "export-format");
  g_assert_cmpstr (format, ==, "svg");
  adw_combo_row_set_selected (in_dialog (dialog, "what"), 2);
  gtk_check_button_set_active (nth_check (in_dialog (dialog, "plots"), &(unsigned) { 1 }), TRUE);
  gtk_check_button_set_active (nth_check (in_dialog (dialog, "plots"), &(unsigned) { 0 }), TRUE);
  sl_settle ();
  sl_assert_named (GTK_WIDGET (dialog));
  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  assert_letters (path, sl_session_lab (f->session), (unsigned[]) { 1, 0 }, 2);
  g_assert_false (sl_export_dialog_save (dialog, "/nowhere/at/all.svg", &error));
  g_assert_nonnull (error);
  /* What a file is, is what its name says. */
  g_clear_error (&error);
  g_assert_true (sl_export_dialog_save (dialog, other, &error));
  g_assert_no_error (error);
  assert_begins (other, "%PDF");
  g_object_ref (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_finalize_object (dialog);
}

static void
assert_ended (const char *folder, const char *name, const char *pattern, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *want = expected != NULL ? g_build_filename (folder, expected, NULL) : NULL;
  g_autofree char *ended = sl_file_dialog_ended (path, pattern);

  g_assert_cmpstr (ended, ==, want);
}

/* A name gets the ending of what is saved, and no other file is written over for it. */
static void
test_endings (SlFixture *f, gconstpointer data)
{
  g_autofree char *there = g_build_filename (f->folder, "there.png", NULL);

  assert_ended (f->folder, "one", "*.png *.svg", "one.png");
  assert_ended (f->folder, "one.jpg", "*.png *.svg", "one.jpg.png");
  assert_ended (f->folder, "one.SVG", "*.png *.svg", "one.SVG");
  assert_ended (f->folder, "one.sluice", "*.sluice", "one.sluice");
  g_assert_true (g_file_set_contents (there, "x", 1, NULL));
  assert_ended (f->folder, "there", "*.png *.svg", NULL);
  assert_ended (f->folder, "there.png", "*.png *.svg", "there.png");
}

static char *
saved (SlExportDialog *dialog, const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* What the page shows beside the data is chosen, and remembered. */
static void
test_export_looks (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "a.svg", NULL);
  g_autofree char *full = NULL, *bare = NULL, *legend = NULL;
  SlExportDialog  *dialog;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  dialog = open_dialog (f);
  adw_combo_row_set_selected (in_dialog (dialog, "format"), SL_KIND_SVG);
  full = saved (dialog, path);
  g_assert_nonnull (strstr (full, "id=\"caption\""));
  g_assert_nonnull (strstr (full, "-legend\""));
  g_assert_null (strstr (full, "font-size=\"16\""));
  gtk_switch_set_active (in_dialog (dialog, "caption"), FALSE);
  adw_combo_row_set_selected (in_dialog (dialog, "legend"), SL_LEGEND_NONE);
  gtk_spin_button_set_value (in_dialog (dialog, "type"), 12.0);
  bare = saved (dialog, path);
  g_assert_null (strstr (bare, "id=\"caption\""));
  g_assert_null (strstr (bare, "-legend\""));
  g_assert_nonnull (strstr (bare, "font-size=\"16\""));
  gtk_window_destroy (GTK_WINDOW (dialog));
  legend = sl_prefs_get_string (f->prefs, "export-legend");
  g_assert_cmpstr (legend, ==, "none");
  g_assert_cmpfloat (sl_prefs_get_double (f->prefs, "export-type"), ==, 12.0);
  g_assert_false (sl_prefs_get_boolean (f->prefs, "export-caption"));
}

/* Of a zoomed plot a table can have the rows in view. */
static void
test_export_view (SlFixture *f, gconstpointer data)
{
  SlFigure *figure = sl_plot_view_get_figure (
    sl_plot_grid_get_view (sl_window_get_grid (f->window), sl_fixture_panel (f, "agreement")));
  g_autofree char *path = g_build_filename (f->folder, "a.csv", NULL);
  g_autofree char *all = NULL, *some = NULL;
  SlExportDialog  *dialog;
  SlView           view;

  sl_wait_for_step (f->session, 40);
  view = figure->view;
  view.zoomed = true;
  view.x_lo = 10.0;
  view.x_hi = 20.0;
  dialog = open_dialog (f);
  adw_combo_row_set_selected (in_dialog (dialog, "format"), SL_KIND_CSV);
  g_assert_false (gtk_widget_get_visible (in_dialog (dialog, "view_row")));
  sl_figure_set_view (figure, &view);
  adw_combo_row_set_selected (in_dialog (dialog, "format"), SL_KIND_JSON);
  adw_combo_row_set_selected (in_dialog (dialog, "format"), SL_KIND_CSV);
  g_assert_true (gtk_widget_get_visible (in_dialog (dialog, "view_row")));
  all = saved (dialog, path);
  gtk_switch_set_active (in_dialog (dialog, "in_view"), TRUE);
  some = saved (dialog, path);
  g_assert_nonnull (strstr (all, "\n1,"));
  g_assert_null (strstr (some, "\n1,"));
  g_assert_nonnull (strstr (some, "\n20,"));
  g_assert_null (strstr (some, "\n30,"));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static char *
name_now (SlFixture *f, const SlExportChoice *choice, const SlExportPanels *panels)
{
  g_autoptr (SlExportMoment) now
    = sl_export_moment_new (f->session, sl_window_get_grid (f->window));

  return sl_export_name (choice, now, panels);
}

/* Once more: under the same name where it was the person's, else under that of the update of now. */
static void
test_export_again (SlFixture *f, gconstpointer data)
{
  SlExportChoice   choice;
  SlExportPanels   panels = sl_export_shown (sl_window_get_grid (f->window));
  g_autofree char *own = g_build_filename (f->folder, "own.csv", NULL);
  g_autofree char *name = NULL, *proposed = NULL, *later = NULL, *after = NULL;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "export-to", g_variant_new_string (own));
  g_assert_cmpint (g_remove (own), ==, 0);
  sl_act (f, "export-again", NULL);
  assert_begins (own, "step,");
  sl_export_choice_load (&choice, f->prefs, 1);
  choice.format = SL_KIND_CSV;
  name = name_now (f, &choice, &panels);
  proposed = g_build_filename (f->folder, name, NULL);
  sl_act (f, "export-to", g_variant_new_string (proposed));
  sl_act (f, "step", NULL);
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 1);
  later = name_now (f, &choice, &panels);
  after = g_build_filename (f->folder, later, NULL);
  g_assert_cmpstr (after, !=, proposed);
  sl_act (f, "export-again", NULL);
  assert_begins (after, "step,");
}

/* The run goes on behind the dialog; its name, preview and file are of one moment. */
static void
test_export_moment (SlFixture *f, gconstpointer data)
{
  SlExportPanels   panels = sl_export_panels ((int) sl_fixture_panel (f, "agreement"));
  SlExportChoice   choice;
  SlExportSource   source;
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GBytes) first = NULL, second = NULL;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_export_choice_load (&choice, f->prefs, 1);
  choice.format = SL_KIND_SVG;
  source = sl_export_of_grid (f->session, sl_window_get_grid (f->window));
  before = source.name (source.data, &panels, &choice);
  first = source.make (source.data, &panels, &choice, NULL);
  sl_act (f, "step", NULL);
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 1);
  after = source.name (source.data, &panels, &choice);
  second = source.make (source.data, &panels, &choice, NULL);
  g_assert_cmpstr (before, ==, after);
  g_assert_true (g_bytes_equal (first, second));
  source.free (source.data);
}

static AdwAboutWindow *
about_of (SlFixture *f)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_ABOUT_WINDOW (window)
          && gtk_window_get_transient_for (window) == (gpointer) f->window)
        return ADW_ABOUT_WINDOW (window);
    }
  g_assert_not_reached ();
}

static void
test_preferences (SlFixture *f, gconstpointer data)
{
  SlPreferences *preferences = sl_preferences_new (GTK_WINDOW (f->window), f->prefs, NULL);
  GtkSpinButton *rate = GTK_SPIN_BUTTON (
    gtk_widget_get_template_child (GTK_WIDGET (preferences), SL_TYPE_PREFERENCES, "rate"));
  const char *facts;

  gtk_window_present (GTK_WINDOW (preferences));
  sl_assert_named (GTK_WIDGET (preferences));
  gtk_spin_button_set_value (rate, 20);
  g_assert_cmpfloat (sl_prefs_get_double (f->prefs, "redraw-rate"), ==, 20);
  sl_about_show (GTK_WINDOW (f->window), f->session);
  facts = adw_about_window_get_debug_info (about_of (f));
  g_assert_nonnull (strstr (facts, "Kernel: "));
  g_assert_nonnull (strstr (facts, "Two moons"));
  gtk_window_destroy (GTK_WINDOW (about_of (f)));
  g_object_ref (preferences);
  gtk_window_destroy (GTK_WINDOW (preferences));
  sl_settle ();
  g_assert_finalize_object (preferences);
}

static gboolean
is_hidden (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

static void
test_sidebar (SlFixture *f, gconstpointer data)
{
  GtkWidget *sidebar = GTK_WIDGET (sl_window_get_sidebar (f->window));

  GtkWidget *knobs = sl_child (sl_window_get_grid (f->window), "knobs");

  /* At first there are the settings of the front page, and no setting is there twice. */
  g_assert_true (!gtk_widget_get_mapped (sidebar) && gtk_widget_get_mapped (knobs));
  sl_act (f, "all-settings", NULL);
  sl_settle ();
  g_assert_true (gtk_widget_get_mapped (sidebar) && !gtk_widget_get_mapped (knobs));
  g_assert_true (sl_prefs_get_boolean (f->prefs, "sidebar"));
  sl_act (f, "sidebar", NULL);
  sl_wait (is_hidden, sidebar);
  g_assert_false (sl_prefs_get_boolean (f->prefs, "sidebar"));
  sl_act (f, "maximise", g_variant_new_string ("loss"));
  g_assert_cmpint (sl_plot_grid_get_maximised (sl_window_get_grid (f->window)), ==,
                   sl_lab_panel (sl_session_lab (f->session), "loss"));
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_Escape, 0));
  g_assert_cmpint (sl_plot_grid_get_maximised (sl_window_get_grid (f->window)), ==, -1);
}

/* Where a row is clicked, and whether the plot says so. */
typedef struct
{
  SlFixture  *fixture;
  SlPlotView *view;
} Picking;

static gboolean
has_rows (gpointer data)
{
  const Picking  *p = data;
  const SlFigure *figure = sl_plot_view_get_figure (p->view);

  return figure->rows.n > 0
         && sl_plot_canvas_get_frame (sl_plot_view_get_canvas (p->view))->plot.h > 0.0;
}

static gboolean
is_picked (gpointer data)
{
  const Picking *p = data;

  return sl_value (p->fixture, "expert")->v[0] == 5.0
         && sl_plot_view_get_figure (p->view)->picks.picked == 5;
}

static gboolean
is_reporting (gpointer session)
{
  g_autofree char *recipe = sl_session_recipe (session);
  const char *first = strstr (recipe, "report-every"); /* of the settings; then of the changes */

  return first != NULL && strstr (first + 1, "report-every") != NULL;
}

/* A click on the row of an expert is a change of the parameter, and every panel that picks the
 * expert marks it; no flag and nothing to undo comes of it, and the settings are the defaults still.  So it
 * is with how often something is measured.  */
static void
test_picking (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlPlotGrid  *grid = sl_window_get_grid (f->window);
  Picking      picking = { .fixture = f };

  sl_fixture_start (f, lab->id, NULL, "moons", TRUE);
  sl_wait_for_run (f->session, 1);
  sl_wait (sl_is_running, f->session);
  picking.view = sl_plot_grid_get_view (grid, (unsigned) sl_lab_panel (lab, "usage"));
  sl_wait (has_rows, &picking);
  g_assert_cmpuint (sl_plot_view_get_figure (picking.view)->picks.picked, ==, 1);
  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_press (GTK_WIDGET (picking.view), GDK_KEY_Down, 0));
  g_assert_nonnull (strstr (sl_readout (picking.view), "select expert 5"));
  g_assert_true (sl_press (GTK_WIDGET (picking.view), GDK_KEY_Return, 0));
  sl_wait (is_picked, &picking);
  sl_settle ();
  sl_act (f, "set", g_variant_new ("(ss)", "report-every", "3"));
  sl_wait (is_reporting, f->session);
  sl_settle ();
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 0);
  g_assert_cmpuint (sl_session_edits (f->session)->undo->len, ==, 0);
  g_assert_false (sl_can (f, "undo"));
  sl_act (f, "all-settings", NULL);
  sl_settle ();
  g_assert_cmpstr (sl_child_text (sl_child (sl_window_get_sidebar (f->window), "presets"), "name"),
                   ==, "Defaults");
  g_assert_cmpint (sl_plot_grid_get_maximised (grid), ==, -1);
}

static gboolean
is_dragged (gpointer data)
{
  Picking        *p = data;
  const SlFigure *figure = sl_plot_view_get_figure (p->view);

  sl_plot_view_update (p->view);
  return sl_value (p->fixture, "exponent")->v[0] == 0.4 && figure->record != NULL
         && figure->record->snapshot[figure->panel].mark == 0.4;
}

static gboolean
has_mark (gpointer data)
{
  Picking *p = data;

  sl_plot_view_update (p->view);
  return sl_plot_view_get_figure (p->view)->mark == 0.5;
}

/* Dragging the mark of a panel is a change of its parameter, with one flag for all of it, and the
 * run answers with its mark there.  */
static void
test_dragging (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("capacity");
  Picking      picking = { .fixture = f };

  sl_fixture_start (f, lab->id, NULL, NULL, TRUE);
  sl_wait_for_run (f->session, 1);
  sl_wait (sl_is_running, f->session);
  /* A paused run has all its time for the pictures. */
  sl_act (f, "pause", NULL);
  picking.view = sl_plot_grid_get_view (sl_window_get_grid (f->window),
                                        (unsigned) sl_lab_panel (lab, "skip-share"));
  sl_plot_grid_sharpen (sl_window_get_grid (f->window), TRUE); /* probed, in sight or not */
  sl_wait (has_mark, &picking);
  gtk_widget_activate_action (GTK_WIDGET (picking.view), "plot.mark-left", NULL);
  gtk_widget_activate_action (GTK_WIDGET (picking.view), "plot.mark-left", NULL);
  sl_wait (is_dragged, &picking);
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 1);
}

/* How many pinned curves the plot of the loss has. */
static unsigned
pinned (SlFixture *f)
{
  return sl_n_ghosts (f, "loss");
}

static gboolean
has_pinned (gpointer data)
{
  return pinned (data) > 0;
}

/* What is pinned stays behind the runs that follow, three runs at most, until it is let go. */
static void
test_pin (SlFixture *f, gconstpointer data)
{
  unsigned each;

  sl_wait_for_step (f->session, 20);
  g_assert_cmpuint (pinned (f), ==, 0);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_p, 0));
  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, 1);
  sl_wait (has_pinned, f);
  each = pinned (f);
  for (unsigned i = 0; i < 4; i++)
    {
      sl_wait_for_step (f->session, sl_session_info (f->session)->step + 20);
      sl_act (f, "pin", NULL);
    }
  g_assert_cmpuint (pinned (f), ==, 3 * each);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_p, GDK_SHIFT_MASK));
  g_assert_cmpuint (pinned (f), ==, 0);
}

/* Closed and opened again on the same session, which has kept its curves. */
static void
test_reopen (SlFixture *f, gconstpointer data)
{
  size_t n = sl_session_record (f->session)->series[0].n;

  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  sl_fixture_open (f);
  g_assert_cmpuint (sl_session_record (f->session)->series[0].n, >=, n);
  sl_act (f, "run", NULL);
  sl_wait (sl_is_running, f->session);
  sl_wait (all_painted, sl_window_get_grid (f->window));
}

/* Without any data that can be read there is a page that says so, and a way on. */
static gboolean
has_failed (gpointer session)
{
  return sl_session_state (session) == SL_FAILED;
}

static const char *
shown_page (SlFixture *f)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (sl_child (f->window, "pages")));
}

static gboolean
is_refused (gpointer fixture)
{
  return g_str_equal (shown_page (fixture), "failed");
}

/* A window of its own for a file that is nothing: the reason is its page, and no run begins. */
static void
test_nothing_to_open (SlFixture *f, gconstpointer data)
{
  static const char *const endings[] = { "sluice", "lesson", "png", "json" };

  sl_fixture_open (f);
  for (unsigned i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("none.", endings[i], NULL);
      const char      *reason;

      g_free (f->path);
      f->path = g_build_filename (f->folder, name, NULL);
      g_assert_true (g_file_set_contents (f->path, "garbage", -1, NULL));
      sl_window_open_file (f->window, f->path);
      sl_wait (is_refused, f);
      reason = adw_status_page_get_description (ADW_STATUS_PAGE (sl_child (f->window, "failed")));
      g_assert_nonnull (strstr (reason, name));
      g_assert_null (sl_session_lab (f->session));
      g_assert_false (gtk_widget_get_visible (sl_child (banner (f, "trouble"), "line")));
      g_assert_true (is_gone (banner (f, "untrained")));
      sl_window_report (f->window, NULL);
      g_assert_cmpstr (shown_page (f), ==, "loading");
    }
}

static GtkWidget *
status_of (SlFixture *f)
{
  return GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "status"));
}

static void
test_nothing_to_start (SlFixture *f, gconstpointer data)
{
  sl_fixture_start (f, sl_labs[0]->id, NULL, "/nowhere/at/all.csv", TRUE);
  sl_fixture_open (f);
  sl_wait (has_failed, f->session);
  sl_settle ();
  g_assert_cmpstr (shown_page (f), ==, "failed");
  g_assert_false (gtk_widget_get_visible (status_of (f)));
  sl_assert_named (GTK_WIDGET (f->window));
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
  sl_settle ();
  g_assert_cmpstr (shown_page (f), ==, "plots");
  g_assert_true (gtk_widget_get_visible (status_of (f)));
}

static const char *
speed_of (SlFixture *f)
{
  return sl_child_text (status_of (f), "speed");
}

static gboolean
is_timed (gpointer session)
{
  return sl_is_running (session) && sl_session_info (session)->steps_per_second > 0.0;
}

/* A recording is read far faster than it is shown: what is said is how fast it is shown. */
static void
test_pace (SlFixture *f, gconstpointer data)
{
  static const char *const slow[] = { "pace", "8", NULL };

  unsigned generation = sl_session_generation (f->session);

  sl_fixture_start (f, "routing", slow, NULL, TRUE);
  sl_wait_for_run (f->session, generation);
  sl_wait (is_timed, f->session);
  sl_status_line_update (SL_STATUS_LINE (status_of (f)), f->session);
  g_assert_cmpfloat (g_ascii_strtod (speed_of (f), NULL), <=, 8.0);
}

static gboolean
is_finished (gpointer session)
{
  return sl_session_state (session) == SL_FINISHED;
}

static SlSession *
trained (const char *id)
{
  SlSession   *session = sl_session_new ();
  const SlLab *lab = sl_lab_find (id);
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_set_limit (session, 3);
  sl_session_start (session, lab, &settings, "moons", 1, TRUE);
  sl_wait (is_finished, session);
  return session;
}

/* Another session is another run, though it is the first of both. */
static void
test_best (SlFixture *f, gconstpointer data)
{
  g_autoptr (SlSession) one = trained ("experts"), other = trained ("prefix-tree");
  g_autoptr (SlStatusLine) line = g_object_ref_sink (g_object_new (SL_TYPE_STATUS_LINE, NULL));
  g_autoptr (SlStatusLine) fresh = g_object_ref_sink (g_object_new (SL_TYPE_STATUS_LINE, NULL));

  g_assert_cmpuint (sl_session_generation (one), ==, sl_session_generation (other));
  sl_status_line_update (line, one);
  sl_status_line_update (fresh, other);
  g_assert_cmpstr (sl_child_text (line, "best"), !=, sl_child_text (fresh, "best"));
  sl_status_line_update (line, other);
  g_assert_cmpstr (sl_child_text (line, "best"), ==, sl_child_text (fresh, "best"));
}

/* A run that is still loading has made no step, and its seed is not known. */
static void
test_no_run_yet (SlFixture *f, gconstpointer data)
{
  g_autoptr (SlStatusLine) line = g_object_ref_sink (g_object_new (SL_TYPE_STATUS_LINE, NULL));
  g_autoptr (SlSession) session = sl_session_new ();

  sl_status_line_update (line, session);
  g_assert_cmpstr (sl_child_text (line, "step"), ==, "");
  g_assert_cmpstr (sl_child_text (line, "seed"), ==, "");
  sl_status_line_update (line, f->session);
  g_assert_cmpstr (sl_child_text (line, "seed"), ==, "seed 7");
  g_assert_true (g_str_has_prefix (sl_child_text (line, "step"), "update "));
}

static gboolean
says_nothing_of_another (gpointer fixture)
{
  return *sl_child_text (status_of (fixture), "next") == '\0';
}

/* A large run takes a while to be made, and the one before goes on meanwhile. */
static void
test_another_run (SlFixture *f, gconstpointer data)
{
  static const char *const paced[] = { "pace", "8", NULL };

  unsigned generation = sl_session_generation (f->session);

  sl_fixture_start (f, "routing", paced, NULL, FALSE);
  sl_status_line_update (SL_STATUS_LINE (status_of (f)), f->session);
  g_assert_cmpstr (sl_child_text (status_of (f), "next"), ==, "loading another run");
  sl_wait_for_run (f->session, generation);
  sl_wait (says_nothing_of_another, f);
}

/* Another session is shown, which has no run yet: a slider that comes to rest only then changes nothing,
 * and a plot that is still held reads nothing of the one before.  */
static void
test_session_goes (SlFixture *f, gconstpointer data)
{
  SlParamForm *form = sl_sidebar_get_form (sl_window_get_sidebar (f->window));
  SlValue      rate = { .n = 1, .v = { 0.5 } };
  double       before = sl_session_settings (f->session)->value[0].v[0];
  g_autoptr (SlPlotView) view = g_object_ref (
    sl_plot_grid_get_view (sl_window_get_grid (f->window), sl_fixture_panel (f, "agreement")));

  sl_plot_view_update (view);
  g_assert_nonnull (sl_plot_view_get_figure (view)->record);
  sl_stage_show_lesson (sl_window_stage (f->window));
  g_assert_null (sl_plot_view_get_figure (view)->record);
  g_signal_emit_by_name (form, "edited", sl_session_lab (f->session)->params[0].id, &rate, TRUE);
  g_assert_cmpfloat (sl_session_settings (f->session)->value[0].v[0], ==, before);
  g_assert_null (sl_session_lab (sl_window_get_session (f->window)));
  sl_stage_show_own (sl_window_stage (f->window));
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, function)                                                                         \
  g_test_add ("/ui/window/" name, SlFixture, NULL, set_up, function, sl_fixture_end)
  ON ("opens-running", test_opens_running);
  ON ("slider", test_slider);
  ON ("toast-goes", test_toast_goes);
  ON ("toast-newest", test_toast_newest);
  ON ("restart", test_restart);
  ON ("transport", test_transport);
  ON ("set-and-seed", test_set_and_seed);
  ON ("export", test_export);
  ON ("copy", test_copy);
  ON ("drag-out", test_drag_out);
  ON ("copy-command", test_copy_command);
  ON ("choice", test_choice);
  ON ("state", test_state);
  ON ("bad-file", test_bad_file);
  ON ("refusal-leaves", test_refusal_leaves);
  ON ("recording", test_recording);
  ON ("offer", test_offer);
  ON ("untrained", test_untrained);
  ON ("without-updates", test_without_updates);
  ON ("divergence", test_divergence);
  ON ("trouble", test_trouble);
  ON ("trouble-way-back", test_trouble_way_back);
  ON ("export-dialog", test_export_dialog);
  ON ("endings", test_endings);
  ON ("export-looks", test_export_looks);
  ON ("export-view", test_export_view);
  ON ("export-again", test_export_again);
  ON ("export-moment", test_export_moment);
  ON ("preferences", test_preferences);
  ON ("sidebar", test_sidebar);
  ON ("picking", test_picking);
  ON ("dragging", test_dragging);
  ON ("pin", test_pin);
  ON ("reopen", test_reopen);
  ON ("session-goes", test_session_goes);
  ON ("pace", test_pace);
  ON ("best", test_best);
  ON ("no-run-yet", test_no_run_yet);
  ON ("another-run", test_another_run);
  g_test_add ("/ui/window/nothing-to-start", SlFixture, NULL, sl_fixture_begin,
              test_nothing_to_start, sl_fixture_end);
  g_test_add ("/ui/window/nothing-to-open", SlFixture, NULL, sl_fixture_begin, test_nothing_to_open,
              sl_fixture_end);
  return g_test_run ();
}
