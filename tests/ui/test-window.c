/* SPDX-License-Identifier: MIT
 *
 * The real window on a real session: what a person does at first, and what goes wrong.  */
#include <glib/gstdio.h>
#include <string.h>

#include "tests/ui/ui.h"
#include "ui/sl-banner.h"
#include "ui/sl-export-dialog.h"
#include "ui/sl-preferences.h"
#include "ui/sl-about.h"
#include "ui/sl-window.h"

typedef struct
{
  char      *folder;
  SlPrefs   *prefs;
  SlSession *session;
  SlWindow  *window;
} Fixture;

static gboolean
is_running (gpointer data)
{
  return sl_session_state (data) == SL_RUNNING && sl_session_info (data)->step > 0;
}

/* A run on two moons; `pairs` are ids and values, ended by NULL. */
static void
start (SlSession *session, const char *const *pairs)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  for (; *pairs != NULL; pairs += 2)
    {
      SlStatus status = sl_settings_set (&settings, lab->params, lab->n_params, pairs[0], pairs[1]);

      g_assert_true (sl_ok (&status));
    }
  sl_session_start (session, lab, &settings, "moons", 7, TRUE);
}

static const char *const small_net[] = { "hidden", "12-8", NULL };

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->prefs = sl_prefs_new ();
  f->session = sl_session_new ();
  start (f->session, small_net);
  f->window = sl_window_new (NULL, f->session, f->prefs);
  gtk_window_present (GTK_WINDOW (f->window));
  sl_wait (is_running, f->session);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->prefs);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_free (f->folder);
}

static void
act (Fixture *f, const char *name, GVariant *parameter)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (f->window), name);

  g_assert_nonnull (action);
  g_assert_true (g_action_get_enabled (action));
  g_action_activate (action, parameter);
}

static const SlValue *
list_of (Fixture *f, const char *id)
{
  const SlLab *lab = sl_session_lab (f->session);

  return &sl_session_settings (f->session)->value[sl_param_find (lab->params, lab->n_params, id)];
}

static double
value_of (Fixture *f, const char *id)
{
  return list_of (f, id)->v[0];
}

static SlParamRow *
row_of (Fixture *f, const char *id)
{
  return sl_param_form_row (sl_sidebar_get_form (sl_window_get_sidebar (f->window)), id);
}

static gboolean
all_painted (gpointer data)
{
  SlPlotGrid *grid = data;

  return sl_plot_grid_get_redraws (grid) > 3;
}

static void
test_opens_running (Fixture *f, gconstpointer data)
{
  SlPlotGrid *grid = sl_window_get_grid (f->window);

  g_assert_cmpuint (sl_plot_grid_get_n_cards (grid), ==, sl_session_lab (f->session)->n_panels);
  sl_wait (all_painted, grid);
  sl_assert_named (GTK_WIDGET (f->window));
}

static gboolean
has_flag (gpointer data)
{
  return sl_session_record (data)->n_flags > 0;
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

/* The slider, the session and the curves: the rank in use falls to what was asked for. */
static void
test_slider (Fixture *f, gconstpointer data)
{
  GtkRange *slider = GTK_RANGE (sl_param_row_get_scale (row_of (f, "rank"), 0));
  Reaction  reaction = { .session = f->session, .bound = 0.0 };

  gtk_range_set_value (slider, gtk_adjustment_get_lower (gtk_range_get_adjustment (slider)));
  g_assert_cmpfloat (value_of (f, "rank"), ==, 0);
  sl_wait (has_flag, f->session);
  g_assert_nonnull (strstr (sl_session_record (f->session)->flag[0].text, "Rank"));
  reaction.channel = sl_layout_find (&sl_session_record (f->session)->layout, "rank-used.rank.1");
  g_assert_cmpint (reaction.channel, >=, 0);
  reaction.step = sl_session_record (f->session)->flag[0].step;
  sl_wait (reacted, &reaction);
}

static gboolean
is_generation (gpointer data)
{
  return sl_session_generation (((Fixture *) data)->session) >= 2
         && !sl_session_is_loading (((Fixture *) data)->session);
}

/* A parameter that restarts waits for the whole value, then begins a new run. */
static void
test_restart (Fixture *f, gconstpointer data)
{
  GtkWidget *entry = sl_param_row_get_control (row_of (f, "hidden"));

  gtk_editable_set_text (GTK_EDITABLE (entry), "6-5-4");
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_signal_emit_by_name (entry, "activate");
  sl_wait (is_generation, f);
  g_assert_cmpuint (list_of (f, "hidden")->n, ==, 3);
  sl_settle ();
  g_assert_nonnull (sl_param_row_get_scale (row_of (f, "rank"), 2));
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
}

static gboolean
is_paused (gpointer data)
{
  return sl_session_state (data) == SL_PAUSED;
}

static gboolean
is_step_one (gpointer data)
{
  return sl_session_info (data)->step == 1;
}

static void
test_transport (Fixture *f, gconstpointer data)
{
  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);
  g_assert_false (g_action_get_enabled (
    g_action_map_lookup_action (G_ACTION_MAP (f->window), "pause")));
  act (f, "rewind", NULL);
  sl_wait (is_generation, f);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  act (f, "step", NULL);
  sl_wait (is_step_one, f->session);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_space, 0));
  sl_wait (is_running, f->session);
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_space, 0));
  sl_wait (is_paused, f->session);
}

