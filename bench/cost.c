/* SPDX-License-Identifier: MIT
 *
 * How right predicted times are: random settings of all labs that can be predicted, each trained for a
 * moment, and the time of an update and the gain of skipping compared with what was predicted before.  */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/run/cost/trial.h"

enum { SETTINGS = 60, ALL_SETTINGS = 500, TRIES = 40 };

typedef struct
{
  GArray  *update, *ratio; /* doubles: by how much they are mispredicted, in % */
  unsigned signs, right, inside, ratios;
} Errors;

static void
compare_speed_up (SlBench *bench, Errors *errors, const SlLab *lab, const SlCostTrial *trial,
                  const char *settings)
{
  const SlPrediction *up = &trial->speed_up;
  double              error = 100 * fabs (up->seconds / trial->timed_speed_up - 1);
  bool                pays = trial->timed_speed_up > 1;

  if (!isfinite (error))
    return;
  g_array_append_val (errors->ratio, error);
  errors->signs++;
  errors->right += (up->seconds > 1) == pays;
  if ((up->seconds > 1) != pays)
    sl_bench_note (bench, "%s: speed-up %.2f, predicted %.2f (%.2f to %.2f): %s", lab->id,
                   trial->timed_speed_up, up->seconds, up->least, up->most, settings);
}

static void
compare (SlBench *bench, Errors *errors, const SlLab *lab, const SlCostTrial *trial)
{
  const SlPrediction *update = &trial->update;
  double              error = 100 * fabs (update->seconds / trial->timed_update - 1);
  g_autofree char    *settings = sl_cost_trial_text (lab, &trial->settings);

  g_array_append_val (errors->update, error);
  errors->inside += trial->timed_update >= update->least && trial->timed_update <= update->most;
  if (error > 25)
    sl_bench_note (bench, "%s: update %.3g ms, predicted %.3g: %s", lab->id,
                   1e3 * trial->timed_update, 1e3 * update->seconds, settings);
  compare_speed_up (bench, errors, lab, trial, settings);
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
    = g_strdup_printf ("%u settings; %u %% in the interval", errors->update->len,
                       100 * errors->inside / MAX (errors->update->len, 1));
  g_autofree char *ratios = g_strdup_printf ("%u settings", errors->signs);

  sl_bench_result (bench, median, quantile (errors->update, 0.5), "%", bars, 10, count);
  sl_bench_result (bench, wide, quantile (errors->update, 0.95), "%", bars, 25, count);
  sl_bench_result (bench, gain, quantile (errors->ratio, 0.5), "%", SL_BAR_NONE, 0, ratios);
  sl_bench_result (bench, pays, 100.0 * errors->right / errors->signs, "% right",
                   bars == SL_BAR_MOST ? SL_BAR_LEAST : SL_BAR_NONE, 95, ratios);
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
  g_array_unref (of->update);
  g_array_unref (of->ratio);
}

static SlExit
try_lab (SlBench *bench, const SlCostModel *model, const SlLab *lab, unsigned wished, Errors *of)
{
  SlDataset  *dataset;
  SlStatus    status = sl_cost_trial_data (lab, &dataset);
  SlCostTrial trial;
  SlRng       rng;
  unsigned    done = 0;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_rng_init (&rng, 1, lab->id);
  for (unsigned tries = 0; done < wished && tries < TRIES * wished; tries++)
    if (sl_cost_try (model, lab, dataset, &rng, true, &trial))
      {
        compare (bench, of, lab, &trial);
        done++;
      }
  sl_dataset_free (dataset);
  return SL_EXIT_FINE;
}

static unsigned
count_labs (SlBench *bench)
{
  unsigned labs = 0;

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      labs += (*lab)->cost != NULL;
      if ((*lab)->cost == NULL)
        sl_bench_note (bench, "%s is not predicted", (*lab)->id);
    }
  return labs;
}

static void
note_learned (SlBench *bench, const char *lab, const SlCostLearned *learned)
{
  const double *u = learned->update.of;

  sl_bench_note (
    bench,
    "%s: products took %.2f of what they take alone, kernels that skip %.2f, what goes number by "
    "number %.2f, loops %.2f; %.0f µs every time",
    lab, u[SL_COST_PRODUCTS], u[SL_COST_SKIPPING], u[SL_COST_FLAT], u[SL_COST_LOOPS],
    u[SL_COST_ALWAYS]);
}

static SlExit
bench_cost (SlBench *bench)
{
  unsigned wished = bench->settings > 0 ? (unsigned) bench->settings
                    : bench->all        ? ALL_SETTINGS
                                        : SETTINGS;
  unsigned labs = count_labs (bench);
  Errors   all = no_errors ();
  SlExit   code = SL_EXIT_FINE;
  g_autoptr (SlCostModel) model = sl_cost_model_measure (NULL);

  sl_bench_note (bench,
                 "timed in %.0f s, twice within %.0f %%; products off the grid within %.0f %%, "
                 "4 of 5 each",
                 model->took, 100 * model->spread, 100 * model->error);
  for (unsigned i = 0; sl_labs[i] != NULL && code == SL_EXIT_FINE; i++)
    {
      Errors of = no_errors ();

      if (sl_labs[i]->cost != NULL)
        {
          note_learned (bench, sl_labs[i]->id, &model->learned[i]);
          code = try_lab (bench, model, sl_labs[i], wished / labs, &of);
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
