/* SPDX-License-Identifier: MIT
 *
 * sluice-cli answers: what a class answered, from the files of its people.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/run/answers/class.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "plot/charts/class.h"
#include "plot/export/export.h"

static const char *const examples
  = N_ ("Names and leaves out damaged files, answers to another lesson and duplicates.\n"
        "\n"
        "Example:\n"
        "  sluice-cli answers merge --csv class.csv --figure class.pdf class/*.json\n");

/* One line for each question. */
static void
print_questions (const SlClass *class)
{
  unsigned steps[SL_LESSON_STEPS + 1];

  sl_class_steps (class, steps);
  for (unsigned *step = steps; *step != 0; step++)
    {
      const SlAnswer *question = NULL;
      SlClassMarks    marks = sl_class_step_marks (class, *step);
      unsigned        n = 0;
      char            title[512];

      for (guint i = 0; i < class->people->len; i++)
        {
          const SlAnswer *answer = sl_class_answer (class, i, *step);

          question = answer != NULL ? answer : question;
          n += answer != NULL;
        }
      sl_class_chart_title (sl_words (question->prompt), title, sizeof title);
      printf ("%2u  %s  (%u", *step, title, n);
      if (marks.marked > 0)
        printf (_ (", %u right"), marks.right);
      printf (")\n");
    }
}

/* One line for each person, where anything can be marked. */
static void
print_marks (const SlClass *class)
{
  guint people = class->people->len;

  for (guint i = 0; i < people; i++)
    {
      SlClassMarks marks = sl_class_person_marks (class, i);

      if (marks.marked == 0)
        return;
      printf ("%s%4.0f %%  ", i == 0 ? "\n" : "", 100.0 * marks.right / marks.marked);
      printf (_ ("%u of %u  %s"), marks.right, marks.marked,
              ((const SlAnswers *) g_ptr_array_index (class->people, i))->name);
      printf ("\n");
    }
}

static void
print_class (const SlClass *class)
{
  printf ("%s: %u\n", sl_words (((const SlAnswers *) g_ptr_array_index (class->people, 0))->lesson),
          class->people->len);
  print_questions (class);
  print_marks (class);
}

static gboolean
save_figure (const SlClass *class, const char *path, GError **error)
{
  unsigned        steps[SL_LESSON_STEPS + 1], n = 0;
  SlClassChart    chart[SL_LESSON_STEPS] = { 0 };
  SlFigure        figure[SL_LESSON_STEPS] = { 0 }, *figures[SL_LESSON_STEPS];
  int             format = sl_export_format_for (path);
  SlExportOptions options;
  gboolean        good;

  if (format < 0)
    {
      sl_cli_report (_ ("\"%s\" should end in %s"), path, ".svg, .png, .pdf, .tikz, .py, .csv");
      return FALSE;
    }
  sl_class_steps (class, steps);
  for (; steps[n] != 0; n++)
    {
      sl_class_chart_update (&chart[n], class, steps[n], &figure[n]);
      figures[n] = &figure[n];
    }
  options = sl_export_options (SL_PRESET_COLUMNS, n);
  sl_export_across (&options, SL_PRESET_COLUMNS, n, sl_class_chart_across (n));
  good = sl_export_save (figures, n, &options, (SlExportFormat) format, path, error);
  for (unsigned i = 0; i < n; i++)
    {
      sl_figure_clear (&figure[i]);
      sl_class_chart_clear (&chart[i]);
    }
  return good;
}

static SlExit
write_outputs (const SlClass *class, const char *csv, const char *figure)
{
  GError          *error = NULL;
  g_autofree char *table = sl_class_csv (class);

  if (csv != NULL && strcmp (csv, "-") == 0)
    fputs (table, stdout);
  else if (csv != NULL && !sl_save (csv, table, strlen (table), &error))
    return sl_cli_fail_error (error);
  if (figure != NULL && !save_figure (class, figure, &error))
    return error != NULL ? sl_cli_fail_error (error) : SL_EXIT_USAGE;
  return SL_EXIT_FINE;
}

static SlExit
merge (char **paths, const char *csv, const char *figure)
{
  g_autoptr (SlClass) class = sl_class_new ();
  SlExit code = SL_EXIT_FINE, written;

  for (char **path = paths; *path != NULL; path++)
    {
      GError *error = NULL;

      if (!sl_class_load (class, *path, &error))
        code = sl_cli_fail_error (error);
    }
  if (class->people->len == 0)
    {
      sl_cli_report (_ ("no file has answers"));
      return SL_EXIT_FAILED;
    }
  if (csv == NULL || strcmp (csv, "-") != 0)
    print_class (class);
  written = write_outputs (class, csv, figure);
  return written != SL_EXIT_FINE ? written : code;
}

static SlExit
command (char **args)
{
  GOptionContext  *context = g_option_context_new ("merge FILE…");
  g_autofree char *csv = NULL, *figure = NULL;
  g_auto (GStrv) rest = NULL;
  SlExit             code;
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &csv,
      N_ ("Write all answers as a table (-: standard output)"), "FILE" },
    { "figure", 0, 0, G_OPTION_ARG_FILENAME, &figure,
      N_ ("Draw each question: PNG, SVG, PDF or TikZ"), "FILE" },
    { NULL },
  };

  g_option_context_set_summary (context, sl_command_answers.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (rest[0] == NULL || strcmp (rest[0], "merge") != 0 || rest[1] == NULL)
    {
      sl_cli_report (_ ("answers takes the word merge and files; see %s --help"), args[0]);
      return SL_EXIT_USAGE;
    }
  return merge (rest + 1, csv, figure);
}

const SlCliCommand sl_command_answers
  = { "answers", N_ ("Merges the answers of a class to a lesson."), command };
