/* SPDX-License-Identifier: MIT
 *
 * The balance columns of table 6 of Shazeer et al. 2017, on Fashion-MNIST: how evenly the experts
 * are used under six pairs of loss weights, five seeds each.  The quality column of the table does
 * not carry over to a net of this size and is shown without a bar.  */
#include <math.h>

#include "app/cli/bench-run.h"
#include "app/cli/bench.h"
#include "app/cli/clock.h"
#include "core/data/source.h"
#include "core/nn/balance.h"
#include "core/nn/mat.h"

enum { EXPERTS = 16, CHOSEN = 2, BATCH = 200, SEEDS = 5, UPDATES = 5000 };

/* A report is about the updates since the one before. */
enum { LAST = 50 };
static const char lab_id[] = "experts";
static const char settings[] = "experts=16 k=2 hidden=32 batch=200 gate=noisy groups=1 embedding=0 "
                               "report-every=50 evaluate-every=1000000";

/* What is measured of a run; all but the error are means over the last batches. */
enum { ERROR, IMPORTANCE, LOAD, PEAK, COUNTED, FIGURES };

static const struct
{
  const char *id, *unit, *channel;
} figures[FIGURES] = {
  [ERROR] = { "error", "% test", NULL },
  [IMPORTANCE] = { "cv-importance", "", "cv.importance" },
  [LOAD] = { "cv-load", "", "cv.load" },
  [PEAK] = { "max-load", "x mean", "peak.load" },
  [COUNTED] = { "cv-counted", "", "cv.hard" },
};

enum { NONE, IMPORTANCE_ALONE, LOAD_ALONE, TENTH, HUNDREDTH, ONE, ROWS };

static const struct
{
  const char *name, *words;
  double published[PEAK + 1]; /* perplexity, CV of importance, CV of load, max ÷ mean load */
} rows[ROWS] = {
  [NONE] = { "0-0", "w-importance=0 w-load=0", { 39.8, 3.04, 3.01, 17.80 } },
  [IMPORTANCE_ALONE] = { "0.2-0", "w-importance=0.2 w-load=0", { 35.6, 0.06, 0.17, 1.47 } },
  [LOAD_ALONE] = { "0-0.2", "w-importance=0 w-load=0.2", { 35.7, 0.22, 0.04, 1.15 } },
  [TENTH] = { "0.1-0.1", "w-importance=0.1 w-load=0.1", { 35.6, 0.06, 0.05, 1.14 } },
  [HUNDREDTH] = { "0.01-0.01", "w-importance=0.01 w-load=0.01", { 35.7, 0.48, 0.11, 1.37 } },
  [ONE] = { "1-1", "w-importance=1 w-load=1", { 35.7, 0.03, 0.02, 1.07 } },
};

/* All runs; threads take the next one until none is left. */
typedef struct
{
  const SlDataset *dataset;
  SlBench *bench;
  GMutex   lock; /* of what follows */
  unsigned next, done;
  SlExit   code;
  double   value[ROWS][SEEDS][FIGURES];
} Table;

/* Keeps the last value of every channel. */
typedef struct
{
  SlSink sink; /* first */
  double value[SL_CHANNELS_MAX];
} Last;

static void
take (SlSink *sink, const SlSample *sample)
{
  ((Last *) sink)->value[sample->channel] = sample->value;
}

static SlExit
settings_of (size_t row, SlPlan *plan)
{
  g_autofree char *words = g_strconcat (settings, " ", rows[row].words, NULL);
  g_auto (GStrv) word = g_strsplit (words, " ", -1);
  SlExit code = SL_EXIT_FINE;

  for (char **w = word; *w != NULL && code == SL_EXIT_FINE; w++)
    code = sl_plan_set (plan, *w);
  return code;
}

