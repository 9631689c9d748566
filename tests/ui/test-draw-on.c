/* SPDX-License-Identifier: MIT
 *
 * Drawing on the input of a lab's picture in the real window, which leaves clicks what they are.  */
#include <string.h>

#include "tests/ui/fixture.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE };

static SlPlotView *
picture (SlFixture *f)
{
  return sl_plot_grid_get_view (sl_window_get_grid (f->window), sl_fixture_panel (f, "alive"));
}

static gboolean
is_pictured (gpointer view)
{
  const SlFrame *frame = sl_plot_view_get_frame (view);

  return !frame->empty && frame->alive.input.w > 0.0;
}

static gboolean
shows_own (gpointer session)
{
  return sl_session_subject (session)->n_own > 0;
}

static gboolean
shows_example (gpointer session)
{
  return sl_session_subject (session)->n_own == 0;
}

static void
open_lab (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, data, FALSE);
  sl_wait (sl_is_loaded, f->session);
  sl_fixture_open (f);
  sl_wait (is_pictured, picture (f));
}

/* A press on the input that is moved, or not, px from its middle. */
static void
press_on_input (SlFixture *f, double dx, double dy)
{
  GtkGesture   *drag = sl_drag_of (GTK_WIDGET (picture (f)));
  const SlRect *at = &sl_plot_view_get_frame (picture (f))->alive.input;
  double        x = at->x + at->w / 2.0, y = at->y + at->h / 2.0;

  g_signal_emit_by_name (drag, "drag-begin", x, y);
  for (int i = 1; i <= 5; i++)
    g_signal_emit_by_name (drag, "drag-update", dx * i / 5, dy * i / 5);
  g_signal_emit_by_name (drag, "drag-end", dx, dy);
}

static void
hover_input (SlFixture *f)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (picture (f)));
  const SlRect *at = &sl_plot_view_get_frame (picture (f))->alive.input;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", at->x + 5.0, at->y + 5.0);
    }
}

/* In the middle there is more ink, far above it what the example has. */
static void
assert_drawn_onto (SlSession *session)
{
  const SlDataset *digits = sl_session_dataset (session);
  const uint8_t   *byte
    = digits->bytes
      + (sl_dataset_first (digits, SL_VALID) + sl_session_example (session)) * digits->features;
  const float *own = sl_session_subject (session)->own;
  float        before = 0.0f, now = 0.0f;

  for (unsigned i = 0; i < PIXELS; i++)
    {
      before += (float) byte[i] / 255.0f;
      now += own[i];
      if (i < SIDE * SIDE / 4)
        g_assert_cmpfloat_with_epsilon (own[i], (float) byte[i] / 255.0f, 1e-4f);
    }
  g_assert_cmpfloat (now, >, before + 1.0f);
}

static void
test_picture (SlFixture *f, gconstpointer data)
{
  unsigned example = sl_session_example (f->session);

  press_on_input (f, 2.0, 1.0);
  sl_settle ();
  g_assert_true (shows_example (f->session));
  press_on_input (f, 20.0, 0.0);
  sl_wait (shows_own, f->session);
  g_assert_cmpuint (sl_session_example (f->session), ==, example);
  if (strcmp (data, "moons") != 0)
    assert_drawn_onto (f->session);
  /* The hand is up: the pointer reads again. */
  hover_input (f);
  g_assert_cmpstr (sl_readout (picture (f)), !=, "");
  /* Escape goes back, and is the window's again. */
  g_assert_true (sl_press (GTK_WIDGET (picture (f)), GDK_KEY_Escape, 0));
  g_assert_true (shows_example (f->session));
  g_assert_cmpuint (sl_session_example (f->session), ==, example);
  g_assert_false (sl_press (GTK_WIDGET (picture (f)), GDK_KEY_Escape, 0));
  /* So does the next example. */
  press_on_input (f, 0.0, 15.0);
  sl_wait (shows_own, f->session);
  g_assert_true (sl_press (GTK_WIDGET (picture (f)), GDK_KEY_Right, 0));
  g_assert_true (shows_example (f->session));
  g_assert_cmpuint (sl_session_example (f->session), ==, example + 1);
}

typedef struct
{
  SlSession *session;
  unsigned   example;
} Wanted;

static gboolean
shows (gpointer data)
{
  const Wanted *wanted = data;

  return shows_example (wanted->session) && sl_session_example (wanted->session) == wanted->example;
}

/* No gesture has the button any more. */
static gboolean
is_up (gpointer view)
{
  return !gtk_gesture_is_active (sl_drag_of (view));
}

/* The real pointer: a press that is moved draws even where it ends where it began, and a click is for the next example. */
static void
test_real_pointer (SlFixture *f, gconstpointer data)
{
  const SlRect    *at = &sl_plot_view_get_frame (picture (f))->alive.input;
  double           left, top;
  graphene_point_t middle;
  int              x, y;
  unsigned         example = sl_session_example (f->session);
  g_autofree char *draw = NULL, *back = NULL, *click = NULL;

  gtk_native_get_surface_transform (GTK_NATIVE (f->window), &left, &top);
  g_assert_true (gtk_widget_compute_point (
    GTK_WIDGET (picture (f)), GTK_WIDGET (f->window),
    &GRAPHENE_POINT_INIT ((float) (at->x + at->w / 2.0), (float) (at->y + at->h / 2.0)), &middle));
  x = (int) (left + (double) middle.x);
  y = (int) (top + (double) middle.y);
  draw = g_strdup_printf ("xdotool mousemove %d %d mousedown 1 mousemove %d %d", x, y, x + 15, y);
  back = g_strdup_printf ("xdotool mousemove %d %d mouseup 1", x, y);
  click = g_strdup_printf ("xdotool mousemove %d %d click 1", x, y);
  g_assert_true (g_spawn_command_line_sync (draw, NULL, NULL, NULL, NULL));
  sl_wait (shows_own, f->session);
  g_assert_true (g_spawn_command_line_sync (back, NULL, NULL, NULL, NULL));
  sl_wait (is_up, picture (f));
  g_assert_true (shows_own (f->session));
  g_assert_true (g_spawn_command_line_sync (click, NULL, NULL, NULL, NULL));
  sl_wait (shows, &(Wanted) { f->session, example + 1 });
}

int
main (int argc, char **argv)
{
#define ON(name, data, test)                                                                       \
  g_test_add ("/draw-on/" name, SlFixture, data, open_lab, test, sl_fixture_end)
  sl_ui_init (&argc, &argv);
  ON ("picture", "digits:images=600", test_picture);
  ON ("plane", "moons", test_picture);
  ON ("real-pointer", "digits:images=600", test_real_pointer);
  return g_test_run ();
}
