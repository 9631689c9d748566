/* SPDX-License-Identifier: MIT
 *
 * Recipes inside exported files: each format keeps them in its own place.  The files come
 * from anywhere, so every length is checked before it is used.  */
#include "core/run/record/recipe.h"

#include <glib/gi18n.h>
#include <string.h>
#include <zlib.h>

#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "core/run/files/table.h"
#include "core/run/record/recipe-json.h"

#define KEYWORD "sluice-recipe"
#define PDF_TAG "sluice-recipe:"
#define GIF_TAG PDF_TAG
#define TEX_TAG "% sluice-recipe: "
#define SCRIPT_TAG "# sluice-recipe: "

enum { INFLATED_MAX = 16 << 20 }; /* bytes of a file, all its streams together; bombs end here */

typedef struct
{
  const guint8 *data;
  gsize         n;
} Bytes;

/* Inflates a zlib stream to at most *budget bytes, which it takes from that; what comes out ends with a
 * 0 byte that is not counted.  NULL when it is damaged or too long.  A stream that simply goes on with
 * other bytes is fine.  */
static char *
inflate_text (Bytes from, gsize *budget, gsize *length)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint8   chunk[4096];
  z_stream stream = { .next_in = (Bytef *) from.data, .avail_in = (uInt) MIN (from.n, G_MAXUINT) };
  int      result = inflateInit (&stream);

  while (result == Z_OK && out->len <= *budget)
    {
      stream.next_out = chunk;
      stream.avail_out = sizeof chunk;
      result = inflate (&stream, Z_NO_FLUSH);
      g_byte_array_append (out, chunk, sizeof chunk - stream.avail_out);
    }
  inflateEnd (&stream);
  *budget -= MIN (*budget, out->len);
  if (result != Z_STREAM_END)
    return NULL;
  *length = out->len;
  g_byte_array_append (out, (const guint8 *) "", 1);
  return (char *) g_byte_array_free (g_steal_pointer (&out), FALSE);
}

/* The bytes up to and past the next 0 byte; FALSE when there is none. */
static gboolean
skip_text (Bytes *bytes)
{
  const guint8 *end = memchr (bytes->data, 0, bytes->n);

  if (end == NULL)
    return FALSE;
  bytes->n -= (gsize) (end + 1 - bytes->data);
  bytes->data = end + 1;
  return TRUE;
}

/* Keyword 0, compressed?, method, language 0, translated keyword 0, text. */
static char *
read_itxt (Bytes chunk, gsize *budget)
{
  gboolean compressed;
  gsize    length;

  if (chunk.n < sizeof KEYWORD + 2 || memcmp (chunk.data, KEYWORD, sizeof KEYWORD) != 0)
    return NULL;
  compressed = chunk.data[sizeof KEYWORD] != 0;
  chunk.data += sizeof KEYWORD + 2;
  chunk.n -= sizeof KEYWORD + 2;
  for (unsigned texts = 0; texts < 2; texts++) /* the language and the translated keyword */
    if (!skip_text (&chunk))
      return NULL;
  return compressed ? inflate_text (chunk, budget, &length)
                    : g_strndup ((const char *) chunk.data, chunk.n);
}

static char *
find_in_png (Bytes file)
{
  gsize at = 8, budget = INFLATED_MAX;

  while (file.n - at >= 12 && budget > 0)
    {
      const guint8 *chunk = file.data + at;
      gsize         length
        = (gsize) chunk[0] << 24 | (gsize) chunk[1] << 16 | (gsize) chunk[2] << 8 | chunk[3];
      char *text = NULL;

      if (length > file.n - at - 12)
        return NULL;
      if (memcmp (chunk + 4, "iTXt", 4) == 0)
        text = read_itxt ((Bytes) { chunk + 8, length }, &budget);
      if (text != NULL)
        return text;
      at += length + 12;
    }
  return NULL;
}

typedef struct
{
  GString *text;
  gboolean inside;
} SvgSearch;

static void
svg_start (GMarkupParseContext *context, const char *element, const char **names,
           const char **values, gpointer data, GError **error)
{
  SvgSearch *search = data;

  if (!g_str_has_suffix (element, "metadata") || search->text->len > 0)
    return;
  for (unsigned i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], "id") == 0 && strcmp (values[i], KEYWORD) == 0)
      search->inside = TRUE;
}

static void
svg_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  SvgSearch *search = data;

  if (g_str_has_suffix (element, "metadata"))
    search->inside = FALSE;
}

