/* SPDX-License-Identifier: MIT */
#include "bench/verdict.h"

/* Of everything: what is timed beside it may be a little slower by chance. */
static const double MOST = 1.05;

const char *
sl_bench_verdict (SlBarKind kind, double value, double bar)
{
  /* Written so that not-a-number is short. */
  switch (kind)
    {
    case SL_BAR_LEAST: return value >= bar ? "ok" : "short";
    case SL_BAR_MOST: return value <= bar ? "ok" : "short";
    case SL_BAR_SHARE: return value > MOST ? "error" : value >= bar ? "ok" : "short";
    default: return "";
    }
}
