/* SPDX-License-Identifier: MIT
 *
 * A whole style transfer: how fast its updates are, whether its memory stays what it was, and what a
 * comparison costs as there are more channels.  Without files it is the network of random filters on
 * painted pictures; where $SLUICE_SHARED_DATA has the weights of VGG-19 and photographs, those too.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/style/style.h"

enum { SIDE = 256, WARM = 20, TIMED = 40, ALL = 200, POSITIONS = 64 * 64, ROUNDS = 5 };

static const char vgg_settings[] = "taps=last start=content smoothness=0.02 report-every=1000 "
                                   "evaluate-every=1000";

/* Forgets the most memory that this program ever had, which an earlier bench may have been; false
 * where nobody can.  */
static bool
forget_peak (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");
  bool  done = file != NULL && fputs ("5", file) >= 0;

  if (file != NULL)
    done &= fclose (file) == 0;
  return done;
}

/* The most memory since then, MiB; not-a-number where nobody says. */
static double
peak_memory (void)
{
  g_autofree char *text = NULL;
  const char      *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return NAN;
  line = strstr (text, "VmHWM:");
  return line != NULL ? g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024.0 : NAN;
}

/* WARM updates, then TIMED ones by the clock on the wall. */
static SlExit
bench_updates (SlBench *bench, const char *name, const char *data, const char *settings,
               const char *what, double most)
{
  g_autofree char *speed = g_strconcat ("style.", name, NULL);
  g_autofree char *all = g_strconcat ("style.", name, "-200", NULL);
  g_autofree char *processor = g_strconcat ("style.", name, "-processor", NULL);
  g_autofree char *memory = g_strconcat ("style.", name, "-memory", NULL);
  SlHeadlessRun    run;
  double           before, began, computed, seconds, after;
  bool             fresh;
  SlExit           code = sl_bench_open (&run, "style", data, settings, 0);

  if (code != SL_EXIT_FINE)
    return code;
  fresh = forget_peak ();
  code = sl_bench_train (&run, WARM);
  before = peak_memory ();
  began = sl_clock_wall ();
  computed = sl_bench_process_seconds ();
  if (code == SL_EXIT_FINE)
    code = sl_bench_train (&run, TIMED);
  seconds = sl_clock_wall () - began;
  computed = (sl_bench_process_seconds () - computed) / (double) sl_blas_threads ();
  after = fresh ? peak_memory () : NAN;
  if (code == SL_EXIT_FINE)
    {
      sl_bench_result (bench, speed, TIMED / seconds, "updates/s", SL_BAR_NONE, 0, what);
      sl_bench_result (bench, all, ALL * seconds / TIMED, "s",
                       most > 0.0 ? SL_BAR_MOST : SL_BAR_NONE, most,
                       "200 updates, from 40 of them, by the clock on the wall with all threads");
      sl_bench_result (bench, processor, ALL * computed / TIMED, "s", SL_BAR_NONE, 0,
                       "the same in time of each processor: what others compute does not count");
      sl_bench_result (bench, memory, after - before, "MiB more", SL_BAR_MOST, 0.5,
                       "peak memory after 60 updates, against after 20");
    }
  sl_headless_clear (&run);
  return code;
}

/* Features of a picture and a style at one level, and what compares them. */
typedef struct
{
  SlArena      arena;
  size_t       n;
  SlStyleStats f, s;
  sl_real     *features, *slope, *work;
} Level;

static void
cut (Level *level)
{
  sl_style_stats_carve (&level->f, level->n, &level->arena);
  sl_style_stats_carve (&level->s, level->n, &level->arena);
  level->features = sl_arena_reals (&level->arena, level->n * POSITIONS);
  level->slope = sl_arena_reals (&level->arena, level->n * POSITIONS);
  level->work = sl_arena_reals (&level->arena, level->n * level->n);
}

static SlStatus
level_init (Level *level, size_t channels)
{
  SlRng    rng;
  SlStatus status;

  *level = (Level) { .n = channels };
  cut (level);
  status = sl_arena_init (&level->arena, level->arena.used);
  if (!sl_ok (&status))
    return status;
  cut (level);
  sl_rng_init (&rng, 1, "bench");
  for (size_t i = 0; i < channels * POSITIONS; i++)
    level->features[i] = (sl_real) sl_rng_uniform (&rng);
  sl_style_moments (POSITIONS, level->features, SL_STYLE_EPSILON, &level->s);
  sl_style_gram (POSITIONS, level->features, &level->s);
  return status;
}

