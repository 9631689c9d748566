/* SPDX-License-Identifier: MIT
 *
 * What is in a web page of Sluice, for tests.  */
#pragma once

#include <glib.h>

#include "core/run/base/json.h"

/* A page taken apart; to be cleared. */
typedef struct
{
  char   *text; /* the whole page */
  char   *policy, *style, *script;
  char   *recipe; /* or NULL */
  SlJson *data;
  char   *json; /* of the data */
} PageText;

/* Asserts that it is one. */
void page_text_read (PageText *page, GBytes *bytes);
void page_text_clear (PageText *page);

/* Asserts that a page of whatever content is safe: its policy allows nothing but its own script and style, no text of
 * others ended an element, every drawing is one that a browser reads and asks for nothing.  */
void page_text_assert_safe (const PageText *page);

/* The number of an element of an array, and a member's. */
const SlJson *page_text_at (const SlJson *array, unsigned i);
double        page_text_number (const SlJson *object, const char *key);
const char   *page_text_words (const SlJson *object, const char *key);
