/* SPDX-License-Identifier: MIT
 *
 * Sweeps: as JSON, and their axes, seeds and shards as text.  The first byte chooses.  What can be
 * read is written and read again the same, and comes to as many runs as it says.  */
#include "tests/fuzz/error.h"

#include "core/labs/registry.h"
#include "core/run/sweep/sweep.h"

enum { EXPANDED_MOST = 2000 }; /* of more runs the list takes longer than it tells */

static void
check_round_trip (const SlSweep *sweep)
{
  g_autofree char *once = sl_sweep_write (sweep), *twice = NULL;
  g_autoptr (GError) error = NULL;
  SlSweep again;

  fuzz_require (sl_sweep_read (once, &again, &error));
  twice = sl_sweep_write (&again);
  fuzz_require (strcmp (once, twice) == 0);
  fuzz_require (sl_sweep_count (&again) == sl_sweep_count (sweep));
  sl_sweep_clear (&again);
}

static void
check_jobs (const SlSweep *sweep)
{
  g_autoptr (GArray) jobs = NULL;

  if (sl_sweep_count (sweep) > EXPANDED_MOST)
    return;
  jobs = sl_sweep_expand (sweep);
  fuzz_require (sweep->how == SL_SWEEP_GRID ? jobs->len == sl_sweep_count (sweep)
                                            : jobs->len <= sl_sweep_count (sweep));
}

static void
check_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  SlSweep sweep;

  if (!sl_sweep_read (text, &sweep, &error))
    {
      fuzz_check_error (error);
      return;
    }
  check_round_trip (&sweep);
  check_jobs (&sweep);
  sl_sweep_clear (&sweep);
}

static void
check_words (const SlLab *lab, const char *text, bool drawn)
{
  g_autoptr (GError) axis = NULL, seeds = NULL, shard = NULL, refused = NULL;
  SlSweep  sweep;
  unsigned one, all;

  sl_sweep_init (&sweep, lab);
  if (drawn)
    fuzz_require (sl_sweep_set_sample (&sweep, "latin", 5, 1, NULL));
  if (!sl_sweep_add_axis (&sweep, text, &axis))
    fuzz_check_error (axis);
  if (!sl_sweep_set_seeds (&sweep, text, &seeds))
    fuzz_check_error (seeds);
  if (!sl_sweep_read_shard (text, &one, &all, &shard))
    fuzz_check_error (shard);
  else
    fuzz_require (one >= 1 && one <= all);
  sweep.budget.steps = 10;
  if (!sl_sweep_check (&sweep, &refused))
    fuzz_check_error (refused);
  else
    {
      check_round_trip (&sweep);
      check_jobs (&sweep);
    }
  sl_sweep_clear (&sweep);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = NULL;
  unsigned         labs = 0;

  if (size == 0)
    return 0;
  text = g_strndup ((const char *) data + 1, size - 1);
  while (sl_labs[labs] != NULL)
    labs++;
  if (data[0] % 2 == 0)
    check_json (text);
  else
    check_words (sl_labs[data[0] / 4 % labs], text, data[0] / 2 % 2 == 1);
  return 0;
}