static void
test_set_and_seed (Fixture *f, gconstpointer data)
{
  act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.003"));
  g_assert_cmpfloat (value_of (f, "learning-rate"), ==, 0.003);
  /* What is out of range changes nothing. */
  act (f, "set", g_variant_new ("(ss)", "learning-rate", "-1"));
  g_assert_cmpfloat (value_of (f, "learning-rate"), ==, 0.003);
  act (f, "seed", g_variant_new_uint64 (99));
  sl_wait (is_generation, f);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 99);
  g_assert_cmpfloat (value_of (f, "learning-rate"), ==, 0.003);
}

static void
assert_begins (const char *path, const char *magic)
{
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, strlen (magic));
  g_assert_cmpint (memcmp (bytes, magic, strlen (magic)), ==, 0);
}

/* Every format by action, then the run of one of them brought back on the window. */
static void
test_export (Fixture *f, gconstpointer data)
{
  static const char *const kinds[][2] = {
    { "png", "\x89PNG" }, { "svg", "<?xml" }, { "pdf", "%PDF" },
    { "csv", "step," }, { "json", "{" },
  };

  sl_wait (all_painted, sl_window_get_grid (f->window));
  for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat ("all.", kinds[i][0], NULL);
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      act (f, "export-to", g_variant_new_string (path));
      assert_begins (path, kinds[i][1]);
    }
  act (f, "seed", g_variant_new_uint64 (99));
  sl_wait (is_generation, f);
  for (unsigned i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strconcat ("all.", kinds[i][0], NULL);
      g_autofree char *path = g_build_filename (f->folder, name, NULL);
      unsigned         before = sl_session_generation (f->session);

      act (f, "restore", g_variant_new_string (path));
      while (sl_session_generation (f->session) == before)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
    }
}

/* One plot, offered in three forms at once. */
static void
test_copy (Fixture *f, gconstpointer data)
{
  SlPlotGrid   *grid = sl_window_get_grid (f->window);
  SlPlotView   *view = sl_plot_card_get_view (sl_plot_grid_get_card (grid, 0));
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (f->window));
  GdkContentFormats *formats;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK));
  formats = gdk_clipboard_get_formats (clipboard);
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "text/csv"));
  gdk_clipboard_set_content (clipboard, NULL);
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
test_copy_command (Fixture *f, gconstpointer data)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (f->window));
  g_autofree char *text = NULL, *steps = NULL;

  g_action_group_activate_action (G_ACTION_GROUP (f->window), "pause", NULL);
  while (sl_session_state (f->session) != SL_PAUSED)
    g_main_context_iteration (NULL, TRUE);
  steps = g_strdup_printf (" --steps %" G_GUINT64_FORMAT " --seed 7 ",
                           sl_session_info (f->session)->step);
  g_action_group_activate_action (G_ACTION_GROUP (f->window), "copy-command", NULL);
  gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
  sl_wait (has_text, &text);
  g_assert_true (g_str_has_prefix (text, "sluice-cli run sign-estimator --data moons:"));
  g_assert_nonnull (strstr (text, " --set hidden=12-8 "));
  g_test_message ("%s, expected%s", text, steps);
  g_assert_nonnull (strstr (text, steps));
  gdk_clipboard_set_content (clipboard, NULL);
}

