/* SPDX-License-Identifier: MIT
 *
 * Replaces sl_worker_update() in tests that are linked with --wrap=sl_worker_update: the training
 * thread sleeps after each update, so that the window has the processor.  Tests of windows look at
 * what is shown, rarely at how far it went.  */
#include "core/run/session/worker-private.h"

#include <time.h>

void __real_sl_worker_update (SlWorker *worker);
void __wrap_sl_worker_update (SlWorker *worker);

void
__wrap_sl_worker_update (SlWorker *worker)
{
  const struct timespec rest = { .tv_nsec = 1000000 };

  __real_sl_worker_update (worker);
  clock_nanosleep (CLOCK_MONOTONIC, 0, &rest, NULL);
}
