/* SPDX-License-Identifier: MIT
 *
 * Figures that say whether the program is as fast and as exact as its targets require.  A figure is
 * a ratio within one run wherever it can be: both sides are timed in turn, several times, and the
 * median is taken, so that a busy machine moves both.  */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <time.h>

#include "app/cli/cli.h"
#include "bench/verdict.h"

/* Seconds that all threads of the program have computed, together. */
static inline double
sl_bench_process_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

typedef struct
{
  gboolean json;
  GString *figures; /* JSON objects so far */
  unsigned n, n_short, n_wrong;
  gboolean all;      /* all benches were chosen */
  int      settings; /* random ones of a bench that draws them; 0: as it likes */
  int      seed;     /* of these */
} SlBench;

typedef struct
{
  const char *name, *summary;
  bool        slow; /* only by name or with --all */
  /* Measures and reports.  Complains when it cannot. */
  SlExit (*run) (SlBench *bench);
} SlBenchGroup;

extern const SlBenchGroup sl_bench_step, sl_bench_gather, sl_bench_experts, sl_bench_window,
  sl_bench_gates, sl_bench_recurrence, sl_bench_path, sl_bench_store, sl_bench_lstm,
  sl_bench_language, sl_bench_mixture, sl_bench_recording, sl_bench_read, sl_bench_peers,
  sl_bench_clock, sl_bench_skip, sl_bench_runs, sl_bench_alive, sl_bench_stroke, sl_bench_page,
  sl_bench_choice;

/* Prints a line about a figure, or keeps it for the JSON document. */
void sl_bench_result (SlBench *bench, const char *name, double value, const char *unit,
                      SlBarKind kind, double bar, const char *note);

/* Milliseconds that a script of bench/peers prints for these arguments, 0 where it cannot be
 * run.  */
double sl_bench_peer (const char *script, const char *words);

/* A script that is timed in turn with what is timed here, so that a busy machine moves both.  NULL
 * where it cannot be started; a script without its library answers nothing.  */
typedef struct SlBenchPeer SlBenchPeer;

SlBenchPeer *sl_bench_peer_open (const char *script, const char *words);
void         sl_bench_peer_close (SlBenchPeer *peer); /* NULL is fine */

/* The number that it answers to a line, not-a-number where it has ended. */
double sl_bench_peer_ask (SlBenchPeer *peer, const char *question);

/* A remark on the error stream: not in the JSON document. */
void sl_bench_note (SlBench *bench, const char *format, ...) G_GNUC_PRINTF (2, 3);