static SlBanner *
banner (Fixture *f, const char *id)
{
  return SL_BANNER (gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, id));
}

static gboolean
is_shown (gpointer data)
{
  return sl_banner_is_shown (data);
}

/* A file that is no data set is refused in words, and the run goes on. */
static void
test_bad_file (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "bad.csv", NULL);
  g_autofree char *figure = g_build_filename (f->folder, "bad.png", NULL);
  g_autoptr (GError) error = NULL;
  uint64_t step;

  g_file_set_contents (path, "a,b\n1,oops\n", -1, &error);
  g_assert_no_error (error);
  g_file_set_contents (figure, "no picture", -1, &error);
  g_assert_no_error (error);
  sl_window_open_file (f->window, path);
  sl_wait (is_shown, banner (f, "trouble"));
  g_assert_nonnull (strstr (sl_banner_get_text (banner (f, "trouble")), "bad.csv"));
  g_assert_cmpuint (sl_session_generation (f->session), ==, 1);
  g_assert_cmpstr (sl_session_spec (f->session), ==, "moons");
  step = sl_session_info (f->session)->step;
  while (sl_session_info (f->session)->step <= step)
    g_main_context_iteration (NULL, TRUE);
  sl_session_clear_error (f->session);
  g_assert_false (sl_banner_is_shown (banner (f, "trouble")));
  sl_window_open_file (f->window, figure);
  g_assert_true (sl_banner_is_shown (banner (f, "trouble")));
}

static gboolean
has_diverged (gpointer data)
{
  return sl_session_state (data) == SL_DIVERGED;
}

/* Momentum at the largest rate blows a deep net up within a few updates; the banner leads back at
 * half of it.  */
static void
test_divergence (Fixture *f, gconstpointer data)
{
  static const char *const steep[] = { "hidden", "120-120-120-120-120-120", "estimator", "off",
                                       "optimiser", "momentum", "learning-rate", "10", NULL };

  start (f->session, steep);
  sl_wait (is_generation, f);
  sl_wait (has_diverged, f->session);
  sl_settle ();
  g_assert_true (sl_banner_is_shown (banner (f, "diverged")));
  g_assert_nonnull (strstr (sl_banner_get_text (banner (f, "diverged")), "non-finite at step"));
  /* At half the rate it may well diverge again, so look before it can. */
  act (f, "rescue-halve", NULL);
  g_assert_false (sl_banner_is_shown (banner (f, "diverged")));
  sl_settle ();
  g_assert_cmpfloat (value_of (f, "learning-rate"), <=, 5.0);
}

/* The figures of an SVG page are these panels in this order. */
static void
assert_letters (const char *path, const SlLab *lab, const unsigned *panels, unsigned n)
{
  g_autofree char *svg = NULL;
  const char *at;

  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  at = svg;
  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *title = g_strdup_printf ("(%c) %s", 'a' + (int) i,
                                                lab->panels[panels[i]].title);

      at = strstr (at, title);
      g_assert_nonnull (at);
    }
}

