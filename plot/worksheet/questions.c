/* SPDX-License-Identifier: MIT
 *
 * See questions.h.  What Moodle reads is in its documentation, "Moodle XML format" and "GIFT format".  */
#include "plot/worksheet/questions.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/lesson/walk.h"
#include "plot/base/xml.h"
#include "plot/worksheet/private.h"

/* A question as the platform gets it. */
typedef struct
{
  const SlQuestion *question;
  char             *name, *text;
  const char       *feedback; /* NULL: none */
  double            answer;
} Asked;

typedef struct
{
  const SlLesson *lesson;
  GString        *out;
  unsigned        open;
  void (*write) (GString *out, const Asked *asked);
} Writing;

/* ---- XML ---- */

static void
add_number (GString *out, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (number, sizeof number, "%.6g", value));
}

/* <tag attributes><text>words</text></tag> */
static void
add_text (GString *out, const char *tag, const char *attributes, const char *words)
{
  g_string_append_printf (out, "    <%s%s><text>", tag, attributes);
  sl_xml_append (out, words);
  g_string_append_printf (out, "</text></%s>\n", tag);
}

static void
write_xml (GString *out, const Asked *asked)
{
  static const char *const types[] = {
    [SL_ASK_NOTHING] = "essay", [SL_ASK_CHOICE] = "multichoice", [SL_ASK_NUMBER] = "numerical"
  };
  static const char plain[] = " format=\"plain_text\"";
  const SlQuestion *question = asked->question;
  SlAskKind         kind = question != NULL ? question->kind : SL_ASK_NOTHING;

  g_string_append_printf (out, "  <question type=\"%s\">\n", types[kind]);
  add_text (out, "name", "", asked->name);
  add_text (out, "questiontext", plain, asked->text);
  if (asked->feedback != NULL)
    add_text (out, "generalfeedback", plain, asked->feedback);
  g_string_append (out, "    <defaultgrade>1</defaultgrade>\n");
  if (kind == SL_ASK_CHOICE)
    {
      g_string_append (out, "    <single>true</single>\n"
                            "    <shuffleanswers>true</shuffleanswers>\n"
                            "    <answernumbering>abc</answernumbering>\n");
      for (unsigned i = 0; question->options[i] != NULL; i++)
        add_text (out, "answer",
                  i + 1 == question->right ? " fraction=\"100\" format=\"plain_text\""
                                           : " fraction=\"0\" format=\"plain_text\"",
                  sl_words (question->options[i]));
    }
  else if (kind == SL_ASK_NUMBER)
    {
      g_string_append (out, "    <answer fraction=\"100\"><text>");
      add_number (out, asked->answer);
      g_string_append (out, "</text><tolerance>");
      add_number (out, question->tolerance);
      g_string_append (out, "</tolerance></answer>\n");
    }
  else
    g_string_append (out, "    <answer fraction=\"0\"><text></text></answer>\n"
                          "    <responseformat>editor</responseformat>\n");
  g_string_append (out, "  </question>\n");
}

/* ---- GIFT ---- */

/* On one line, with a backslash before what would be a sign. */
static void
add_gift (GString *out, const char *words)
{
  g_autofree char *plain = sl_text_holdable (words);

  for (const char *c = plain; *c != '\0'; c++)
    if (*c == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, strchr ("\\~=#{}:", *c) != NULL ? "\\%c" : "%c", *c);
}

static void
write_gift (GString *out, const Asked *asked)
{
  const SlQuestion *question = asked->question;

  g_string_append (out, "::");
  add_gift (out, asked->name);
  g_string_append (out, "::[plain]");
  add_gift (out, asked->text);
  g_string_append (out, " {");
  if (question != NULL && question->kind == SL_ASK_CHOICE)
    for (unsigned i = 0; question->options[i] != NULL; i++)
      {
        /* The format keeps an option that begins with % from being a weight. */
        g_string_append (out, i + 1 == question->right ? "\n\t=[plain]" : "\n\t~[plain]");
        add_gift (out, sl_words (question->options[i]));
      }
  else if (question != NULL)
    {
      g_string_append_c (out, '#');
      add_number (out, asked->answer);
      g_string_append_c (out, ':');
      add_number (out, question->tolerance);
    }
  if (asked->feedback != NULL && question != NULL)
    {
      g_string_append (out, "\n\t####[plain]");
      add_gift (out, asked->feedback);
    }
  g_string_append (out, "}\n\n");
}

/* ---- the lesson ---- */