static void
svg_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
          GError **error)
{
  SvgSearch *search = data;

  if (search->inside)
    g_string_append_len (search->text, text, (gssize) length);
}

static char *
find_in_svg (Bytes file)
{
  static const GMarkupParser parser
    = { .start_element = svg_start, .end_element = svg_end, .text = svg_text };
  SvgSearch            search = { .text = g_string_new (NULL) };
  GMarkupParseContext *context
    = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &search, NULL);
  gboolean good
    = g_markup_parse_context_parse (context, (const char *) file.data, (gssize) file.n, NULL);
  gboolean found = good && search.text->len > 0;

  g_markup_parse_context_free (context);
  return g_string_free (search.text, !found);
}

/* JSON in an element of its own, in which no sign of its text ends it. */
static char *
find_in_page (Bytes file)
{
  static const char begin[] = "<script type=\"application/json\" id=\"" KEYWORD "\">";
  const guint8     *end = file.data + file.n;
  const guint8     *at = memmem (file.data, file.n, begin, strlen (begin)), *behind;

  if (at == NULL)
    return NULL;
  at += strlen (begin);
  behind = memchr (at, '<', (gsize) (end - at));
  return behind != NULL ? g_strndup ((const char *) at, (gsize) (behind - at)) : NULL;
}

static char *
decode (const char *base64)
{
  gsize              length;
  g_autofree guchar *decoded = g_base64_decode (base64, &length);

  return g_strndup ((const char *) decoded, length);
}

/* The tag and base64 in plain bytes. */
static char *
find_tag (Bytes bytes)
{
  const guint8    *tag = memmem (bytes.data, bytes.n, PDF_TAG, strlen (PDF_TAG)), *end;
  g_autofree char *encoded = NULL;

  if (tag == NULL)
    return NULL;
  tag += strlen (PDF_TAG);
  for (end = tag; end < bytes.data + bytes.n
                  && (g_ascii_isalnum (*end) || *end == '+' || *end == '/' || *end == '=');)
    end++;
  encoded = g_strndup ((const char *) tag, (gsize) (end - tag));
  return decode (encoded);
}

/* The information is a string object in the file, or (newer writers) in a compressed stream
 * of objects.  */
static char *
find_in_pdf (Bytes file)
{
  char         *text = find_tag (file);
  const guint8 *end = file.data + file.n, *at = file.data;
  gsize         budget = INFLATED_MAX;

  while (text == NULL && budget > 0 && (at = memmem (at, (gsize) (end - at), "stream", 6)) != NULL)
    {
      g_autofree char *inflated = NULL;
      gsize            length;

      at += 6;
      while (at < end && (*at == '\r' || *at == '\n'))
        at++;
      if (end - at < 2 || (at[0] & 0x0f) != 8)
        continue;
      inflated = inflate_text ((Bytes) { at, (gsize) (end - at) }, &budget, &length);
      if (inflated != NULL)
        text = find_tag ((Bytes) { (const guint8 *) inflated, length });
    }
  return text;
}

/* The bytes behind the first n; none where there are not so many. */
static Bytes
skip (Bytes bytes, gsize n)
{
  return n <= bytes.n ? (Bytes) { bytes.data + n, bytes.n - n } : (Bytes) { 0 };
}

/* Takes blocks, each behind its length, up to and past the empty one; their text, unless NULL. */
static void
take_gif_blocks (Bytes *file, GString *text)
{
  while (file->n > 0 && file->data[0] > 0 && file->data[0] < file->n)
    {
      if (text != NULL)
        g_string_append_len (text, (const char *) file->data + 1, file->data[0]);
      *file = skip (*file, 1U + file->data[0]);
    }
  *file = skip (*file, 1);
}

/* Bytes of a table of colours, by the flags of the head before it. */
static gsize
gif_colours (guint8 flags)
{
  return (flags & 0x80) != 0 ? 3U << ((flags & 7) + 1) : 0;
}

