/* SPDX-License-Identifier: MIT
 *
 * See cli.h.  */
#include "app/cli/cli.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/words.h"
#include "core/run/base/cpu.h"
#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/headless/thread-trial.h"

static const char *program_name = "sluice-cli";

void
sl_cli_start (const char *program, char **argv)
{
  GError  *error = NULL;
  gboolean possible;

  program_name = program;
  g_log_writer_default_set_use_stderr (TRUE); /* the standard output is for data */
  possible = sl_cpu_prepare (argv, &error);
  sl_thread_child (argv);
  sl_threads_choose (0);
  sl_language_start ();
  if (!possible)
    {
      sl_cli_fail_error (error);
      exit (SL_EXIT_USAGE);
    }
}

SlExit
sl_cli_end (SlExit code)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return code;
  sl_cli_report ("the output could not be written");
  return SL_EXIT_FAILED;
}

void
sl_cli_report (const char *format, ...)
{
  va_list list;

  fprintf (stderr, "%s: ", program_name);
  va_start (list, format);
  vfprintf (stderr, gettext (format), list);
  va_end (list);
  fputc ('\n', stderr);
}

SlExit
sl_cli_fail (const SlStatus *status)
{
  g_autofree char *sentence = sl_status_sentence (status);

  sl_cli_report ("%s", sentence);
  switch (status->code)
    {
    case SL_EINVAL: return SL_EXIT_USAGE;
    case SL_EDIVERGED: return SL_EXIT_DIVERGED;
    default: return SL_EXIT_FAILED;
    }
}

SlExit
sl_cli_fail_error (GError *error)
{
  sl_cli_report ("%s", error->message);
  g_error_free (error);
  return SL_EXIT_FAILED;
}

const char *
sl_cli_nearest (const char *word, const char *const *candidates)
{
  const char *nearest = candidates[0];

  for (; *candidates != NULL; candidates++)
    if (sl_word_distance (word, *candidates) < sl_word_distance (word, nearest))
      nearest = *candidates;
  return nearest;
}

/* The long options that a help text lists; those of other commands are only named in its sentences. */
static GPtrArray *
options_of (const char *help)
{
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);

  for (const char *at = strstr (help, "--"); at != NULL; at = strstr (at + 2, "--"))
    if (at - help >= 2 && at[-1] == ' ' && (at[-2] == ' ' || at[-2] == ','))
      g_ptr_array_add (options, g_strndup (at, strspn (at, "-abcdefghijklmnopqrstuvwxyz")));
  g_ptr_array_add (options, NULL);
  return options;
}

static void
complain (GOptionContext *context, const char *program, const GError *error)
{
  const char *unknown = strchr (error->message, '-');

  if (g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) && unknown != NULL)
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);
      g_autoptr (GPtrArray) options = options_of (help);

      sl_cli_report ("there is no option %s; perhaps %s?", unknown,
                     sl_cli_nearest (unknown, (const char *const *) options->pdata));
    }
  else
    sl_cli_report ("%s", error->message);
  sl_cli_report ("see %s --help", program);
}

bool
sl_cli_options (GOptionContext *context, const char *examples, char **args, char ***rest,
                SlExit *code)
{
  gboolean           help = FALSE;
  const GOptionEntry entries[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, N_ (N_ ("Print this and exit")), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, rest, NULL, NULL },
    { NULL },
  };
  g_auto (GStrv) copy = g_strdupv (args);
  g_autoptr (GError) error = NULL;

  *rest = NULL;
  /* The library's own help option would print in the locale's character set and leave. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_description (context, examples);
  g_option_context_add_main_entries (context, entries, NULL);
  g_set_prgname (args[0]);
  *code = SL_EXIT_FINE;
  if (!g_option_context_parse_strv (context, &copy, &error))
    {
      complain (context, args[0], error);
      *code = SL_EXIT_USAGE;
    }
  else if (help)
    {
      g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);

      fputs (text, stdout);
    }
  g_option_context_free (context);
  if (*rest == NULL)
    *rest = g_new0 (char *, 1);
  return *code == SL_EXIT_FINE && !help;
}

const char *
sl_cli_first_typed (const SlCliOption *options, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (options[i].typed)
      return options[i].name;
  return NULL;
}

bool
sl_cli_at_most (char **args, char **rest, unsigned most)
{
  if (g_strv_length (rest) <= most)
    return true;
  sl_cli_report ("\"%s\" is not expected here; see %s --help", rest[most], args[0]);
  return false;
}