/* Whether a program can mark the answers. */
static bool
can_mark (const SlLesson *lesson, unsigned step, double answer)
{
  const SlQuestion *question = &sl_lesson_step (lesson, step)->question;

  if (question->kind == SL_ASK_CHOICE)
    return question->right > 0;
  return question->kind == SL_ASK_NUMBER && isfinite (answer) && !isnan (question->tolerance)
         && !sl_worksheet_asks_time (lesson, step);
}

/* A filled text without its marks and without the times of this machine. */
static char *
unmark (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *c = text, *end; *c != '\0'; c++)
    if (*c != SL_PAPER_FILLED[0] || (end = strchr (c, SL_PAPER_FILLED_END[0])) == NULL)
      g_string_append_c (out, *c);
    else
      {
        if (end[1] == '*')
          g_string_append (out, "…");
        else
          g_string_append_len (out, c + 1, end - c - 1);
        c = end + (end[1] == '*');
      }
  return g_string_free (out, FALSE);
}

/* The step's text, what is asked with its unit and, where the platform has no place for them, the options. */
static char *
whole_text (const SlLessonResult *result, const SlQuestion *question, bool marked)
{
  g_autofree char *before = unmark (result->text), *prompt = unmark (result->prompt);
  GString         *text = g_string_new (before);

  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", prompt);
  if (question->kind == SL_ASK_NUMBER && *question->unit != '\0')
    g_string_append_printf (text, " [%s]", sl_words (question->unit));
  if (question->kind == SL_ASK_CURVE)
    g_string_append_printf (text, " %s", _ ("Describe the curve."));
  for (unsigned i = 0; !marked && question->kind == SL_ASK_CHOICE && question->options[i] != NULL;
       i++)
    g_string_append_printf (text, "\n– %s", sl_words (question->options[i]));
  return g_string_free (text, FALSE);
}

/* A reveal speaks to a person of that person's guess, which the platform does not know. */
static bool
names_guess (const SlLessonStep *step)
{
  return step->reveal == NULL || strstr (step->reveal, "{guess") != NULL
         || strstr (step->reveal, "{off") != NULL;
}

static void
on_step (const SlLessonResult *result, gpointer data)
{
  Writing            *writing = data;
  const SlLessonStep *step = sl_lesson_step (writing->lesson, result->number);
  bool                marked = can_mark (writing->lesson, result->number, result->answer);
  Asked               asked = { .answer = result->answer };

  if (step->question.kind == SL_ASK_NOTHING)
    return;
  asked.question = marked ? &step->question : NULL;
  asked.name = g_strdup_printf ("%u  %s", result->number + 1, sl_words (step->title));
  asked.text = whole_text (result, &step->question, marked);
  asked.feedback = names_guess (step) ? NULL : result->reveal;
  writing->write (writing->out, &asked);
  writing->open += !marked;
  g_free (asked.name);
  g_free (asked.text);
}

/* A slash would begin a category inside of another one. */
static char *
category_of (const SlLesson *lesson)
{
  g_autofree char *plain = sl_text_holdable (sl_words (lesson->title));
  g_autoptr (GString) title = g_string_new (plain);

  g_string_replace (title, "/", "//", 0);
  g_strdelimit (title->str, "\r\n", ' ');
  return g_strconcat ("$course$/", title->str, NULL);
}

static void
begin (GString *out, const SlLesson *lesson, SlQuestionsFormat format)
{
  g_autofree char *category = category_of (lesson);

  if (format == SL_QUESTIONS_XML)
    {
      g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n"
                            "  <question type=\"category\">\n");
      add_text (out, "category", "", category);
      g_string_append (out, "  </question>\n");
      return;
    }
  g_string_append (out, "$CATEGORY: ");
  g_string_append (out, category);
  g_string_append (out, "\n\n");
}

int
sl_questions_format_for (const char *path)
{
  return g_str_has_suffix (path, ".xml")    ? SL_QUESTIONS_XML
         : g_str_has_suffix (path, ".gift") ? SL_QUESTIONS_GIFT
                                            : -1;
}

GBytes *
sl_worksheet_questions (const SlLesson *lesson, SlQuestionsFormat format, unsigned *open,
                        GError **error)
{
  Writing writing = { .lesson = lesson,
                      .out = g_string_new (NULL),
                      .write = format == SL_QUESTIONS_XML ? write_xml : write_gift };
  g_autoptr (SlLesson) marked = sl_worksheet_mark (lesson);
  SlStatus status;

  begin (writing.out, lesson, format);
  status = sl_lesson_walk (marked, 0, on_step, &writing);
  if (format == SL_QUESTIONS_XML)
    g_string_append (writing.out, "</quiz>\n");
  *open = writing.open;
  if (sl_status_good (&status, error))
    return g_string_free_to_bytes (writing.out);
  g_string_free (writing.out, TRUE);
  return NULL;
}
