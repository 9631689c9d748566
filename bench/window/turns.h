/* SPDX-License-Identifier: MIT
 *
 * Turns of the main loop: what the thread that draws does between two waits for events, in which nothing answers.  */
#pragma once

typedef struct
{
  double cpu,
    wall; /* s; of the turn with the most processor time of this thread, and of that with the most time */
} SlBenchTurn;

/* From now on all turns are timed. */
void sl_bench_watch_turns (void);

/* The longest since the last call, the present one among them. */
SlBenchTurn sl_bench_longest_turn (void);

/* Prints the longest since the last call as turn-FIGURE.OF, and by the clock, without a bar, as turn-wall-FIGURE.OF. */
void sl_bench_print_turn (const char *figure, const char *of);