/* Loss and gradient, as one update needs them. */
static double
seconds_of (Level *level, SlStyleMethod method)
{
  double began = sl_clock_thread ();

  sl_style_moments (POSITIONS, level->features, SL_STYLE_EPSILON, &level->f);
  if (method == SL_STYLE_GRAM)
    sl_style_gram (POSITIONS, level->features, &level->f);
  sl_style_backward (method, 0, 1e-6, &level->f, &level->s, level->features, level->work,
                     level->slope);
  return sl_clock_thread () - began;
}

/* How many times as long a comparison takes with four times the channels: 4 where it is in proportion
 * to N M, 16 where to N² M.  */
static SlExit
bench_growth (SlBench *bench)
{
  static const struct
  {
    SlStyleMethod method;
    const char   *figure, *note;
  } kinds[] = {
    { SL_STYLE_GRAM, "style.gram-growth",
      "Gram, 64 to 256 channels of 4096 positions, one thread: 16 times the multiplications" },
    { SL_STYLE_MOMENTS, "style.moments-growth",
      "means and deviations, the same: 4 times the multiplications" },
  };
  Level    small, large = { 0 };
  SlStatus status = level_init (&small, 64);

  if (sl_ok (&status))
    status = level_init (&large, 256);
  sl_blas_set_threads (1);
  for (size_t k = 0; k < G_N_ELEMENTS (kinds) && sl_ok (&status); k++)
    {
      double ratio[ROUNDS];

      seconds_of (&small, kinds[k].method);
      seconds_of (&large, kinds[k].method);
      for (int round = 0; round < ROUNDS; round++)
        {
          double one = seconds_of (&large, kinds[k].method);

          ratio[round] = one / seconds_of (&small, kinds[k].method);
        }
      sl_bench_result (bench, kinds[k].figure, sl_median (ratio, ROUNDS), "times", SL_BAR_NONE, 0,
                       kinds[k].note);
    }
  if (sl_ok (&status))
    {
      double ratio[ROUNDS];

      for (int round = 0; round < ROUNDS; round++)
        {
          double gram = seconds_of (&large, SL_STYLE_GRAM);

          ratio[round] = gram / seconds_of (&large, SL_STYLE_MOMENTS);
        }
      sl_bench_result (bench, "style.gram-over-moments", sl_median (ratio, ROUNDS), "times",
                       SL_BAR_NONE, 0,
                       "Gram's time over that of means and deviations, 256 channels");
    }
  sl_arena_clear (&small.arena);
  sl_arena_clear (&large.arena);
  sl_blas_set_threads (sl_blas_cores ());
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* The photograph, the painting and the weights of VGG-19 as data; NULL where they are not. */
static char *
shared_pictures (void)
{
  static const char *const files[]
    = { "images/content-astronaut.png", "images/style-starry_night.jpg",
        "nets/vgg19_conv1_1-conv3_4.safetensors.gz" };
  const char *shared = g_getenv ("SLUICE_SHARED_DATA");

  for (size_t i = 0; i < G_N_ELEMENTS (files) && shared != NULL; i++)
    {
      g_autofree char *path = g_build_filename (shared, files[i], NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return NULL;
    }
  return shared != NULL
           ? g_strdup_printf ("pictures:size=%d,content-file=%s/%s,style-file=%s/%s,net=%s/%s",
                              SIDE, shared, files[0], shared, files[1], shared, files[2])
           : NULL;
}

static SlExit
bench_style (SlBench *bench)
{
  g_autofree char *painted = g_strdup_printf ("pictures:size=%d", SIDE);
  g_autofree char *shared = shared_pictures ();
  SlExit           code = bench_growth (bench);

  if (code == SL_EXIT_FINE)
    code = bench_updates (bench, "filters", painted, "report-every=1000 evaluate-every=1000",
                          "random filters at 5 scales, 256 x 192, Gram, L-BFGS", 0);
  if (code == SL_EXIT_FINE && shared != NULL)
    code = bench_updates (bench, "vgg", shared, vgg_settings,
                          "VGG-19 to conv3_4, 256 x 256, Gram, L-BFGS", 90);
  else if (code == SL_EXIT_FINE)
    sl_bench_note (bench, "style.vgg needs nets/ and images/ in $SLUICE_SHARED_DATA");
  return code;
}

const SlBenchGroup sl_bench_style
  = { "style", "a style transfer's updates, memory and what comparisons cost", true, bench_style };
