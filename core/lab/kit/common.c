/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/common.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "core/lab/kit/params.h"

const SlChoice sl_schedules[] = {
  { "constant", "Constant" },
  { "cosine", "Cosine to zero" },
  { "steps", "× 0.9 in steps" },
  { 0 },
};

const SlChoice sl_optimisers[]
  = { { "sgd", "Gradient descent" }, { "momentum", "Momentum 0.9" }, { "adam", "Adam" }, { 0 } };

enum { ROUNDS = 9, FEW_ROUNDS = 3, JUDGE_APART = 10 };

static const double slow_round = 0.02; /* seconds, from which there are few */

bool
sl_due (uint64_t t, double every)
{
  return t == 1 || t % (uint64_t) every == 0;
}

bool
sl_evaluation_due (bool *asked, uint64_t *last, uint64_t t, double every)
{
  if (!sl_due (t, every) && !(*asked && t - *last >= JUDGE_APART))
    return false;
  *asked = false;
  *last = t;
  return true;
}

SlProgress
sl_progress (uint64_t examples, size_t n, double multiplications)
{
  return (SlProgress) { (double) examples, (double) examples / (double) n, multiplications };
}

SlStatus
sl_not_frozen (void)
{
  return sl_status_new (SL_EINVAL, "objective", "no held batch", "hold (true) before");
}

SlStatus
sl_out_of_range (void)
{
  return sl_status_new (SL_EFORMAT, "checkpoint", "an index or a count out of range", NULL);
}

SlStatus
sl_diverged (double loss)
{
  return sl_status_new (SL_EDIVERGED, "training",
                        isnan (loss) ? "a loss that is not a number" : "an infinite loss",
                        "a finite number");
}

SlStatus
sl_probe_no_memory (void)
{
  return sl_status_new (SL_ENOMEM, "survey", NULL, NULL);
}

SlStatus
sl_probe_cancelled (void)
{
  return sl_status_new (SL_ECANCELLED, "survey", NULL, NULL);
}

static double
now_seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
sl_time_ratio (SlTimed reference, SlTimed timed, void *data, SlSink *sink)
{
  double   ratio[ROUNDS], begin, middle, end;
  unsigned repeats, rounds;

  begin = now_seconds ();
  reference (data);
  timed (data);
  end = now_seconds ();
  /* About a millisecond a round, so that the clock's grain does not show. */
  repeats = 1 + (unsigned) (1e-3 / (end - begin + 1e-9));
  rounds = end - begin > slow_round ? FEW_ROUNDS : ROUNDS;
  for (unsigned r = 0; r < rounds; r++)
    {
      if (sl_sink_hurry (sink))
        return NAN;
      begin = now_seconds ();
      for (unsigned i = 0; i < repeats; i++)
        reference (data);
      middle = now_seconds ();
      for (unsigned i = 0; i < repeats; i++)
        timed (data);
      end = now_seconds ();
      ratio[r] = (middle - begin) / (end - middle);
    }
  qsort (ratio, rounds, sizeof *ratio, compare_doubles);
  return ratio[rounds / 2];
}
