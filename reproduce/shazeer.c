/* SPDX-License-Identifier: MIT
 *
 * Table 6 of Shazeer et al. 2017, on Fashion-MNIST: how evenly the experts are used under six pairs
 * of loss weights.  Once with few experts and small batches, where the floor of chance hides what the
 * better rows differ by, and once with more experts and batches of 1024.  */
#include <math.h>
#include <string.h>

#include "core/nn/moe/balance.h"
#include "reproduce/reproduce.h"

enum { QUALITY, IMPORTANCE, LOAD, PEAK, COUNTED, COLUMNS };
enum { NONE, IMPORTANCE_ALONE, LOAD_ALONE, TENTH, HUNDREDTH, ONE, ROWS };

/* The sizes of a version of the table. */
typedef struct
{
  unsigned experts, k, batch, updates, quick_updates;
} Sizes;

static const Sizes small = { 16, 2, 200, 5000, 1000 }, large = { 64, 4, 1024, 2000, 150 };

static const char *const rows[ROWS + 1]
  = { "0 / 0", "0.2 / 0", "0 / 0.2", "0.1 / 0.1", "0.01 / 0.01", "1 / 1", NULL };

static const char *const words[ROWS] = {
  "w-importance=0 w-load=0",     "w-importance=0.2 w-load=0",     "w-importance=0 w-load=0.2",
  "w-importance=0.1 w-load=0.1", "w-importance=0.01 w-load=0.01", "w-importance=1 w-load=1",
};

static const double published[ROWS][COUNTED] = {
  { 39.8, 3.04, 3.01, 17.80 }, { 35.6, 0.06, 0.17, 1.47 }, { 35.7, 0.22, 0.04, 1.15 },
  { 35.6, 0.06, 0.05, 1.14 },  { 35.7, 0.48, 0.11, 1.37 }, { 35.7, 0.03, 0.02, 1.07 },
};

static const SlTableColumn columns[COLUMNS] = {
  [QUALITY] = { "quality", "perplexity there, % wrong here", SL_BEYOND },
  [IMPORTANCE] = { "CV(importance)", "", SL_SAME_SHAPE },
  [LOAD] = { "CV(load)", "", SL_SAME_SHAPE },
  [PEAK] = { "largest ÷ mean load", "", SL_SAME_SHAPE },
  [COUNTED] = { "CV(counted load)", "", SL_SAME_SHAPE },
};

static double
last_of (const SlSweepResult *result, const char *channel)
{
  const SlSeries *series = &result->record.series[sl_layout_find (&result->record.layout, channel)];

  return series->n > 0 ? series->value[series->n - 1] : NAN;
}

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  static const char *const channels[COLUMNS] = { [IMPORTANCE] = "cv.importance",
                                                 [LOAD] = "cv.load",
                                                 [PEAK] = "violation.smooth",
                                                 [COUNTED] = "cv.hard" };

  sl_reproduction_ours (r, row, QUALITY, result->outcome.error);
  for (unsigned c = IMPORTANCE; c < COLUMNS; c++)
    /* The table has largest ÷ mean, the channel what is above 1. */
    sl_reproduction_ours (r, row, c, last_of (result, channels[c]) + (c == PEAK ? 1.0 : 0.0));
}

/* The least advantage of the other rows over that without losses, over the three columns. */
static double
none_is_worst (const SlReproduction *r)
{
  double least = HUGE_VAL;

  for (unsigned c = IMPORTANCE; c <= PEAK; c++)
    for (unsigned row = 0; row < ROWS; row++)
      if (row != NONE)
        least = fmin (least, sl_reproduction_mean (r, NONE, c) / sl_reproduction_mean (r, row, c));
  return least;
}

/* Of the pairs of rows that the table tells apart in a column, how many are in that order here. */
static unsigned
pairs_in_order (const SlReproduction *r, unsigned column, unsigned *pairs)
{
  unsigned kept = 0;

  *pairs = 0;
  for (unsigned a = 0; a < ROWS; a++)
    for (unsigned b = 0; b < ROWS; b++)
      if (published[a][column] > published[b][column])
        {
          (*pairs)++;
          kept += sl_reproduction_mean (r, a, column) > sl_reproduction_mean (r, b, column);
        }
  return kept;
}

