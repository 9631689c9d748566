/* SPDX-License-Identifier: MIT
 *
 * The picture of the network in slow motion, and alone on the screen, in the real window.  */
#include <gdk/x11/gdkx.h>
#include <math.h>
#include <string.h>

#include "tests/ui/fixture.h"

static SlPlotGrid *
grid_of (SlFixture *f)
{
  return sl_window_get_grid (f->window);
}

static SlPlotView *
picture (SlFixture *f)
{
  return sl_plot_grid_get_view (grid_of (f), sl_fixture_panel (f, "alive"));
}

static gboolean
is_pictured (gpointer view)
{
  return !sl_plot_view_get_frame (view)->empty && sl_plot_view_get_frame (view)->alive.output.w > 0;
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "moons:points=300", FALSE);
  sl_wait (sl_is_loaded, f->session);
  sl_fixture_open (f);
  sl_wait (is_pictured, picture (f));
}

static void
set_animated (gboolean animated)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", animated, NULL);
}

static void
tear_down (SlFixture *f, gconstpointer data)
{
  set_animated (FALSE);
  sl_fixture_end (f, data);
}

static double
reached (SlFixture *f)
{
  return sl_plot_view_get_figure (picture (f))->view.reached;
}

/* Scores, experts, sum, classes. */
enum { STAGES = 4 };

static GtkWidget *
button_of (SlFixture *f, unsigned panel)
{
  return sl_child (sl_plot_grid_get_card (grid_of (f), panel), "play");
}

static void
click_play (SlFixture *f)
{
  g_signal_emit_by_name (button_of (f, sl_fixture_panel (f, "alive")), "clicked");
}

/* ---- slow motion ---- */

/* What was painted. */
typedef struct
{
  SlFixture *f;
  double     last, most; /* of what the signal reached */
  unsigned   lit;        /* pictures without a signal, behind the last one with one */
  unsigned   moments;
  char       caption[SL_ALIVE_SENTENCE];
  gint64     begun, ended;
} Seen;

static void
on_painted (SlPlotCanvas *canvas, Seen *seen)
{
  double              now = reached (seen->f);
  const SlAliveFront *front = &sl_plot_canvas_get_frame (canvas)->alive.front;

  g_assert_true (front->on == (now >= 1.0));
  if (now == 0.0)
    {
      seen->lit += seen->moments > 0;
      return;
    }
  g_assert_cmpfloat (now, >=, seen->last);
  seen->moments++;
  seen->last = now;
  seen->most = MAX (seen->most, now);
  g_strlcpy (seen->caption, front->caption, sizeof seen->caption);
}

static gboolean
is_lit_again (gpointer data)
{
  return ((Seen *) data)->lit > 0;
}

static gboolean
is_under_way (gpointer fixture)
{
  return reached (fixture) > 2.0;
}

static gboolean
is_still (gpointer fixture)
{
  return reached (fixture) == 0.0;
}

/* The button plays from the beginning to the end, where all is lit; pressed again, it begins again. */
static void
test_plays (SlFixture *f, gconstpointer data)
{
  Seen   seen = { .f = f };
  gint64 begun;

  set_animated (TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_get_view (grid_of (f), 1)));
  click_play (f);
  g_assert_true (gtk_widget_is_focus (GTK_WIDGET (picture (f))));
  sl_wait (is_under_way, f);
  click_play (f);
  g_assert_cmpfloat (reached (f), ==, 1.0);
  begun = g_get_monotonic_time ();
  g_signal_connect (sl_plot_view_get_canvas (picture (f)), "painted", G_CALLBACK (on_painted),
                    &seen);
  sl_wait (is_lit_again, &seen);
  g_assert_cmpint (g_get_monotonic_time () - begun, >, 2 * G_USEC_PER_SEC);
  g_assert_cmpfloat (seen.most, ==, 1.0 + STAGES);
  g_assert_cmpuint (seen.moments, >, STAGES);
  g_assert_nonnull (strstr (seen.caption, "says"));
  g_assert_cmpfloat (reached (f), ==, 0.0);
  g_signal_handlers_disconnect_by_data (sl_plot_view_get_canvas (picture (f)), &seen);
}

