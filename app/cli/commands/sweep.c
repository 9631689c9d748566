/* SPDX-License-Identifier: MIT
 *
 * sluice-cli sweep: a lab under many settings and seeds, kept in a store, as a table of what
 * each setting costs and how wrong it is.  */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/commands/sweep-typed.h"
#include "app/cli/duration.h"
#include "app/cli/plot/store.h"
#include "app/cli/show/describe.h"
#include "app/cli/show/print-jobs.h"
#include "app/cli/show/trade.h"
#include "app/cli/stop.h"
#include "app/cli/storing.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/load.h"
#include "core/run/record/recipe-json.h"
#include "core/run/sweep/estimate.h"
#include "core/run/sweep/run.h"
#include "core/run/sweep/store.h"

static const char *const examples = N_ (
  "--axis may be given up to four times: values with commas between them, or lo:hi:n for\n"
  "n values at equal distances, lo:hi:nlog at equal ratios.  Every combination runs with every\n"
  "seed, and on each --data that is given, with one thread.\n"
  "\n"
  "With --sample up to eight axes are drawn from: lo:hi, lo:hi:log, ID alone for all it can\n"
  "be, or values.\n"
  "\n"
  "--store keeps every run with all it measured.  The same command makes only what the store\n"
  "does not have yet.  --shard 2/3 makes the second of three parts; \"sluice-cli runs\" puts\n"
  "their stores together.  --print-jobs writes a Slurm array job or a line for GNU parallel.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli sweep --axis rank=5,10,25,50 --seeds 1-3 --epochs 2 --store runs.sluice\n"
  "  sluice-cli sweep experts --sample 30 --how latin --axis k=1:8 --axis learning-rate --steps "
  "500\n"
  "\n"
  "Ctrl+C keeps what is done.  Exit codes: 0 done, 1 error in a file or the data or not all is\n"
  "stored, 2 wrong usage, 130 stopped.\n");

/* What the handlers of a sweep at work need. */
typedef struct
{
  GMainLoop *loop;
  SlStore   *store; /* NULL: none */
  SlStoring  storing;
  GPtrArray *rows; /* of SlStoreRun */
  char       title[SL_SWEEP_ID];
  bool       quiet, terminal, stopped;
  gint64     shown;
} Work;

/* ---- reading ---- */

