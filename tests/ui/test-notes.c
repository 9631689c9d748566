/* SPDX-License-Identifier: MIT
 *
 * Notes on the plots of the real window: written, moved, removed, all of it taken back, read aloud,
 * in exports and in the store.  */
#include <math.h>
#include <string.h>

#include "tests/ui/fixture.h"
#include "ui/export/job.h"
#include "ui/grid/views.h"

enum { UPDATES = 30 };

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
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait_for_step (f->session, UPDATES);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
}

static SlPlotView *
plot (SlFixture *f)
{
  return sl_plot_grid_get_view (sl_window_get_grid (f->window), sl_fixture_panel (f, "agreement"));
}

static const SlNotes *
notes (SlFixture *f)
{
  return &sl_plot_view_get_figure (plot (f))->notes;
}

static const SlFrame *
frame_of (SlFixture *f)
{
  return sl_plot_canvas_get_frame (sl_plot_view_get_canvas (plot (f)));
}

static gboolean
is_laid_out (gpointer data)
{
  SlFixture *f = data;

  return frame_of (f)->n_user_notes == notes (f)->n && !frame_of (f)->empty
         && frame_of (f)->plot.w > 0;
}

/* Returns the step in the middle of the plot as it was drawn then. */
static double
write_note (SlFixture *f, const char *text)
{
  const SlRect *area = &frame_of (f)->plot;
  GtkWidget    *entry;
  double        middle;

  sl_wait (is_laid_out, f);
  gtk_widget_grab_focus (GTK_WIDGET (plot (f)));
  middle = sl_frame_value_x (frame_of (f), area->x + area->w / 2.0);
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_n, 0));
  entry = sl_find (GTK_WIDGET (plot (f)), GTK_TYPE_ENTRY);
  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  sl_wait (is_laid_out, f);
  return middle;
}

static gboolean
can_undo (gpointer data)
{
  return sl_can (data, "undo");
}

static gboolean
can_redo (gpointer data)
{
  return sl_can (data, "redo");
}

static void
undo (SlFixture *f)
{
  gtk_widget_grab_focus (GTK_WIDGET (plot (f)));
  sl_wait (can_undo, f);
  sl_act (f, "undo", NULL);
}

/* In the middle, chosen, and read aloud; a second word about it is the same note; an empty one goes. */
static void
test_write (SlFixture *f, gconstpointer data)
{
  const SlRect *box, *area;
  double        middle = write_note (f, "  it settles here ");

  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, "it settles here");
  g_assert_cmpfloat (fabs (notes (f)->at[0].x - middle), <=, 1e-9 * fabs (middle));
  box = &frame_of (f)->user_note[0].box;
  area = &frame_of (f)->plot;
  g_assert_true (box->x >= area->x && box->x + box->w <= area->x + area->w);
  g_assert_true (box->y >= area->y && box->y + box->h <= area->y + area->h);
  g_assert_cmpuint (sl_frame_note (frame_of (f), box->x + 2.0, box->y + 2.0), ==, 1);
  sl_assert_named (GTK_WIDGET (plot (f)));
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_n, GDK_SHIFT_MASK));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (plot (f)),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "it settles here");
  g_assert_cmpstr (sl_readout (plot (f)), ==, "");
  write_note (f, "it settles");
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, "it settles");
  write_note (f, " ");
  g_assert_cmpuint (notes (f)->n, ==, 0);
}

/* With the pointer and by key; every move is one change, and the zoom is not touched. */
static void
test_move (SlFixture *f, gconstpointer data)
{
  SlNote before;
  double x, y, pixel;

  write_note (f, "here");
  before = notes (f)->at[0];
  x = frame_of (f)->user_note[0].box.x + 3.0;
  y = frame_of (f)->user_note[0].box.y + 3.0;
  pixel = sl_frame_pixel (frame_of (f), before.x);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (plot (f))), "drag-begin", x, y);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (plot (f))), "drag-update", 10.0, 5.0);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (plot (f))), "drag-update", 40.0, 20.0);
  g_signal_emit_by_name (sl_drag_of (GTK_WIDGET (plot (f))), "drag-end", 40.0, 20.0);
  g_assert_false (sl_plot_view_get_figure (plot (f))->view.zoomed);
  g_assert_cmpfloat (fabs (notes (f)->at[0].x - before.x - 40.0 * pixel), <, pixel);
  g_assert_cmpfloat (notes (f)->at[0].y, <, before.y);
  undo (f);
  g_assert_cmpfloat (notes (f)->at[0].x, ==, before.x);
  g_assert_cmpfloat (notes (f)->at[0].y, ==, before.y);
  sl_wait (can_redo, f);
  sl_act (f, "redo", NULL);
  g_assert_cmpfloat (notes (f)->at[0].x, >, before.x);
  sl_wait (is_laid_out, f);
  before = notes (f)->at[0];
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_n, GDK_SHIFT_MASK));
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_Left, GDK_CONTROL_MASK));
  g_assert_cmpfloat (notes (f)->at[0].x, <, before.x);
  g_assert_cmpfloat (fabs (notes (f)->at[0].y - before.y), <, 1e-9);
  /* Nothing is chosen, nothing moves. */
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_Escape, 0));
  g_assert_false (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_Left, GDK_CONTROL_MASK));
}

