/* SPDX-License-Identifier: MIT */
#include "tests/plot/page-text.h"

#include <gio/gio.h>
#include <string.h>

/* What is between the first `begin` and the next `end`, or NULL; free with g_free(). */
static char *
between (const char *text, const char *begin, const char *end)
{
  const char *from = strstr (text, begin), *to;

  if (from == NULL)
    return NULL;
  from += strlen (begin);
  to = strstr (from, end);
  return to != NULL ? g_strndup (from, (gsize) (to - from)) : NULL;
}

static char *
unpack (const char *base64)
{
  gsize              n;
  g_autofree guchar *bytes = g_base64_decode (base64, &n);
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (zlib));
  GError *error = NULL;

  g_output_stream_write_all (stream, bytes, n, NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
  return g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
}

void
page_text_read (PageText *page, GBytes *bytes)
{
  gsize            n;
  const char      *text = g_bytes_get_data (bytes, &n);
  g_autofree char *data = NULL;
  GError          *error = NULL;

  g_assert_true (g_utf8_validate (text, (gssize) n, NULL));
  page->text = g_strndup (text, n);
  page->policy = between (page->text, "Content-Security-Policy\" content=\"", "\"");
  page->style = between (page->text, "<style>", "</style>");
  page->script = between (page->text, "<script>", "</script>");
  page->recipe = between (page->text, "id=\"sluice-recipe\">", "</script>");
  data = between (page->text, "id=\"data\">", "</script>");
  g_assert_nonnull (data);
  page->json = unpack (data);
  page->data = sl_json_parse_object (page->json, strlen (page->json), G_MAXINT32, "page", &error);
  g_assert_no_error (error);
}

void
page_text_clear (PageText *page)
{
  sl_json_free (page->data);
  g_free (page->text);
  g_free (page->policy);
  g_free (page->style);
  g_free (page->script);
  g_free (page->recipe);
  g_free (page->json);
  *page = (PageText) { 0 };
}

static unsigned
count (const char *text, const char *what)
{
  unsigned n = 0;

  for (const char *at = text; (at = strstr (at, what)) != NULL; at += strlen (what))
    n++;
  return n;
}

static void
assert_allowed (const PageText *page, const char *directive, const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8           digest[32];
  gsize            n = sizeof digest;
  g_autofree char *base64 = NULL, *expected = NULL;

  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_get_digest (sum, digest, &n);
  base64 = g_base64_encode (digest, n);
  expected = g_strdup_printf ("%s 'sha256-%s';", directive, base64);
  g_assert_nonnull (strstr (page->policy, expected));
}

static void
check_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer data, GError **error)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    {
      g_assert_cmpstr (names[i], !=, "style");
      g_assert_false (g_str_has_prefix (names[i], "on"));
      if (g_str_has_suffix (names[i], "href"))
        g_assert_true (g_str_has_prefix (values[i], "data:image/png;base64,"));
    }
  g_assert_cmpstr (element, !=, "script");
  g_assert_cmpstr (element, !=, "foreignObject");
}

/* The lines of one moment are one drawing. */
static void
assert_drawing (const SlJson *lines, const SlJson *shot)
{
  static const GMarkupParser parser = { .start_element = check_element };
  GMarkupParseContext       *context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
  g_autoptr (GString) svg = g_string_new ("<svg>");
  g_autofree const char **line = g_new (const char *, lines->n);
  unsigned                n = 0;
  GError                 *error = NULL;

  for (const SlJson *l = lines->first; l != NULL; l = l->next)
    line[n++] = l->text;
  for (const SlJson *i = shot->first; i != NULL; i = i->next)
    {
      g_assert_cmpfloat (i->number, <, n);
      g_string_append (svg, line[(unsigned) i->number]);
    }
  g_string_append (svg, "</svg>");
  g_markup_parse_context_parse (context, svg->str, (gssize) svg->len, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_markup_parse_context_free (context);
}

static void
assert_drawings (const SlJson *json)
{
  const SlJson *lines = sl_json_member_of (json, "lines", SL_JSON_ARRAY);
  const SlJson *shots = sl_json_member_of (json, "shots", SL_JSON_ARRAY);

  if (lines != NULL && shots != NULL)
    for (const SlJson *shot = shots->first; shot != NULL; shot = shot->next)
      assert_drawing (lines, shot);
  else if (json->kind == SL_JSON_ARRAY || json->kind == SL_JSON_OBJECT)
    for (const SlJson *part = json->first; part != NULL; part = part->next)
      assert_drawings (part);
}

void
page_text_assert_safe (const PageText *page)
{
  g_assert_true (g_str_has_prefix (page->policy, "default-src 'none'; img-src data:; "));
  g_assert_nonnull (strstr (page->policy, "base-uri 'none'; form-action 'none'"));
  g_assert_null (strstr (page->policy, "unsafe"));
  assert_allowed (page, "style-src", page->style);
  assert_allowed (page, "script-src", page->script);
  g_assert_cmpuint (count (page->text, "<script"), ==, page->recipe != NULL ? 3 : 2);
  g_assert_cmpuint (count (page->text, "</script"), ==, page->recipe != NULL ? 3 : 2);
  g_assert_cmpuint (count (page->text, "<style"), ==, 1);
  g_assert_cmpuint (count (page->text, "<img"), ==, 0);
  assert_drawings (page->data);
}

const SlJson *
page_text_at (const SlJson *array, unsigned i)
{
  const SlJson *element = array->first;

  for (; i > 0 && element != NULL; i--)
    element = element->next;
  g_assert_nonnull (element);
  return element;
}

double
page_text_number (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_NUMBER);

  g_assert_nonnull (member);
  return member->number;
}

const char *
page_text_words (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  g_assert_nonnull (member);
  return member->text;
}
