/* SPDX-License-Identifier: MIT
 *
 * The strip of moments under a picture in the real window: it goes back along the training, and comes back.  */
#include <string.h>

#include "tests/ui/fixture.h"

static SlPlotCard *
card (SlFixture *f)
{
  return sl_plot_grid_get_card (sl_window_get_grid (f->window), sl_fixture_panel (f, "alive"));
}

static GtkWidget *
bar (SlFixture *f)
{
  return GTK_WIDGET (sl_plot_card_get_moments (card (f)));
}

static GtkWidget *
part (SlFixture *f, const char *name)
{
  return sl_child (bar (f), name);
}

static void
move (SlFixture *f, double value)
{
  gtk_range_set_value (GTK_RANGE (part (f, "scale")), value);
}

static const char *
label (SlFixture *f)
{
  return gtk_label_get_label (GTK_LABEL (part (f, "place")));
}

static const SlMoments *
moments (SlFixture *f)
{
  return sl_session_moments (f->session);
}

static gboolean
has_some (gpointer data)
{
  return sl_moments_count (moments (data)) >= 6 && gtk_widget_get_visible (bar (data));
}

static void
open_lab (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "moons", TRUE);
  sl_wait (sl_is_loaded, f->session);
  sl_fixture_open (f);
  sl_wait (has_some, f);
  sl_session_pause (f->session);
  sl_settle ();
}

/* The picture has the numbers of this one. */
static void
assert_shows (SlFixture *f, const SlSnapshot *snapshot, double within)
{
  const SlMatrix *shown = &sl_plot_view_get_figure (sl_plot_card_get_view (card (f)))->matrix;

  g_assert_cmpuint (shown->rows, ==, snapshot->rows);
  g_assert_cmpuint (shown->columns, ==, snapshot->columns);
  for (size_t i = 0; i < snapshot->n_data; i++)
    g_assert_cmpfloat (ABS (shown->cell[i] - snapshot->data[i]), <=, within);
}

static void
assert_now (SlFixture *f)
{
  const SlRecord *record = sl_session_record (f->session);
  GtkAdjustment  *range = gtk_range_get_adjustment (GTK_RANGE (part (f, "scale")));

  assert_shows (f, &record->snapshot[sl_fixture_panel (f, "alive")], 0.0);
  g_assert_null (sl_moments_bar_get_record (SL_MOMENTS_BAR (bar (f))));
  g_assert_cmpfloat (gtk_adjustment_get_value (range), ==, gtk_adjustment_get_upper (range));
  g_assert_cmpstr (label (f), ==, "now");
}

static void
assert_moment (SlFixture *f, unsigned i)
{
  SlSnapshot      *snapshot = g_new0 (SlSnapshot, 1);
  g_autofree char *step = NULL;
  SlStatus         status = sl_moments_restore (moments (f), i, snapshot);

  g_assert_true (sl_ok (&status));
  assert_shows (f, snapshot, 0.0);
  step = g_strdup_printf ("%u", (unsigned) snapshot->step);
  if (snapshot->step < 1000)
    g_assert_true (g_str_has_suffix (label (f), step));
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (part (f, "scale"))), ==, i);
  sl_snapshot_clear (snapshot);
  g_free (snapshot);
}

/* A moment that is another picture than the one of now. */
static gboolean
differs (SlFixture *f, unsigned i)
{
  const SlSnapshot *now = &sl_session_record (f->session)->snapshot[sl_fixture_panel (f, "alive")];
  SlSnapshot       *then = g_new0 (SlSnapshot, 1);
  SlStatus          status = sl_moments_restore (moments (f), i, then);
  gboolean          other = sl_ok (&status) && then->n_data == now->n_data;

  if (other)
    {
      other = FALSE;
      for (size_t k = 0; k < now->n_data; k++)
        other |= ABS (then->data[k] - now->data[k]) > 0.01;
    }
  sl_snapshot_clear (then);
  g_free (then);
  return other;
}

/* A key goes from the widget up to the card. */
static gboolean
escape (SlFixture *f, GtkWidget *widget)
{
  while (!sl_press (widget, GDK_KEY_Escape, 0))
    {
      if (widget == GTK_WIDGET (card (f)))
        return FALSE;
      widget = gtk_widget_get_parent (widget);
    }
  return TRUE;
}

/* Cards whose strip is shown. */
static unsigned
n_strips (SlFixture *f)
{
  SlPlotGrid *grid = sl_window_get_grid (f->window);
  unsigned    n = 0;

  for (unsigned i = 0; i < sl_plot_grid_get_n_cards (grid); i++)
    n += gtk_widget_get_visible (
      GTK_WIDGET (sl_plot_card_get_moments (sl_plot_grid_get_card (grid, i))));
  return n;
}

