/* SPDX-License-Identifier: MIT
 *
 * What a page has, as JSON.  */
#include <math.h>

#include "plot/base/xml.h"
#include "plot/page/private.h"

enum { MOST = 6000 };

void
sl_page_begin (SlPage *page, const char *kind)
{
  *page = (SlPage) { .colours = g_hash_table_new (g_str_hash, g_str_equal),
                     .pairs = g_ptr_array_new_with_free_func (g_free),
                     .columns = g_hash_table_new (g_str_hash, g_str_equal),
                     .column = g_ptr_array_new_with_free_func (g_free),
                     .most = MOST };
  sl_json_writer_init (&page->json);
  sl_page_open (page, NULL, '{');
  sl_page_text (page, "kind", kind);
}

void
sl_page_open (SlPage *page, const char *key, char bracket)
{
  sl_json_open (&page->json, key, bracket, SL_JSON_PACKED);
}

void
sl_page_close (SlPage *page)
{
  sl_json_close (&page->json);
}

/* Texts come from files of others too. */
void
sl_page_text (SlPage *page, const char *key, const char *text)
{
  g_autofree char *holdable = sl_text_holdable (text != NULL ? text : "");

  sl_json_add_text (&page->json, key, holdable);
}

static void
put_number (GString *json, double value)
{
  const char *format = value == floor (value) && fabs (value) < 1e15 ? "%.0f" : "%.6g";
  char        text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (json, g_ascii_formatd (text, sizeof text, format, value));
  else /* as in all files of Sluice */
    g_string_append (json, isnan (value) ? "null" : value > 0 ? "1e999" : "-1e999");
}

void
sl_page_number (SlPage *page, const char *key, double value)
{
  g_autoptr (GString) json = g_string_new (NULL);

  put_number (json, value);
  sl_json_add_json (&page->json, key, json->str);
}

void
sl_page_bool (SlPage *page, const char *key, bool value)
{
  sl_json_add_truth (&page->json, key, value);
}

static char *
values_text (const double *value, size_t n)
{
  GString *json = g_string_new ("[");

  for (size_t i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      put_number (json, value[i]);
    }
  return g_string_free (g_string_append_c (json, ']'), FALSE);
}

void
sl_page_values (SlPage *page, const char *key, const double *value, size_t n)
{
  g_autofree char *json = values_text (value, n);

  sl_json_add_json (&page->json, key, json);
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
  sl_page_number (page, key, intern (page->columns, page->column, values_text (value, n)));
}

unsigned
sl_page_colour (SlPage *page, const char light[8], const char dark[8])
{
  return intern (page->colours, page->pairs, g_strdup_printf ("%.7s%.7s", light, dark));
}
