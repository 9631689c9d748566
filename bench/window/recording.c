/* SPDX-License-Identifier: MIT
 *
 * How soon a recording that is dropped on the window is there: what it is, and a picture.  A made-up one
 * of the size of a public one, or the file that SLUICE_BENCH_RECORDING names.  */
#include <glib/gstdio.h>
#include <math.h>

#include "bench/window/tools.h"
#include "bench/window/window.h"
#include "core/base/clock.h"

enum { TOKENS = 12805, EXPERTS = 60, ROUNDS = 5 };

static char *
write_lines (const char *folder)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char *path = g_build_filename (folder, "dropped.jsonl", NULL);

  for (unsigned t = 0; t < TOKENS; t++)
    g_string_append_printf (
      text,
      "{\"type\": \"route\", \"req_id\": \"r%u\", \"token_idx\": %u, \"layer\": 8, \"topk_ids\": "
      "[%u, %u, %u, %u], \"topk_weights\": [0.041, 0.032, 0.030, 0.0295]}\n",
      t / 100, t, t * 7 % EXPERTS, (t * 7 + 1) % EXPERTS, (t * 7 + 13) % EXPERTS,
      (t * 7 + 29) % EXPERTS);
  g_file_set_contents (path, text->str, (gssize) text->len, NULL);
  return path;
}

/* A plot of this run is painted, with data. */
static gboolean
shows_run (SlWindow *window, SlSession *session)
{
  SlPlotGrid *grid = sl_window_get_grid (window);

  for (unsigned i = 0; i < sl_plot_grid_get_n_cards (grid); i++)
    {
      SlPlotView     *view = sl_plot_grid_get_view (grid, i);
      const SlFrame  *frame = sl_plot_view_get_frame (view);
      const SlFigure *figure = sl_plot_view_get_figure (view);

      if (frame->plot.w > 0.0 && !frame->empty
          && figure->generation == sl_session_generation (session))
        return TRUE;
    }
  return FALSE;
}

static double
drop (SlWindow *window, const char *path)
{
  SlSession *session = sl_window_get_session (window);
  unsigned   generation = sl_session_generation (session);
  double     begin = sl_bench_now (CLOCK_MONOTONIC), seconds = 0.0;

  sl_window_open_file (window, path);
  do
    {
      sl_bench_run_for (0.002);
      session = sl_window_get_session (window);
      seconds = sl_bench_now (CLOCK_MONOTONIC) - begin;
    }
  while ((sl_session_generation (session) == generation || sl_session_is_loading (session)
          || sl_session_lab (session)->data != SL_NEEDS_ROUTING || !shows_run (window, session))
         && seconds < SL_BENCH_PATIENCE);
  return seconds < SL_BENCH_PATIENCE ? seconds : (double) NAN;
}

void
sl_window_bench_recording (SlWindow *window, const char *folder)
{
  const char      *named = g_getenv ("SLUICE_BENCH_RECORDING");
  g_autofree char *made = named == NULL ? write_lines (folder) : NULL;
  double           seconds[ROUNDS];

  for (unsigned i = 0; i < ROUNDS; i++)
    {
      seconds[i] = drop (window, named != NULL ? named : made);
      sl_bench_run_for (0.5);
    }
  sl_bench_print ("recording", sl_median (seconds, ROUNDS), "s");
  sl_bench_print ("recording-most", seconds[ROUNDS - 1], "s");
  if (made != NULL)
    g_remove (made);
}
