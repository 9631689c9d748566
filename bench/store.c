/* SPDX-License-Identifier: MIT
 *
 * The store of runs: how long its table takes to open and curves to load, what it writes, and what
 * that costs the training.  */
#include <glib/gstdio.h>
#include <math.h>
#include <sys/stat.h>

#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"

enum {
  RUNS = 1000,
  TRACES = 20,
  SAMPLES = 5000, /* of each trace */
  OVERLAY = 50,
  ROUNDS = 10,
};

static const double ROUND_SECONDS = 3.0; /* long enough for a checkpoint */

static double
bytes_of (const char *path)
{
  static const char *const ends[] = { "", "-wal" };
  double                   sum = 0.0;

  for (unsigned i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strconcat (path, ends[i], NULL);
      GStatBuf         file;

      if (g_stat (name, &file) == 0)
        sum += (double) file.st_size;
    }
  return sum;
}

/* A run with TRACES curves, as a lab with that many channels would write it. */
static void
write_run (SlStore *store, const SlLab *lab, unsigned number)
{
  SlSettings settings;
  SlRecipe   recipe;
  SlLayout   layout;
  SlWriter  *writer;
  unsigned   traces = 0;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, number);
  sl_layout_init (&layout, lab, &settings);
  writer = sl_writer_new (store, NULL, &recipe, &layout, NULL, 0);
  for (unsigned c = 0; c < layout.n && traces < TRACES; c++)
    {
      if (!layout.channel[c].series)
        continue;
      traces++;
      for (unsigned i = 0; i < SAMPLES; i++)
        {
          SlSample sample = { .step = 10 * i, .channel = c, .value = sin (i * 0.01 * c + number) };

          sl_writer_sample (writer, &sample);
        }
    }
  sl_writer_tick (writer, 10 * SAMPLES, 60.0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
}

static const char *
trace_of (const SlLab *lab, char id[64])
{
  SlSettings settings;
  SlLayout   layout;
  unsigned   c = 0;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_layout_init (&layout, lab, &settings);
  while (!layout.channel[c].series)
    c++;
  g_strlcpy (id, layout.channel[c].id, 64);
  return id;
}

static SlExit
fill (SlBench *bench, const char *path, const SlLab *lab)
{
  GError  *error = NULL;
  SlStore *store = sl_store_open (path, &error);
  double   began = sl_clock_wall (), millions = 1e-6 * RUNS * TRACES * SAMPLES;

  if (store == NULL)
    return sl_cli_fail_error (error);
  for (unsigned i = 0; i < RUNS; i++)
    {
      write_run (store, lab, i);
      /* The queue is memory: let the disk follow. */
      if (i % 20 == 19 && !sl_store_flush (store, &error))
        break;
    }
  if (error == NULL)
    sl_store_flush (store, &error);
  sl_bench_result (bench, "store.write", (sl_clock_wall () - began) / millions, "s/million",
                   SL_BAR_NONE, 0, "samples written, the disk included");
  sl_bench_result (bench, "store.growth", bytes_of (path) / millions / (1 << 20), "MiB/million",
                   SL_BAR_NONE, 0, "samples, with their log");
  g_object_unref (store);
  return error == NULL ? SL_EXIT_FINE : sl_cli_fail_error (error);
}

static SlExit
read_back (SlBench *bench, const char *path, const SlLab *lab)
{
  char       id[64];
  GError    *error = NULL;
  double     began = sl_clock_wall (), opened;
  SlStore   *store = sl_store_open (path, &error);
  GPtrArray *runs = store != NULL ? sl_store_list (store, NULL, FALSE, &error) : NULL;

  opened = sl_clock_wall () - began;
  if (runs == NULL)
    {
      g_clear_object (&store);
      return sl_cli_fail_error (error);
    }
  sl_bench_result (bench, "store.table", opened, "s", SL_BAR_MOST, 0.5,
                   "a store of 1,000 runs x 20 traces x 5,000 samples opened and listed");
  began = sl_clock_wall ();
  for (unsigned i = 0; i < OVERLAY && error == NULL; i++)
    {
      const SlStoreRun *run = runs->pdata[i * (RUNS / OVERLAY)];
      SlSeries          series;

      if (sl_store_load_channel (store, run->uuid, trace_of (lab, id), &series, &error))
        sl_series_clear (&series);
    }
  sl_bench_result (bench, "store.overlay", 1e3 * (sl_clock_wall () - began), "ms", SL_BAR_MOST, 100,
                   "one trace of 50 runs read, of 5,000 samples each");
  g_ptr_array_unref (runs);
  g_object_unref (store);
  return error == NULL ? SL_EXIT_FINE : sl_cli_fail_error (error);
}

