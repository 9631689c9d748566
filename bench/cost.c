/* SPDX-License-Identifier: MIT
 *
 * How right predicted times are: random settings of all labs that can be predicted, each trained for a
 * moment in three rounds, the shortest of which counts, and the time of an update and the gain of skipping compared with
 * what was predicted before.  */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/cost/trial.h"

enum { SETTINGS = 80, ALL_SETTINGS = 500, TRIES = 2, ROUNDS = 3, PASS_ROUNDS = 2 };

typedef struct
{
  GArray  *update, *ratio; /* doubles: by how much they are mispredicted, in % */
  unsigned signs, right, inside, ratio_inside;
  unsigned even;     /* settings whose sign the clock itself does not tell twice in the same way */
  unsigned open;     /* of which the prediction leaves open whether they pay */
  unsigned unsteady; /* whose shortest timing no other one agrees with */
} Errors;

/* Settings that were timed, and again when all others of the lab had been. */
typedef struct
{
  SlCostTrial trial; /* of the first round */
  double      update[ROUNDS], speed_up[PASS_ROUNDS];
} Timed;

/* Seconds of an update that is worth the time here. */
static const double slowest = 0.1;

/* Seconds that gates have to settle. */
static const double settling = 2;

/* Two timings that agree differ by less, as a ratio. */
static const double alike = 1.1;

static void
compare_speed_up (SlBench *bench, Errors *errors, const SlLab *lab, const Timed *timed,
                  const char *settings)
{
  const SlPrediction *up = &timed->trial.speed_up;
  const double       *by_clock = timed->speed_up;
  double              mean = sqrt (by_clock[0] * by_clock[1]);
  double              error = 100 * fabs (up->seconds / mean - 1);
  bool                right = (up->seconds > 1) == (mean > 1);

  if (!isfinite (error))
    return;
  g_array_append_val (errors->ratio, error);
  errors->ratio_inside += mean >= up->least && mean <= up->most;
  errors->open += sl_cost_verdict (up) == SL_COST_EVEN;
  if ((by_clock[0] > 1) != (by_clock[1] > 1))
    {
      errors->even++;
      return;
    }
  errors->signs++;
  errors->right += right;
  if (!right)
    sl_bench_note (bench, "%s: speed-up %.2f, predicted %.2f (%.2f to %.2f): %s", lab->id, mean,
                   up->seconds, up->least, up->most, settings);
}

static void
compare (SlBench *bench, Errors *errors, const SlLab *lab, Timed *timed)
{
  const SlPrediction *update = &timed->trial.update;
  g_autofree char    *settings = sl_cost_trial_text (lab, &timed->trial.settings);
  double              shortest, error;

  sl_median (timed->update, ROUNDS);
  shortest = timed->update[0];
  error = 100 * fabs (update->seconds / shortest - 1);
  errors->unsteady += timed->update[1] > alike * shortest;
  g_array_append_val (errors->update, error);
  errors->inside += shortest >= update->least && shortest <= update->most;
  if (error > 25)
    sl_bench_note (bench, "%s: update %.3g ms, predicted %.3g: %s", lab->id, 1e3 * shortest,
                   1e3 * update->seconds, settings);
  compare_speed_up (bench, errors, lab, timed, settings);
}

static double
quantile (const GArray *numbers, double share)
{
  double *copy;
  double  value;

  if (numbers->len == 0)
    return NAN;
  copy = g_memdup2 (numbers->data, numbers->len * sizeof *copy);
  sl_median (copy, numbers->len);
  value = copy[(unsigned) (share * (numbers->len - 1) + 0.5)];
  g_free (copy);
  return value;
}

static void
print_errors (SlBench *bench, const char *name, const Errors *errors, SlBarKind bars)
{
  g_autofree char *median = g_strconcat ("cost.", name, ".median", NULL);
  g_autofree char *wide = g_strconcat ("cost.", name, ".p95", NULL);
  g_autofree char *gain = g_strconcat ("cost.", name, ".ratio", NULL);
  g_autofree char *pays = g_strconcat ("cost.", name, ".pays", NULL);
  g_autofree char *count
    = g_strdup_printf ("%u settings; %u %% in the interval; %u unsteady", errors->update->len,
                       100 * errors->inside / MAX (errors->update->len, 1), errors->unsteady);
  g_autofree char *ratios
    = g_strdup_printf ("%u settings; %u %% in the interval", errors->ratio->len,
                       100 * errors->ratio_inside / MAX (errors->ratio->len, 1));
  g_autofree char *signs = g_strdup_printf ("of %u settings; %u even by the clock, %u left open",
                                            errors->signs, errors->even, errors->open);

  sl_bench_result (bench, median, quantile (errors->update, 0.5), "%", bars, 10, count);
  sl_bench_result (bench, wide, quantile (errors->update, 0.95), "%", bars, 25, count);
  /* Some labs have no predicted speed-up. */
  if (errors->ratio->len > 0)
    sl_bench_result (bench, gain, quantile (errors->ratio, 0.5), "%", SL_BAR_NONE, 0, ratios);
  if (errors->signs > 0)
    sl_bench_result (bench, pays, 100.0 * errors->right / errors->signs, "% right",
                     bars == SL_BAR_MOST ? SL_BAR_LEAST : SL_BAR_NONE, 95, signs);
}

static Errors
no_errors (void)
{
  return (Errors) { .update = g_array_new (FALSE, FALSE, sizeof (double)),
                    .ratio = g_array_new (FALSE, FALSE, sizeof (double)) };
}