static void
claim (SlReproduction *r, const Sizes *sizes)
{
  static const unsigned by_chance = 3; /* pairs at the floor that need not be in order */
  double                worst = none_is_worst (r);
  double                alone
    = sl_reproduction_mean (r, IMPORTANCE_ALONE, LOAD) / sl_reproduction_mean (r, TENTH, LOAD);
  double other = sl_reproduction_mean (r, LOAD_ALONE, IMPORTANCE)
                 / sl_reproduction_mean (r, TENTH, IMPORTANCE);
  double inside
    = sl_reproduction_mean (r, LOAD_ALONE, IMPORTANCE) / sl_reproduction_mean (r, LOAD_ALONE, LOAD);
  double chance = sl_balance_floor (sizes->experts, sizes->k, sizes->batch);
  double floor = sl_reproduction_mean (r, ONE, COUNTED) / chance;

  sl_reproduction_claim (r, worst >= 1.5,
                         "without a loss the load collapses: %.2g times the next "
                         "row or more in every column",
                         worst);
  sl_reproduction_claim (r, alone >= 1.5,
                         "importance alone leaves the load uneven: CV(load) %.2g "
                         "times that of 0.1 / 0.1 (published 3.4)",
                         alone);
  sl_reproduction_claim (r, other >= 1.2,
                         "load alone leaves the importance uneven: "
                         "CV(importance) %.2g times that of 0.1 / 0.1 (published "
                         "3.7)",
                         other);
  sl_reproduction_claim (r, inside >= 1.2,
                         "with load alone, CV(importance) is %.2g times CV(load) "
                         "(published 5.5)",
                         inside);
  sl_reproduction_claim (r, floor <= 1.2,
                         "1 / 1 stands on the floor of chance: %.2g times the "
                         "%.3f of a batch of %u",
                         floor, chance, sizes->batch);
  for (unsigned c = IMPORTANCE; c <= LOAD; c++)
    {
      unsigned pairs, kept = pairs_in_order (r, c, &pairs);

      sl_reproduction_claim (r, kept + by_chance >= pairs,
                             "%s: %u of %u pairs of rows in published order", columns[c].name, kept,
                             pairs);
    }
}

static SlExit
run (SlReproduction *r, const Sizes *sizes)
{
  /* A report is about the updates since the one before. */
  g_autofree char *settings
    = g_strdup_printf ("experts=%u k=%u hidden=32 batch=%u gate=noisy groups=1 embedding=0 "
                       "report-every=50 evaluate-every=1000000",
                       sizes->experts, sizes->k, sizes->batch);
  SlTableRuns runs = { .lab = "experts",
                       .data = r->data != NULL ? r->data : "fashion-mnist",
                       .settings = settings,
                       .rows = words,
                       .budget = { .steps = r->quick ? sizes->quick_updates : sizes->updates },
                       .read = read_run };
  SlExit      code;

  for (unsigned row = 0; row < ROWS; row++)
    for (unsigned c = 0; c < COUNTED; c++)
      sl_reproduction_published (r, row, c, published[row][c], NAN);
  code = sl_reproduction_runs (r, &runs);
  if (code == SL_EXIT_FINE)
    claim (r, sizes);
  return code;
}

static SlExit
run_small (SlReproduction *r)
{
  return run (r, &small);
}

static SlExit
run_large (SlReproduction *r)
{
  SlExit code = run (r, &large);
  double apart;

  if (code != SL_EXIT_FINE)
    return code;
  /* What the small version cannot tell. */
  apart = sl_reproduction_mean (r, TENTH, IMPORTANCE) / sl_reproduction_mean (r, ONE, IMPORTANCE);
  sl_reproduction_claim (r, apart > 1,
                         "0.1 / 0.1 and 1 / 1 can be told apart: CV(importance) is %.2f times that "
                         "of 1 / 1 (published 2.0)",
                         apart);
  apart = sl_reproduction_mean (r, NONE, QUALITY) - sl_reproduction_mean (r, TENTH, QUALITY);
  sl_reproduction_claim (
    r, apart > 0,
    "without a loss the error is %.2f points above that of 0.1 / 0.1 (published: "
    "perplexity 4.2)",
    apart);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_shazeer_6 = {
  .id = "shazeer-6",
  .title = "how evenly experts are used under two balance losses",
  .source = "Shazeer et al. 2017, table 6",
  .time = "6 min",
  .quick_time = "1 min",
  .conditions = "Published: a language model with 256 experts and batches of 300 000 words. Here: "
                "Fashion-MNIST, 16 experts of 32 units, 2 of them for each example, batch 200, "
                "5000 updates; balance over the last 50.",
  .usual_seeds = 5,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run_small,
};

const SlPaperTable sl_table_shazeer_6_large = {
  .id = "shazeer-6-64",
  .title = "the same with 64 experts and batches of 1024",
  .source = "Shazeer et al. 2017, table 6",
  .time = "20 min",
  .quick_time = "90 s",
  .conditions = "Published: a language model with 256 experts and batches of 300 000 words. Here: "
                "Fashion-MNIST, 64 experts of 32 units, 4 of them for each example, batch 1024, "
                "2000 updates; balance over the last 50. Quality is measured, on images.",
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run_large,
};
/* clang-format on */
