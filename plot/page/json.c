/* SPDX-License-Identifier: MIT
 *
 * What a page has, as JSON.  */
#include <math.h>
#include <string.h>

#include "core/run/base/number.h"
#include "plot/base/xml.h"
#include "plot/page/private.h"

enum { MOST = 6000 };

void
sl_page_begin (SlPage *page, const char *kind)
{
  *page = (SlPage) { .json = g_string_new ("{"),
                     .first = true,
                     .colours = g_hash_table_new (g_str_hash, g_str_equal),
                     .pairs = g_ptr_array_new_with_free_func (g_free),
                     .columns = g_hash_table_new (g_str_hash, g_str_equal),
                     .column = g_ptr_array_new_with_free_func (g_free),
                     .most = MOST };
  sl_page_text (page, "kind", kind);
}

static void
begin_value (SlPage *page, const char *key)
{
  if (!page->first)
    g_string_append_c (page->json, ',');
  page->first = false;
  if (key == NULL)
    return;
  sl_json_string (page->json, key);
  g_string_append_c (page->json, ':');
}

void
sl_page_open (SlPage *page, const char *key, char bracket)
{
  begin_value (page, key);
  g_string_append_c (page->json, bracket);
  page->first = true;
}

void
sl_page_close (SlPage *page, char bracket)
{
  g_string_append_c (page->json, bracket);
  page->first = false;
}

/* Texts come from files of others too. */
void
sl_page_text (SlPage *page, const char *key, const char *text)
{
  g_autofree char *holdable = sl_text_holdable (text != NULL ? text : "");

  begin_value (page, key);
  sl_json_string (page->json, holdable);
}

static void
put_number (GString *json, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    g_string_append (json, "null");
  else if (isinf (value))
    g_string_append (json, value > 0 ? "1e999" : "-1e999");
  else
    g_string_append (
      json,
      g_ascii_formatd (text, sizeof text,
                       value == floor (value) && fabs (value) < 1e15 ? "%.0f" : "%.6g", value));
}

void
sl_page_number (SlPage *page, const char *key, double value)
{
  begin_value (page, key);
  put_number (page->json, value);
}

void
sl_page_bool (SlPage *page, const char *key, bool value)
{
  begin_value (page, key);
  g_string_append (page->json, value ? "true" : "false");
}

static void
put_values (GString *json, const double *value, size_t n)
{
  g_string_append_c (json, '[');
  for (size_t i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      put_number (json, value[i]);
    }
  g_string_append_c (json, ']');
}

void
sl_page_values (SlPage *page, const char *key, const double *value, size_t n)
{
  begin_value (page, key);
  put_values (page->json, value, n);
}

/* The number of a text among some, to which it is added; takes the text. */
static unsigned
intern (GHashTable *numbers, GPtrArray *texts, char *text)
{
  unsigned number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, text));

  if (number > 0)
    {
      g_free (text);
      return number - 1;
    }
  g_ptr_array_add (texts, text);
  g_hash_table_insert (numbers, text, GUINT_TO_POINTER (texts->len));
  return texts->len - 1;
}

void
sl_page_column (SlPage *page, const char *key, const double *value, size_t n)
{
  GString *json = g_string_new (NULL);

  put_values (json, value, n);
  sl_page_number (page, key, intern (page->columns, page->column, g_string_free (json, FALSE)));
}

unsigned
sl_page_colour (SlPage *page, const char light[8], const char dark[8])
{
  return intern (page->colours, page->pairs, g_strdup_printf ("%.7s%.7s", light, dark));
}
