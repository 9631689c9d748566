/* SPDX-License-Identifier: MIT
 *
 * The document around what a page has.  All that is shown is one object of JSON, compressed, which the page's script
 * draws; what the page may load is nothing.  */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "page-resources.h"
#include "plot/base/xml.h"
#include "plot/export/ours.h"
#include "plot/page/private.h"

#define FOLDER "/org/sluice/Sluice/page/"

static void
append_resource (GString *out, const char *name)
{
  g_autofree char *path = g_strconcat (FOLDER, name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (sl_page_get_resource (), path, 0, NULL);

  g_assert (bytes != NULL);
  g_string_append_len (out, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}

static int
compare (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* All files in one scope; what they do at once needs nothing of the others, so that any order will do. */
static char *
script_text (void)
{
  g_auto (GStrv) names = g_resource_enumerate_children (sl_page_get_resource (), FOLDER, 0, NULL);
  GString *out = g_string_new ("\n(() => {\n\"use strict\";\n");

  qsort (names, g_strv_length (names), sizeof *names, compare);
  for (char **name = names; *name != NULL; name++)
    if (g_str_has_suffix (*name, ".js"))
      append_resource (out, *name);
  g_string_append (out, "})();\n");
  return g_string_free (out, FALSE);
}

static char *
style_text (const SlPage *page)
{
  GString *out = g_string_new ("\n");
  GString *dark = g_string_new ("@media screen and (prefers-color-scheme: dark) { :root {\n");

  g_string_append (out, ":root {\n");
  for (guint i = 0; i < page->pairs->len; i++)
    {
      const char *pair = g_ptr_array_index (page->pairs, i);

      g_string_append_printf (out, "--c%u:%.7s;", i, pair);
      g_string_append_printf (dark, "--c%u:%s;", i, pair + 7);
    }
  g_string_append_printf (out, "}\n%s} }\n", dark->str);
  g_string_free (dark, TRUE);
  append_resource (out, "page.css");
  return g_string_free (out, FALSE);
}

/* "'sha256-…'", by which the page allows its own text and no other. */
static char *
hash_of (const char *text)
{
  guint8 digest[32];
  gsize  n = sizeof digest;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *base64 = NULL;

  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_get_digest (sum, digest, &n);
  base64 = g_base64_encode (digest, n);
  return g_strdup_printf ("'sha256-%s'", base64);
}

/* BASE64 of the text, compressed as gzip does; NULL with a sentence. */
static char *
pack (const char *text, gsize n, GError **error)
{
  g_autoptr (GZlibCompressor) zlib = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (zlib));

  if (!g_output_stream_write_all (stream, text, n, NULL, NULL, error)
      || !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_base64_encode (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                          g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
}

/* JSON in a document: no letter of it can end its element. */
static void
append_json (GString *out, const char *json)
{
  for (; *json != '\0'; json++)
    if (*json == '<' || *json == '&')
      g_string_append_printf (out, "\\u%04x", *json);
    else
      g_string_append_c (out, *json);
}

static void
append_head (GString *out, const char *title, const char *style, const char *script)
{
  g_autofree char *style_hash = hash_of (style), *script_hash = hash_of (script);

  g_string_append_printf (
    out,
    SL_PAGE_BEGIN
    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src %s; script-src %s; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
    style_hash, script_hash);
  sl_xml_append (out, title);
  g_string_append_printf (out, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
}

static void
put_columns (SlPage *page)
{
  sl_page_open (page, "columns", '[');
  for (guint i = 0; i < page->column->len; i++)
    sl_json_add_json (&page->json, NULL, g_ptr_array_index (page->column, i));
  sl_page_close (page);
}

static void
clear (SlPage *page)
{
  g_hash_table_unref (page->colours);
  g_hash_table_unref (page->columns);
  g_ptr_array_unref (page->pairs);
  g_ptr_array_unref (page->column);
}

GBytes *
sl_page_end (SlPage *page, const char *title, const char *recipe, GError **error)
{
  GString         *out = g_string_new (NULL);
  g_autofree char *style = style_text (page), *script = script_text (), *packed = NULL;
  g_autofree char *json = NULL;

  put_columns (page);
  json = sl_json_writer_end (&page->json, FALSE);
  packed = pack (json, strlen (json), error);
  clear (page);
  append_head (out, title, style, script);
  g_string_append (out, "<main></main>\n<noscript><p>");
  sl_xml_append (out, title);
  g_string_append (out, ". This page draws itself with a script that is in it; allow it to see "
                        "more.</p></noscript>\n");
  if (recipe != NULL)
    {
      g_string_append (out, "<script type=\"application/json\" id=\"sluice-recipe\">");
      append_json (out, recipe);
      g_string_append (out, "</script>\n");
    }
  g_string_append_printf (out,
                          "<script type=\"application/gzip\" id=\"data\">%s</script>\n"
                          "<script>%s</script>\n</body>\n</html>\n",
                          packed != NULL ? packed : "", script);
  if (packed != NULL)
    return g_string_free_to_bytes (out);
  g_string_free (out, TRUE);
  return NULL;
}
