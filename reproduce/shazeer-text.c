/* SPDX-License-Identifier: MIT
 *
 * Table 7 of Shazeer et al. 2017 on a text that fits a desktop: perplexity with more and more experts
 * at the same computation, against models of that computation that skip nothing.  */
#include <math.h>

#include "core/data/source/source.h"
#include "reproduce/reproduce.h"

enum { UPDATES = 2500, QUICK_UPDATES = 200 };
enum { PERPLEXITY, OPERATIONS, PARAMETERS, COLUMNS };
enum { LSTMS, WIDE, DEEP, FOUR, THIRTY_TWO, MANY, MANY_GROUPED, MOST_GROUPED, ROWS };

static const char *const rows[ROWS + 1]
  = { "4xLSTM",  "MoE-1-Wide", "MoE-1-Deep", "MoE-4", "MoE-32",
      "MoE-256", "MoE-256-h",  "MoE-1024-h", NULL };

/* Of all rows; experts of 128 units between layers of 64. */
static const char settings[]
  = "batch=32 length=20 units=64 hidden=128 matched=4 symbols=words vocabulary=2000 dropout=0.1 "
    "learning-rate=0.004 evaluate-every=1000000";

static const char *const words[ROWS] = {
  "layer=lstms",
  "layer=wide",
  "layer=deep",
  "experts=4 k=4",
  "experts=32 k=4",
  "experts=256 k=4",
  "experts=256 k=2 k-groups=2 groups=16",
  "experts=1024 k=2 k-groups=2 groups=16",
};

/* After ten epochs; operations and parameters in millions, without embedding and softmax. */
static const double published[ROWS][COLUMNS] = {
  { 46.0, 8.4, 8.4 },  { 46.1, 8.4, 8.4 },   { 45.7, 8.4, 8.4 },   { 45.0, 8.4, 8.4 },
  { 39.7, 8.4, 37.8 }, { 35.7, 8.6, 272.9 }, { 36.0, 8.4, 272.9 }, { 34.6, 8.5, 1079.0 },
};

static const SlTableColumn columns[COLUMNS] = {
  [PERPLEXITY] = { "perplexity", "", SL_SAME_SHAPE },
  [OPERATIONS] = { "operations for a word", "M", SL_SAME_SHAPE },
  [PARAMETERS] = { "parameters", "M", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  static const double thousand = 1e3;

  sl_reproduction_ours (r, row, PERPLEXITY, sl_reproduction_score (result, "perplexity"));
  sl_reproduction_ours (r, row, OPERATIONS,
                        sl_reproduction_score (result, "operations") / thousand);
  sl_reproduction_ours (r, row, PARAMETERS,
                        sl_reproduction_score (result, "parameters") / thousand);
}

static void
claim (SlReproduction *r)
{
  static const unsigned more[] = { THIRTY_TWO, MANY, MANY_GROUPED, MOST_GROUPED };
  static const double   clear = 2.0; /* standard errors */

  for (unsigned i = 0; i < G_N_ELEMENTS (more); i++)
    {
      double below = sl_reproduction_errors_below (r, more[i], WIDE, PERPLEXITY);

      sl_reproduction_claim (r, below > clear,
                             "%s is below MoE-1-Wide by %.1f standard errors of their difference",
                             rows[more[i]], below);
    }
  sl_reproduction_claim (
    r, sl_reproduction_mean (r, MANY, PERPLEXITY) < sl_reproduction_mean (r, FOUR, PERPLEXITY),
    "256 experts are better than 4: %.1f against %.1f (published 35.7, 45.0)",
    sl_reproduction_mean (r, MANY, PERPLEXITY), sl_reproduction_mean (r, FOUR, PERPLEXITY));
  sl_reproduction_claim (
    r,
    sl_reproduction_mean (r, MOST_GROUPED, PERPLEXITY)
      < sl_reproduction_mean (r, MANY_GROUPED, PERPLEXITY),
    "1024 experts are better than 256: %.1f against %.1f (published 34.6, 36.0)",
    sl_reproduction_mean (r, MOST_GROUPED, PERPLEXITY),
    sl_reproduction_mean (r, MANY_GROUPED, PERPLEXITY));
}

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "experts-text",
                       .data = r->data != NULL ? r->data : sl_source_default_for (SL_NEEDS_TEXT),
                       .settings = settings,
                       .rows = words,
                       .budget = { .steps = r->quick ? QUICK_UPDATES : UPDATES },
                       .read = read_run };
  SlExit      code;

  for (unsigned row = 0; row < ROWS; row++)
    for (unsigned c = 0; c < COLUMNS; c++)
      sl_reproduction_published (r, row, c, published[row][c], NAN);
  code = sl_reproduction_runs (r, &runs);
  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_shazeer_7 = {
  .id = "shazeer-7",
  .title = "what more experts are worth at the same computation",
  .source = "Shazeer et al. 2017, table 7",
  .time = "30 min",
  .quick_time = "150 s",
  .conditions = "Published: 1024 units an expert between layers of 512, a thousand million words in ten "
                "epochs. Here: 128 units between layers of 64, the 2000 most frequent words of the King "
                "James Bible (0.8 million words), 2500 updates of 640 words, two epochs; tested on its "
                "last part.",
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