static SlExit
read_file (const char *path, SlSweep *sweep)
{
  GError          *error = NULL;
  gsize            length;
  g_autofree char *json = sl_load (path, SL_RECIPE_BYTES, &length, &error);

  if (json == NULL || !sl_sweep_read (json, sweep, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static SlExit
usage_error (GError *error)
{
  sl_cli_fail_error (error);
  return SL_EXIT_USAGE;
}

/* Finds what the lab suggests; *hint is NULL when the user asked for no suggestion. */
static SlExit
find_hint (const SlSweepTyped *typed, const SlLab *lab, const SlSweepHint **hint)
{
  g_autoptr (GString) known = g_string_new (NULL);

  *hint = typed->suggested != NULL ? sl_sweep_hint (lab, typed->suggested) : NULL;
  if (typed->suggested == NULL || *hint != NULL)
    return SL_EXIT_FINE;
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", lab->sweeps[i].id);
  if (known->len > 0)
    sl_cli_report ("%s suggests %s, not \"%s\"", lab->id, known->str, typed->suggested);
  else
    sl_cli_report ("%s suggests no sweep", lab->id);
  return SL_EXIT_USAGE;
}

/* Base settings, data and budget as a single run has them; what is typed goes before what is
 * suggested.  */
static SlExit
read_plan (const SlSweepTyped *typed, const SlLab *lab, const SlSweepHint *hint, SlSweep *sweep)
{
  bool limited = typed->plan.steps > 0 || typed->plan.epochs > 0.0 || typed->plan.seconds > 0.0
                 || typed->plan.patience > 0.0;
  GError *error = NULL;
  SlPlan  plan;
  SlExit  code = SL_EXIT_FINE;

  sl_sweep_init (sweep, lab);
  if (hint != NULL && !sl_sweep_suggest (sweep, hint, &error))
    code = usage_error (error);
  sl_plan_init (&plan, lab);
  plan.settings = sweep->settings;
  if (code == SL_EXIT_FINE)
    code = sl_plan_options_read (&typed->plan, &plan);
  sweep->settings = plan.settings;
  if (hint == NULL || limited)
    sweep->budget = plan.budget;
  g_free (sweep->data);
  sweep->data = g_steal_pointer (&plan.data);
  for (guint i = 1; code == SL_EXIT_FINE && typed->plan.data != NULL && typed->plan.data[i] != NULL;
       i++)
    if (!sl_sweep_add_data (sweep, typed->plan.data[i], &error))
      code = usage_error (error);
  sl_plan_clear (&plan);
  return code;
}

static SlExit
read_sweep (const SlSweepTyped *typed, const SlLab *lab, SlSweep *sweep)
{
  const SlSweepHint *hint;
  GError            *error = NULL;
  SlExit             code = find_hint (typed, lab, &hint);

  if (code != SL_EXIT_FINE)
    return code;
  code = read_plan (typed, lab, hint, sweep);
  if (code == SL_EXIT_FINE && (typed->sample != 0 || typed->how != NULL)
      && !sl_sweep_set_sample (sweep, typed->how != NULL ? typed->how : "random",
                               (unsigned) MAX (typed->sample, 0), sl_sweep_typed_draw (typed),
                               &error))
    code = usage_error (error);
  for (char **axis = typed->axes; axis != NULL && *axis != NULL && code == SL_EXIT_FINE; axis++)
    if (!sl_sweep_add_axis (sweep, *axis, &error))
      code = usage_error (error);
  if (code == SL_EXIT_FINE && typed->seeds != NULL
      && !sl_sweep_set_seeds (sweep, typed->seeds, &error))
    code = usage_error (error);
  sweep->note = typed->prune != 0 ? sl_sweep_unpruned : NULL;
  if (code == SL_EXIT_FINE
      && (!sl_sweep_check (sweep, &error) || !sl_sweep_check_reach (sweep, &error)))
    code = usage_error (error);
  if (code != SL_EXIT_FINE)
    sl_sweep_clear (sweep);
  return code;
}

/* ---- work ---- */

static void
show (Work *work, SlSweepRun *run)
{
  SlSweepProgress  progress;
  gint64           now = g_get_monotonic_time ();
  g_autofree char *left = NULL;

  if (work->quiet || (!work->terminal && now - work->shown < 5 * G_USEC_PER_SEC))
    return;
  work->shown = now;
  sl_sweep_run_progress (run, &progress);
  left = sl_duration_words (progress.remaining);
  fprintf (stderr, "%s", work->terminal ? "\r" : "");
  if (progress.share > 0)
    fprintf (stderr, _ ("%u of %u runs, %.0f %%, about %s to go"), progress.over, progress.runs,
             100 * progress.share, left);
  else
    fprintf (stderr, _ ("%u of %u runs"), progress.over, progress.runs);
  fputs (work->terminal ? "\033[K" : "\n", stderr);
  fflush (stderr);
}

static void
on_arrived (SlSweepRun *run, const SlSweepResult *result, Work *work)
{
  bool made = sl_ok (&result->status) || result->status.code == SL_EDIVERGED;

  if (!made)
    {
      if (work->terminal)
        fputc ('\n', stderr);
      sl_cli_fail (&result->status);
      return;
    }
  if (work->store != NULL)
    sl_sweep_store (work->store, work->title, result);
  g_ptr_array_add (work->rows, sl_sweep_result_row (result));
}

static void
on_changed (SlSweepRun *run, Work *work)
{
  if (sl_stop_asked () && !work->stopped)
    {
      work->stopped = true;
      sl_sweep_run_cancel (run);
    }
  sl_storing_look (&work->storing);
  show (work, run);
}

static void
on_ended (SlSweepRun *run, Work *work)
{
  g_main_loop_quit (work->loop);
}

/* Makes the runs; what they came to is in the rows and the store. */
static SlExit
make_runs (const SlSweep *sweep, GArray *jobs, const SlSweepPool *pool, Work *work)
{
  g_autoptr (SlSweepRun) run = sl_sweep_run_new (sweep, jobs, pool);
  SlSweepProgress progress;

  work->loop = g_main_loop_new (NULL, FALSE);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), work);
  g_signal_connect (run, "changed", G_CALLBACK (on_changed), work);
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), work);
  sl_sweep_run_start (run);
  g_main_loop_run (work->loop);
  g_main_loop_unref (work->loop);
  if (work->terminal && !work->quiet)
    fputc ('\n', stderr);
  sl_sweep_run_progress (run, &progress);
  if (sl_storing_end (&work->storing, SL_EXIT_FINE) != SL_EXIT_FINE)
    return SL_EXIT_FAILED;
  if (sl_sweep_run_state (run) == SL_SWEEP_FAILED)
    {
      sl_cli_report ("%s", sl_sweep_run_error (run)->message);
      return SL_EXIT_FAILED;
    }
  if (sl_sweep_run_state (run) == SL_SWEEP_CANCELLED)
    {
      sl_cli_report (work->store != NULL
                       ? "stopped after %u of %u runs; the same command continues"
                       : "stopped after %u of %u runs; with --store they would be kept",
                     progress.over, progress.runs);
      return SL_EXIT_STOPPED;
    }
  return SL_EXIT_FINE;
}

