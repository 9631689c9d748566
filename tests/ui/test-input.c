/* SPDX-License-Identifier: MIT
 *
 * The pad for inputs of one's own: by pointer and key, on all sessions.  */
#include <string.h>

#include "core/labs/registry.h"
#include "tests/support/folder.h"
#include "tests/ui/fixture.h"
#include "ui/input/layout.h"
#include "ui/input/pad.h"
#include "ui/input/square.h"
#include "ui/input/strip.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, LEARNT = 200 };

typedef struct
{
  SlSession  *session[2];
  SlInputPad *pad;
  GtkWindow  *window;
} Fixture;

static SlSession *
begin (const char *id, const char *data)
{
  const SlLab *lab = sl_lab_find (id);
  SlSession   *session = sl_session_new ();
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_set_limit (session, LEARNT + 10);
  sl_session_start (session, lab, &settings, data, 1, FALSE);
  sl_wait (sl_is_loaded, session);
  return session;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->session[0] = begin ("experts", data);
  f->session[1] = begin ("sign-estimator", data);
  f->pad = SL_INPUT_PAD (sl_input_pad_new ());
  sl_input_pad_set_sessions (f->pad, f->session, 2);
  f->window = sl_show (GTK_WIDGET (f->pad), 200, 260);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (f->window);
  sl_settle ();
  g_assert_finalize_object (f->session[0]);
  g_assert_finalize_object (f->session[1]);
}

static GtkWidget *
square (Fixture *f)
{
  return sl_find (GTK_WIDGET (f->pad), SL_TYPE_INPUT_SQUARE);
}

static SlInputStrip *
strip (Fixture *f)
{
  return SL_INPUT_STRIP (sl_find (GTK_WIDGET (f->pad), SL_TYPE_INPUT_STRIP));
}

/* The nth button below the strip. */
static GtkWidget *
button (Fixture *f, unsigned n)
{
  GtkWidget *child = gtk_widget_get_first_child (gtk_widget_get_last_child (GTK_WIDGET (f->pad)));

  while (n-- > 0)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static void
stroke (GtkWidget *widget, double x0, double y0, double x1, double y1)
{
  double      side = gtk_widget_get_width (widget);
  GtkGesture *drag = sl_drag_of (widget);

  g_signal_emit_by_name (drag, "drag-begin", x0 * side, y0 * side);
  for (int i = 1; i <= 8; i++)
    g_signal_emit_by_name (drag, "drag-update", (x1 - x0) * side * i / 8, (y1 - y0) * side * i / 8);
  g_signal_emit_by_name (drag, "drag-end", (x1 - x0) * side, (y1 - y0) * side);
}

static const SlSubject *
subject (Fixture *f, unsigned i)
{
  return sl_session_subject (f->session[i]);
}

static gboolean
all_own (gpointer data)
{
  return subject (data, 0)->n_own > 0 && subject (data, 1)->n_own > 0;
}

static gboolean
no_own (gpointer data)
{
  return subject (data, 0)->n_own == 0 && subject (data, 1)->n_own == 0;
}

static double
ink (Fixture *f, double *x)
{
  double sum = 0.0;

  *x = 0.0;
  for (unsigned i = 0; i < PIXELS; i++)
    {
      sum += (double) subject (f, 0)->own[i];
      *x += (double) subject (f, 0)->own[i] * (i % SIDE);
    }
  *x /= sum;
  return sum;
}

typedef struct
{
  Fixture *fixture;
  double   x, sum; /* the ink is elsewhere, or another */
} Before;

static gboolean
is_elsewhere (gpointer data)
{
  const Before *before = data;
  double        x, sum = ink (before->fixture, &x);

  return ABS (x - before->x) > 0.5 || ABS (sum - before->sum) > 1.0;
}

static void
test_draws (Fixture *f, gconstpointer data)
{
  g_autofree char *words = g_strdup (sl_input_pad_get_words (f->pad)), *said = NULL;

  g_assert_cmpstr (words, !=, "");
  g_assert_true (no_own (f));
  stroke (square (f), 0.3, 0.2, 0.3, 0.8);
  sl_wait (all_own, f);
  g_assert_cmpmem (subject (f, 0)->own, PIXELS * sizeof (float), subject (f, 1)->own,
                   PIXELS * sizeof (float));
  g_assert_cmpstr (sl_input_pad_get_words (f->pad), !=, words);
  said = sl_description (square (f));
  g_assert_cmpstr (said, ==, sl_input_pad_get_words (f->pad));
  /* Clear goes back to the example. */
  g_assert_true (gtk_widget_get_sensitive (button (f, 2)));
  g_signal_emit_by_name (button (f, 2), "clicked");
  g_assert_true (no_own (f));
  g_assert_cmpstr (sl_input_pad_get_words (f->pad), ==, words);
  g_assert_false (gtk_widget_get_sensitive (button (f, 2)));
}

/* One subject a frame, however often the pen moved. */
static void
test_once_a_frame (Fixture *f, gconstpointer data)
{
  SlOwn *own = sl_input_pad_get_own (f->pad);

  stroke (square (f), 0.3, 0.2, 0.3, 0.8);
  g_assert_true (no_own (f));
  sl_wait (all_own, f);
  g_assert_false (sl_own_send (own));
}

static void
test_erases (Fixture *f, gconstpointer data)
{
  Before before = { f };

  stroke (square (f), 0.2, 0.5, 0.8, 0.5);
  sl_wait (all_own, f);
  before.sum = ink (f, &before.x);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button (f, 1)), TRUE);
  stroke (square (f), 0.2, 0.5, 0.4, 0.5);
  sl_wait (is_elsewhere, &before);
  g_signal_emit_by_name (button (f, 2), "clicked");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button (f, 1))));
}