typedef struct
{
  double wall, cpu;
} Took;

/* So many updates, written as they come into the store that the run has, and all on the disk in the
 * end. */
static Took
train (SlHeadlessRun *run, SlStore *store, unsigned updates, SlExit *code)
{
  Took   began = { sl_clock_wall (), sl_bench_process_seconds () };
  double before = run->seconds;

  for (unsigned i = 0; i < updates && *code == SL_EXIT_FINE; i++)
    {
      *code = sl_bench_train (run, 1);
      run->seconds = before + sl_clock_wall () - began.wall;
      sl_headless_write (run);
    }
  if (run->writer != NULL)
    sl_store_flush (store, NULL);
  return (Took) { sl_clock_wall () - began.wall, sl_bench_process_seconds () - began.cpu };
}

static SlExit
cost (SlBench *bench, const char *path, const char *name, const char *lab)
{
  SlHeadlessRun plain, kept;
  SlPlan        plan;
  SlExit        code = sl_bench_open (&plain, lab, "digits", "", 1);
  Took          sum[2] = { { 0.0, 0.0 }, { 0.0, 0.0 } };
  double        one;
  unsigned      updates;
  GError       *error = NULL;

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_open (&kept, lab, "digits", "", 1);
  if (code != SL_EXIT_FINE)
    {
      sl_headless_clear (&plain);
      return code;
    }
  sl_plan_init (&plan, sl_lab_find (lab));
  plan.store = sl_store_open (path, &error);
  if (plan.store == NULL)
    code = sl_cli_fail_error (error);
  if (code == SL_EXIT_FINE)
    {
      sl_headless_write_begin (&kept, &plan);
      one = train (&plain, plan.store, 100, &code).wall / 100;
      train (&kept, plan.store, 100, &code);
      updates = (unsigned) (ROUND_SECONDS / one) + 1;
      /* In turns, and each of them first as often as the other, so that whatever else the machine
       * does falls on both.  */
      for (unsigned i = 0; i < 2 * ROUNDS && code == SL_EXIT_FINE; i++)
        {
          unsigned which = (i + i / 2) % 2;
          Took     took = train (which == 0 ? &plain : &kept, plan.store, updates, &code);

          sum[which].wall += took.wall;
          sum[which].cpu += took.cpu;
        }
      sl_headless_write_end (&kept, SL_RUN_FINISHED);
    }
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *cpu_name = g_strconcat (name, "-cpu", NULL);

      sl_bench_result (bench, name, sum[0].wall / sum[1].wall, "x", SL_BAR_LEAST, 0.98,
                       "throughput while the run is stored / while it is not");
      sl_bench_result (bench, cpu_name, sum[0].cpu / sum[1].cpu, "x", SL_BAR_NONE, 0,
                       "the same in seconds of processor, all threads");
    }
  sl_plan_clear (&plan);
  sl_headless_clear (&plain);
  sl_headless_clear (&kept);
  return code;
}

static void
remove_store (const char *path)
{
  static const char *const ends[] = { "", "-wal", "-shm" };

  for (unsigned i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strconcat (path, ends[i], NULL);

      g_unlink (name);
    }
}

/* The first lab that has so many curves under its defaults. */
static const SlLab *
lab_with_traces (void)
{
  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    {
      SlSettings settings;
      SlLayout   layout;
      unsigned   series = 0;

      sl_settings_default (&settings, sl_labs[l]->params, sl_labs[l]->n_params);
      sl_layout_init (&layout, sl_labs[l], &settings);
      for (unsigned c = 0; c < layout.n; c++)
        series += layout.channel[c].series;
      if (series >= TRACES)
        return sl_labs[l];
    }
  return sl_labs[0];
}

static SlExit
bench_store (SlBench *bench)
{
  const SlLab     *lab = lab_with_traces ();
  g_autofree char *folder = g_dir_make_tmp ("sluice-bench-XXXXXX", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "runs.sluice", NULL) : NULL;
  SlExit           code;

  if (folder == NULL)
    {
      sl_cli_report ("there is no folder for temporary files");
      return SL_EXIT_FAILED;
    }
  code = fill (bench, path, lab);
  if (code == SL_EXIT_FINE)
    code = read_back (bench, path, lab);
  remove_store (path);
  if (code == SL_EXIT_FINE)
    code = cost (bench, path, "store.cost-sign-estimator", "sign-estimator");
  if (code == SL_EXIT_FINE)
    code = cost (bench, path, "store.cost-experts", "experts");
  remove_store (path);
  g_rmdir (folder);
  return code;
}

const SlBenchGroup sl_bench_store
  = { "store", "the store of runs: opening, loading, writing, and its cost", true, bench_store };
