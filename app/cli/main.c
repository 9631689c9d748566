/* SPDX-License-Identifier: MIT
 *
 * sluice-cli: the program without a window.  Data go to the standard output,
 * progress and complaints to the error stream.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"

static const SlCliCommand *const commands[] = {
  &sl_command_run,      &sl_command_sweep,     &sl_command_runs,    &sl_command_plot,
  &sl_command_replay,   &sl_command_labs,      &sl_command_data,    &sl_command_trace,
  &sl_command_validate, &sl_command_worksheet, &sl_command_answers, &sl_command_info,
  &sl_command_figures,
};

static void
usage (FILE *stream)
{
  fputs (_ ("Usage: sluice-cli COMMAND [OPTION…] [WORD…]\n\n"
            "Trains conditional-computation networks and writes what was measured.\n\n"
            "Commands:\n"),
         stream);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (stream, "  %-10s %s\n", commands[i]->name, gettext (commands[i]->summary));
  fputs (
    _ ("\nEvery command takes --kernel NAME, what OpenBLAS multiplies with (sluice-cli info).\n"),
    stream);
  fputs (_ ("\nsluice-cli COMMAND --help has the details.  To begin with:\n  sluice-cli run "
            "--steps 500 --plot error=error.svg\n"),
         stream);
}

static int
unknown (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };

  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i]->name;
  sl_cli_report ("there is no command \"%s\"; perhaps %s?", word, sl_cli_nearest (word, names));
  return SL_EXIT_USAGE;
}

static int
dispatch (char **argv)
{
  const char *word = argv[1];

  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i]->name, word) == 0)
      {
        g_autofree char *name = g_strconcat ("sluice-cli ", word, NULL);

        argv[1] = name;
        return commands[i]->run (argv + 1);
      }
  return unknown (word);
}

int
main (int argc, char **argv)
{
  int code = SL_EXIT_FINE;

  sl_cli_start ("sluice-cli", argv);
  if (argc < 2)
    {
      usage (stderr);
      return SL_EXIT_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    usage (stdout);
  else if (strcmp (argv[1], "--version") == 0)
    puts ("sluice-cli " SL_VERSION);
  else
    code = dispatch (argv);
  return sl_cli_end (code);
}
