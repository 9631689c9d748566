/* SPDX-License-Identifier: MIT
 *
 * JSON that people write by hand, as a tree in which everything knows its line, so that a reader
 * can say where a value is that it does not like.  Strict JSON in UTF-8: no comments, no trailing
 * commas, no key twice; at most SL_JSON_BYTES and SL_JSON_DEPTH.  */
#pragma once

#include <glib.h>

enum { SL_JSON_BYTES = 1 << 20, SL_JSON_DEPTH = 16 };

typedef enum {
  SL_JSON_NULL,
  SL_JSON_TRUTH,
  SL_JSON_NUMBER,
  SL_JSON_TEXT,
  SL_JSON_ARRAY,
  SL_JSON_OBJECT,
} SlJsonKind;

typedef struct
{
  SlJsonKind kind;
  unsigned   line;     /* where it begins, from 1; that of the key for a member */
  char      *key;      /* of a member of an object, else NULL */
  char      *text;     /* TEXT: what it says.  NUMBER: as it is written.  else NULL */
  double     number;   /* NUMBER: finite */
  gboolean   truth;    /* TRUTH */
  GPtrArray *children; /* of SlJson, owned: ARRAY, OBJECT; else NULL */
} SlJson;

/* Parses a whole text of `length` bytes; free with sl_json_free().  NULL with a sentence that
 * names `subject` and the line.  */
SlJson *sl_json_tree (const char *text, gsize length, const char *subject, GError **error);
void    sl_json_free (SlJson *json);

/* The member of an object, or NULL. */
const SlJson *sl_json_member (const SlJson *object, const char *key);

/* "a text", "an object", … for a refusal. */
const char *sl_json_kind_text (const SlJson *json);

/* A text in quotes for a refusal, cut to what fits into one; free with g_free(). */
char *sl_json_quote (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlJson, sl_json_free)
