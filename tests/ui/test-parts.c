/* SPDX-License-Identifier: MIT
 *
 * Pictures in the window: files among the options of the data, chosen, dropped and taken away, the
 * picture that the run makes as a file, and the sweeps that a lab suggests.  */
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "core/data/image/png-write.h"
#include "core/labs/registry.h"
#include "core/run/files/kind/kind.h"
#include "core/run/sweep/sweep.h"
#include "tests/ui/fixture.h"
#include "ui/form/data-group.h"
#include "ui/grid/foot.h"
#include "ui/kit/bars.h"
#include "ui/plot-view/view.h"
#include "ui/runs/page.h"
#include "ui/sweep/bar.h"

enum { CONTENT_FILE, STYLE_FILE, NET_FILE };

/* A picture of one colour. */
static void
write_png (const char *path, unsigned side, guint8 red)
{
  SlBitmap bitmap;
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_bitmap_init (&bitmap, "test", side, side);

  g_assert_true (sl_ok (&status));
  for (unsigned i = 0; i < side * side; i++)
    memcpy (bitmap.rgb + 3 * (size_t) i, (uint8_t[]) { red, 100, 50 }, 3);
  status = sl_bitmap_encode (&bitmap, NULL, NULL, &bytes, &size);
  g_assert_true (sl_ok (&status));
  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) size, NULL));
  free (bytes);
  sl_bitmap_clear (&bitmap);
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  f->path = g_build_filename (f->folder, "one.png", NULL);
  sl_fixture_open (f);
  sl_fixture_start (f, "style", NULL, "pictures:size=32", TRUE);
  sl_wait (sl_is_running, f->session);
}

static SlDataGroup *
group_of (SlFixture *f)
{
  return sl_sidebar_get_data (sl_window_get_sidebar (f->window));
}

/* The row of a file among the options of the data, or NULL. */
static GtkWidget *
file_row (SlDataGroup *group, int i)
{
  GtkWidget *row = gtk_widget_get_first_child (sl_child (group, "file_rows"));

  for (; i > 0 && row != NULL; i--)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static const char *
content_title (SlFixture *f)
{
  return sl_session_dataset (f->session)->pictures->content_title;
}

/* Dropped on the window, a picture becomes the content, and on the row of the style, the style. */
static void
test_files (SlFixture *f, gconstpointer data)
{
  SlDataGroup *group = group_of (f);
  unsigned     generation = sl_session_generation (f->session);

  sl_act (f, "all-settings", NULL);
  g_assert_nonnull (file_row (group, NET_FILE));
  g_assert_null (file_row (group, NET_FILE + 1));
  g_assert_false (gtk_widget_get_visible (sl_child (file_row (group, CONTENT_FILE), "clear")));
  g_assert_true (sl_data_group_takes (group, "/somewhere/A.PNG"));
  g_assert_true (sl_data_group_takes (group, "vgg.safetensors"));
  g_assert_false (sl_data_group_takes (group, "table.csv"));
  sl_assert_named (GTK_WIDGET (group));

  write_png (f->path, 40, 200);
  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (content_title (f), ==, "one.png");
  g_assert_nonnull (strstr (sl_session_spec (f->session), "content-file="));
  g_assert_cmpfloat ((double) fabsf ((float) sl_session_dataset (f->session)->pictures->content[0]
                                     - 200.0f / 255.0f),
                     <, 0.01);
  sl_wait (sl_is_running, f->session);
  g_assert_true (gtk_widget_get_visible (sl_child (file_row (group, CONTENT_FILE), "clear")));
  g_assert_false (gtk_widget_get_sensitive (
    GTK_WIDGET (sl_param_form_row (SL_PARAM_FORM (sl_child (group, "options")), "content"))));
  g_assert_true (gtk_widget_get_sensitive (
    GTK_WIDGET (sl_param_form_row (SL_PARAM_FORM (sl_child (group, "options")), "style"))));

  generation = sl_session_generation (f->session);
  g_signal_emit_by_name (file_row (group, STYLE_FILE), "chosen", f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_dataset (f->session)->pictures->style_title, ==, "one.png");
  sl_wait (sl_is_running, f->session);

  generation = sl_session_generation (f->session);
  g_signal_emit_by_name (sl_child (file_row (group, CONTENT_FILE), "clear"), "clicked");
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (content_title (f), !=, "one.png");
  g_assert_null (strstr (sl_session_spec (f->session), "content-file="));
  sl_wait (sl_is_running, f->session);
  g_assert_true (gtk_widget_get_sensitive (
    GTK_WIDGET (sl_param_form_row (SL_PARAM_FORM (sl_child (group, "options")), "content"))));
}

static gboolean
has_error (gpointer session)
{
  return sl_session_error (session) != NULL && !sl_session_is_loading (session);
}

/* What is no picture leaves everything as it was, with a sentence. */
static void
test_bad_file (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  g_assert_true (g_file_set_contents (f->path, "no picture at all", -1, NULL));
  g_signal_emit_by_name (file_row (group_of (f), STYLE_FILE), "chosen", f->path);
  sl_wait (has_error, f->session);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_assert_null (strstr (sl_session_spec (f->session), "one.png"));
  sl_settle ();
  g_assert_false (gtk_widget_get_visible (sl_child (file_row (group_of (f), STYLE_FILE), "clear")));
}

static gboolean
has_recipe (gpointer path)
{
  return sl_file_has_recipe (path);
}

/* However few updates the run was made of: it may have come to its end. */
static gboolean
has_trained (gpointer session)
{
  return sl_session_info (session)->step > 0;
}

/* The picture of the run is a file that brings the run back, rather than a new content. */
static void
test_save (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);
  SlBitmap picture;
  SlStatus status;

  sl_act (f, "save-picture-to", g_variant_new_string (f->path));
  sl_wait (has_recipe, f->path);
  status = sl_bitmap_read (f->path, &picture);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (picture.width, ==, sl_session_dataset (f->session)->pictures->width);
  g_assert_cmpuint (picture.height, ==, sl_session_dataset (f->session)->pictures->height);
  sl_bitmap_clear (&picture);

  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (content_title (f), !=, "one.png");
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  sl_act (f, "run", NULL);
  sl_wait (has_trained, f->session);

  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  sl_settle ();
  g_assert_false (sl_can (f, "save-picture"));
  g_assert_false (sl_can (f, "save-picture-to"));
}