/* Trains and evaluates one run on the calling thread. */
static SlExit
measure_run (const SlDataset *dataset, size_t row, unsigned seed, double *value)
{
  const SlLab *lab = sl_lab_find (lab_id);
  Last       last = { .sink = { .take = take } };
  SlTrainer *trainer = NULL;
  SlScore    scores[SL_SCORES_MAX];
  unsigned   n;
  SlStatus   status;
  SlPlan     plan;
  SlExit     code;

  sl_plan_init (&plan, lab);
  code = settings_of (row, &plan);
  if (code != SL_EXIT_FINE)
    {
      sl_plan_clear (&plan);
      return code;
    }
  status = sl_trainer_new (&trainer, lab, &plan.settings, dataset, seed);
  for (int i = 0; i < UPDATES && sl_ok (&status); i++)
    status = sl_trainer_step (trainer, &last.sink);
  if (sl_ok (&status))
    status = sl_trainer_score (trainer, SL_TEST, scores, &n);
  if (sl_ok (&status))
    {
      value[ERROR] = scores[0].value; /* the lab's first score is its error */
      for (unsigned f = IMPORTANCE; f < FIGURES; f++)
        value[f] = last.value[sl_layout_find (sl_trainer_layout (trainer), figures[f].channel)];
    }
  sl_trainer_free (trainer);
  sl_plan_clear (&plan);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* Nets this small gain little from a second thread; a second run at a time gains all of it. */
static gpointer
work (gpointer data)
{
  Table *table = data;

  sl_blas_set_threads (1);
  g_mutex_lock (&table->lock);
  while (table->code == SL_EXIT_FINE && table->next < ROWS * SEEDS)
    {
      unsigned row = table->next / SEEDS, seed = table->next % SEEDS;
      SlExit   code;

      table->next++;
      g_mutex_unlock (&table->lock);
      code = measure_run (table->dataset, row, seed + 1, table->value[row][seed]);
      g_mutex_lock (&table->lock);
      if (table->code == SL_EXIT_FINE)
        table->code = code;
      table->done++;
      if (table->done % SEEDS == 0)
        sl_bench_note (table->bench, "balance: %u of %d runs", table->done, ROWS * SEEDS);
    }
  g_mutex_unlock (&table->lock);
  return NULL;
}

static double
mean_of (const Table *table, size_t row, unsigned figure)
{
  double sum = 0;

  for (int seed = 0; seed < SEEDS; seed++)
    sum += table->value[row][seed][figure];
  return sum / SEEDS;
}

static double
spread_of (const Table *table, size_t row, unsigned figure)
{
  double mean = mean_of (table, row, figure), sum = 0;

  for (int seed = 0; seed < SEEDS; seed++)
    sum += (table->value[row][seed][figure] - mean) * (table->value[row][seed][figure] - mean);
  return sqrt (sum / (SEEDS - 1));
}

static void
report_row (SlBench *bench, const Table *table, size_t row)
{
  for (unsigned f = 0; f < FIGURES; f++)
    {
      g_autofree char *name = g_strdup_printf ("balance.%s.%s", rows[row].name, figures[f].id);
      g_autofree char *published = f == ERROR
                                     ? g_strdup_printf ("; published %.1f perplexity",
                                                        rows[row].published[f])
                                   : f < COUNTED
                                     ? g_strdup_printf ("; published %.2f", rows[row].published[f])
                                     : g_strdup ("");
      g_autofree char *note
        = g_strdup_printf ("+- %.3g over %d seeds%s", spread_of (table, row, f), SEEDS, published);

      sl_bench_figure (bench, name, mean_of (table, row, f), figures[f].unit, SL_BAR_NONE, 0, note);
    }
}

/* The least advantage of the other rows over that without losses, over the three columns. */
static double
none_is_worst (const Table *table)
{
  double least = HUGE_VAL;

  for (unsigned f = IMPORTANCE; f <= PEAK; f++)
    for (size_t row = 0; row < ROWS; row++)
      if (row != NONE)
        least = fmin (least, mean_of (table, NONE, f) / mean_of (table, row, f));
  return least;
}

/* Of the pairs of rows that the table tells apart in a column, how many are in that order here. */
static double
pairs_in_order (const Table *table, unsigned figure, unsigned *pairs)
{
  unsigned kept = 0;

  *pairs = 0;
  for (size_t a = 0; a < ROWS; a++)
    for (size_t b = 0; b < ROWS; b++)
      if (rows[a].published[figure] > rows[b].published[figure])
        {
          (*pairs)++;
          kept += mean_of (table, a, figure) > mean_of (table, b, figure);
        }
  return kept;
}

/* What table 6 says of the balance, as ratios. */
static void
report_order (SlBench *bench, const Table *table)
{
  static const double by_chance = 3; /* pairs that need not be in order */
  double floor = sl_balance_floor (EXPERTS, CHOSEN, BATCH);

  sl_bench_figure (bench, "balance.none-is-worst", none_is_worst (table), "x", SL_BAR_LEAST, 1.5,
                   "no loss / the worst other row, in the closest of the three columns");
  sl_bench_figure (bench, "balance.importance-alone",
                   mean_of (table, IMPORTANCE_ALONE, LOAD) / mean_of (table, TENTH, LOAD), "x",
                   SL_BAR_LEAST, 1.5, "CV(load) of 0.2/0 over that of 0.1/0.1; published 3.4");
  sl_bench_figure (bench, "balance.load-alone",
                   mean_of (table, LOAD_ALONE, IMPORTANCE) / mean_of (table, TENTH, IMPORTANCE),
                   "x", SL_BAR_LEAST, 1.2,
                   "CV(importance) of 0/0.2 over that of 0.1/0.1; published 3.7");
  sl_bench_figure (bench, "balance.load-alone-inside",
                   mean_of (table, LOAD_ALONE, IMPORTANCE) / mean_of (table, LOAD_ALONE, LOAD), "x",
                   SL_BAR_LEAST, 1.2, "its CV(importance) over its CV(load); published 5.5");
  sl_bench_figure (bench, "balance.at-the-floor", mean_of (table, ONE, COUNTED) / floor, "x",
                   SL_BAR_MOST, 1.2, "CV of counted load of 1/1 over that of chance alone, 0.187");
  for (unsigned f = IMPORTANCE; f <= LOAD; f++)
    {
      unsigned pairs;
      double   kept = pairs_in_order (table, f, &pairs);
      g_autofree char *name = g_strdup_printf ("balance.order.%s", figures[f].id);
      g_autofree char *unit = g_strdup_printf ("of %u", pairs);

      sl_bench_figure (bench, name, kept, unit, SL_BAR_LEAST, pairs - by_chance,
                       "pairs of rows in published order; some at the floor are decided by chance");
    }
}

static SlExit
bench_balance (SlBench *bench)
{
  unsigned   n = MIN (sl_blas_cores (), 8);
  double     began = sl_clock_wall ();
  SlDataset *dataset;
  GThread   *thread[8];
  const char *data = bench->data != NULL ? bench->data : "fashion-mnist";
  SlStatus   status = sl_source_open (data, &dataset);
  Table     *table;
  SlExit     code;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  table = g_new0 (Table, 1);
  table->dataset = dataset;
  table->bench = bench;
  g_mutex_init (&table->lock);
  for (unsigned i = 0; i < n; i++)
    thread[i] = g_thread_new ("balance", work, table);
  for (unsigned i = 0; i < n; i++)
    g_thread_join (thread[i]);
  code = table->code;
  if (code == SL_EXIT_FINE)
    {
      for (size_t row = 0; row < ROWS; row++)
        report_row (bench, table, row);
      report_order (bench, table);
      sl_bench_note (bench, "%d updates each, balance over the last %d of them; %.1f min", UPDATES,
                     LAST, (sl_clock_wall () - began) / 60);
    }
  g_mutex_clear (&table->lock);
  g_free (table);
  sl_dataset_free (dataset);
  return code;
}

const SlBenchGroup sl_bench_balance
  = { "balance", "use of the experts as in table 6 of Shazeer et al. 2017", true, bench_balance };
