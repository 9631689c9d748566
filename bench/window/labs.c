/* SPDX-License-Identifier: MIT
 *
 * How soon a lab shows something: when it is chosen for the first time, and when the user comes
 * back to its run.  In a window of its own with a store in a private folder, where the runs that
 * were left are kept.  */
#include <glib/gstdio.h>
#include <math.h>

#include "bench/window/tools.h"
#include "bench/window/turns.h"
#include "bench/window/window.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"

enum { ROUNDS = 5 };

static const double TRAINING_SECONDS = 1.0;

/* Painted with data, in any panel. */
static gboolean
shows_something (SlPlotGrid *grid)
{
  for (unsigned i = 0; i < sl_plot_grid_get_n_cards (grid); i++)
    {
      const SlFrame *frame = sl_plot_view_get_frame (sl_plot_grid_get_view (grid, i));

      if (frame->plot.w > 0.0 && !frame->empty)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_there (SlWindow *window, const SlLab *lab, uint64_t step)
{
  SlSession *session = sl_window_get_session (window);

  return sl_session_lab (session) == lab && !sl_session_is_loading (session)
         && sl_session_info (session)->step >= step
         && shows_something (sl_window_get_grid (window));
}

/* Seconds from the choice of a lab until its run of at least `step` updates is on the screen. */
static double
choose (SlWindow *window, const SlLab *lab, uint64_t step)
{
  double begin = sl_bench_now (CLOCK_MONOTONIC), seconds = 0.0;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.lab", "s", lab->id);
  while (!is_there (window, lab, step) && seconds < SL_BENCH_PATIENCE)
    {
      sl_bench_run_for (0.002);
      seconds = sl_bench_now (CLOCK_MONOTONIC) - begin;
    }
  return seconds < SL_BENCH_PATIENCE ? seconds : (double) NAN;
}

static uint64_t
step_of (SlWindow *window)
{
  return sl_session_info (sl_window_get_session (window))->step;
}

/* Not-a-number stays. */
static double
larger (double a, double b)
{
  return isnan (a) || a > b ? a : b;
}

typedef struct
{
  uint64_t step; /* of its run when it was left */
  double   seconds[ROUNDS];
} Visits;

static void
come_back (SlWindow *window, unsigned i, unsigned round, Visits *visits)
{
  visits->seconds[round] = choose (window, sl_labs[i], visits->step);
  sl_bench_run_for (TRAINING_SECONDS / 2);
  visits->step = step_of (window);
  if (round == 0)
    sl_bench_print_turn ("return", sl_labs[i]->id);
}

static void
measure (SlWindow *window)
{
  g_autoptr (GArray) labs = g_array_new (FALSE, TRUE, sizeof (Visits));
  double worst = 0.0;

  sl_bench_watch_turns ();
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      worst = larger (worst, choose (window, sl_labs[i], 1));
      sl_bench_run_for (TRAINING_SECONDS);
      sl_bench_print_turn ("first", sl_labs[i]->id);
      g_array_append_val (labs, ((Visits) { .step = step_of (window) }));
    }
  sl_bench_print ("lab-first", worst, "s");
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < labs->len; i++)
      come_back (window, i, round, &g_array_index (labs, Visits, i));
  worst = 0.0;
  for (unsigned i = 0; i < labs->len; i++)
    worst = larger (worst, sl_median (g_array_index (labs, Visits, i).seconds, ROUNDS));
  sl_bench_print ("lab-return", worst, "s");
}

/* What a person opens beside the labs, by its action. */
static const struct
{
  const char *name, *action;
} pages[] = {
  { "start-page", "win.glance" },
  { "runs", "win.runs" },
  { "lessons", "win.lessons" },
  { "help", "win.help" },
  { "preferences", "app.preferences" },
  { "shortcuts", "win.show-help-overlay" },
  { "about", "app.about" },
};

static void
measure_pages (SlWindow *window)
{
  sl_bench_longest_turn ();
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (window), pages[i].action, NULL);
      sl_bench_run_for (TRAINING_SECONDS);
      sl_bench_print_turn ("open", pages[i].name);
    }
}

void
sl_window_bench_labs (GtkApplication *application)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  g_autoptr (SlSession) session = sl_session_new ();
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", &error), *path = NULL;
  SlStore         *store;
  SlWindow        *window;

  if (folder == NULL)
    return;
  path = g_build_filename (folder, "runs", NULL);
  store = sl_store_open (path, &error);
  if (store != NULL)
    {
      window = sl_window_new (application, session, prefs);
      sl_window_set_store (window, store, NULL);
      gtk_window_present (GTK_WINDOW (window));
      sl_bench_run_for (TRAINING_SECONDS);
      measure (window);
      sl_window_bench_recording (window, folder);
      measure_pages (window);
      sl_window_bench_switches (window);
      gtk_window_destroy (GTK_WINDOW (window));
      g_object_unref (store);
    }
  sl_bench_run_for (TRAINING_SECONDS);
  g_remove (path);
  g_rmdir (folder);
}
