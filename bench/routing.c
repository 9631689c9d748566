/* SPDX-License-Identifier: MIT
 *
 * Recorded routing: caches of all sizes in one pass, and plans for experts on devices.  */
#include <math.h>

#include "bench/bench.h"
#include "core/base/rng.h"
#include "core/nn/routing/cache.h"
#include "core/nn/routing/placement.h"

enum { EXPERTS = 256, SLOTS = 8, TOKENS = 40000, PLANS = 200, ROUNDS = 5 };

/* Tokens that draw different experts, some of them more often. */
static void
draw_routes (SlRng *rng, uint16_t *ids)
{
  for (size_t t = 0; t < TOKENS; t++)
    for (unsigned s = 0; s < SLOTS; s++)
      {
        uint16_t *row = ids + t * SLOTS;
        bool      taken = true;

        while (taken)
          {
            double u = sl_rng_uniform (rng);

            row[s] = (uint16_t) (EXPERTS * u * sqrt (u));
            taken = false;
            for (unsigned i = 0; i < s; i++)
              taken = taken || row[i] == row[s];
          }
      }
}

/* The shortest of a few times, in seconds of the processor: other work does not count. */
static double
time_stack (const SlRoutes *r, uint64_t *hits)
{
  double shortest = HUGE_VAL;

  for (unsigned i = 0; i < ROUNDS; i++)
    {
      double begin = sl_bench_process_seconds ();

      sl_routes_lru (r, hits);
      shortest = MIN (shortest, sl_bench_process_seconds () - begin);
    }
  return shortest;
}

static double
time_plan (const uint64_t *load)
{
  SlPlacementSetting setting = { .devices = 32, .extra = 32, .nodes = 1, .groups = 1 };
  SlPlacement       *placement = g_new (SlPlacement, 1);
  double             shortest = HUGE_VAL;

  for (unsigned i = 0; i < PLANS; i++)
    {
      double begin = sl_bench_process_seconds ();

      sl_placement_make (SL_PLACE_REPLICATED, &setting, EXPERTS, load, placement);
      shortest = MIN (shortest, sl_bench_process_seconds () - begin);
    }
  g_free (placement);
  return shortest;
}

static SlExit
bench_routing (SlBench *bench)
{
  uint16_t *ids = g_new (uint16_t, TOKENS * SLOTS);
  SlRoutes  r = { .n = EXPERTS, .k = SLOTS, .bytes = 2, .tokens = TOKENS, .ids = ids };
  uint64_t  hits[EXPERTS], load[EXPERTS];
  SlRng     rng;

  sl_rng_init (&rng, 1, "routes");
  draw_routes (&rng, ids);
  sl_routes_load (&r, load);
  sl_bench_result (bench, "routing.lru", 1e-6 * TOKENS * SLOTS / time_stack (&r, hits),
                   "million look-ups/s", SL_BAR_LEAST, 20.0, "caches of all sizes, 256 experts");
  sl_bench_result (bench, "routing.plan", 1e3 * time_plan (load), "ms", SL_BAR_MOST, 1.0,
                   "256 experts, 32 spare places, 32 devices");
  g_free (ids);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_routing
  = { "routing", "caches and plans for recorded routing", false, bench_routing };
