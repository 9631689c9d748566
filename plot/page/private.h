/* SPDX-License-Identifier: MIT
 *
 * How a page is put together: an object of JSON with what there is to show, which the page's script reads.  Colours are
 * pairs, for a light and a dark ground, and named by their number; x values are shared among curves.  */
#pragma once

#include "core/run/base/json.h"
#include "plot/export/export.h"
#include "plot/page/page.h"

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

/* A panel of a record as an object: its drawing, at each moment of the frames (or NULL) where it is no series, and the
 * values of its curves.  Nothing where there is nothing to show; whether it was written.  */
bool sl_page_panel (SlPage *page, const SlPageRun *run, unsigned panel);

/* The same of any figure. */
void sl_page_figure (SlPage *page, const char *id, SlFigure *figure);

/* "shots": the drawings of one figure, of which lines that come again are written once, and "notes" of each. */
typedef struct SlPageShots SlPageShots;

SlPageShots *sl_page_shots_new (void);
void sl_page_shots_add (SlPageShots *shots, SlPage *page, SlFigure *figure); /* NULL: none */
void sl_page_shots_end (SlPageShots *shots, SlPage *page); /* writes and frees them */

/* Size, axes and curves of a figure as it is drawn. */
void sl_page_curves (SlPage *page, SlFigure *figure);

/* How a figure is drawn on a page. */
SlExportOptions sl_page_options (SlFigure *figure);