static void
join_errors (Errors *all, Errors *of)
{
  g_array_append_vals (all->update, of->update->data, of->update->len);
  g_array_append_vals (all->ratio, of->ratio->data, of->ratio->len);
  all->signs += of->signs;
  all->right += of->right;
  all->inside += of->inside;
  all->ratio_inside += of->ratio_inside;
  all->even += of->even;
  all->open += of->open;
  all->unsteady += of->unsteady;
  g_array_unref (of->update);
  g_array_unref (of->ratio);
}

static SlExit
try_lab (SlBench *bench, const SlCostModel *model, const SlLab *lab, unsigned wished, Errors *of)
{
  SlDataset        *dataset;
  SlStatus          status = sl_cost_trial_data (lab, &dataset);
  g_autofree Timed *timed = g_new (Timed, wished);
  SlRng             rng;
  unsigned          done = 0;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_rng_init (&rng, bench->seed > 0 ? (uint64_t) bench->seed : 1, lab->id);
  for (unsigned tries = 0; done < wished && tries < TRIES * wished; tries++)
    {
      if (!sl_cost_draw (model, lab, dataset, &rng, slowest, &timed[done].trial))
        break;
      done += sl_cost_time_trial (lab, dataset, settling, &timed[done].trial);
    }
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < done; i++)
      {
        SlCostTrial again = timed[i].trial;

        if (round > 0
            && !sl_cost_time_trial (lab, dataset, round < PASS_ROUNDS ? settling : 0, &again))
          again = timed[i].trial;
        timed[i].update[round] = again.timed_update;
        if (round < PASS_ROUNDS)
          timed[i].speed_up[round] = again.timed_speed_up;
      }
  for (unsigned i = 0; i < done; i++)
    compare (bench, of, lab, &timed[i]);
  sl_dataset_free (dataset);
  return SL_EXIT_FINE;
}

/* Whether a lab's updates are predicted at all; says why not. */
static bool
is_predicted (SlBench *bench, const SlLab *lab)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlDataset             *dataset;
  SlSettings             settings;
  SlStatus               status = sl_cost_trial_data (lab, &dataset);
  char                   why[SL_MESSAGE_SIZE] = "";

  sl_settings_default (&settings, lab->params, lab->n_params);
  if (sl_ok (&status))
    status = sl_cost_init (work, lab, &settings, dataset);
  sl_dataset_free (dataset);
  if (sl_ok (&status))
    sl_message_show (work->refused[SL_COST_OF_STEP].packed, sl_words, why, sizeof why);
  if (why[0] != '\0')
    sl_bench_note (bench, "%s is not predicted: %s", lab->id, why);
  return sl_ok (&status) && why[0] == '\0';
}

static void
note_learned (SlBench *bench, const char *lab, const SlCostLearned *learned)
{
  const double *u = learned->update.of;

  sl_bench_note (
    bench,
    "%s: products took %.2f of what they take alone, kernels that skip %.2f, what goes number by "
    "number %.2f, reading %.2f, loops %.2f; %.0f µs every time",
    lab, u[SL_COST_PRODUCTS], u[SL_COST_SKIPPING], u[SL_COST_FLAT], u[SL_COST_READING],
    u[SL_COST_LOOPS], u[SL_COST_ALWAYS]);
}

/* As the window does, which keeps nothing that was timed on a busy machine; but not for ever. */
static SlCostModel *
measure_steady (void)
{
  enum { ATTEMPTS = 5 };
  SlCostModel *model = NULL;

  for (unsigned i = 0; i < ATTEMPTS && (model == NULL || !sl_cost_model_is_steady (model)); i++)
    {
      sl_cost_model_free (model);
      model = sl_cost_model_measure (NULL);
    }
  return model;
}

static SlExit
bench_cost (SlBench *bench)
{
  unsigned wished = bench->settings > 0 ? (unsigned) bench->settings
                    : bench->all        ? ALL_SETTINGS
                                        : SETTINGS;
  unsigned labs = 0;
  bool     predicted[SL_COST_LABS] = { false };
  Errors   all = no_errors ();
  SlExit   code = SL_EXIT_FINE;
  g_autoptr (SlCostModel) model = NULL;

  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    labs += predicted[i] = is_predicted (bench, sl_labs[i]);
  model = measure_steady ();
  sl_bench_note (bench,
                 "timed in %.0f s, twice within %.0f %%; products off the grid within %.0f %%, "
                 "4 of 5 each; other programs used %.0f %% of the cores%s",
                 model->took, 100 * model->spread, 100 * model->error, 100 * model->others,
                 sl_cost_model_is_steady (model) ? "" : ", too much to be kept");
  for (unsigned i = 0; sl_labs[i] != NULL && code == SL_EXIT_FINE; i++)
    {
      Errors of = no_errors ();

      if (predicted[i])
        {
          note_learned (bench, sl_labs[i]->id, &model->learned[i]);
          code = try_lab (bench, model, sl_labs[i], (wished + labs - 1) / labs, &of);
          print_errors (bench, sl_labs[i]->id, &of, SL_BAR_NONE);
        }
      join_errors (&all, &of);
    }
  print_errors (bench, "all", &all, SL_BAR_MOST);
  g_array_unref (all.update);
  g_array_unref (all.ratio);
  return code;
}

const SlBenchGroup sl_bench_cost
  = { "cost", "predicted times against those of random settings, seeded (--settings N)", true,
      bench_cost };
