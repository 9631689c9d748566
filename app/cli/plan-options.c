/* SPDX-License-Identifier: MIT
 *
 * See plan-options.h.  */
#include "app/cli/plan-options.h"

#include <glib/gi18n.h>

#include <glib/gi18n.h>

#include "core/data/source/source.h"

void
sl_plan_options_add (SlPlanOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &options->data,
      N_ ("What to train on: a source, a file or a folder"), "SPEC" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options->set, N_ ("A parameter from the start"),
      "ID=VALUE" },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &options->steps, N_ ("Stop after so many updates"), "N" },
    { "epochs", 0, 0, G_OPTION_ARG_DOUBLE, &options->epochs,
      N_ ("Stop after so many passes over the training data"), "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->seconds, N_ ("Stop after so much time"),
      "S" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, N_ ("No progress line"), NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

void
sl_plan_options_add_single (SlPlanOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "at", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->at,
      N_ ("A parameter from a step or (2.5e) epoch on"), "STEP:ID=VALUE" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed,
      N_ ("Seed of everything random; 1 if not given"), "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &options->threads,
      N_ ("Threads to compute with; 0 is all cores"), "N" },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
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

SlExit
sl_plan_options_read (const SlPlanOptions *options, SlPlan *plan)
{
  SlExit code = SL_EXIT_FINE;

  if (options->steps < 0 || options->threads < 0 || !(options->epochs >= 0)
      || !(options->seconds >= 0))
    {
      sl_cli_report ("--steps, --epochs, --seconds and --threads cannot be negative");
      return SL_EXIT_USAGE;
    }
  if (plan->lab->data != SL_NEEDS_NOTHING)
    plan->data
      = g_strdup (options->data != NULL ? options->data : sl_source_default_for (plan->lab->data));
  else if (options->data != NULL)
    {
      sl_cli_report ("%s needs no data; leave --data out", plan->lab->id);
      return SL_EXIT_USAGE;
    }
  plan->threads = (unsigned) options->threads;
  plan->budget.steps = (uint64_t) options->steps;
  plan->budget.epochs = options->epochs;
  plan->budget.seconds = options->seconds;
  plan->quiet = options->quiet;
  if (plan->budget.steps == 0 && plan->budget.epochs == 0 && plan->budget.seconds == 0)
    plan->budget.steps = 2000;
  code = read_seed (options->seed, plan);
  for (char **set = options->set; set != NULL && *set != NULL && code == SL_EXIT_FINE; set++)
    code = sl_plan_set (plan, *set);
  for (char **at = options->at; at != NULL && *at != NULL && code == SL_EXIT_FINE; at++)
    code = sl_plan_change (plan, *at);
  return code;
}

void
sl_plan_options_clear (SlPlanOptions *options)
{
  g_free (options->data);
  g_free (options->seed);
  g_strfreev (options->set);
  g_strfreev (options->at);
}