static gboolean
has_data (gpointer view)
{
  return !sl_figure_empty (sl_plot_view_get_figure (view));
}

/* Neither a run that begins nor a page that is left keeps a picture half lit. */
static void
test_stops (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  set_animated (TRUE);
  click_play (f);
  sl_wait (is_under_way, f);
  sl_act (f, "rewind", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (is_still, f);
  sl_wait (has_data, picture (f));
  click_play (f);
  sl_wait (is_under_way, f);
  sl_plot_grid_maximise (grid_of (f), (int) sl_fixture_panel (f, "alive") + 1);
  g_assert_true (is_still (f));
}

static gboolean
is_painted (gpointer painted)
{
  return *(unsigned *) painted > 2;
}

static void
on_frame (unsigned *painted)
{
  ++*painted;
}

/* A step stops what was playing, however often it was begun. */
static void
test_takes_over (SlFixture *f, gconstpointer data)
{
  unsigned       frames = 0;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (f->window));
  double         stepped;

  set_animated (TRUE);
  click_play (f);
  click_play (f);
  sl_wait (is_under_way, f);
  set_animated (FALSE);
  click_play (f);
  stepped = reached (f);
  g_signal_connect_swapped (clock, "update", G_CALLBACK (on_frame), &frames);
  gdk_frame_clock_begin_updating (clock);
  sl_wait (is_painted, &frames);
  gdk_frame_clock_end_updating (clock);
  g_signal_handlers_disconnect_by_data (clock, &frames);
  g_assert_cmpfloat (stepped, >, 2.0);
  g_assert_cmpfloat (reached (f), ==, stepped);
  g_assert_cmpfloat (stepped, ==, floor (stepped));
}

/* Without animations each press is a step. */
static void
test_steps (SlFixture *f, gconstpointer data)
{
  for (unsigned round = 0; round < 2; round++)
    {
      for (unsigned stage = 1; stage <= STAGES; stage++)
        {
          click_play (f);
          g_assert_cmpfloat (reached (f), ==, 1.0 + stage);
          sl_settle ();
          g_assert_cmpfloat (reached (f), ==, 1.0 + stage);
        }
      click_play (f);
      g_assert_cmpfloat (reached (f), ==, 0.0);
    }
}

/* Before an audience Space is for the picture that has the focus, and elsewhere for the run. */
static void
test_space (SlFixture *f, gconstpointer data)
{
  GtkWidget *other
    = GTK_WIDGET (sl_plot_grid_get_view (grid_of (f), sl_fixture_panel (f, "error")));

  g_assert_false (sl_press (GTK_WIDGET (picture (f)), GDK_KEY_space, 0));
  g_assert_cmpfloat (reached (f), ==, 0.0);
  sl_act (f, "present", NULL);
  sl_settle ();
  g_assert_true (sl_press (GTK_WIDGET (picture (f)), GDK_KEY_space, 0));
  g_assert_cmpfloat (reached (f), ==, 2.0);
  g_assert_false (sl_press (other, GDK_KEY_space, 0));
  g_assert_cmpfloat (reached (f), ==, 2.0);
}

/* Other plots have no such button. */
static void
test_button (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);

  for (unsigned p = 0; p < lab->n_panels; p++)
    g_assert_true (gtk_widget_get_visible (button_of (f, p)) == (lab->panels[p].kind == SL_ALIVE));
}

static char *
export_as (SlFixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  char            *text;

  gtk_widget_grab_focus (GTK_WIDGET (picture (f)));
  sl_act (f, "export-to", g_variant_new_string (path));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* A figure on paper is whole. */
static void
test_export (SlFixture *f, gconstpointer data)
{
  g_autofree char *whole = export_as (f, "whole.svg"), *stepped = NULL;

  click_play (f);
  g_assert_cmpfloat (reached (f), >, 1.0);
  stepped = export_as (f, "stepped.svg");
  g_assert_nonnull (strstr (whole, "-key"));
  g_assert_cmpstr (stepped, ==, whole);
}

/* ---- alone ---- */

static void
assert_alone (SlFixture *f, gboolean alone)
{
  unsigned other = sl_fixture_panel (f, "error");

  g_assert_cmpint (sl_plot_grid_get_maximised (grid_of (f)), ==,
                   alone ? (int) sl_fixture_panel (f, "alive") : -1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_plot_grid_get_card (grid_of (f), other)))
                 != alone);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_child (f->window, "rail"))) != alone);
}

