/* SPDX-License-Identifier: MIT
 *
 * Which kernels and threads are the fastest here, timed while nothing waits for it and only once.  A choice is
 * for what begins later: threads for new runs, kernels, which the library reads while it is loaded, for the next
 * start.  */
#pragma once

/* Times what is not known yet in a thread that nothing waits for, as soon as the machine has little else to do.
 * On a machine that is never at rest nothing is timed.  */
void sl_timing_begin (void);

/* The same at once, on this thread. */
void sl_timing_do (void);
