/* SPDX-License-Identifier: MIT */
#include "core/run/base/json.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/base/number.h"

SlJson *
sl_json_parse (const char *text, gsize length, gsize most, const char *subject, GError **error)
{
  SlJson  *json;
  SlStatus status = sl_json_read (&json, text, length, most, subject);

  if (json == NULL)
    g_propagate_error (error, sl_status_to_error (&status));
  return json;
}

SlJson *
sl_json_parse_object (const char *text, gsize length, gsize most, const char *subject,
                      GError **error)
{
  SlJson *json = sl_json_parse (text, length, most, subject, error);

  if (json == NULL || json->kind == SL_JSON_OBJECT)
    return json;
  sl_fail (error, SL_EFORMAT, subject, sl_words (sl_json_kind_text (json)), _ ("a JSON object"));
  sl_json_free (json);
  return NULL;
}

static void
begin_line (SlJsonWriter *w, unsigned blanks)
{
  g_string_append_printf (w->text, "\n%*s", (int) blanks, "");
}

static gboolean
has_lines (SlJsonStyle style)
{
  return style == SL_JSON_LINES || style == SL_JSON_ROWS;
}

/* What comes before an element: a comma, a blank or a new line, and its key. */
static void
begin_element (SlJsonWriter *w, const char *key)
{
  SlJsonStyle style = w->level[w->depth].style;

  if (w->depth > 0)
    {
      gboolean lines = has_lines (style) || w->on_new_line;

      if (w->level[w->depth].any)
        g_string_append_c (w->text, ',');
      if (lines)
        begin_line (w, 2 * w->lines + (unsigned) w->on_new_line);
      else if (style == SL_JSON_LOOSE || (style == SL_JSON_TIGHT && w->level[w->depth].any))
        g_string_append_c (w->text, ' ');
      w->level[w->depth].any = TRUE;
      w->on_new_line = FALSE;
    }
  if (key != NULL)
    {
      sl_json_string (w->text, key);
      g_string_append (w->text, w->colon);
    }
}

void
sl_json_writer_init (SlJsonWriter *w)
{
  *w = (SlJsonWriter) { .text = g_string_new (NULL), .colon = ": " };
}

char *
sl_json_writer_end (SlJsonWriter *w, gboolean line)
{
  while (w->depth > 0)
    sl_json_close (w);
  if (line)
    g_string_append_c (w->text, '\n');
  return g_string_free (w->text, FALSE);
}

void
sl_json_open (SlJsonWriter *w, const char *key, char bracket, SlJsonStyle style)
{
  g_return_if_fail (w->depth < SL_JSON_DEPTH);
  begin_element (w, key);
  g_string_append_c (w->text, bracket);
  w->depth++;
  w->lines += (unsigned) has_lines (style);
  w->level[w->depth].style = style;
  w->level[w->depth].close = bracket == '{' ? '}' : ']';
  w->level[w->depth].any = FALSE;
}

void
sl_json_close (SlJsonWriter *w)
{
  SlJsonStyle style = w->level[w->depth].style;

  w->lines -= (unsigned) has_lines (style);
  if (style == SL_JSON_LINES)
    begin_line (w, 2 * w->lines);
  else if (style == SL_JSON_LOOSE)
    g_string_append_c (w->text, ' ');
  g_string_append_c (w->text, w->level[w->depth].close);
  w->depth--;
}

void
sl_json_add_text (SlJsonWriter *w, const char *key, const char *text)
{
  begin_element (w, key);
  if (text != NULL)
    sl_json_string (w->text, text);
  else
    g_string_append (w->text, "null");
}

void
sl_json_add_number (SlJsonWriter *w, const char *key, double value)
{
  begin_element (w, key);
  sl_json_number (w->text, value);
}

void
sl_json_add_whole (SlJsonWriter *w, const char *key, uint64_t value)
{
  begin_element (w, key);
  g_string_append_printf (w->text, "%" PRIu64, value);
}

void
sl_json_add_truth (SlJsonWriter *w, const char *key, gboolean truth)
{
  sl_json_add_json (w, key, truth ? "true" : "false");
}

void
sl_json_add_json (SlJsonWriter *w, const char *key, const char *json)
{
  begin_element (w, key);
  g_string_append (w->text, json);
}

void
sl_json_add_numbers (SlJsonWriter *w, const char *key, const double *value, size_t n,
                     SlJsonStyle style)
{
  sl_json_open (w, key, '[', style);
  for (size_t i = 0; i < n; i++)
    sl_json_add_number (w, NULL, value[i]);
  sl_json_close (w);
}

void
sl_json_break (SlJsonWriter *w)
{
  w->on_new_line = TRUE;
}
