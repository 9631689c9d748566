/* SPDX-License-Identifier: MIT
 *
 * The longest turns while more than the front page of a lab is shown: all plots, all settings, the presentation, two runs
 * side by side, and the steps of a lesson.  */
#include "bench/window/tools.h"
#include "bench/window/turns.h"
#include "bench/window/window.h"
#include "core/labs/registry.h"

enum { STEPS_MOST = 40 };

static const double SECONDS = 0.7;

static const struct
{
  const char *name, *action;
} switches[] = {
  { "all-plots", "win.all-plots" },
  { "all-settings", "win.sidebar" },
  { "present", "win.present" },
  { "twin", "win.twin" },
};

static const char *const lessons[] = { "1-gate", "9-leave" };

static gboolean
is_running (SlWindow *window, const SlLab *lab)
{
  SlSession *session = sl_window_get_session (window);

  return sl_session_lab (session) == lab && !sl_session_is_loading (session)
         && sl_session_info (session)->step > 0;
}

static void
open_lab (SlWindow *window, const SlLab *lab)
{
  double end = sl_bench_now (CLOCK_MONOTONIC) + SL_BENCH_PATIENCE;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.lab", "s", lab->id);
  while (!is_running (window, lab) && sl_bench_now (CLOCK_MONOTONIC) < end)
    sl_bench_run_for (0.01);
  sl_bench_run_for (SECONDS);
}

static void
measure_lab (SlWindow *window, const SlLab *lab)
{
  for (size_t i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      g_autofree char *of = g_strdup_printf ("%s.%s", switches[i].name, lab->id);

      sl_bench_longest_turn ();
      for (unsigned time = 0; time < 2; time++)
        {
          gtk_widget_activate_action (GTK_WIDGET (window), switches[i].action, NULL);
          sl_bench_run_for (SECONDS);
        }
      sl_bench_print_turn ("switch", of);
    }
}

/* An empty answer skips a question. */
static void
measure_lesson (SlWindow *window, const char *name)
{
  GActionGroup *actions = G_ACTION_GROUP (window);

  sl_bench_longest_turn ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.lesson", "s", name);
  sl_bench_run_for (SECONDS);
  for (unsigned step = 0;
       step < STEPS_MOST && g_action_group_get_action_enabled (actions, "lesson-leave"); step++)
    {
      if (g_action_group_get_action_enabled (actions, "lesson-answer"))
        gtk_widget_activate_action (GTK_WIDGET (window), "win.lesson-answer", "s", "");
      gtk_widget_activate_action (GTK_WIDGET (window), "win.lesson-next", NULL);
      sl_bench_run_for (SECONDS);
    }
  sl_bench_print_turn ("lesson", name);
}

void
sl_window_bench_switches (SlWindow *window)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      open_lab (window, sl_labs[i]);
      measure_lab (window, sl_labs[i]);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (lessons); i++)
    measure_lesson (window, lessons[i]);
}