/* Keys alone: the example is shifted, and back; another one is chosen. */
static void
test_keys (Fixture *f, gconstpointer data)
{
  Before   before = { f };
  unsigned first = sl_input_strip_get_example (strip (f), 0);

  g_assert_true (gtk_widget_get_focusable (square (f)));
  g_assert_true (sl_press (square (f), GDK_KEY_Down, 0));
  sl_wait (all_own, f);
  before.sum = ink (f, &before.x);
  for (int i = 0; i < 4; i++)
    g_assert_true (sl_press (square (f), GDK_KEY_Right, 0));
  sl_wait (is_elsewhere, &before);
  g_assert_true (sl_press (square (f), GDK_KEY_Delete, 0));
  g_assert_true (no_own (f));

  gtk_widget_grab_focus (sl_input_strip_get_button (strip (f), 0));
  g_assert_true (gtk_widget_has_focus (sl_input_strip_get_button (strip (f), 0)));
  g_assert_true (sl_press (GTK_WIDGET (strip (f)), GDK_KEY_Right, 0));
  for (unsigned i = 0; i < 2; i++)
    g_assert_cmpuint (subject (f, i)->example, ==, sl_input_strip_get_example (strip (f), 1));
  g_assert_true (gtk_widget_has_focus (sl_input_strip_get_button (strip (f), 1)));
  g_assert_true (sl_press (GTK_WIDGET (strip (f)), GDK_KEY_Left, 0));
  g_assert_cmpuint (subject (f, 1)->example, ==, first);
  /* One of them is reached by Tab. */
  for (unsigned i = 2; i < sl_input_strip_get_n (strip (f)); i++)
    g_assert_false (gtk_widget_get_focusable (sl_input_strip_get_button (strip (f), i)));
}

static void
test_strip (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (sl_input_strip_get_n (strip (f)), ==, 8);
  for (unsigned i = 0; i < 8; i++)
    {
      GtkWidget *chosen = sl_input_strip_get_button (strip (f), i);

      stroke (square (f), 0.3, 0.2, 0.3, 0.8);
      g_signal_emit_by_name (chosen, "clicked");
      sl_settle ();
      g_assert_true (no_own (f));
      g_assert_cmpuint (subject (f, 0)->example, ==, sl_input_strip_get_example (strip (f), i));
      g_assert_cmpuint (subject (f, 1)->example, ==, sl_input_strip_get_example (strip (f), i));
      for (unsigned j = 0; j < 8; j++)
        g_assert_true (gtk_toggle_button_get_active (
                         GTK_TOGGLE_BUTTON (sl_input_strip_get_button (strip (f), j)))
                       == (i == j));
    }
  sl_assert_named (GTK_WIDGET (f->window));
}

typedef struct
{
  Fixture *fixture;
  unsigned example[8];
} Strip;

static Strip
strip_now (Fixture *f)
{
  Strip now = { .fixture = f };

  for (unsigned i = 0; i < 8; i++)
    now.example[i] = sl_input_strip_get_example (strip (f), i);
  return now;
}

static gboolean
is_shuffled (gpointer data)
{
  Strip now = strip_now (((Strip *) data)->fixture);

  return memcmp (now.example, ((Strip *) data)->example, sizeof now.example) != 0;
}

/* Other examples; once the networks have learnt something, by what they say. */
static void
test_shuffles (Fixture *f, gconstpointer data)
{
  Strip before = strip_now (f);

  g_signal_emit_by_name (button (f, 0), "clicked");
  sl_wait (is_shuffled, &before);
  before = strip_now (f);
  sl_session_run (f->session[0]);
  sl_wait_for_step (f->session[0], LEARNT);
  g_signal_emit_by_name (button (f, 0), "clicked");
  sl_wait (is_shuffled, &before);
  g_assert_nonnull (sl_session_predictions (f->session[0]));
}

