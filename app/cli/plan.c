/* SPDX-License-Identifier: MIT
 *
 * See plan.h.  */
#include "app/cli/plan.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/state/state.h"

/* Sets one parameter of `settings` from "id=value"; *param gets its index. */
static SlExit
set_from (SlSettings *settings, const SlLab *lab, const char *text, unsigned *param)
{
  const char *equals = strchr (text, '=');

  if (equals == NULL || equals == text)
    {
      sl_cli_report ("\"%s\" should be id=value, for example %s=…", text, lab->params[0].id);
      return SL_EXIT_USAGE;
    }

  g_autofree char *id = g_strndup (text, (gsize) (equals - text));
  SlStatus         status = sl_settings_set (settings, lab->params, lab->n_params, id, equals + 1);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  *param = (unsigned) sl_param_find (lab->params, lab->n_params, id);
  return SL_EXIT_FINE;
}

SlExit
sl_plan_set (SlPlan *plan, const char *text)
{
  unsigned param;

  return set_from (&plan->settings, plan->lab, text, &param);
}

SlExit
sl_plan_set_words (SlPlan *plan, const char *words)
{
  g_auto (GStrv) word = g_strsplit (words, " ", -1);
  SlExit code = SL_EXIT_FINE;

  for (char **w = word; *w != NULL && code == SL_EXIT_FINE; w++)
    if (**w != '\0')
      code = sl_plan_set (plan, *w);
  return code;
}

SlExit
sl_cli_change_run (SlHeadlessRun *run, const char *text)
{
  SlPlan plan;
  SlExit code;

  sl_plan_init (&plan, run->record.lab);
  code = sl_plan_set (&plan, text);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *id = g_strndup (text, strcspn (text, "="));
      unsigned         param = (unsigned) sl_param_find (plan.lab->params, plan.lab->n_params, id);
      SlStatus         status = sl_trainer_set (run->trainer, param, &plan.settings.value[param]);

      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
    }
  sl_plan_clear (&plan);
  return code;
}

static SlExit
check_reach (const SlSettings *settings, const SlLab *lab)
{
  SlStatus status = sl_settings_check_reach (settings, lab->params, lab->n_params);

  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* Reads "STEP:id=value" or "EPOCHe:id=value" (also 0.5e). */
static SlExit
read_change (SlPlan *plan, const char *text)
{
  SlPlannedChange change = { 0 };
  SlSettings      settings = plan->settings;
  SlExit          code;
  char           *end;

  change.when = g_ascii_strtod (text, &end);
  if (end != text && *end == 'e')
    {
      change.by_epoch = true;
      end++;
    }
  if (end == text || *end != ':' || !(change.when >= 0 && change.when < 1e15)
      || (!change.by_epoch && change.when != floor (change.when)))
    {
      sl_cli_report (
        "\"%s\" should be STEP:id=value or EPOCHe:id=value, as 2000:learning-rate=0.0001", text);
      return SL_EXIT_USAGE;
    }
  code = set_from (&settings, plan->lab, end + 1, &change.param);
  if (code == SL_EXIT_FINE)
    code = check_reach (&settings, plan->lab);
  if (code != SL_EXIT_FINE)
    return code;
  if (plan->lab->params[change.param].effect != SL_LIVE)
    {
      sl_cli_report ("%s needs new weights and cannot change during a run; use --set",
                     plan->lab->params[change.param].id);
      return SL_EXIT_USAGE;
    }
  change.value = settings.value[change.param];
  g_array_append_val (plan->changes, change);
  return SL_EXIT_FINE;
}

static SlExit
read_changes (const SlPlanOptions *options, SlPlan *plan)
{
  SlExit code = SL_EXIT_FINE;

  for (char **at = options->at; at != NULL && *at != NULL && code == SL_EXIT_FINE; at++)
    code = read_change (plan, *at);
  return code;
}

/* Limits that were not typed. */
static const gint64 NO_STEPS = G_MININT64;
static const double NO_TIME = -HUGE_VAL;

enum { NO_THREADS = G_MININT };

/* A limit that was typed leaves something to do. */
static gboolean
check_limits (const SlPlanOptions *options)
{
  if ((options->steps == NO_STEPS || options->steps > 0)
      && (options->epochs == NO_TIME || options->epochs > 0)
      && (options->seconds == NO_TIME || options->seconds > 0)
      && (options->patience == NO_TIME || options->patience > 0)
      && (options->threads == NO_THREADS || options->threads >= 0))
    return TRUE;
  sl_cli_report ("--steps, --epochs, --seconds and --patience must be above 0, --threads at "
                 "least 0");
  return FALSE;
}

void
sl_plan_options_add_settings (SlPlanOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->data,
      N_ ("Training data: a source, a file or a folder"), "SPEC" },
    { "preset", 0, 0, G_OPTION_ARG_STRING, &options->preset,
      N_ ("Named settings; --set changes them"), "NAME" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options->set, N_ ("A parameter from the start"),
      "ID=VALUE" },
    { NULL },
  };

  options->steps = NO_STEPS;
  options->threads = NO_THREADS;
  options->epochs = options->seconds = options->patience = NO_TIME;
  g_option_context_add_main_entries (context, entries, NULL);
}

