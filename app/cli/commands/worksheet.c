/* SPDX-License-Identifier: MIT
 *
 * sluice-cli worksheet: a lesson on paper.  */
#include <glib/gi18n.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "app/cli/show/claims.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "plot/export/export.h"
#include "plot/worksheet/worksheet.h"

static const char *const examples
  = N_ ("LESSON is a lesson of the program, or a file; without one the lessons are listed.  The\n"
        "worksheet has at most two pages of A4.  For the key the runs of the lesson are trained.\n"
        "\n"
        "Examples:\n"
        "  sluice-cli worksheet 2-sparsity -o sparsity.pdf\n"
        "  sluice-cli worksheet 2-sparsity --key -o sparsity-key.pdf\n"
        "  sluice-cli worksheet own.lesson --claims 10\n");

static SlExit
list_lessons (void)
{
  g_auto (GStrv) names = sl_lesson_names ();

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);

      printf ("%-14s %s\n", *name, lesson != NULL ? sl_words (lesson->title) : "");
    }
  return SL_EXIT_FINE;
}

static bool
is_known (const char *name)
{
  g_auto (GStrv) names = sl_lesson_names ();
  g_autoptr (GFile) file = sl_lesson_file (name);

  if (g_file_get_path (file) == NULL && !g_strv_contains ((const char *const *) names, name))
    {
      sl_cli_report (_ ("there is no lesson \"%s\"; perhaps %s?"), name,
                     sl_cli_nearest (name, (const char *const *) names));
      return false;
    }
  return true;
}

static SlExit
write_pages (const SlLesson *lesson, const char *name, const char *out, gboolean key)
{
  GError *error = NULL;
  g_autoptr (GBytes) bytes
    = key ? sl_worksheet_key (lesson, &error) : sl_worksheet_write (lesson, &error);
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *path
    = out != NULL ? g_strdup (out) : g_strconcat (base, key ? "-key.pdf" : ".pdf", NULL);

  if (bytes == NULL
      || !sl_save (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static SlExit
read_lesson (const char *name, const char *out, gboolean key, int claims)
{
  g_autoptr (GFile) file = sl_lesson_file (name);
  g_autoptr (SlLesson) lesson = NULL;
  GError *error = NULL;

  if (!is_known (name))
    return SL_EXIT_USAGE;
  lesson = sl_lesson_load (file, &error);
  if (lesson == NULL)
    return sl_cli_fail_error (error);
  return claims > 0 ? sl_cli_check_claims (lesson, (unsigned) claims)
                    : write_pages (lesson, name, out, key);
}

static SlExit
command (char **args)
{
  GOptionContext  *context = g_option_context_new ("[LESSON]");
  g_autofree char *out = NULL;
  gboolean         key = FALSE;
  int              claims = 0;
  g_auto (GStrv) rest = NULL;
  SlExit             code;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &out,
      N_ ("File to write (default: the lesson's name with .pdf)"), "FILE" },
    { "key", 0, 0, G_OPTION_ARG_NONE, &key,
      N_ ("The teacher's key: notes, measured values and curves"), NULL },
    { "claims", 0, 0, G_OPTION_ARG_INT, &claims,
      N_ ("Print whether what the lesson claims (\"holds\") is so, with so many seeds"), "N" },
    { NULL },
  };

  g_option_context_set_summary (context, sl_command_worksheet.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 1))
    return SL_EXIT_USAGE;
  if (rest[0] == NULL && (out != NULL || key || claims != 0))
    {
      sl_cli_report ("no lesson is given; see %s --help", args[0]);
      return SL_EXIT_USAGE;
    }
  if (claims < 0 || claims > SL_CLAIM_SEEDS || (claims > 0 && (out != NULL || key)))
    {
      sl_cli_report ("--claims is a number of seeds from 1 to %d, and goes alone", SL_CLAIM_SEEDS);
      return SL_EXIT_USAGE;
    }
  if (out != NULL && sl_export_format_for (out) >= 0 && sl_export_format_for (out) != SL_EXPORT_PDF)
    {
      sl_cli_report ("%s: a worksheet is a .pdf", out);
      return SL_EXIT_USAGE;
    }
  return rest[0] != NULL ? read_lesson (rest[0], out, key, claims) : list_lessons ();
}

const SlCliCommand sl_command_worksheet
  = { "worksheet", N_ ("Writes a lesson as a worksheet to print."), command };