static void
test_back (SlFixture *f, gconstpointer data)
{
  unsigned last = sl_moments_count (moments (f)) - 1;

  g_assert_cmpuint (n_strips (f), ==, 1);
  assert_now (f);
  g_assert_true (differs (f, 0));
  move (f, 0.0);
  assert_moment (f, 0);
  move (f, 3.0);
  assert_moment (f, 3);
  move (f, last);
  assert_now (f);
  /* Arrow keys go from moment to moment. */
  gtk_widget_grab_focus (part (f, "scale"));
  g_assert_true (sl_press (part (f, "scale"), GDK_KEY_Left, 0));
  assert_moment (f, last - 1);
  g_assert_true (sl_press (part (f, "scale"), GDK_KEY_Left, 0));
  assert_moment (f, last - 2);
  /* Escape goes to now, there and on the picture. */
  g_assert_true (escape (f, part (f, "scale")));
  assert_now (f);
  move (f, 1.0);
  g_assert_true (escape (f, GTK_WIDGET (sl_plot_card_get_view (card (f)))));
  assert_now (f);
  g_assert_false (escape (f, GTK_WIDGET (sl_plot_card_get_view (card (f)))));
}

typedef struct
{
  const SlMoments *moments;
  uint64_t         version;
} Seen;

static gboolean
has_more (gpointer data)
{
  const Seen *seen = data;

  return sl_moments_version (seen->moments) > seen->version + 3;
}

/* A moment stays while the run goes on, which is followed again at the right end. */
static void
test_running (SlFixture *f, gconstpointer data)
{
  uint64_t step = sl_moments_step (moments (f), 0);

  move (f, 0.0);
  sl_session_run (f->session);
  sl_wait (has_more, &(Seen) { moments (f), sl_moments_version (moments (f)) });
  g_assert_cmpuint (sl_moments_step (moments (f), 0), ==, step);
  assert_moment (f, 0);
  sl_session_pause (f->session);
  sl_settle ();
  move (f, sl_moments_count (moments (f)) - 1);
  assert_now (f);
}

static gboolean
is_at_now (gpointer data)
{
  return sl_moments_bar_get_record (SL_MOMENTS_BAR (bar (data))) == NULL;
}

/* All that is done to the picture is done to it as it is now. */
static void
test_example (SlFixture *f, gconstpointer data)
{
  SlPlotView *view = sl_plot_card_get_view (card (f));
  SlSubject   own = { .n_own = 2, .own = { 0.5F, 0.5F } };

  move (f, 1.0);
  g_signal_emit_by_name (view, "example", 1);
  g_assert_true (is_at_now (f));
  move (f, 1.0);
  sl_session_set_example (f->session, 5); /* elsewhere */
  sl_wait (is_at_now, f);
  move (f, 1.0);
  g_signal_emit_by_name (view, "switch-off", 0, 1);
  g_assert_true (is_at_now (f));
  g_assert_false (gtk_widget_get_visible (part (f, "hint")));
  sl_session_set_subject (f->session, &own);
  sl_settle ();
  g_assert_false (gtk_widget_get_visible (part (f, "hint")));
  move (f, 1.0);
  g_assert_true (gtk_widget_get_visible (part (f, "hint")));
  sl_moments_bar_go_to_now (SL_MOMENTS_BAR (bar (f)));
  g_assert_false (gtk_widget_get_visible (part (f, "hint")));
}

static gboolean
is_later (gpointer data)
{
  return gtk_range_get_value (GTK_RANGE (part (data, "scale"))) >= 2.0;
}

static void
test_play (SlFixture *f, gconstpointer data)
{
  g_signal_emit_by_name (part (f, "play"), "clicked");
  assert_moment (f, 0);
  sl_wait (is_later, f);
  g_signal_emit_by_name (part (f, "play"), "clicked");
  g_assert_false (is_at_now (f));
  g_signal_emit_by_name (part (f, "play"), "clicked");
  sl_wait (is_at_now, f);
  assert_now (f);
}

/* Another run begins with its own. */
static void
test_restart (SlFixture *f, gconstpointer data)
{
  move (f, 1.0);
  sl_session_restart (f->session, NULL, 3, FALSE);
  sl_session_settle (f->session);
  g_assert_true (is_at_now (f));
  g_assert_cmpuint (n_strips (f), ==, 0);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define TEST(name)                                                                                 \
  g_test_add ("/moments/" #name, SlFixture, NULL, open_lab, test_##name, sl_fixture_end)
  TEST (back);
  TEST (running);
  TEST (example);
  TEST (play);
  TEST (restart);
#undef TEST
  return g_test_run ();
}
