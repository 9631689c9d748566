/* SPDX-License-Identifier: MIT
 *
 * sluice-cli run: trains a lab without a window.  */
#include <glib/gi18n.h>
#include <stdio.h>

#include "app/cli/commands/moments.h"
#include "app/cli/commands/perform.h"
#include "app/cli/plan.h"
#include "app/cli/show/describe.h"
#include "core/run/record/data.h"

static const char *const examples = N_ (
  "LAB is an id that \"sluice-cli labs\" lists; default: that of --state or the first that can\n"
  "use the data.  Without a limit the run takes 2000 steps, or all there are.  --set, --at and\n"
  "--plot may be given several times.  The same command gives the same bytes.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli run --epochs 3 --plot error=error.svg\n"
  "  sluice-cli run --set rank=50-35-25 --at 2000:rank=5 --json dip.json\n"
  "  sluice-cli run --store runs.sluice --resume last --steps 10000\n"
  "\n"
  "Ctrl+C ends the run and writes what was measured; SIGTERM ends it without final scores and\n"
  "panels.  Exit codes: 0 done, 1 error in a file or the data or not all is stored, 2 wrong\n"
  "usage, 3 the loss is no longer finite, 130 stopped.\n");

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("[LAB]");
  SlPlanOptions   options = { 0 };
  SlOutputs       outputs = { 0 };
  SlFilmChoice    film;
  int             moments;
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_run.summary);
  sl_plan_options_add (&options, context);
  sl_plan_options_add_single (&options, context);
  sl_outputs_add_options (&outputs, context);
  sl_film_choice_add_options (&film, context);
  sl_cli_moments_add_option (&moments, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      const SlLab *lab = sl_cli_at_most (args, rest, 1) ? sl_describe_find_lab (rest[0]) : NULL;

      code = SL_EXIT_USAGE;
      if (lab != NULL)
        {
          SlPlan plan;

          if (rest[0] == NULL && options.data != NULL)
            lab = sl_lab_for_data (lab, options.data[0]);
          options.lab = rest[0];
          sl_plan_init (&plan, lab);
          code = sl_plan_options_state (&options, &plan);
          if (code == SL_EXIT_FINE)
            code = sl_plan_options_read (&options, &plan);
          if (code == SL_EXIT_FINE && !sl_cli_moments_check (moments))
            code = SL_EXIT_USAGE;
          if (code == SL_EXIT_FINE)
            code = sl_cli_perform (&plan, &(SlPerform) { .outputs = &outputs,
                                                         .data_hash = plan.stored.recipe.data_hash,
                                                         .quiet = options.quiet,
                                                         .film = &film,
                                                         .moments = moments });
          sl_plan_clear (&plan);
        }
    }
  sl_film_choice_clear (&film);
  sl_outputs_clear (&outputs);
  sl_plan_options_clear (&options);
  return code;
}

const SlCliCommand sl_command_run
  = { "run", N_ ("Trains a lab and writes tables and figures."), command };
