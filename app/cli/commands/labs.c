/* SPDX-License-Identifier: MIT
 *
 * sluice-cli labs: what there is to train, with every parameter and panel.  */
#include <glib/gi18n.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "app/cli/show/describe.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/manual/labs-json.h"
#include "core/run/manual/manual.h"

static const char *const examples
  = N_ ("Examples:\n"
        "  sluice-cli labs sign-estimator --all\n"
        "  sluice-cli labs sign-estimator --markdown > sign-estimator.md\n");

static void
list (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      printf ("%-20s %s\n", (*lab)->id, sl_words ((*lab)->title));
      sl_describe_wrapped (stdout, 4, sl_words ((*lab)->summary));
    }
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("[LAB]");
  gboolean           markdown = FALSE, json = FALSE, all = FALSE;
  const GOptionEntry entries[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all,
      N_ ("Print every parameter and panel, presets and sweeps"), NULL },
    { "markdown", 0, 0, G_OPTION_ARG_NONE, &markdown, N_ ("Print a help page"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print the descriptors as JSON"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_labs.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 1))
    return SL_EXIT_USAGE;

  const SlLab        *lab = sl_describe_find_lab (rest[0]);
  const SlLab *const  only[] = { lab, NULL };
  const SlLab *const *chosen = rest[0] != NULL ? only : sl_labs;

  if (lab == NULL)
    return SL_EXIT_USAGE;
  if (json)
    {
      g_autofree char *text = sl_labs_json (chosen);

      puts (text);
    }
  else if (markdown)
    for (; *chosen != NULL; chosen++)
      {
        g_autofree char *page = sl_manual_markdown ((*chosen)->id);

        fputs (page, stdout);
      }
  else if (rest[0] != NULL)
    sl_describe_lab (stdout, lab, all);
  else
    list ();
  return SL_EXIT_FINE;
}

const SlCliCommand sl_command_labs = { "labs", N_ ("Lists the labs, or describes one."), command };