static void
test_remove (SlFixture *f, gconstpointer data)
{
  write_note (f, "one");
  g_assert_true (sl_press (GTK_WIDGET (plot (f)), GDK_KEY_Escape, 0));
  write_note (f, "two");
  g_assert_cmpuint (notes (f)->n, ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (plot (f)), "plot.note-next", NULL);
  gtk_widget_activate_action (GTK_WIDGET (plot (f)), "plot.note-remove", NULL);
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, "two");
  undo (f);
  g_assert_cmpuint (notes (f)->n, ==, 2);
  undo (f);
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, "one");
  undo (f);
  g_assert_cmpuint (notes (f)->n, ==, 0);
  for (unsigned i = 0; i < SL_NOTES_MAX + 2; i++)
    {
      write_note (f, "again");
      sl_press (GTK_WIDGET (plot (f)), GDK_KEY_Escape, 0);
    }
  g_assert_cmpuint (notes (f)->n, ==, SL_NOTES_MAX);
}

/* Whole letters, whatever their length. */
static void
test_long (SlFixture *f, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < 120; i++)
    g_string_append (text, "数");
  write_note (f, text->str);
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_true (g_utf8_validate (notes (f)->at[0].text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (notes (f)->at[0].text, -1), ==, (SL_NOTE_TEXT - 1) / 3);
}

/* As text in an SVG. */
static void
test_export (SlFixture *f, gconstpointer data)
{
  SlExportChoice choice = { .format = SL_KIND_SVG,
                            .preset = SL_PRESET_SCREEN,
                            .page = sl_export_options (SL_PRESET_SCREEN, 1) };
  SlExportPanels panels = sl_export_panels ((int) sl_fixture_panel (f, "agreement"));
  g_autoptr (SlExportMoment) moment = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *svg = NULL;

  write_note (f, "a < b & so on");
  moment = sl_export_moment_new (f->session, sl_window_get_grid (f->window));
  bytes = sl_export_make (&choice, moment, &panels, NULL);
  g_assert_nonnull (bytes);
  svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (svg, "a &lt; b &amp; so on"));
  g_assert_nonnull (strstr (svg, "-remarks\""));
}

/* They are the run's: another one begins without them, and they come back with it. */
static void
test_kept (SlFixture *f, gconstpointer data)
{
  static const char nonsense[]
    = "{\"panels\": {\"agreement\": {\"notes\": [3, {\"text\": \"\"}, {\"text\": \"no place\"},"
      " {\"x\": 1, \"y\": 2, \"text\": 4}, {\"x\": 1, \"y\": 0.5, \"text\": \"good\"}]}}}";
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  SlPlotGrid      *grid = sl_window_get_grid (f->window);
  unsigned         generation = sl_session_generation (f->session);
  SlNote           before;

  write_note (f, "“quoted”, \\ and so on");
  before = notes (f)->at[0];
  sl_act (f, "seed", g_variant_new_uint64 (8));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpuint (notes (f)->n, ==, 0);
  generation = sl_session_generation (f->session);
  sl_window_resume (f->window, uuid, FALSE);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, before.text);
  g_assert_cmpfloat (notes (f)->at[0].x, ==, before.x);
  g_assert_cmpfloat (notes (f)->at[0].y, ==, before.y);
  sl_plot_views_read (grid, nonsense);
  g_assert_cmpuint (notes (f)->n, ==, 1);
  g_assert_cmpstr (notes (f)->at[0].text, ==, "good");
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ON(name, function)                                                                         \
  g_test_add ("/ui/notes/" name, SlFixture, NULL, set_up, function, sl_fixture_end)
  ON ("write", test_write);
  ON ("move", test_move);
  ON ("remove", test_remove);
  ON ("long", test_long);
  ON ("export", test_export);
  ON ("kept", test_kept);
#undef ON
  return g_test_run ();
}