static void
test_export_dialog (Fixture *f, gconstpointer data)
{
  SlExportDialog  *dialog;
  g_autofree char *path = g_build_filename (f->folder, "one.svg", NULL);
  g_autofree char *format = NULL;
  g_autoptr (GError) error = NULL;
  AdwComboRow     *row;

  sl_wait (all_painted, sl_window_get_grid (f->window));
  dialog = sl_export_dialog_open (f->window, f->prefs, 0);
  row = ADW_COMBO_ROW (gtk_widget_get_template_child (GTK_WIDGET (dialog), SL_TYPE_EXPORT_DIALOG,
                                                      "format"));
  adw_combo_row_set_selected (row, 1);
  sl_settle ();
  sl_assert_named (GTK_WIDGET (dialog));
  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  assert_begins (path, "<?xml");
  format = sl_prefs_get_string (f->prefs, "export-format");
  g_assert_cmpstr (format, ==, "svg");
  sl_export_dialog_choose (dialog, &(SlExportPanels) { 2, { 1, 0 } });
  sl_settle ();
  sl_assert_named (GTK_WIDGET (dialog));
  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  assert_letters (path, sl_session_lab (f->session), (unsigned[]) { 1, 0 }, 2);
  g_assert_false (sl_export_dialog_save (dialog, "/nowhere/at/all.svg", &error));
  g_assert_nonnull (error);
  g_object_ref (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_finalize_object (dialog);
}

static void
test_preferences (Fixture *f, gconstpointer data)
{
  SlPreferences   *preferences = sl_preferences_new (GTK_WINDOW (f->window), f->prefs);
  GtkSpinButton   *rate = GTK_SPIN_BUTTON (
    gtk_widget_get_template_child (GTK_WIDGET (preferences), SL_TYPE_PREFERENCES, "rate"));
  g_autofree char *facts = sl_about_diagnostics (f->session, GTK_WIDGET (f->window));

  gtk_window_present (GTK_WINDOW (preferences));
  sl_assert_named (GTK_WIDGET (preferences));
  gtk_spin_button_set_value (rate, 20);
  g_assert_cmpfloat (sl_prefs_get_double (f->prefs, "redraw-rate"), ==, 20);
  g_assert_nonnull (strstr (facts, "Kernel: "));
  g_assert_nonnull (strstr (facts, "Two moons"));
  g_object_ref (preferences);
  gtk_window_destroy (GTK_WINDOW (preferences));
  sl_settle ();
  g_assert_finalize_object (preferences);
}

static void
test_sidebar (Fixture *f, gconstpointer data)
{
  GtkWidget *sidebar = GTK_WIDGET (sl_window_get_sidebar (f->window));

  g_assert_true (gtk_widget_get_visible (sidebar));
  g_action_change_state (g_action_map_lookup_action (G_ACTION_MAP (f->window), "sidebar"),
                         g_variant_new_boolean (FALSE));
  g_assert_false (gtk_widget_get_visible (sidebar));
  g_assert_false (sl_prefs_get_boolean (f->prefs, "sidebar"));
  act (f, "maximise", g_variant_new_string ("loss"));
  g_assert_cmpint (sl_plot_grid_get_maximised (sl_window_get_grid (f->window)), ==,
                   sl_lab_panel (sl_session_lab (f->session), "loss"));
  g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_Escape, 0));
  g_assert_cmpint (sl_plot_grid_get_maximised (sl_window_get_grid (f->window)), ==, -1);
}

/* Where a row is clicked, and whether the plot says so. */
typedef struct
{
  Fixture    *fixture;
  SlPlotView *view;
} Picking;

static gboolean
has_rows (gpointer data)
{
  const Picking *p = data;
  const SlFigure *figure = sl_plot_view_get_figure (p->view);

  return figure->n_rows > 0
         && sl_plot_canvas_get_frame (sl_plot_view_get_canvas (p->view))->plot.h > 0.0;
}

static gboolean
is_picked (gpointer data)
{
  const Picking *p = data;

  return value_of (p->fixture, "expert") == 5.0
         && sl_plot_view_get_figure (p->view)->picked == 5;
}

/* A click on the row of an expert is a change of the parameter, and every panel that picks the
 * expert marks it; no flag comes of it.  */
static void
test_picking (Fixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlPlotGrid  *grid = sl_window_get_grid (f->window);
  Picking      picking = { .fixture = f };
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (f->session, lab, &settings, "moons", 7, TRUE);
  sl_wait (is_generation, f);
  sl_wait (is_running, f->session);
  picking.view = sl_plot_card_get_view (
    sl_plot_grid_get_card (grid, (unsigned) sl_lab_panel (lab, "usage")));
  sl_wait (has_rows, &picking);
  g_assert_cmpuint (sl_plot_view_get_figure (picking.view)->picked, ==, 1);
  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_press (GTK_WIDGET (picking.view), GDK_KEY_Down, 0));
  g_assert_nonnull (strstr (sl_plot_view_get_readout (picking.view), "look at expert 5"));
  g_assert_true (sl_press (GTK_WIDGET (picking.view), GDK_KEY_Return, 0));
  sl_wait (is_picked, &picking);
  picking.view = sl_plot_card_get_view (
    sl_plot_grid_get_card (grid, (unsigned) sl_lab_panel (lab, "shares")));
  g_assert_true (is_picked (&picking));
  sl_settle ();
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 0);
  g_assert_cmpint (sl_plot_grid_get_maximised (grid), ==, -1);
}