/* The tag and base64 in a comment, of which a film has a few. */
static char *
find_in_gif (Bytes file)
{
  enum { HEAD = 13, IMAGE = 10, FLAGS_OF_HEAD = 10, FLAGS_OF_IMAGE = 9 };

  file = skip (file, HEAD + gif_colours (file.data[FLAGS_OF_HEAD]));
  while (file.n > IMAGE && (file.data[0] == '!' || file.data[0] == ','))
    if (file.data[0] == '!')
      {
        g_autoptr (GString) text = g_string_new (NULL);
        gboolean comment = file.data[1] == 0xfe;

        file = skip (file, 2);
        take_gif_blocks (&file, comment ? text : NULL);
        if (g_str_has_prefix (text->str, GIF_TAG))
          return decode (text->str + strlen (GIF_TAG));
      }
    else
      {
        file = skip (file, IMAGE + gif_colours (file.data[FLAGS_OF_IMAGE]) + 1);
        take_gif_blocks (&file, NULL);
      }
  return NULL;
}

/* The tag and a piece of base64 in each of several lines of a comment. */
static char *
find_in_comments (Bytes file, const char *tag)
{
  const guint8 *end = file.data + file.n, *at = file.data;
  g_autoptr (GString) encoded = g_string_new (NULL);
  g_autofree char *text = NULL;

  while ((at = memmem (at, (gsize) (end - at), tag, strlen (tag))) != NULL)
    for (at += strlen (tag); at < end && !g_ascii_isspace (*at); at++)
      g_string_append_c (encoded, (char) *at);
  text = decode (encoded->str);
  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

/* An object that is a member of the file's object, as it is written. */
static char *
text_of_member (Bytes file, const SlJson *member)
{
  const guint8 *begin = memchr (file.data + member->at, '{', file.n - member->at);
  const guint8 *end = file.data + (member->next != NULL ? member->next->at : file.n);

  for (unsigned braces = member->next != NULL ? 1 : 2; braces > 0; braces--)
    while (*--end != '}')
      ;
  return g_strdup_printf ("%.*s\n", (int) (end + 1 - begin), (const char *) begin);
}

/* The text stays as it is, so that its reader finds what an earlier version wrote into it. */
static char *
find_in_json (Bytes file, GError **error)
{
  g_autoptr (SlJson) json
    = sl_json_parse_object ((const char *) file.data, file.n, SL_RUN_BYTES, "file", error);
  const SlJson *recipe = sl_json_member_of (json, "recipe", SL_JSON_OBJECT);
  SlRecipe      read;

  if (json == NULL || !sl_recipe_read_json (recipe != NULL ? recipe : json, &read, error))
    return NULL;
  sl_recipe_clear (&read);
  return recipe != NULL ? text_of_member (file, recipe)
                        : g_strndup ((const char *) file.data, file.n);
}

/* What is left after white space and a byte order mark. */
static Bytes
skip_blank (Bytes file)
{
  if (file.n >= 3 && memcmp (file.data, "\xef\xbb\xbf", 3) == 0)
    file = (Bytes) { file.data + 3, file.n - 3 };
  while (file.n > 0 && g_ascii_isspace (*file.data))
    file = (Bytes) { file.data + 1, file.n - 1 };
  return file;
}

static char *
find_in_bytes (Bytes file, const char *path, GError **error)
{
  Bytes document = skip_blank (file);
  char *text = NULL;

  if (file.n > 8 && memcmp (file.data, "\x89PNG\r\n\x1a\n", 8) == 0)
    text = find_in_png (file);
  else if (file.n > 13 && memcmp (file.data, "GIF89a", 6) == 0)
    text = find_in_gif (file);
  else if (file.n > 5 && memcmp (file.data, "%PDF-", 5) == 0)
    text = find_in_pdf (file);
  else if (document.n > 15
           && g_ascii_strncasecmp ((const char *) document.data, "<!DOCTYPE html>", 15) == 0)
    text = find_in_page (document);
  else if (document.n > 0 && *document.data == '<')
    text = find_in_svg (document);
  else if (document.n > 0 && (*document.data == '%' || *document.data == '\\'))
    text = find_in_comments (document, TEX_TAG);
  else if (document.n > 0 && *document.data == '#')
    text = find_in_comments (document, SCRIPT_TAG);
  else if (document.n > 0 && *document.data == '{')
    return find_in_json (document, error);
  if (text == NULL)
    sl_fail (
      error, SL_EFORMAT, path, _ ("no recipe"),
      _ ("a figure or table exported by Sluice (PNG, GIF, SVG, PDF, TikZ, Python, HTML, JSON)"));
  return text;
}

char *
sl_recipe_find (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *data = sl_load (path, SL_RUN_BYTES, &length, error);

  return data != NULL ? find_in_bytes ((Bytes) { (const guint8 *) data, length }, path, error)
                      : NULL;
}