/* What the networks say after a while chooses the examples, unless the person has done so. */
static void
test_shuffles_itself (Fixture *f, gconstpointer data)
{
  Strip before;

  g_signal_emit_by_name (sl_input_strip_get_button (strip (f), 2), "clicked");
  before = strip_now (f);
  sl_session_run (f->session[0]);
  sl_wait_for_step (f->session[0], LEARNT);
  sl_settle ();
  g_assert_false (is_shuffled (&before));
  sl_session_restart (f->session[0], "digits:images=700", 1, TRUE);
  sl_wait (is_shuffled, &before);
  before = strip_now (f);
  sl_wait (is_shuffled, &before);
  g_assert_nonnull (sl_session_predictions (f->session[0]));
}

static gboolean
is_far (gpointer own)
{
  return sl_own_is_far (own);
}

static void
test_far (Fixture *f, gconstpointer data)
{
  int              side = gtk_widget_get_width (square (f));
  g_autofree char *near = NULL, *said = NULL;

  stroke (square (f), 0.5, 0.2, 0.5, 0.8);
  sl_wait (all_own, f);
  near = g_strdup (sl_input_pad_get_words (f->pad));
  for (int i = 0; i <= 20; i++)
    stroke (square (f), 0.02, i / 20.0, 0.98, i / 20.0);
  sl_wait (is_far, sl_input_pad_get_own (f->pad));
  sl_settle ();
  g_assert_cmpint (gtk_widget_get_width (square (f)), ==, side);
  g_assert_cmpstr (sl_input_pad_get_words (f->pad), !=, near);
  said = sl_description (square (f));
  g_assert_cmpstr (said, ==, sl_input_pad_get_words (f->pad));
}

static void
test_point (Fixture *f, gconstpointer data)
{
  SlOwn     *own = sl_input_pad_get_own (f->pad);
  SlOwnPlane plane;
  double     x, y, other;

  g_assert_true (sl_own_plane (own, &plane));
  g_assert_false (gtk_widget_get_visible (button (f, 1)));
  stroke (square (f), 0.3, 0.3, 0.7, 0.4);
  sl_wait (all_own, f);
  g_assert_cmpuint (subject (f, 0)->n_own, ==, 2);
  sl_own_point (own, &plane, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, 0.7, 0.01);
  g_assert_cmpfloat_with_epsilon (y, 0.4, 0.01);
  g_assert_true (sl_press (square (f), GDK_KEY_Left, 0));
  sl_own_point (own, &plane, &other, &y);
  g_assert_cmpfloat (other, <, x);
  g_assert_true (sl_press (square (f), GDK_KEY_Delete, 0));
  g_assert_true (no_own (f));
  g_assert_cmpuint (sl_drawn_pixels (square (f)), >, 20);
}

/* With fewer examples than there is room for, one after another by arrow keys, and round. */
static void
test_few (Fixture *f, gconstpointer data)
{
  unsigned n = sl_input_strip_get_n (strip (f));

  g_assert_cmpuint (n, >, 4);
  g_assert_cmpuint (n, <, 8);
  gtk_widget_grab_focus (sl_input_strip_get_button (strip (f), 0));
  for (unsigned i = 1; i <= n; i++)
    {
      g_assert_true (sl_press (GTK_WIDGET (strip (f)), GDK_KEY_Right, 0));
      g_assert_true (gtk_widget_has_focus (sl_input_strip_get_button (strip (f), i % n)));
    }
  g_assert_true (sl_press (GTK_WIDGET (strip (f)), GDK_KEY_Left, 0));
  g_assert_true (gtk_widget_has_focus (sl_input_strip_get_button (strip (f), n - 1)));
}

/* What was drawn for other data is gone with them, and the strip is of the new ones. */
static void
test_other_data (Fixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session[0]);

  stroke (square (f), 0.3, 0.2, 0.3, 0.8);
  sl_wait (all_own, f);
  sl_session_restart (f->session[0], "moons", 1, FALSE);
  sl_wait_for_run (f->session[0], generation);
  g_assert_false (sl_own_is_shown (sl_input_pad_get_own (f->pad)));
  g_assert_cmpuint (sl_input_strip_get_n (strip (f)), ==, 8);
  g_assert_false (gtk_widget_get_visible (button (f, 1)));
  sl_input_pad_set_sessions (f->pad, NULL, 0);
  g_assert_cmpuint (sl_input_strip_get_n (strip (f)), ==, 0);
  g_assert_cmpstr (sl_input_pad_get_words (f->pad), ==, "");
}

