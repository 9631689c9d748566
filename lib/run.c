/* SPDX-License-Identifier: MIT
 *
 * Runs: beginning, training, changing; see sluice.h.  */
#include "lib/run-private.h"

#include <inttypes.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/threads.h"
#include "core/run/record/data.h"

/* ---- turns ---- */

/* Held by one run with several threads, or by any number with one each (mat.h). */
static GRWLock turns;

static void
take_turn (const SluiceRun *run)
{
  if (run->threads > 1)
    g_rw_lock_writer_lock (&turns);
  else
    g_rw_lock_reader_lock (&turns);
}

static void
give_turn (const SluiceRun *run)
{
  if (run->threads > 1)
    g_rw_lock_writer_unlock (&turns);
  else
    g_rw_lock_reader_unlock (&turns);
}

void
sl_lib_begin_turn (SluiceRun *run, unsigned *before)
{
  *before = sl_blas_threads ();
  take_turn (run);
  sl_blas_set_threads (run->threads);
}

void
sl_lib_end_turn (SluiceRun *run, unsigned before)
{
  sl_blas_set_threads (before);
  give_turn (run);
}

/* ---- beginning ---- */

/* The settings of lines "id=value". */
static SluiceCode
read_settings (const char *text, SlPlan *plan)
{
  g_auto (GStrv) line = g_strsplit (text, "\n", -1);
  SlStatus status = SL_SUCCESS;

  for (char **l = line; *l != NULL && sl_ok (&status); l++)
    {
      char *equals = strchr (*l, '=');

      if (**l == '\0')
        continue;
      if (equals == NULL)
        return sl_lib_refuse (SLUICE_INVALID, "found “%.60s”, expected id=value", *l);
      *equals = '\0';
      status
        = sl_settings_set (&plan->settings, plan->lab->params, plan->lab->n_params, *l, equals + 1);
    }
  return sl_lib_fail (&status);
}

static SluiceCode
check_reach (const SlSettings *settings, const SlLab *lab)
{
  SlStatus status = sl_settings_check_reach (settings, lab->params, lab->n_params);

  return sl_lib_fail (&status);
}

SluiceCode
sl_lib_plan (const SluiceRunSpec *spec, SlPlan *plan)
{
  const SlLab *lab = sl_lib_lab (spec->lab);

  *plan = (SlPlan) { 0 };
  if (lab == NULL)
    return SLUICE_INVALID;
  sl_plan_init (plan, lab);
  plan->seed = spec->seed;
  plan->threads = spec->threads;
  return spec->settings != NULL ? read_settings (spec->settings, plan) : SLUICE_FINE;
}

SluiceRun *
sl_lib_run (SlPlan *plan, const SluiceData *data)
{
  SluiceRun *run = g_new0 (SluiceRun, 1);

  sl_threads_choose (0); /* what was measured counts, as in the programs */
  run->plan = *plan;
  run->data = data != NULL ? sl_lib_data_ref (data) : NULL;
  run->threads
    = plan->threads > 0 ? MIN (plan->threads, sl_blas_cores ()) : sl_threads_for (plan->lab->id);
  *plan = (SlPlan) { 0 };
  return run;
}

/* The data of a run that has none of its own: those of its plan, or what the lab is usually shown with. */
static SluiceCode
open_data (SluiceRun *run)
{
  const SlLab *lab = run->plan.lab;

  if (run->data != NULL || lab->data == SL_NEEDS_NOTHING)
    return SLUICE_FINE;
  return sluice_data_open (
    run->plan.data != NULL ? run->plan.data : sl_source_default_for (lab->data), &run->data);
}

/* Makes the trainer. */
static SlStatus
make (SluiceRun *run)
{
  SlStatus status;
  unsigned before;

  run->plan.threads = run->threads;
  sl_lib_begin_turn (run, &before);
  status = sl_headless_open (&run->run, &run->plan, run->data != NULL ? run->data->dataset : NULL);
  sl_lib_end_turn (run, before);
  run->run.sink.sink.subject = run->subject;
  if (!sl_ok (&status))
    {
      sl_headless_clear (&run->run);
      run->run = (SlHeadlessRun) { 0 };
    }
  return status;
}

SluiceCode
sl_lib_open (SluiceRun *run)
{
  SluiceCode code = open_data (run);
  SlStatus   status;

  if (code != SLUICE_FINE)
    return code;
  status = make (run);
  return sl_lib_fail (&status);
}

SluiceCode
sl_lib_live (const SluiceRun *run)
{
  return run->run.trainer != NULL ? SLUICE_FINE
                                  : sl_lib_refuse (SLUICE_UNSUPPORTED, "%s", run->past);
}