/* Says what will be done and how long that takes. */
static SlExit
announce (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool, unsigned there)
{
  SlSweepPool      full = sl_sweep_pool (pool, jobs->len);
  SlSweepEstimate  estimate;
  GError          *error = NULL;
  g_autofree char *words = NULL;

  if (there > 0)
    fprintf (stderr, ngettext ("%u run is there already\n", "%u runs are there already\n", there),
             there);
  if (jobs->len == 0)
    return SL_EXIT_FINE;
  if (!sl_sweep_estimate (sweep, jobs, pool, NULL, &estimate, &error))
    return sl_cli_fail_error (error);
  words = sl_duration_words (estimate.seconds);
  fprintf (stderr, ngettext ("%u run", "%u runs", jobs->len), jobs->len);
  fprintf (stderr, _ (", %u at a time, about %s\n"), full.at_once, words);
  return SL_EXIT_FINE;
}

/* The runs that this or an earlier command made of the list, from the store, in the place of `rows`. */
static SlExit
read_back (SlStore *store, const GArray *jobs, GPtrArray *rows)
{
  g_autoptr (GStrvBuilder) uuids = g_strv_builder_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_auto (GStrv) names = NULL;
  GError *error = NULL;

  for (guint i = 0; i < jobs->len; i++)
    g_strv_builder_add (uuids, g_array_index (jobs, SlSweepJob, i).id);
  names = g_strv_builder_end (uuids);
  runs = sl_store_list_these (store, (const char *const *) names, &error);
  if (runs == NULL)
    return sl_cli_fail_error (error);
  g_ptr_array_set_size (rows, 0);
  g_ptr_array_extend_and_steal (rows, g_steal_pointer (&runs));
  return SL_EXIT_FINE;
}

/* Makes what is missing of `jobs`.  With a store the table is about everything that is there. */
static SlExit
work_off (const SlSweepTyped *typed, const SlSweep *sweep, GArray *jobs, SlStore *store,
          GPtrArray *rows)
{
  const SlSweepPool pool
    = { .at_once = (unsigned) typed->jobs, .threads = (unsigned) typed->threads, .store = store };
  g_autoptr (GArray) missing = g_array_copy (jobs);
  Work     work = { .store = store,
                    .storing.store = store,
                    .rows = rows,
                    .quiet = typed->plan.quiet,
                    .terminal = isatty (STDERR_FILENO) != 0 };
  GError  *error = NULL;
  unsigned there = 0;
  SlExit   code = SL_EXIT_FINE;

  if (store != NULL && !sl_sweep_skip (store, missing, &there, &error))
    return sl_cli_fail_error (error);
  if (!typed->plan.quiet || typed->dry)
    code = announce (sweep, missing, &pool, there);
  if (code != SL_EXIT_FINE || typed->dry)
    return code;
  sl_sweep_title (sweep, work.title);
  sl_stop_watch ();
  if (missing->len > 0)
    code = make_runs (sweep, missing, &pool, &work);
  if (store != NULL && (code == SL_EXIT_FINE || code == SL_EXIT_STOPPED))
    {
      SlExit again = read_back (store, jobs, rows);

      code = code != SL_EXIT_FINE ? code : again;
    }
  /* Where not all of it could be stored, or read, what was made now is still here. */
  return code;
}

static void
print_result (const SlSweep *sweep, const SlTrade *trade, bool json)
{
  if (json)
    {
      g_autofree char *head = sl_sweep_write (sweep);
      g_autofree char *text = sl_trade_json (trade, g_strchomp (head));

      fputs (text, stdout);
    }
  else
    sl_trade_print (trade, stdout);
}

/* Those that are over; one that another program is at is not.  A front is about the first data that were typed. */
static void
compare (SlTrade *trade, const SlSweep *sweep, const GPtrArray *rows, SlCost cost)
{
  sl_trade_init (trade, sweep->lab);
  for (guint i = 0; i < rows->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (rows, i);

      if (run->status == SL_RUN_FINISHED || run->status == SL_RUN_DIVERGED)
        sl_trade_add (trade, run, i);
    }
  sl_trade_settle (trade, &(SlTradeView) { .x = sl_cost_id (cost), .data = sweep->data });
}

