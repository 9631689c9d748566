/* SPDX-License-Identifier: MIT
 *
 * JSON (RFC 8259) from untrusted files, as a tree in which each value knows its place, so that a
 * reader can name the place of a value that it refuses.  Strict: UTF-8 only, no comments, no
 * trailing commas, no key twice, no number beyond a double but 1e999 (infinity, as our own files
 * have it).  The caller bounds the size; nothing nests deeper than SL_JSON_DEPTH.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SL_JSON_DEPTH = 16 };

typedef enum {
  SL_JSON_NULL,
  SL_JSON_TRUTH,
  SL_JSON_NUMBER,
  SL_JSON_TEXT,
  SL_JSON_ARRAY,
  SL_JSON_OBJECT,
} SlJsonKind;

typedef struct SlJson SlJson;

struct SlJson
{
  SlJsonKind    kind;
  uint32_t      n;      /* ARRAY, OBJECT: elements or members */
  uint32_t      at;     /* byte where it begins, from 0; that of the key for a member */
  uint32_t      line;   /* the same, from 1 */
  const char   *key;    /* of a member of an object, else NULL */
  const char   *text;   /* TEXT: decoded; NUMBER: as it is written; else NULL */
  double        number; /* NUMBER; TRUTH: 1 or 0; else not-a-number */
  const SlJson *first;  /* ARRAY, OBJECT: the first element or member, or NULL */
  const SlJson *next;   /* the one behind it in the same array or object, or NULL */
};

/* Reads a whole text of `length` bytes into *json, which sl_json_free() frees.  SL_EFORMAT with
 * `subject` and the line, also for more than `most` bytes (which is below 4 GiB); SL_ENOMEM.  */
SlStatus sl_json_read (SlJson **json, const char *text, size_t length, size_t most,
                       const char *subject);
void     sl_json_free (SlJson *json); /* NULL is fine */

/* A member of an object; NULL when there is none, or for anything but an object. */
const SlJson *sl_json_member (const SlJson *object, const char *key);

/* The same if it is of that kind, else NULL. */
const SlJson *sl_json_member_of (const SlJson *object, const char *key, SlJsonKind kind);

/* A whole number from 0 to `most` that is written in digits alone.  False for anything else, and for
 * NULL.  */
bool sl_json_whole (const SlJson *json, uint64_t most, uint64_t *whole);

/* Whether the member `key` says 1, the version of every format of ours; else a sentence that tells a newer
 * version (SL_EUNSUPPORTED) from what none is (SL_EFORMAT).  */
SlStatus sl_json_version (const SlJson *object, const char *key, const char *subject);

/* "a text", "an object", …, for a refusal, marked for translators; "nothing" for NULL.  Static. */
const char *sl_json_kind_text (const SlJson *json);