SluiceCode
sluice_run_new (const SluiceRunSpec *spec, SluiceRun **run)
{
  SlPlan     plan;
  SluiceCode code;

  *run = NULL;
  SL_LIB_ENTER ();
  code = sl_lib_plan (spec, &plan);
  if (code == SLUICE_FINE)
    code = check_reach (&plan.settings, plan.lab);
  if (code != SLUICE_FINE)
    {
      if (plan.lab != NULL)
        sl_plan_clear (&plan);
      return code;
    }
  *run = sl_lib_run (&plan, spec->data);
  (*run)->plan.own = sl_lib_gate (&(*run)->gate, spec->gate);
  code = sl_lib_open (*run);
  if (code != SLUICE_FINE)
    {
      sluice_run_free (*run);
      *run = NULL;
    }
  return code;
}

/* The recipe in a text or in the file of that name; NULL with an error. */
static char *
find_recipe (const char *text, GError **error)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '{' ? g_strdup (text) : sl_recipe_find (text, error);
}

SluiceCode
sl_lib_check_data (const SluiceRun *run, uint64_t hash)
{
  if (run->data == NULL || hash == 0 || run->data->dataset->hash == hash)
    return SLUICE_FINE;
  return sl_lib_refuse (SLUICE_INVALID,
                        "these data are not those of the recipe: their hash is %016" PRIx64
                        ", expected %016" PRIx64,
                        run->data->dataset->hash, hash);
}

SluiceCode
sluice_run_again (const char *recipe, const SluiceData *data, const SluiceGate *gate,
                  SluiceRun **run)
{
  GError          *error = NULL;
  g_autofree char *json = NULL;
  SlRecipe         read;
  SlPlan           plan;
  SluiceCode       code;

  *run = NULL;
  SL_LIB_ENTER ();
  json = find_recipe (recipe, &error);
  if (json == NULL || !sl_recipe_read (json, &read, &error))
    return sl_lib_fail_error (error);
  sl_plan_init (&plan, read.lab);
  sl_plan_recipe (&plan, &read, 0);
  *run = sl_lib_run (&plan, data);
  (*run)->until = read.step;
  (*run)->plan.own = sl_lib_gate (&(*run)->gate, gate);
  code = sl_lib_open (*run);
  if (code == SLUICE_FINE)
    code = sl_lib_check_data (*run, read.data_hash);
  sl_recipe_clear (&read);
  if (code != SLUICE_FINE)
    {
      sluice_run_free (*run);
      *run = NULL;
    }
  return code;
}

void
sluice_run_free (SluiceRun *run)
{
  if (run == NULL)
    return;
  if (run->run.record.lab != NULL)
    sl_headless_clear (&run->run);
  sl_plan_clear (&run->plan);
  sluice_data_free (run->data);
  g_free (run->subject);
  g_free (run->past);
  g_free (run->store);
  g_free (run->uuid);
  g_free (run);
}

/* ---- training ---- */

typedef struct
{
  SluiceRun *run;
  SluiceAsk  ask;
  void      *data;
  gint64     due; /* µs */
} Asking;

enum { ASK_EVERY = 10000 /* µs */ };

/* Between two updates other runs may have their turn. */
static bool
ask (void *data, const SlHeadlessRun *headless, const SlProgress *progress, double done)
{
  Asking *asking = data;
  gint64  now = g_get_monotonic_time ();
  bool    go_on = true;

  give_turn (asking->run);
  if (asking->ask != NULL && (now >= asking->due || done >= 1))
    {
      asking->due = now + ASK_EVERY;
      go_on = asking->ask (asking->data, sl_trainer_steps (headless->trainer), done) == 0;
    }
  take_turn (asking->run);
  return go_on;
}

/* Where the training that begins now ends. */
static SlBudget
budget_of (const SluiceRun *run, const SluiceUntil *until)
{
  uint64_t   step = sl_trainer_steps (run->run.trainer);
  SlProgress progress;

  if (until == NULL)
    {
      bool ends = run->plan.lab->ended != NULL;

      return (SlBudget) { .steps = run->until > 0 ? run->until : ends ? 0 : step + 2000 };
    }
  sl_trainer_progress (run->run.trainer, &progress);
  return (SlBudget) {
    .steps = until->updates > 0 ? step + MIN (until->updates, UINT64_MAX - step) : 0,
    .epochs = until->epochs > 0 ? progress.epochs + until->epochs : 0,
    .seconds = until->seconds > 0 ? run->run.seconds + until->seconds : 0,
  };
}

