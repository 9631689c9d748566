/* SPDX-License-Identifier: MIT
 *
 * When a forward pass is timed: soon after a setting was changed, and with a small share of the time from then
 * on.  */
#include "core/run/session/worker-private.h"

#include <math.h>
#include <string.h>

/* s of rounds in one go; s before another try, where the machine was too busy */
static const double at_once = 0.15, again = 0.5;

enum {
  CLOCK_SHARE = 50, /* one part in so many of the time: 2 % */
  TRIES = 3,        /* of a resting worker, where the machine is too busy */
};

static void
tell (SlWorker *worker, const SlTimes *times)
{
  SlEvent event = { .kind = SL_EVENT_TIMED, .times = *times };

  sl_worker_push_event (worker, &event);
}

void
sl_worker_clock_reset (SlWorker *worker)
{
  bool known = worker->clock.known;

  memset (&worker->clock, 0, sizeof worker->clock);
  worker->clock.over = worker->run->lab->clock == NULL;
  worker->clock.due = sl_clock_wall () + sl_clock_wait ();
  if (known)
    tell (worker, &(SlTimes) { 0 });
}

/* Weights of a run that has grown by half may open other gates. */
static bool
has_grown (const SlWorker *worker)
{
  uint64_t step = sl_trainer_steps (worker->run->trainer), last = worker->clock.step;

  return step > last && step >= last + last / 2;
}

bool
sl_worker_clock_due (SlWorker *worker, double now)
{
  if (worker->clock.over || now < worker->clock.due || worker->mode == SL_WORKER_DIVERGED)
    return false;
  return !worker->clock.known || worker->clock.tries > 0 || worker->clock.rounds.n > 0
         || has_grown (worker);
}

static void
finish (SlWorker *worker, double now)
{
  SlTimes times = sl_clock_times (&worker->clock.rounds);
  bool    busy = isnan (times.share[0].value) || isnan (times.share[1].value);

  worker->clock.tries = busy ? worker->clock.tries + 1 : 0;
  worker->clock.known = true;
  worker->clock.step = sl_trainer_steps (worker->run->trainer);
  worker->clock.due = now + fmax (again, (CLOCK_SHARE - 1) * worker->clock.spent);
  if (busy && worker->clock.tries < TRIES)
    worker->clock.due = now + again;
  worker->clock.spent = 0;
  worker->clock.rounds = (SlClockRounds) { 0 };
  tell (worker, &times);
}

void
sl_worker_clock_go (SlWorker *worker)
{
  double        began = sl_clock_wall (), end;
  SlClockAnswer answer
    = sl_trainer_time (worker->run->trainer, &worker->clock.rounds, at_once, &worker->sink);

  end = sl_clock_wall ();
  worker->clock.spent += end - began;
  if (answer == SL_CLOCK_DONE)
    finish (worker, end);
  else if (answer != SL_CLOCK_MORE)
    {
      worker->clock.known = worker->clock.over = true;
      tell (worker, &(SlTimes) { .never = true });
    }
  worker->mark = sl_clock_wall ();
}

double
sl_worker_clock_next (SlWorker *worker)
{
  bool more = !worker->clock.known || (worker->clock.tries > 0 && worker->clock.tries < TRIES)
              || worker->clock.rounds.n > 0;

  return more && !worker->clock.over && worker->mode != SL_WORKER_DIVERGED ? worker->clock.due
                                                                           : HUGE_VAL;
}
