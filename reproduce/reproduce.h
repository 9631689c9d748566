/* SPDX-License-Identifier: MIT
 *
 * Published tables and what comes out here: rows and columns of figures, each with what was published, what every
 * seed gave, and a verdict.  */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "app/cli/show/looks.h"
#include "core/run/base/json.h"
#include "core/run/published/cells.h"
#include "core/run/store/store.h"

/* A curve in the plot of this name. */
typedef struct
{
  unsigned row;
  char    *plot, *name;
  size_t   n;
  double  *x, *y;
} SlTableCurve;

/* What one run painted, under the name of its row. */
typedef struct
{
  unsigned row;
  GBytes  *png;
} SlTablePicture;

typedef struct
{
  const SlPaperTable *table;
  SlTableCells       *cells;     /* what came out, of how many seeds and in which form */
  uint64_t            first;     /* of these seeds; the others follow it */
  const char         *data;      /* specification of what it needs; NULL: the table's own */
  uint64_t            data_hash; /* of those; 0: none is needed */
  char               *title;     /* of the table; says so where the data are not those published */
  bool                quiet;
  SlStore            *store;    /* where runs are kept, and gone on with; or NULL */
  unsigned            runs;     /* that there were to keep */
  GPtrArray          *curves;   /* of SlTableCurve, by row: what its figure shows instead of bars */
  GArray             *pictures; /* of SlTablePicture, by row: the same of runs that paint */
  GPtrArray          *recipes;  /* of words: lab, data and settings that runs had */
  double              seconds, processor; /* that passed, and that all threads computed */
} SlReproduction;

SlReproduction *sl_reproduction_new (const SlPaperTable *table);
void            sl_reproduction_free (SlReproduction *r);

/* Runs or measures what the table has and judges it.  Complains. */
SlExit sl_reproduction_make (SlReproduction *r);

/* Whether the form that is made has this row. */
bool sl_reproduction_has_row (const SlReproduction *r, unsigned row);

/* Settings of all rows and of one (or -1), as words.  Free with g_free(). */
char *sl_reproduction_settings (const SlReproduction *r, int row);

/* Keeps what some runs were made of, for the JSON; `data` NULL: the lab needs none. */
void sl_reproduction_recipe (SlReproduction *r, const char *data, const char *settings);

/* A number of the form that is made ("epochs"); 0 where it has none. */
double sl_reproduction_number (const SlReproduction *r, const char *key);

/* Prints a remark on the error stream. */
void sl_reproduction_note (const SlReproduction *r, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Copies the curve.  Plots and their curves are in the order of the rows, whichever run ends first. */
void sl_reproduction_curve (SlReproduction *r, unsigned row, const char *plot, const char *name,
                            size_t n, const double *x, const double *y);

/* Adds what the table's file asks for over its rows, once all figures are there. */
void sl_reproduction_plots (SlReproduction *r);

/* Keeps a reference; NULL: there is none. */
void sl_reproduction_picture (SlReproduction *r, unsigned row, GBytes *png);

/* The rows as runs of a sweep whose settings are a list, each with each seed, side by side.  Complains. */
SlExit sl_reproduction_runs (SlReproduction *r);

/* ---- pages ---- */

/* The table for a terminal, as Markdown, and as an element of a JSON array that is open. */
void sl_reproduction_print (const SlReproduction *r, FILE *stream);
void sl_reproduction_markdown (const SlReproduction *r, FILE *stream);
void sl_reproduction_json (const SlReproduction *r, SlJsonWriter *w);

/* Many tables on one page of Markdown: a line for each on top, what was passed over and why, then the tables. */
typedef struct
{
  GString *lines, *tables;
} SlReproductionPage;

void sl_page_init (SlReproductionPage *page);
void sl_page_add (SlReproductionPage *page, const SlReproduction *r);
void sl_page_pass_over (SlReproductionPage *page, const SlPaperTable *table, const char *why);
bool sl_page_write (const SlReproductionPage *page, const char *path); /* false after a complaint */
void sl_page_clear (SlReproductionPage *page);

/* Published beside ours as bars, a plot for each column, ours alone where nothing is published; or the pictures or the
 * curves, where a table has some.  False after a complaint.  */
bool sl_reproduction_figure (const SlReproduction *r, const SlLooks *looks, const char *path);

/* Every table and figure of chapters 3 and 4 of Davis 2016, with what came out of it here or why nothing did: lines, or
 * a table in Markdown.  */
void sl_items_print (bool markdown, FILE *stream);