static GtkWidget *
button_of (GtkWidget *root, const char *label)
{
  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), label) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = button_of (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The button in the sidebar leads to the page of runs with everything filled in. */
static void
test_sweep (SlFixture *f, gconstpointer data)
{
  const SlSweepHint *hint = &sl_session_lab (f->session)->sweeps[0];
  GtkWidget         *sidebar = GTK_WIDGET (sl_window_get_sidebar (f->window));
  GtkWidget         *button = button_of (sidebar, hint->title), *page, *bar;
  g_auto (GStrv) axes = g_strsplit (hint->axes, " ", -1);
  g_autoptr (GString) texts = g_string_new (NULL);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);
  g_assert_true (gtk_widget_get_mapped (page));
  bar = sl_find (page, SL_TYPE_SWEEP_BAR);
  /* What is typed in the entries, in order. */
  for (GtkWidget *at = bar; at != NULL;)
    {
      GtkWidget *next = gtk_widget_get_first_child (at);

      if (GTK_IS_ENTRY (at))
        g_string_append_printf (texts, "%s|", gtk_editable_get_text (GTK_EDITABLE (at)));
      while (next == NULL && at != bar)
        {
          next = gtk_widget_get_next_sibling (at);
          at = gtk_widget_get_parent (at);
        }
      at = next;
    }
  for (char **axis = axes; *axis != NULL; axis++)
    g_assert_nonnull (strstr (texts->str, strchr (*axis, '=') + 1));
  g_assert_nonnull (strstr (texts->str, hint->seeds));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (sl_child (bar, "steps"))), ==,
                     (double) hint->steps);
  g_assert_nonnull (button_of (bar, hint->title));
  g_assert_false (sl_sweep_bar_suggest (SL_SWEEP_BAR (bar), "nothing"));
}

/* A file is called by its name, without the options that it is split by. */
static void
test_sweep_subject (SlFixture *f, gconstpointer data)
{
  GtkWidget *bar = g_object_ref_sink (g_object_new (SL_TYPE_SWEEP_BAR, NULL));

  sl_sweep_bar_set_base (SL_SWEEP_BAR (bar), sl_session_lab (f->session),
                         sl_session_settings (f->session), "/nowhere/own.csv:valid=0.1,test=0.1");
  g_assert_true (g_str_has_suffix (sl_child_text (bar, "subject"), " own.csv"));
  g_object_unref (bar);
}

static int
least_width (SlFixture *f)
{
  int least;

  gtk_widget_measure (sl_find (GTK_WIDGET (f->window), ADW_TYPE_HEADER_BAR),
                      GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* A window first gets no narrower than what is in it, folds its sidebar, and then does: asked until it
 * has.  */
static gboolean
is_tight (gpointer data)
{
  SlFixture *f = data;

  gtk_window_set_default_size (GTK_WINDOW (f->window),
                               gtk_widget_get_width (GTK_WIDGET (f->window)) % 2 + 460, 600);
  return least_width (f) <= 360;
}

static gboolean
is_wide (gpointer data)
{
  SlFixture *f = data;

  gtk_window_set_default_size (GTK_WINDOW (f->window),
                               gtk_widget_get_width (GTK_WIDGET (f->window)) % 2 + 1000, 600);
  return least_width (f) > 400;
}

/* A narrow window leaves buttons out whose actions are in the menu. */
static void
test_tight (SlFixture *f, gconstpointer data)
{
  sl_wait (is_wide, f);
  sl_wait (is_tight, f);
  sl_wait (is_wide, f);
}

/* What can be dragged in a plot is a slider before an audience, too. */
static void
test_dragged (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("capacity");
  unsigned     generation = sl_session_generation (f->session), found = 0;

  sl_act (f, "lab", g_variant_new_string (lab->id));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  sl_settle ();
  sl_param_form_set_brief (sl_sidebar_get_form (sl_window_get_sidebar (f->window)), TRUE);
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (lab->panels[p].drags != NULL)
      {
        g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, lab->panels[p].drags))));
        found++;
      }
  g_assert_cmpuint (found, >, 0);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "mixing"))));
}

