/* SPDX-License-Identifier: MIT
 *
 * JSON with GLib: the reader of core/base with errors, and a writer, which knows brackets, commas,
 * line breaks and the forms of numbers and texts (number.h).  */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/json.h"

/* As sl_json_read(); NULL with a sentence.  sl_json_free() frees. */
SlJson *sl_json_parse (const char *text, gsize length, gsize most, const char *subject,
                       GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlJson, sl_json_free)

/* The same for a text that has to be an object. */
SlJson *sl_json_parse_object (const char *text, gsize length, gsize most, const char *subject,
                              GError **error);

/* How the elements of an array or object are set. */
typedef enum {
  SL_JSON_LINES, /* each on a line of its own, two blanks in from the bracket's, which closes alone */
  SL_JSON_ROWS,   /* the same, but the bracket closes behind the last one */
  SL_JSON_TIGHT,  /* {"a": 1, "b": 2} */
  SL_JSON_LOOSE,  /* { "a": 1, "b": 2 } */
  SL_JSON_PACKED, /* [1,2] */
} SlJsonStyle;

typedef struct
{
  GString    *text;
  const char *colon; /* ": " */
  unsigned    depth, lines;
  gboolean    on_new_line;
  struct
  {
    SlJsonStyle style;
    char        close;
    gboolean    any;
  } level[SL_JSON_DEPTH + 1];
} SlJsonWriter;

/* Begins an empty document; its `text` is the caller's, usually by sl_json_writer_end(). */
void sl_json_writer_init (SlJsonWriter *w);

/* The text with all that is open closed; free with g_free().  With `line` it ends in a new line. */
char *sl_json_writer_end (SlJsonWriter *w, gboolean line);

/* In all of these `key` is that of a member; NULL for an element of an array and for the root.  */
void sl_json_open (SlJsonWriter *w, const char *key, char bracket,
                   SlJsonStyle style); /* '{', '[' */
void sl_json_close (SlJsonWriter *w);
void sl_json_add_text (SlJsonWriter *w, const char *key, const char *text); /* NULL: null */
void sl_json_add_number (SlJsonWriter *w, const char *key, double value);
void sl_json_add_whole (SlJsonWriter *w, const char *key, uint64_t value);
void sl_json_add_truth (SlJsonWriter *w, const char *key, gboolean truth);
void sl_json_add_json (SlJsonWriter *w, const char *key, const char *json); /* as it is */
void sl_json_add_numbers (SlJsonWriter *w, const char *key, const double *value, size_t n,
                          SlJsonStyle style);

/* The next member begins a new line, one blank in from where lines begin. */
void sl_json_break (SlJsonWriter *w);