void
sl_plan_options_add (SlPlanOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "steps", 0, 0, G_OPTION_ARG_INT64, &options->steps, N_ ("Stop after N updates"), "N" },
    { "epochs", 0, 0, G_OPTION_ARG_DOUBLE, &options->epochs,
      N_ ("Stop after N passes over the training data"), "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->seconds, N_ ("Stop after this time"), "S" },
    { "patience", 0, 0, G_OPTION_ARG_DOUBLE, &options->patience,
      N_ ("Stop after N epochs without smaller validation error"), "N" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, N_ ("No progress line"), NULL },
    { NULL },
  };

  sl_plan_options_add_settings (options, context);
  g_option_context_add_main_entries (context, entries, NULL);
}

void
sl_plan_options_add_single (SlPlanOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "at", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->at,
      N_ ("A parameter from a step or epoch (2.5e) on"), "STEP:ID=VALUE" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed,
      N_ ("Seed of all random numbers (default 1)"), "N" },
    { "state", 0, 0, G_OPTION_ARG_STRING, &options->state,
      N_ ("Lab, settings, data and seed as the line that the window copies"), "TEXT" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &options->threads,
      N_ ("Threads; 0: all (default: what info --measure found)"), "N" },
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &options->store, N_ ("Keep the run in a store"),
      "FILE" },
    { "resume", 0, 0, G_OPTION_ARG_STRING, &options->resume,
      N_ ("Continue a stored run: the beginning of its id, or \"last\""), "RUN" },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

/* Puts the settings of a preset in the place of the plan's; NULL: leaves those. */
static SlExit
read_preset (const char *id, SlPlan *plan)
{
  const SlLab    *lab = plan->lab;
  const SlPreset *preset = id != NULL ? sl_lab_preset (lab, id) : NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  SlStatus status;

  if (preset != NULL)
    {
      status = sl_preset_settings (lab, preset, &plan->settings);
      return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
    }
  if (id == NULL)
    return SL_EXIT_FINE;
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    g_ptr_array_add (ids, (gpointer) lab->presets[i].id);
  g_ptr_array_add (ids, NULL);
  sl_cli_report ("%s has no preset \"%s\"; perhaps %s?", lab->id, id,
                 sl_cli_nearest (id, (const char *const *) ids->pdata));
  return SL_EXIT_USAGE;
}

static SlExit
read_seed (const char *text, SlPlan *plan)
{
  guint64 seed;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &seed, NULL))
    {
      sl_cli_report ("--seed takes a whole number from 0 on, not \"%s\"", text);
      return SL_EXIT_USAGE;
    }
  plan->seed = text != NULL ? seed : 1;
  return SL_EXIT_FINE;
}

