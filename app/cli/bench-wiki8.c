/* SPDX-License-Identifier: MIT
 *
 * The gated recurrence on 30 million letters of Wikipedia (wiki8: made by the rules of text8,
 * but not text8), once through for each s: whether evaluation has as many gates on as training,
 * and whether the bits per letter are in the published order (Davis 2016, §4.5: best at 0, worst
 * at -0.75).  */
#include <math.h>

#include "app/cli/bench-run.h"
#include "app/cli/bench.h"
#include "app/cli/clock.h"

static const double offsets[] = { 0, -0.25, -0.5, -0.75 };

enum { N = G_N_ELEMENTS (offsets) };

typedef struct
{
  double train, valid; /* % of the gates on in training, and on the validation part */
  double bits;               /* per letter of the validation part */
  double minutes;
} Row;

/* The text; free with g_free(). */
static char *
text_of (const SlBench *bench)
{
  const char *shared = g_getenv ("SLUICE_SHARED_DATA");

  if (bench->data != NULL)
    return g_strdup_printf ("%s:valid=0.04,test=0.01,text=letters", bench->data);
  return shared != NULL ? g_strdup_printf ("%s/text/wiki8-train-30M.gz:valid=0.04,test=0.01,"
                                           "text=letters",
                                           shared)
                        : NULL;
}

/* Mean of the last tenth of the curve of the gates that were on in training. */
static double
train_density (const SlRun *run)
{
  int      channel = sl_layout_find (&run->record.layout, "density.train.1");
  const SlSeries *series = &run->record.series[channel];
  double   mean = NAN;

  sl_series_mean (series, series->n - series->n / 10 - 1, series->n, &mean);
  return mean;
}

static SlExit
measure_row (SlBench *bench, const char *text, double offset, Row *row)
{
  char     s[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *settings
    = g_strdup_printf ("units=256 gates=16 gating=blocks layers=1 batch=64 length=50 "
                       "evaluate-every=1000000 s=%s",
                       g_ascii_dtostr (s, sizeof s, offset));
  double   began = sl_clock_wall ();
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
  SlRun    run;
  SlStatus status;
  SlExit   code = sl_bench_open (&run, "gated-recurrence", text, settings, 0);

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_train_to (bench, &run, "wiki8", 1);
  if (code == SL_EXIT_FINE)
    {
      row->minutes = (sl_clock_wall () - began) / 60;
      row->train = train_density (&run);
      status = sl_trainer_score (run.trainer, SL_VALID, scores, &n);
      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
      row->bits = scores[0].value; /* the lab's first two scores are bits and gates on */
      row->valid = scores[1].value;
    }
  sl_run_clear (&run);
  return code;
}

static void
report_row (SlBench *bench, double offset, const Row *row)
{
  g_autofree char *apart = g_strdup_printf ("wiki8.s%g.apart", offset);
  g_autofree char *bits = g_strdup_printf ("wiki8.s%g.bits", offset);
  g_autofree char *note = g_strdup_printf ("gates on: %.1f %% in training, %.1f %% in evaluation",
                                           row->train, row->valid);
  g_autofree char *time
    = g_strdup_printf ("validation, after 30 M letters in %.1f min", row->minutes);

  sl_bench_figure (bench, apart, fabs (row->train - row->valid) / 100, "", SL_BAR_MOST, 0.05, note);
  sl_bench_figure (bench, bits, row->bits, "bits", SL_BAR_NONE, 0, time);
}

static SlExit
bench_wiki8 (SlBench *bench)
{
  g_autofree char *text = text_of (bench);
  Row    rows[N];
  double best = HUGE_VAL, worst = -HUGE_VAL;
  SlExit code = SL_EXIT_FINE;

  if (text == NULL)
    {
      sl_cli_say ("wiki8: where is its text? give --data FILE");
      return SL_EXIT_FAILED;
    }
  for (size_t i = 0; i < N && code == SL_EXIT_FINE; i++)
    {
      code = measure_row (bench, text, offsets[i], &rows[i]);
      if (code == SL_EXIT_FINE)
        report_row (bench, offsets[i], &rows[i]);
    }
  if (code != SL_EXIT_FINE)
    return code;
  for (size_t i = 1; i < N; i++)
    {
      best = fmin (best, rows[i].bits);
      worst = i + 1 < N ? fmax (worst, rows[i].bits) : fmax (worst, rows[0].bits);
    }
  sl_bench_figure (bench, "wiki8.best", best - rows[0].bits, "bits", SL_BAR_LEAST, 0,
                   "by which s = 0 is ahead of the next");
  sl_bench_figure (bench, "wiki8.worst", rows[N - 1].bits - worst, "bits", SL_BAR_LEAST, 0,
                   "by which s = -0.75 is behind the next");
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_wiki8
  = { "wiki8", "gated recurrence on 30 M letters: gates on, bits per letter", true, bench_wiki8 };