/* F shows the picture alone; F and Escape go back. */
static void
test_front (SlFixture *f, gconstpointer data)
{
  assert_alone (f, FALSE);
  for (unsigned round = 0; round < 2; round++)
    {
      g_assert_true (sl_press (GTK_WIDGET (f->window), GDK_KEY_f, 0));
      assert_alone (f, TRUE);
      g_assert_true (sl_press (GTK_WIDGET (f->window), round == 0 ? GDK_KEY_f : GDK_KEY_Escape, 0));
      assert_alone (f, FALSE);
    }
}

/* A presentation goes on behind it, and Escape leaves one after the other. */
static void
test_front_presented (SlFixture *f, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (f->window);

  sl_act (f, "present", NULL);
  sl_act (f, "front", NULL);
  assert_alone (f, TRUE);
  g_assert_true (sl_press (window, GDK_KEY_Escape, 0));
  g_assert_cmpint (sl_plot_grid_get_maximised (grid_of (f)), ==, -1);
  g_assert_true (gtk_widget_has_css_class (window, "present"));
  g_assert_true (sl_press (window, GDK_KEY_Escape, 0));
  g_assert_false (gtk_widget_has_css_class (window, "present"));
  assert_alone (f, FALSE);
}

/* On the start page there is no picture to be alone. */
static void
test_front_elsewhere (SlFixture *f, gconstpointer data)
{
  sl_act (f, "front", NULL);
  sl_window_show_overview (f->window);
  sl_settle ();
  g_assert_cmpint (sl_plot_grid_get_maximised (grid_of (f)), ==, -1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_child (f->window, "rail"))));
  g_assert_false (sl_can (f, "front"));
}

static gboolean
is_typed (gpointer entry)
{
  return strchr (gtk_editable_get_text (entry), 'f') != NULL;
}

static gboolean
is_alone (gpointer grid)
{
  return sl_plot_grid_get_maximised (grid) >= 0;
}

/* The real key: it is a letter where a text has the focus, and shows the picture elsewhere. */
static void
test_typing (SlFixture *f, gconstpointer data)
{
  GdkSurface      *surface = gtk_native_get_surface (GTK_NATIVE (f->window));
  g_autofree char *type
    = g_strdup_printf ("xdotool windowfocus --sync %lu key f", gdk_x11_surface_get_xid (surface));
  GtkWidget *entry = sl_control (sl_row (f, "k"));

  sl_act (f, "all-settings", NULL);
  gtk_widget_grab_focus (entry);
  g_assert_true (g_spawn_command_line_sync (type, NULL, NULL, NULL, NULL));
  sl_wait (is_typed, entry);
  g_assert_false (is_alone (grid_of (f)));
  gtk_widget_grab_focus (GTK_WIDGET (picture (f)));
  g_assert_true (g_spawn_command_line_sync (type, NULL, NULL, NULL, NULL));
  sl_wait (is_alone, grid_of (f));
}

int
main (int argc, char **argv)
{
#define ADD(name, data, test) g_test_add ("/motion/" name, SlFixture, data, set_up, test, tear_down)
  sl_ui_init (&argc, &argv);
  ADD ("button", NULL, test_button);
  ADD ("plays", NULL, test_plays);
  ADD ("stops", NULL, test_stops);
  ADD ("takes-over", NULL, test_takes_over);
  ADD ("steps", NULL, test_steps);
  ADD ("space", NULL, test_space);
  ADD ("export", NULL, test_export);
  ADD ("front", NULL, test_front);
  ADD ("front-presented", NULL, test_front_presented);
  ADD ("front-elsewhere", NULL, test_front_elsewhere);
  ADD ("typing", NULL, test_typing);
  return g_test_run ();
}
