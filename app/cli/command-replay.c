/* SPDX-License-Identifier: MIT
 *
 * sluice-cli replay: makes a run again from the recipe that a figure or a JSON export
 * carries, with the changes that were made on the way.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/perform.h"
#include "core/nn/mat.h"
#include "core/run/recipe.h"

static const char *const examples
  = N_ ("FILE is a figure (svg, png, pdf) or a JSON export that Sluice wrote.  On the same\n"
        "kernel and number of threads the tables come out the same to the last digit.\n"
        "\n"
        "Examples:\n"
        "  sluice-cli replay error.svg --csv again.csv\n"
        "  sluice-cli replay run.json --data ~/moved/train-images.gz --plot all=page.pdf\n");

/* Tells what will make the last digits differ. */
static void
compare_machines (const SlRecipe *recipe, unsigned threads)
{
  if (strcmp (recipe->version, SL_VERSION) != 0)
    sl_cli_say ("the recipe is of version %s, this is %s", recipe->version, SL_VERSION);
  if (strcmp (recipe->kernel, sl_blas_kernel ()) != 0 || recipe->threads != threads)
    sl_cli_say ("made with the kernel %s and %u threads, replayed with %s and %u: the last "
                "digits may differ",
                recipe->kernel, recipe->threads, sl_blas_kernel (), threads);
}

static void
plan_from (const SlRecipe *recipe, SlPlan *plan)
{
  sl_plan_init (plan, recipe->lab);
  plan->settings = recipe->settings;
  plan->seed = recipe->seed;
  plan->budget.steps = recipe->step;
  plan->threads = recipe->threads;
  for (guint i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);
      SlPlannedChange planned = {
        .when = (double) change->step, .param = change->param, .value = change->value
      };

      g_array_append_val (plan->changes, planned);
    }
}

static SlExit
replay (const char *path, char **data, gboolean quiet, SlOutputs *outputs)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = sl_recipe_find (path, &error);
  SlRecipe recipe;
  SlPlan   plan;
  SlExit   code;

  if (json == NULL || !sl_recipe_read (json, &recipe, &error))
    return sl_cli_fail_error (g_steal_pointer (&error));
  plan_from (&recipe, &plan);
  plan.quiet = quiet;
  if (plan.lab->data != SL_NEEDS_NOTHING)
    plan.data = *data != NULL ? g_steal_pointer (data) : g_strdup (recipe.data);
  compare_machines (&recipe, sl_blas_set_threads (recipe.threads));
  if (plan.budget.steps == 0)
    {
      sl_cli_say ("%s: the run had not made a step yet", path);
      code = SL_EXIT_FAILED;
    }
  else
    code = sl_cli_perform (&plan, outputs, recipe.data_hash);
  sl_plan_clear (&plan);
  sl_recipe_clear (&recipe);
  return code;
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("FILE");
  g_autofree char *data = NULL;
  gboolean  quiet = FALSE;
  SlOutputs outputs = { 0 };
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &data,
      N_ ("Where the same data are now; their content is checked"), "SPEC" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("No progress line"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, "Makes a run again from a figure or export of it.");
  g_option_context_add_main_entries (context, entries, NULL);
  sl_outputs_add_options (&outputs, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_say ("which file? see %s --help", args[0]);
      else if (sl_cli_at_most (args, rest, 1))
        code = replay (rest[0], &data, quiet, &outputs);
    }
  sl_outputs_clear (&outputs);
  return code;
}

const SlCommand sl_command_replay
  = { "replay", N_ ("make a run again from a figure or export of it"), command };