static SlExit
find_run (SlPlan *plan, const char *name)
{
  GError          *error = NULL;
  g_autofree char *last = strcmp (name, "last") == 0 ? sl_store_last_open (plan->store) : NULL;
  g_autoptr (SlStoreRun) row = sl_store_find (plan->store, last != NULL ? last : name, &error);

  if (row == NULL || !sl_store_is_free (plan->store, row->uuid, &error)
      || !sl_store_load (plan->store, row->uuid, TRUE, UINT64_MAX, &plan->stored, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static SlExit
open_store (const SlPlanOptions *options, SlPlan *plan)
{
  GError *error = NULL;

  if (options->store == NULL)
    {
      if (options->resume == NULL)
        return SL_EXIT_FINE;
      sl_cli_report (_ ("--resume needs --store"));
      return SL_EXIT_USAGE;
    }
  plan->store = sl_store_open (options->store, &error);
  if (plan->store == NULL)
    return sl_cli_fail_error (error);
  if (sl_store_error (plan->store) != NULL)
    return sl_cli_fail_error (g_error_copy (sl_store_error (plan->store)));
  return SL_EXIT_FINE;
}

/* What is fixed when a run begins cannot be typed again when it is resumed. */
static gboolean
check_resumed (const SlPlanOptions *options)
{
  const SlCliOption of_begin[] = { { "--data", options->data != NULL },
                                   { "--preset", options->preset != NULL },
                                   { "--set", options->set != NULL },
                                   { "--seed", options->seed != NULL },
                                   { "--threads", options->threads != NO_THREADS } };
  const char       *name = sl_cli_first_typed (of_begin, G_N_ELEMENTS (of_begin));

  if (name == NULL)
    return TRUE;
  sl_cli_report ("%s does not go with --resume; --at changes a parameter", name);
  return FALSE;
}

/* Adds the changes of --at to a run to resume, from its last update on. */
static SlExit
read_changes_to_come (const SlPlanOptions *options, SlPlan *plan)
{
  guint  stored = plan->changes->len;
  SlExit code = read_changes (options, plan);

  for (guint i = stored; i < plan->changes->len && code == SL_EXIT_FINE; i++)
    {
      const SlPlannedChange *change = &g_array_index (plan->changes, SlPlannedChange, i);

      if (change->by_epoch || change->when >= (double) plan->stored.checkpoint.step)
        continue;
      sl_cli_report ("--at %.0f is too late: the run goes on from update %llu", change->when,
                     (unsigned long long) plan->stored.checkpoint.step);
      code = SL_EXIT_USAGE;
    }
  return code;
}

/* Takes the plan from the run to resume, with the changes still to come. */
static SlExit
read_resumed (const SlPlanOptions *options, SlPlan *plan)
{
  const SlRecipe *recipe = &plan->stored.recipe;
  SlExit          code;

  if (!check_resumed (options))
    return SL_EXIT_USAGE;
  /* Looking for a run should not make a store. */
  if (options->store != NULL && !g_file_test (options->store, G_FILE_TEST_EXISTS))
    {
      sl_cli_report ("there is no store %s", options->store);
      return SL_EXIT_FAILED;
    }
  code = open_store (options, plan);
  if (code == SL_EXIT_FINE)
    code = find_run (plan, options->resume);
  if (code != SL_EXIT_FINE)
    return code;
  if (options->lab != NULL && strcmp (options->lab, recipe->lab->id) != 0)
    {
      sl_cli_report ("the run to resume is one of %s, not of %s", recipe->lab->id, options->lab);
      return SL_EXIT_USAGE;
    }
  sl_plan_recipe (plan, recipe, plan->stored.changes);
  code = read_changes_to_come (options, plan);
  if (code == SL_EXIT_FINE && strcmp (recipe->kernel, sl_blas_kernel ()) != 0)
    sl_cli_report ("this run began on kernel %s; on %s its last digits will differ", recipe->kernel,
                   sl_blas_kernel ());
  return code;
}

SlExit
sl_plan_options_state (SlPlanOptions *options, SlPlan *plan)
{
  GError *error = NULL;
  SlState state;

  if (options->state == NULL)
    return SL_EXIT_FINE;
  if (!sl_state_read (options->state, &state, &error))
    return sl_cli_fail_error (error);
  if (options->lab != NULL || options->preset != NULL || options->resume != NULL)
    {
      sl_cli_report (_ ("--state has lab and settings; leave LAB, --preset and --resume out"));
      return SL_EXIT_USAGE;
    }
  plan->lab = state.lab;
  plan->settings = state.settings;
  if (options->data == NULL && state.data[0] != '\0')
    options->data = g_strsplit (state.data, "\n", 1);
  if (options->seed == NULL)
    options->seed = g_strdup_printf ("%" PRIu64, state.seed);
  return SL_EXIT_FINE;
}

/* The limits that were typed; without one, 2000 updates, or all of a lab that ends by itself. */
static void
read_budget (const SlPlanOptions *options, SlPlan *plan)
{
  plan->budget.steps = (uint64_t) MAX (options->steps, 0);
  plan->budget.epochs = MAX (options->epochs, 0.0);
  plan->budget.seconds = MAX (options->seconds, 0.0);
  plan->budget.patience = MAX (options->patience, 0.0);
  if (plan->budget.steps == 0 && plan->budget.epochs == 0 && plan->budget.seconds == 0
      && plan->budget.patience == 0 && plan->lab->ended == NULL)
    plan->budget.steps = 2000;
}

/* Lab, settings, data, seed, threads and changes of a run that begins. */
static SlExit
read_new (const SlPlanOptions *options, SlPlan *plan)
{
  SlExit code;

  if (plan->lab->data != SL_NEEDS_NOTHING)
    plan->data = g_strdup (options->data != NULL ? options->data[0]
                                                 : sl_source_default_for (plan->lab->data));
  else if (options->data != NULL)
    {
      sl_cli_report ("%s does not go with %s", "--data", plan->lab->id);
      return SL_EXIT_USAGE;
    }
  plan->threads = options->threads == NO_THREADS ? 0
                  : options->threads == 0        ? sl_blas_cores ()
                                                 : (unsigned) options->threads;
  code = read_seed (options->seed, plan);
  if (code == SL_EXIT_FINE)
    code = read_preset (options->preset, plan);
  for (char **set = options->set; set != NULL && *set != NULL && code == SL_EXIT_FINE; set++)
    code = sl_plan_set (plan, *set);
  if (code == SL_EXIT_FINE && !options->several) /* a sweep's own axes come on top */
    code = check_reach (&plan->settings, plan->lab);
  if (code == SL_EXIT_FINE)
    code = read_changes (options, plan);
  return code == SL_EXIT_FINE ? open_store (options, plan) : code;
}

SlExit
sl_plan_options_read (const SlPlanOptions *options, SlPlan *plan)
{
  SlExit code;

  if (!check_limits (options))
    return SL_EXIT_USAGE;
  if (options->data != NULL && options->data[1] != NULL && !options->several)
    {
      sl_cli_report ("--data twice: only a sweep takes several");
      return SL_EXIT_USAGE;
    }
  code = options->resume != NULL ? read_resumed (options, plan) : read_new (options, plan);
  if (code == SL_EXIT_FINE)
    read_budget (options, plan);
  return code;
}

const char *
sl_plan_options_limit (const SlPlanOptions *options)
{
  const SlCliOption limits[] = { { "--steps", options->steps != NO_STEPS },
                                 { "--epochs", options->epochs != NO_TIME },
                                 { "--seconds", options->seconds != NO_TIME },
                                 { "--patience", options->patience != NO_TIME } };

  return sl_cli_first_typed (limits, G_N_ELEMENTS (limits));
}

void
sl_plan_options_clear (SlPlanOptions *options)
{
  g_strfreev (options->data);
  g_free (options->seed);
  g_free (options->preset);
  g_free (options->store);
  g_free (options->resume);
  g_free (options->state);
  g_strfreev (options->set);
  g_strfreev (options->at);
}
