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
#include "plot/page/lesson.h"
#include "plot/worksheet/cheat-sheet.h"
#include "plot/worksheet/questions.h"
#include "plot/worksheet/worksheet.h"

static const char *const examples = N_ (
  "LESSON is a lesson of the program or a file; default: list the lessons.  The key, questions\n"
  "and a web page train its runs.  Questions are Moodle XML or GIFT.  The web page is the\n"
  "lesson in one file for any browser and saves answers for \"sluice-cli answers merge\"; its\n"
  "source has the right answers.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli worksheet 2-sparsity --key -o sparsity-key.pdf\n"
  "  sluice-cli worksheet 2-sparsity --questions sparsity.xml\n"
  "  sluice-cli worksheet --cheat-sheet -o words.pdf\n"
  "  sluice-cli worksheet own.lesson --claims 10\n");

typedef struct
{
  char    *out, *questions, *html;
  gboolean key, cheat_sheet;
  int      claims;
} Options;

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

  if (!g_file_is_native (file) && !g_strv_contains ((const char *const *) names, name))
    {
      sl_cli_report (_ ("there is no lesson \"%s\"; perhaps %s?"), name,
                     sl_cli_nearest (name, (const char *const *) names));
      return false;
    }
  return true;
}

/* Frees bytes and error. */
static SlExit
write_bytes (GBytes *bytes, const char *path, GError *error)
{
  g_autoptr (GBytes) written = bytes;

  if (written == NULL
      || !sl_save (path, g_bytes_get_data (written, NULL), g_bytes_get_size (written), &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static SlExit
write_pages (const SlLesson *lesson, const char *name, const char *out, gboolean key)
{
  GError *error = NULL;
  GBytes *bytes = key ? sl_worksheet_key (lesson, &error) : sl_worksheet_write (lesson, &error);
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *path
    = out != NULL ? g_strdup (out) : g_strconcat (base, key ? "-key.pdf" : ".pdf", NULL);

  return write_bytes (bytes, path, error);
}

static SlExit
write_questions (const SlLesson *lesson, const char *path)
{
  GError  *error = NULL;
  unsigned open = 0;
  GBytes  *bytes = sl_worksheet_questions (
     lesson, (SlQuestionsFormat) sl_questions_format_for (path), &open, &error);
  SlExit code = write_bytes (bytes, path, error);

  if (code == SL_EXIT_FINE && open > 0)
    {
      printf (ngettext ("%u question is an essay: curves, times and open questions cannot be "
                        "marked.",
                        "%u questions are essays: curves, times and open questions cannot be "
                        "marked.",
                        open),
              open);
      printf ("\n");
    }
  return code;
}

static SlExit
write_page (const SlLesson *lesson, const char *path)
{
  GError *error = NULL;
  GBytes *page = sl_page_lesson (lesson, &error);

  return write_bytes (page, path, error);
}

static SlExit
write_cheat_sheet (const char *out)
{
  GError *error = NULL;
  GBytes *bytes = sl_worksheet_cheat_sheet (&error);

  return write_bytes (bytes, out != NULL ? out : "cheat-sheet.pdf", error);
}

static SlExit
read_lesson (const char *name, const Options *options)
{
  g_autoptr (GFile) file = sl_lesson_file (name);
  g_autoptr (SlLesson) lesson = NULL;
  GError *error = NULL;

  if (!is_known (name))
    return SL_EXIT_USAGE;
  lesson = sl_lesson_load (file, &error);
  if (lesson == NULL)
    return sl_cli_fail_error (error);
  return options->claims > 0          ? sl_cli_check_claims (lesson, (unsigned) options->claims)
         : options->questions != NULL ? write_questions (lesson, options->questions)
         : options->html != NULL      ? write_page (lesson, options->html)
                                      : write_pages (lesson, name, options->out, options->key);
}

/* Whether the options go together and files have the right end; complains otherwise. */
static bool
are_good (const Options *options, const char *lesson, const char *program)
{
  const char *out = options->out;
  unsigned typed = (unsigned) options->key + (options->claims != 0) + (options->questions != NULL)
                   + (options->html != NULL);
  unsigned ways = typed + (unsigned) options->cheat_sheet;

  if (lesson == NULL && (typed > 0 || (out != NULL && !options->cheat_sheet)))
    sl_cli_report ("no lesson is given; see %s --help", program);
  else if (lesson != NULL && options->cheat_sheet)
    sl_cli_report ("--cheat-sheet is about no lesson; leave out %s", lesson);
  else if (ways > 1)
    sl_cli_report ("only one of %s at a time", "--key, --questions, --html, --claims");
  else if (options->claims < 0 || options->claims > SL_CLAIM_SEEDS
           || (options->claims > 0 && out != NULL))
    sl_cli_report ("--claims takes 1 to %d seeds, and goes alone", SL_CLAIM_SEEDS);
  else if (options->questions != NULL && out != NULL)
    sl_cli_report ("--questions names its file; leave out -o %s", out);
  else if (options->html != NULL && out != NULL)
    sl_cli_report ("--html names its file; leave out -o %s", out);
  else if (options->html != NULL && !g_str_has_suffix (options->html, ".html"))
    sl_cli_report ("%s: a web page is a .html", options->html);
  else if (options->questions != NULL && sl_questions_format_for (options->questions) < 0)
    sl_cli_report ("%s: questions are .xml (Moodle) or .gift", options->questions);
  else if (out != NULL && sl_export_format_for (out) >= 0
           && sl_export_format_for (out) != SL_EXPORT_PDF)
    sl_cli_report ("%s: a worksheet is a .pdf", out);
  else
    return true;
  return false;
}

static SlExit
act (const Options *options, char **args, char **rest)
{
  if (!sl_cli_at_most (args, rest, 1) || !are_good (options, rest[0], args[0]))
    return SL_EXIT_USAGE;
  if (options->cheat_sheet)
    return write_cheat_sheet (options->out);
  return rest[0] != NULL ? read_lesson (rest[0], options) : list_lessons ();
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("[LESSON]");
  Options         options = { 0 };
  g_auto (GStrv) rest = NULL;
  SlExit             code;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.out,
      N_ ("File to write (default: lesson's name with .pdf)"), "FILE" },
    { "key", 0, 0, G_OPTION_ARG_NONE, &options.key,
      N_ ("The teacher's key: notes, measured values and curves"), NULL },
    { "questions", 0, 0, G_OPTION_ARG_FILENAME, &options.questions,
      N_ ("Questions for a learning platform: FILE.xml (Moodle) or FILE.gift"), "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &options.html,
      N_ ("The lesson as a web page, which asks, shows and marks"), "FILE" },
    { "cheat-sheet", 0, 0, G_OPTION_ARG_NONE, &options.cheat_sheet,
      N_ ("Two pages for every lesson: words, and how to read plots"), NULL },
    { "claims", 0, 0, G_OPTION_ARG_INT, &options.claims,
      N_ ("Check the lesson's claims (\"holds\") with so many seeds"), "N" },
    { NULL },
  };

  g_option_context_set_summary (context, sl_command_worksheet.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (sl_cli_options (context, examples, args, &rest, &code))
    code = act (&options, args, rest);
  g_free (options.out);
  g_free (options.questions);
  g_free (options.html);
  return code;
}

const SlCliCommand sl_command_worksheet
  = { "worksheet", N_ ("Writes a lesson as a worksheet or web page."), command };