static gboolean
has_time (gpointer foot)
{
  const char *text = sl_plot_foot_text (foot);

  return strstr (text, "time here") != NULL && strstr (text, "time here …") == NULL
         && strstr (text, "wrong …") == NULL;
}

/* The bars of the front page stay in sight below what scrolls, and have what the run has. */
static void
test_foot (SlFixture *f, gconstpointer data)
{
  SlPlotFoot *foot = SL_PLOT_FOOT (sl_child (sl_window_get_grid (f->window), "foot"));
  unsigned    generation = sl_session_generation (f->session);
  SlBar       bar[SL_FRONT_BARS];

  sl_fixture_start (f, "experts", (const char *[]) { "k", "4", NULL }, "digits:images=500", TRUE);
  sl_wait_for_run (f->session, generation);
  sl_wait (has_time, foot);
  g_assert_null (gtk_widget_get_ancestor (GTK_WIDGET (foot), GTK_TYPE_SCROLLED_WINDOW));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (foot)));
  g_assert_cmpuint (sl_outcome_bars (sl_session_record (f->session), bar), ==, SL_FRONT_BARS);
  /* Sixteen experts, of which four are computed, and the choice among them. */
  g_assert_cmpfloat (bar[0].value, >, 25.0);
  g_assert_cmpfloat (bar[0].value, <, 50.0);
  g_assert_cmpfloat (bar[1].value, >, 0.0);
  g_assert_cmpfloat (bar[2].value, >=, 0.0);
  g_assert_cmpfloat (bar[2].value, <=, bar[2].full);
}

/* Every suggestion of every lab is a sweep that can be made. */
static void
test_suggestions (void)
{
  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    for (unsigned i = 0; i < sl_lab_n_sweeps (sl_labs[l]); i++)
      {
        const SlSweepHint *hint = &sl_labs[l]->sweeps[i];
        g_autoptr (GError) error = NULL;
        SlSweep sweep;

        g_assert_true (sl_sweep_hint (sl_labs[l], hint->id) == hint);
        sl_sweep_init (&sweep, sl_labs[l]);
        g_assert_true (sl_sweep_suggest (&sweep, hint, &error));
        g_assert_no_error (error);
        g_assert_true (sl_sweep_check (&sweep, &error) && sl_sweep_check_reach (&sweep, &error));
        g_assert_cmpuint (sweep.n_axes, >=, 1);
        g_assert_cmpuint (sweep.n_axes, <=, 2);
        g_assert_cmpuint (sweep.axis[0].n, >, 2);
        g_assert_cmpuint (sl_sweep_count (&sweep), <=, 100);
        g_assert_cmpstr (hint->help, !=, "");
        sl_sweep_clear (&sweep);
      }
}

/* What a widget draws, as the toolkit writes it down. */
static GBytes *
drawn (GtkWidget *widget)
{
  GtkSnapshot   *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  GBytes        *bytes;

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  bytes = gsk_render_node_serialize (node);
  gsk_render_node_unref (node);
  return bytes;
}

/* Bars whose figures stay as they are follow the colours of the desktop. */
static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkWidget       *bars = g_object_ref_sink (g_object_new (SL_TYPE_FIGURE_BARS, NULL));
  SlBarsRow        row = { .name = "",
                           .n = 1,
                           .bar[0] = { .title = "work", .unit = "%", .value = 19.0, .full = 100.0 } };
  g_autoptr (GBytes) light = NULL;
  g_autoptr (GBytes) dark = NULL;
  g_autoptr (GBytes) again = NULL;

  sl_figure_bars_show (SL_FIGURE_BARS (bars), &row, 1);
  light = drawn (bars);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  dark = drawn (bars);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  again = drawn (bars);
  g_assert_false (g_bytes_equal (light, dark));
  g_assert_true (g_bytes_equal (light, again));
  g_object_unref (bars);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, run) g_test_add ("/parts/" name, SlFixture, NULL, set_up, run, sl_fixture_end)
  ADD ("files", test_files);
  ADD ("bad-file", test_bad_file);
  ADD ("save", test_save);
  ADD ("sweep", test_sweep);
  ADD ("sweep-subject", test_sweep_subject);
  ADD ("tight", test_tight);
  ADD ("dragged", test_dragged);
  ADD ("foot", test_foot);
#undef ADD
  g_test_add_func ("/parts/suggestions", test_suggestions);
  g_test_add_func ("/parts/dark", test_dark);
  return g_test_run ();
}
