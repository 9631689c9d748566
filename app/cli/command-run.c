/* SPDX-License-Identifier: MIT
 *
 * sluice-cli run: trains a lab without a window.  */
#include <glib/gi18n.h>
#include <stdio.h>

#include "app/cli/describe.h"
#include "app/cli/perform.h"
#include "core/data/source.h"

static const char *const examples
  = N_ ("--set, --at and --plot may be given several times.\n"
        "\n"
        "LAB is an id that \"sluice-cli labs\" lists; without one, the first.  Without a limit\n"
        "the run takes 2000 steps.  When it is over, the figures of the whole test and\n"
        "validation data are printed.  The same command gives the same bytes again.\n"
        "\n"
        "Examples:\n"
        "  sluice-cli run --epochs 3 --plot error=error.svg\n"
        "  sluice-cli run sign-estimator --data moons --set hidden=64-64 --csv -\n"
        "  sluice-cli run --set rank=50-35-25 --at 2000:rank=5 --at 4e:rank=50-35-25 \\\n"
        "    --epochs 6 --plot error,density=dip.pdf --json dip.json\n"
        "\n"
        "\"sluice-cli labs LAB\" tells what --set and --at can change and which panels there\n"
        "are to plot; \"sluice-cli data\" tells what --data can open.\n"
        "\n"
        "Ctrl+C ends the run and writes what was measured so far.  Exit codes: 0 done,\n"
        "1 a file or the data failed, 2 a wrong word, 3 the loss is no longer finite (what\n"
        "was measured until then is written), 130 stopped.\n");

typedef struct
{
  char  *data;
  char **set, **at;
  gint64 steps, seed;
  double epochs, seconds;
  int    threads;
  gboolean quiet;
} Typed;

static void
clear_typed (Typed *typed)
{
  g_free (typed->data);
  g_strfreev (typed->set);
  g_strfreev (typed->at);
}

static SlExit
make_plan (SlPlan *plan, const Typed *typed)
{
  SlExit code = SL_EXIT_FINE;

  if (typed->steps < 0 || typed->seed < 0 || typed->threads < 0 || !(typed->epochs >= 0)
      || !(typed->seconds >= 0))
    {
      sl_cli_say ("--steps, --epochs, --seconds, --seed and --threads cannot be negative");
      return SL_EXIT_USAGE;
    }
  if (plan->lab->data != SL_NEEDS_NOTHING)
    plan->data = g_strdup (typed->data != NULL ? typed->data
                                              : sl_source_default_for (plan->lab->data));
  else if (typed->data != NULL)
    {
      sl_cli_say ("%s needs no data; leave --data out", plan->lab->id);
      return SL_EXIT_USAGE;
    }
  plan->seed = (uint64_t) typed->seed;
  plan->threads = (unsigned) typed->threads;
  plan->steps = (uint64_t) typed->steps;
  plan->epochs = typed->epochs;
  plan->seconds = typed->seconds;
  plan->quiet = typed->quiet;
  if (plan->steps == 0 && plan->epochs == 0 && plan->seconds == 0)
    plan->steps = 2000;
  for (char **set = typed->set; set != NULL && *set != NULL && code == SL_EXIT_FINE; set++)
    code = sl_plan_set (plan, *set);
  for (char **at = typed->at; at != NULL && *at != NULL && code == SL_EXIT_FINE; at++)
    code = sl_plan_change (plan, *at);
  return code;
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("[LAB]");
  Typed typed = { .seed = 1 };
  SlOutputs outputs = { 0 };
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &typed.data,
      "What to train on: a source, a file or a folder", "SPEC" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &typed.set, "A parameter from the start",
      "ID=VALUE" },
    { "at", 0, 0, G_OPTION_ARG_STRING_ARRAY, &typed.at,
      "A parameter from a step or (2.5e) epoch on",
      "STEP:ID=VALUE" },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &typed.steps, "Stop after so many updates", "N" },
    { "epochs", 0, 0, G_OPTION_ARG_DOUBLE, &typed.epochs,
      "Stop after so many passes over the training data", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &typed.seconds, "Stop after so much time", "S" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &typed.seed, "Seed of everything random; 1 if not given",
      "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &typed.threads, "Threads to compute with; 0 is all cores",
      "N" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &typed.quiet, "No progress line", NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, "Trains a lab and writes what was measured.");
  g_option_context_add_main_entries (context, entries, NULL);
  sl_outputs_add_options (&outputs, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      const SlLab *lab = sl_cli_at_most (args, rest, 1) ? sl_describe_find_lab (rest[0]) : NULL;

      code = SL_EXIT_USAGE;
      if (lab != NULL)
        {
          SlPlan plan;

          sl_plan_init (&plan, lab);
          code = make_plan (&plan, &typed);
          if (code == SL_EXIT_FINE)
            code = sl_cli_perform (&plan, &outputs, 0);
          sl_plan_clear (&plan);
        }
    }
  sl_outputs_clear (&outputs);
  clear_typed (&typed);
  return code;
}

const SlCommand sl_command_run = { "run", N_ ("train a lab, write tables and figures"), command };
