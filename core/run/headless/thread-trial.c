/* SPDX-License-Identifier: MIT */
#include "core/run/headless/thread-trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/busy.h"
#include "core/run/base/kernel.h"
#include "core/run/base/threads.h"
#include "core/run/headless/headless.h"
#include "core/run/record/data.h"

enum { GRACE = 3 /* seconds until a process that hangs ends */ };

/* A timing is of updates for so long; threads that gain less are left to others; and with more cores than
 * that in use by other programs, nothing is concluded.  */
static const double timing_seconds = 0.004, worth = 1.05, busy = 0.3;

/* ---- the process that times ---- */

/* Data smaller than the default of the labs. */
static const char *labelled = "digits:images=2000", *paired = "pictures:size=96";

/* A text is long, and labs read it all before they begin. */
enum { SYMBOLS = 200000 };

static void
shorten_text (SlDataset *dataset)
{
  for (unsigned split = 0; split < SL_N_SPLITS; split++)
    if (dataset->n[split] > SYMBOLS / 4)
      dataset->n[split] = split == SL_TRAIN ? MIN (dataset->n[split], SYMBOLS) : SYMBOLS / 4;
}

/* Opens what a lab is timed on: small data of the kind that it needs; NULL for a lab without any. */
static SlStatus
open_small (const SlLab *lab, SlDataset **dataset)
{
  SlStatus status;

  *dataset = NULL;
  if (lab->data == SL_NEEDS_NOTHING)
    return SL_SUCCESS;
  status = sl_open_data (lab->data == SL_NEEDS_LABELS     ? labelled
                         : lab->data == SL_NEEDS_PICTURES ? paired
                                                          : sl_source_default_for (lab->data),
                         dataset);
  if (sl_ok (&status) && lab->data == SL_NEEDS_TEXT)
    shorten_text (*dataset);
  return status;
}

/* Parameters that say how many updates pass between reports, and between evaluations. */
static const char *const reports[] = { "report-every", "evaluate-every" };

/* Sets reports as far apart as can be: what is timed are updates. */
static void
leave_reports (const SlLab *lab, SlSettings *settings)
{
  for (size_t i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      int param = sl_param_find (lab->params, lab->n_params, reports[i]);

      if (param >= 0)
        settings->value[param].v[0] = lab->params[param].hi;
    }
}

/* Seconds of an update on so many threads; not-a-number where it fails. */
static double
time_updates (SlHeadlessRun *run, unsigned threads)
{
  double   begin, now;
  unsigned n = 0;

  sl_blas_set_threads (threads);
  begin = now = sl_clock_wall ();
  for (; now - begin < timing_seconds; n++, now = sl_clock_wall ())
    {
      SlStatus status = sl_trainer_step (run->trainer, &run->sink.sink);

      if (!sl_ok (&status))
        return NAN;
    }
  return (now - begin) / n;
}

/* Prints what a lab takes, if there is time for it until `end` and its run lasts as long. */
static void
time_rounds (SlHeadlessRun *run, double end)
{
  SlThreadTimes times = { .lab = run->recipe.lab };
  unsigned      cores = sl_blas_cores ();
  double        slowest = timing_seconds, one;

  /* Not the first one, which finds nothing in the caches. */
  time_updates (run, cores);
  one = time_updates (run, 1);
  slowest += one;
  if (!(sl_clock_wall () + 2 * SL_THREAD_ROUNDS * slowest < end))
    return;
  for (unsigned round = 0; round < SL_THREAD_ROUNDS; round++)
    {
      times.one[round] = time_updates (run, 1);
      times.all[round] = time_updates (run, cores);
      if (!isfinite (times.one[round]) || !isfinite (times.all[round]))
        return;
    }
  printf ("%s", times.lab->id);
  for (unsigned round = 0; round < SL_THREAD_ROUNDS; round++)
    {
      char text[2][G_ASCII_DTOSTR_BUF_SIZE];

      printf (" %s %s", g_ascii_dtostr (text[0], sizeof text[0], times.one[round]),
              g_ascii_dtostr (text[1], sizeof text[1], times.all[round]));
    }
  putchar ('\n');
}

static void
time_lab (const SlLab *lab, const SlDataset *dataset, double end)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  sl_plan_init (&plan, lab);
  leave_reports (lab, &plan.settings);
  status = sl_headless_open (&run, &plan, dataset);
  if (sl_ok (&status))
    time_rounds (&run, end);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

