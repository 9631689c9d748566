/* SPDX-License-Identifier: MIT */
#include "tests/plot/golden.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- against the file ---- */

static char *
place_of (const char *name)
{
  return g_strdup_printf ("%s/tests/golden/figures/%s", g_getenv ("SLUICE_SOURCE"), name);
}

/* The next number of a text, and what is behind it; else false.  Not those that are parts of words. */
static bool
take_number (const char **text, double *value)
{
  char *end;

  if (!g_ascii_isdigit (**text) && !(**text == '-' && g_ascii_isdigit ((*text)[1])))
    return false;
  *value = g_ascii_strtod (*text, &end);
  if (!(fabs (*value) < 1e9)) /* letters and digits of something else */
    return false;
  *text = end;
  return true;
}

/* Equal but for the last digit of numbers. */
static bool
is_same (const char *now, const char *was)
{
  while (*now != '\0' && *was != '\0')
    {
      double a, b;
      bool   number = take_number (&now, &a);

      if (number != take_number (&was, &b))
        return false;
      if (number && !(fabs (a - b) <= 0.011 + 1e-4 * fabs (b)))
        return false;
      if (!number && *now++ != *was++)
        return false;
    }
  return *now == *was;
}

/* ---- many numbers ---- */

enum { LIKE_MOST = 3, LINE_MOST = 240 };

/* The numbers that are left out, by two means that notice a change of each and of their order. */
typedef struct
{
  unsigned n;
  double   sum, weighted;
} Rest;

static void
add_rest (Rest *rest, const char *text)
{
  double value;

  while (*text != '\0')
    if (take_number (&text, &value))
      {
        rest->n++;
        rest->sum += value;
        rest->weighted += value * cos (rest->n);
      }
    else
      text++;
}

static void
end_rest (Rest *rest, GString *out)
{
  if (rest->n > 0)
    g_string_append_printf (out, "… %u numbers, %.3f, %.3f\n", rest->n, rest->sum / rest->n,
                            rest->weighted / rest->n);
  *rest = (Rest) { 0 };
}

/* A line without its numbers. */
static char *
form_of (const char *line)
{
  GString *form = g_string_new (NULL);
  double   value;

  while (*line != '\0')
    if (take_number (&line, &value))
      g_string_append_c (form, '#');
    else
      g_string_append_c (form, *line++);
  return g_string_free (form, FALSE);
}

/* Of many lines that differ in numbers alone, and of long lines, the first part. */
static char *
condense (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *form = g_strdup ("");
  GString         *out = g_string_new (NULL);
  Rest             rest = { 0 };
  unsigned         like = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char  *next = form_of (lines[i]);
      size_t kept = strlen (lines[i]);

      like = strcmp (form, next) == 0 ? like + 1 : 0;
      g_free (form);
      form = next;
      if (like >= LIKE_MOST)
        {
          add_rest (&rest, lines[i]);
          continue;
        }
      end_rest (&rest, out);
      if (kept > LINE_MOST)
        {
          kept = LINE_MOST;
          add_rest (&rest, lines[i] + kept);
        }
      g_string_append_len (out, lines[i], (gssize) kept);
      g_string_append_c (out, '\n');
      end_rest (&rest, out);
    }
  end_rest (&rest, out);
  return g_string_free (out, FALSE);
}

static void
compare (const char *name, const char *now, bool exactly)
{
  g_autofree char *path = place_of (name), *was = NULL;
  g_auto (GStrv) lines = NULL, old = NULL;
  GError *error = NULL;

  if (g_getenv ("SLUICE_RENEW") != NULL)
    {
      g_assert_true (g_file_set_contents (path, now, -1, NULL));
      return;
    }
  g_file_get_contents (path, &was, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (now, "\n", -1);
  old = g_strsplit (was, "\n", -1);
  for (guint i = 0; lines[i] != NULL || old[i] != NULL; i++)
    if (lines[i] == NULL || old[i] == NULL
        || (exactly ? strcmp (lines[i], old[i]) != 0 : !is_same (lines[i], old[i])))
      {
        g_test_message ("%s, line %u:\n%s\ninstead of\n%s", name, i + 1,
                        lines[i] != NULL ? lines[i] : "the end",
                        old[i] != NULL ? old[i] : "the end");
        g_test_fail ();
        return;
      }
}

void
golden_compare (const char *name, const char *text)
{
  g_autofree char *now = condense (text);

  compare (name, now, false);
}

void
golden_compare_exactly (const char *name, const char *text)
{
  compare (name, text, true);
}