static SlExit
write_page (const SlSweep *sweep, const SlTrade *trade, SlStore *store, char *path)
{
  SlOutputs outputs = { .html = path };

  if (trade->runs->len > 0)
    return sl_plot_page (store, trade, sweep, &outputs);
  sl_cli_report ("%s: no run is over", path);
  return SL_EXIT_FAILED;
}

static SlExit
run_sweep (const SlSweepTyped *typed, const SlSweep *sweep, GArray *jobs)
{
  g_autoptr (SlStore) store = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  GError *error = NULL;
  int     cost = sl_trade_cost_typed (typed->cost);
  SlTrade trade;
  SlExit  code;

  if (cost < 0)
    return SL_EXIT_USAGE;
  if (typed->cost != NULL && !sl_trade_offers_cost (sweep->lab, (SlCost) cost))
    return SL_EXIT_USAGE;
  if (typed->store != NULL)
    {
      store = sl_store_open (typed->store, &error);
      if (store == NULL)
        return sl_cli_fail_error (error);
    }
  code = work_off (typed, sweep, jobs, store, rows);
  if (typed->dry || (code != SL_EXIT_FINE && code != SL_EXIT_STOPPED && rows->len == 0))
    return code;
  compare (&trade, sweep, rows, (SlCost) cost);
  print_result (sweep, &trade, typed->json);
  if (typed->cost != NULL && trade.runs->len > 0 && !sl_trade_shows (&trade, &trade.x)
      && code == SL_EXIT_FINE)
    code = SL_EXIT_FAILED;
  if (typed->html != NULL && (code == SL_EXIT_FINE || code == SL_EXIT_STOPPED))
    {
      SlExit page = write_page (sweep, &trade, store, typed->html);

      code = code != SL_EXIT_FINE ? code : page;
    }
  sl_trade_clear (&trade);
  return code;
}

static SlExit
perform (const SlSweepTyped *typed, const SlSweep *sweep)
{
  int      shards_typed = typed->shards == SL_SWEEP_NOT_TYPED ? 4 : typed->shards;
  unsigned shard = 1, shards = 1;
  GError  *error = NULL;

  if (typed->jobs < 0 || typed->threads < 0 || shards_typed < 1 || shards_typed > 10000)
    {
      sl_cli_report ("--jobs and --threads start at 0, --shards goes from 1 to 10000");
      return SL_EXIT_USAGE;
    }
  if (typed->shard != NULL && !sl_sweep_read_shard (typed->shard, &shard, &shards, &error))
    return usage_error (error);
  if (sweep->note != NULL)
    sl_cli_report ("%s", _ (sweep->note));
  if (typed->print != NULL && typed->store != NULL && strpbrk (typed->store, "\r\n") != NULL)
    {
      sl_cli_report (_ ("--print-jobs needs a --store without a line break in its name"));
      return SL_EXIT_USAGE;
    }
  if (typed->print != NULL)
    return sl_print_jobs (sweep,
                          &(SlJobs) { .kind = typed->print,
                                      .store = typed->store != NULL ? typed->store : "runs.sluice",
                                      .shards = (unsigned) shards_typed,
                                      .at_once = MAX ((unsigned) typed->jobs, 1),
                                      .threads = MAX ((unsigned) typed->threads, 1) });

  g_autoptr (GArray) jobs = sl_sweep_expand (sweep);

  sl_sweep_shard (jobs, shard, shards);
  return run_sweep (typed, sweep, jobs);
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("[LAB]");
  SlSweepTyped    typed;
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_sweep.summary);
  sl_sweep_typed_add_options (&typed, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      const SlLab *lab
        = sl_cli_at_most (args, rest, typed.from != NULL ? 0 : 1) && sl_sweep_typed_check (&typed)
            ? sl_describe_find_lab (rest[0])
            : NULL;
      SlSweep sweep;

      code = SL_EXIT_USAGE;
      if (lab != NULL)
        code
          = typed.from != NULL ? read_file (typed.from, &sweep) : read_sweep (&typed, lab, &sweep);
      if (lab != NULL && code == SL_EXIT_FINE)
        {
          code = perform (&typed, &sweep);
          sl_sweep_clear (&sweep);
        }
    }
  sl_sweep_typed_clear (&typed);
  return code;
}

const SlCliCommand sl_command_sweep
  = { "sweep", N_ ("Trains a lab under many settings and seeds."), command };