static int
child (double seconds)
{
  double     begin = sl_clock_wall (), before = sl_busy_others (), end = begin + seconds;
  SlDataset *dataset[SL_N_NEEDS] = { NULL };

  alarm ((unsigned) seconds + GRACE);
  for (const SlLab *const *lab = sl_labs; *lab != NULL && sl_clock_wall () < end; lab++)
    {
      SlStatus status = SL_SUCCESS;

      if (dataset[(*lab)->data] == NULL)
        status = open_small (*lab, &dataset[(*lab)->data]);
      if (sl_ok (&status))
        time_lab (*lab, dataset[(*lab)->data], end);
    }
  for (unsigned i = 0; i < SL_N_NEEDS; i++)
    sl_dataset_free (dataset[i]);
  printf ("others %g\n", (sl_busy_others () - before) / (sl_clock_wall () - begin));
  return fflush (stdout) == 0 ? 0 : 1;
}

void
sl_thread_child (char **argv)
{
  if (argv[0] != NULL && argv[1] != NULL && strcmp (argv[1], SL_THREAD_CHILD) == 0)
    exit (argv[2] != NULL ? child (CLAMP (g_ascii_strtod (argv[2], NULL), 0, 60)) : 1);
}

/* ---- what it says ---- */

static gboolean
read_lab (SlThreadTrial *trial, char **words)
{
  SlThreadTimes *times = &trial->lab[trial->n];

  times->lab = sl_lab_find (words[0]);
  if (times->lab == NULL || g_strv_length (words) != 1 + 2 * SL_THREAD_ROUNDS
      || trial->n == SL_THREAD_LABS)
    return FALSE;
  for (unsigned round = 0; round < SL_THREAD_ROUNDS; round++)
    {
      times->one[round] = g_ascii_strtod (words[1 + 2 * round], NULL);
      times->all[round] = g_ascii_strtod (words[2 + 2 * round], NULL);
    }
  trial->n++;
  return TRUE;
}

gboolean
sl_thread_read (SlThreadTrial *trial, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean ended = FALSE;

  *trial = (SlThreadTrial) { .threads = sl_blas_cores (), .others = NAN };
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", -1);

      if (words[0] == NULL)
        continue;
      if (ended)
        return FALSE;
      ended = strcmp (words[0], "others") == 0 && words[1] != NULL;
      if (ended)
        trial->others = g_ascii_strtod (words[1], NULL);
      else if (!read_lab (trial, words))
        return FALSE;
    }
  return ended;
}

gboolean
sl_thread_trial_is_possible (void)
{
  return sl_blas_cores () > 1 && strcmp (sl_blas_threading (), "openmp") == 0;
}

gboolean
sl_thread_try (SlThreadTrial *trial, const char *kernel, double seconds, GError **error)
{
  g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "OPENBLAS_CORETYPE", kernel, TRUE);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", error), *out = NULL;
  char             limit[G_ASCII_DTOSTR_BUF_SIZE];
  char            *args[] = { self, (char *) SL_THREAD_CHILD, limit, NULL };
  int              status;

  if (self == NULL)
    return FALSE;
  if (!sl_thread_trial_is_possible ())
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "products have a single thread");
      return FALSE;
    }
  g_ascii_dtostr (limit, sizeof limit, seconds);
  if (!g_spawn_sync (NULL, args, env, SL_KERNEL_SPAWN, NULL, NULL, &out, NULL, &status, error)
      || !g_spawn_check_wait_status (status, error))
    return FALSE;
  if (sl_thread_read (trial, out))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "updates could not be timed");
  return FALSE;
}

gboolean
sl_thread_trial_is_quiet (const SlThreadTrial *trial)
{
  return !(trial->others > busy);
}

unsigned
sl_thread_verdict (const SlThreadTrial *trial, unsigned i)
{
  const SlThreadTimes *times = &trial->lab[i];
  unsigned             gains = 0, known = 0;

  for (unsigned round = 0; round < SL_THREAD_ROUNDS; round++)
    {
      known += times->one[round] > 0 && times->all[round] > 0;
      gains += times->one[round] > worth * times->all[round];
    }
  if (known < SL_THREAD_ROUNDS || (gains > 0 && gains < SL_THREAD_ROUNDS))
    return 0;
  return gains > 0 ? trial->threads : 1;
}

void
sl_thread_remember (const SlThreadTrial *trial, const char *kernel)
{
  SlThreadChoice choice[SL_THREAD_LABS];
  unsigned       n = 0;

  for (unsigned i = 0; sl_thread_trial_is_quiet (trial) && i < trial->n; i++)
    {
      choice[n] = (SlThreadChoice) { trial->lab[i].lab->id, sl_thread_verdict (trial, i) };
      n += choice[n].threads > 0;
    }
  sl_threads_remember (kernel, choice, n, sl_thread_trial_is_quiet (trial));
}