/* n examples of 12 × 24 pixels as a pair of IDX files; returns the path of the first. */
static char *
write_wide (const char *folder)
{
  enum { N = 400, DOWN = 12, ACROSS = 24 };
  static const guint8 images[]
    = { 0, 0, 8, 3, 0, 0, N >> 8, N & 255, 0, 0, 0, DOWN, 0, 0, 0, ACROSS };
  static const guint8 labels[] = { 0, 0, 8, 1, 0, 0, N >> 8, N & 255 };
  g_autoptr (GByteArray) image = g_byte_array_new (), label = g_byte_array_new ();
  g_autofree char *other = g_build_filename (folder, "wide-labels.idx", NULL);
  char            *path = g_build_filename (folder, "wide-images.idx", NULL);

  g_byte_array_append (image, images, sizeof images);
  g_byte_array_append (label, labels, sizeof labels);
  for (unsigned i = 0; i < N; i++)
    {
      guint8 pixels[DOWN * ACROSS] = { 0 }, class = i % 2;

      memset (pixels + i % 200, 255, 20);
      g_byte_array_append (image, pixels, sizeof pixels);
      g_byte_array_append (label, &class, 1);
    }
  g_assert_true (g_file_set_contents (path, (char *) image->data, image->len, NULL));
  g_assert_true (g_file_set_contents (other, (char *) label->data, label->len, NULL));
  return path;
}

/* Pictures that are no squares keep their proportions, and are drawn on where they are seen. */
static void
test_wide (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL), *path = write_wide (folder);
  Fixture          f;
  float            picture[12 * 24], ink[12] = { 0 };

  set_up (&f, path);
  stroke (square (&f), 0.1, 0.3, 0.9, 0.3);
  sl_wait (all_own, &f);
  g_assert_cmpuint (subject (&f, 0)->n_own, ==, 12 * 24);
  g_assert_true (sl_own_picture (sl_input_pad_get_own (f.pad), picture));
  for (unsigned i = 0; i < 12 * 24; i++)
    ink[i / 24] += picture[i];
  g_assert_cmpfloat (ink[1], >, 10.0f);
  for (unsigned row = 4; row < 12; row++)
    g_assert_cmpfloat (ink[row], <, 0.01f);
  tear_down (&f, NULL);
  sl_remove_all (folder);
}

static gboolean
overlap (const GdkRectangle *a, const GdkRectangle *b)
{
  return gdk_rectangle_intersect (a, b, NULL);
}

/* At any size all parts are inside and none is on another. */
static void
test_layout (void)
{
  for (int width = 150; width <= 700; width += 11)
    for (int height = 220; height <= 900; height += 17)
      {
        SlInputLayout       l = sl_input_layout (width, height, 30, 30);
        const GdkRectangle *part[] = { &l.square, &l.strip, &l.words, &l.buttons };

        g_assert_cmpint (l.square.width, ==, l.square.height);
        g_assert_cmpint (l.square.width, >=, 80);
        g_assert_cmpint (l.strip.width / (int) l.columns, >=, 12);
        for (unsigned i = 0; i < 4; i++)
          {
            g_assert_cmpint (part[i]->x, >=, 0);
            g_assert_cmpint (part[i]->y, >=, 0);
            g_assert_cmpint (part[i]->x + part[i]->width, <=, width);
            g_assert_cmpint (part[i]->y + part[i]->height, <=, height);
            for (unsigned j = 0; j < i; j++)
              g_assert_false (overlap (part[i], part[j]));
          }
      }
}

int
main (int argc, char **argv)
{
#define ON(name, data, test) g_test_add ("/input/" name, Fixture, data, set_up, test, tear_down)
  sl_ui_init (&argc, &argv);
  ON ("draws", "digits:images=600", test_draws);
  ON ("once-a-frame", "digits:images=600", test_once_a_frame);
  ON ("erases", "digits:images=600", test_erases);
  ON ("keys", "digits:images=600", test_keys);
  ON ("strip", "digits:images=600", test_strip);
  ON ("strip-plane", "moons", test_strip);
  ON ("shuffles", "digits:images=600", test_shuffles);
  ON ("shuffles-itself", "digits:images=600", test_shuffles_itself);
  ON ("far", "digits:images=600", test_far);
  ON ("point", "moons", test_point);
  ON ("few", "moons:points=60", test_few);
  ON ("other-data", "digits:images=600", test_other_data);
  g_test_add_func ("/input/wide", test_wide);
  g_test_add_func ("/input/layout", test_layout);
  return g_test_run ();
}