static gboolean
is_dragged (gpointer data)
{
  Picking *p = data;
  const SlFigure *figure = sl_plot_view_get_figure (p->view);

  sl_plot_view_update (p->view);
  return value_of (p->fixture, "exponent") == 0.4 && figure->record != NULL
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
test_dragging (Fixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("capacity");
  Picking      picking = { .fixture = f };
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (f->session, lab, &settings, NULL, 7, TRUE);
  sl_wait (is_generation, f);
  sl_wait (is_running, f->session);
  /* A paused run has all its time for the pictures. */
  act (f, "pause", NULL);
  picking.view = sl_plot_card_get_view (sl_plot_grid_get_card (
    sl_window_get_grid (f->window), (unsigned) sl_lab_panel (lab, "skip-share")));
  sl_plot_grid_sharpen (sl_window_get_grid (f->window), TRUE); /* surveyed, in sight or not */
  sl_wait (has_mark, &picking);
  gtk_widget_activate_action (GTK_WIDGET (picking.view), "plot.mark-left", NULL);
  gtk_widget_activate_action (GTK_WIDGET (picking.view), "plot.mark-left", NULL);
  sl_wait (is_dragged, &picking);
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 1);
}

/* Closed and opened again on the same session, which has kept its curves. */
static void
test_reopen (Fixture *f, gconstpointer data)
{
  size_t n = sl_session_record (f->session)->series[0].n;

  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  f->window = sl_window_new (NULL, f->session, f->prefs);
  gtk_window_present (GTK_WINDOW (f->window));
  g_assert_cmpuint (sl_session_record (f->session)->series[0].n, >=, n);
  act (f, "run", NULL);
  sl_wait (is_running, f->session);
  sl_wait (all_painted, sl_window_get_grid (f->window));
}

/* Without any data that can be read there is a page that says so, and a way on. */
static void
test_nothing_to_start (void)
{
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  SlSession *session = sl_session_new ();
  const SlLab *lab = sl_labs[0];
  SlSettings settings;
  SlWindow  *window;
  GtkStack  *pages;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, "/nowhere/at/all.csv", 1, TRUE);
  window = sl_window_new (NULL, session, prefs);
  gtk_window_present (GTK_WINDOW (window));
  while (sl_session_state (session) != SL_FAILED)
    g_main_context_iteration (NULL, TRUE);
  sl_settle ();
  pages = GTK_STACK (gtk_widget_get_template_child (GTK_WIDGET (window), SL_TYPE_WINDOW, "pages"));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (pages), ==, "failed");
  sl_assert_named (GTK_WIDGET (window));
  start (session, small_net);
  sl_wait (is_running, session);
  sl_settle ();
  g_assert_cmpstr (gtk_stack_get_visible_child_name (pages), ==, "plots");
  g_object_ref (window);
  gtk_window_close (GTK_WINDOW (window));
  sl_settle ();
  g_assert_finalize_object (window);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, function)                                                                         \
  g_test_add ("/ui/window/" name, Fixture, NULL, set_up, function, tear_down)
  ON ("opens-running", test_opens_running);
  ON ("slider", test_slider);
  ON ("restart", test_restart);
  ON ("transport", test_transport);
  ON ("set-and-seed", test_set_and_seed);
  ON ("export", test_export);
  ON ("copy", test_copy);
  ON ("copy-command", test_copy_command);
  ON ("bad-file", test_bad_file);
  ON ("divergence", test_divergence);
  ON ("export-dialog", test_export_dialog);
  ON ("preferences", test_preferences);
  ON ("sidebar", test_sidebar);
  ON ("picking", test_picking);
  ON ("dragging", test_dragging);
  ON ("reopen", test_reopen);
  g_test_add_func ("/ui/window/nothing-to-start", test_nothing_to_start);
  return g_test_run ();
}
