/* SPDX-License-Identifier: MIT
 *
 * sluice-cli: the program without a window.  Data go to the standard output,
 * progress and complaints to the error stream.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"

static const SlCliCommand *const own_commands[] = {
  &sl_command_run,       &sl_command_sweep,   &sl_command_runs, &sl_command_plot,
  &sl_command_replay,    &sl_command_labs,    &sl_command_data, &sl_command_validate,
  &sl_command_worksheet, &sl_command_answers, &sl_command_info, &sl_command_figures,
};

/* All commands: our own, then those of the labs. */
static GPtrArray *
list_commands (void)
{
  GPtrArray *commands = g_ptr_array_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (own_commands); i++)
    g_ptr_array_add (commands, (gpointer) own_commands[i]);
  for (const SlCliCommand *const *command = sl_lab_commands; *command != NULL; command++)
    g_ptr_array_add (commands, (gpointer) *command);
  return commands;
}

static void
usage (FILE *stream)
{
  g_autoptr (GPtrArray) commands = list_commands ();

  fputs (_ ("Usage: sluice-cli COMMAND [OPTION…] [WORD…]\n"
            "\n"
            "Trains conditional-computation networks and writes measurements.\n"
            "\n"
            "Commands:\n"),
         stream);
  for (unsigned i = 0; i < commands->len; i++)
    {
      const SlCliCommand *command = g_ptr_array_index (commands, i);

      fprintf (stream, "  %-10s %s\n", command->name, gettext (command->summary));
    }
  fputs (
    _ ("\nEvery command takes --kernel NAME, what OpenBLAS multiplies with (sluice-cli info).\n"),
    stream);
  fputs (_ ("\n"
            "sluice-cli COMMAND --help has details.  To begin:\n"
            "  sluice-cli run --steps 500 --plot error=error.svg\n"),
         stream);
}

static int
dispatch (char **argv)
{
  g_autoptr (GPtrArray) commands = list_commands (), names = g_ptr_array_new ();

  for (unsigned i = 0; i < commands->len; i++)
    {
      const SlCliCommand *command = g_ptr_array_index (commands, i);

      g_ptr_array_add (names, (gpointer) command->name);
      if (strcmp (command->name, argv[1]) == 0)
        {
          g_autofree char *name = g_strconcat ("sluice-cli ", argv[1], NULL);

          argv[1] = name;
          return command->run (argv + 1);
        }
    }
  g_ptr_array_add (names, NULL);
  sl_cli_report ("there is no command \"%s\"; perhaps %s?", argv[1],
                 sl_cli_nearest (argv[1], (const char *const *) names->pdata));
  return SL_EXIT_USAGE;
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
