/* SPDX-License-Identifier: MIT */
#include "bench/window/turns.h"

#include <glib.h>

#include "bench/window/tools.h"

static SlBenchTurn begin, longest;

static void
begin_turn (void)
{
  begin = (SlBenchTurn) { sl_bench_now (CLOCK_THREAD_CPUTIME_ID), sl_bench_now (CLOCK_MONOTONIC) };
}

static void
end_turn (void)
{
  longest.cpu = MAX (longest.cpu, sl_bench_now (CLOCK_THREAD_CPUTIME_ID) - begin.cpu);
  longest.wall = MAX (longest.wall, sl_bench_now (CLOCK_MONOTONIC) - begin.wall);
}

/* Every turn of the main loop begins and ends here. */
static int
wait_for_events (GPollFD *fds, guint n, int timeout)
{
  int ready;

  end_turn ();
  ready = g_poll (fds, n, timeout);
  begin_turn ();
  return ready;
}

void
sl_bench_watch_turns (void)
{
  g_main_context_set_poll_func (NULL, wait_for_events);
  begin_turn ();
  longest = (SlBenchTurn) { 0 };
}

SlBenchTurn
sl_bench_longest_turn (void)
{
  SlBenchTurn turn;

  end_turn ();
  turn = longest;
  begin_turn ();
  longest = (SlBenchTurn) { 0 };
  return turn;
}

void
sl_bench_print_turn (const char *figure, const char *of)
{
  SlBenchTurn      turn = sl_bench_longest_turn ();
  g_autofree char *cpu = g_strdup_printf ("turn-%s.%s", figure, of);
  g_autofree char *wall = g_strdup_printf ("turn-wall-%s.%s", figure, of);

  sl_bench_print (cpu, turn.cpu, "s");
  sl_bench_print (wall, turn.wall, "s");
}
