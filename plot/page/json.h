/* SPDX-License-Identifier: MIT
 *
 * What a page has: an object of JSON, which the page's script reads.  Colours are pairs, for a light and a dark ground, and
 * named by their number; x values are shared among curves.  */
#pragma once

#include "core/run/base/json.h"

typedef struct
{
  SlJsonWriter json;    /* of the object */
  GHashTable  *colours; /* number + 1 of each pair, "#rrggbb#rrggbb" */
  GPtrArray   *pairs;   /* of the same texts */
  GHashTable  *columns; /* number + 1 of the values along x, as JSON */
  GPtrArray   *column;  /* of the same texts */
  size_t       most;    /* samples of a curve; of more, only every second, third, … is there */
} SlPage;

/* Begins a page of a kind, "run", "sweep" or "lesson". */
void sl_page_begin (SlPage *page, const char *kind);

/* Ends it and frees what it owns.  `title` for the window; `recipe` (JSON) may be NULL. */
GBytes *sl_page_end (SlPage *page, const char *title, const char *recipe, GError **error);

/* Objects, lists and what is in them; `key` NULL: in a list. */
void sl_page_open (SlPage *page, const char *key, char bracket); /* '{' or '[' */
void sl_page_close (SlPage *page);
void sl_page_text (SlPage *page, const char *key, const char *text);
void sl_page_number (SlPage *page, const char *key, double value); /* with six digits that count */
void sl_page_bool (SlPage *page, const char *key, bool value);
void sl_page_values (SlPage *page, const char *key, const double *value, size_t n);

/* Values along x, which are written once; "x" of a curve. */
void sl_page_column (SlPage *page, const char *key, const double *value, size_t n);

/* The number of a pair of colours. */
unsigned sl_page_colour (SlPage *page, const char light[8], const char dark[8]);