static SluiceCode
check_until (const SluiceRun *run, const SluiceUntil *until)
{
  if (until == NULL || until->updates > 0 || until->epochs > 0 || until->seconds > 0
      || run->plan.lab->ended != NULL)
    return SLUICE_FINE;
  return sl_lib_refuse (SLUICE_INVALID,
                        "training needs an end: updates, epochs or seconds above 0");
}

/* A run that cannot train says why. */
static SluiceCode
check_trains (const SluiceRun *run)
{
  if (run->run.trainer == NULL || !run->over)
    return sl_lib_live (run);
  return sl_lib_refuse (SLUICE_DIVERGED,
                        "the run diverged at update %" PRIu64 "; begin another one, with "
                        "another learning rate perhaps",
                        sl_trainer_steps (run->run.trainer));
}

SluiceCode
sluice_run_train (SluiceRun *run, const SluiceUntil *until, SluiceAsk own_ask, void *data)
{
  Asking     asking = { .run = run, .ask = own_ask, .data = data };
  SlStatus   status;
  unsigned   before;
  SluiceCode code;

  SL_LIB_ENTER ();
  if (run->busy)
    return sl_lib_refuse (SLUICE_INVALID, "the run is in training, and asks meanwhile; it trains "
                                          "on once that has ended");
  code = check_trains (run);
  if (code == SLUICE_FINE)
    code = check_until (run, until);
  if (code != SLUICE_FINE)
    return code;
  run->run.budget = budget_of (run, until);
  run->busy = TRUE;
  sl_lib_begin_turn (run, &before);
  status = sl_headless_train (&run->run, ask, &asking);
  sl_lib_end_turn (run, before);
  run->busy = FALSE;
  run->over = status.code == SL_EDIVERGED;
  if (status.code == SL_ECANCELLED)
    return sl_lib_refuse (SLUICE_STOPPED, "stopped at update %" PRIu64 "", run->run.recipe.step);
  return sl_lib_fail (&status);
}

uint64_t
sluice_run_updates (const SluiceRun *run)
{
  return run->run.trainer != NULL ? sl_trainer_steps (run->run.trainer) : run->run.recipe.step;
}

/* ---- changing ---- */

/* Before the first update the run begins anew with the value. */
static SluiceCode
begin_with (SluiceRun *run, const SlSettings *settings)
{
  SlSettings before = run->plan.settings;
  SlStatus   status, again;

  sl_headless_clear (&run->run);
  run->plan.settings = *settings;
  status = make (run);
  if (sl_ok (&status))
    return SLUICE_FINE;
  /* What held before was possible. */
  run->plan.settings = before;
  again = make (run);
  return sl_lib_fail (sl_ok (&again) ? &status : &again);
}

SluiceCode
sluice_run_set (SluiceRun *run, const char *parameter, const char *value)
{
  const SlLab *lab = run->plan.lab;
  SlSettings   settings;
  SlStatus     status;
  int          param;
  SluiceCode   code;

  SL_LIB_ENTER ();
  code = check_trains (run);
  if (code != SLUICE_FINE)
    return code;
  settings = *sl_trainer_settings (run->run.trainer);
  status = sl_settings_set (&settings, lab->params, lab->n_params, parameter, value);
  if (sl_ok (&status))
    status = sl_settings_check_reach (&settings, lab->params, lab->n_params);
  if (!sl_ok (&status))
    return sl_lib_fail (&status);
  if (sl_trainer_steps (run->run.trainer) == 0 && run->run.recipe.changes->len == 0 && !run->busy)
    return begin_with (run, &settings);
  param = sl_param_find (lab->params, lab->n_params, parameter);
  status = sl_headless_change (&run->run, (unsigned) param, &settings.value[param]);
  return sl_lib_fail (&status);
}

SluiceCode
sluice_run_get (const SluiceRun *run, const char *parameter, char **value)
{
  const SlLab *lab = run->plan.lab;
  SlSettings   settings = sl_lib_settings (run);
  int          param = sl_param_find (lab->params, lab->n_params, parameter);
  char         text[512];

  *value = NULL;
  SL_LIB_ENTER ();
  if (param < 0)
    {
      /* The sentence names the nearest one. */
      SlStatus status = sl_settings_set (&settings, lab->params, lab->n_params, parameter, "");

      return sl_lib_fail (&status);
    }
  *value
    = g_strdup (sl_param_format (&lab->params[param], &settings.value[param], text, sizeof text));
  return SLUICE_FINE;
}
