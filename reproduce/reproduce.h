/* SPDX-License-Identifier: MIT
 *
 * Published tables and what comes out here under the stored recipes: rows and columns of figures,
 * each with what was published, what every seed gave, and a verdict.  */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/cli/plan.h"
#include "app/cli/show/looks.h"
#include "core/run/sweep/job.h"

enum { SL_TABLE_ROWS = 32, SL_TABLE_PLOTS = 12, SL_TABLE_COLUMNS = 12, SL_TABLE_SEEDS = 100 };

/* How closely a column can be reproduced on a desktop. */
typedef enum {
  SL_SAME_QUANTITY, /* the published value itself */
  SL_AT_LEAST,      /* that or better: a speed on other hardware */
  SL_SAME_SHAPE,    /* another size of network or data: only what the table says of its rows */
  SL_BEYOND,        /* nothing: needs a scale that is not available here */
} SlComparison;

typedef struct
{
  const char  *name, *unit;
  SlComparison comparison;
} SlTableColumn;

typedef struct
{
  double   published, sd; /* not-a-number: not published */
  unsigned n;
  double   ours[SL_TABLE_SEEDS];
} SlTableCell;

/* A statement of the published table about its rows, and whether it holds here. */
typedef struct
{
  char text[160];
  bool held;
} SlTableClaim;

/* A curve of one run, in the plot of this name. */
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

/* What the axes of a plot of curves say; as parts of bars, curves have their x counted by categories. */
typedef struct
{
  const char        *name; /* as the curves have it */
  SlAxis             x, y;
  bool               stacked;
  const char *const *categories; /* STACKED: ended by NULL */
} SlTablePlot;

/* Data of a table that are not part of this program. */
typedef enum {
  SL_NEEDS_NO_FILE,
  SL_NEEDS_MNIST,
  SL_NEEDS_WIKI8, /* thirty million letters of Wikipedia, made by the rules of text8 */
  SL_NEEDS_FACES, /* a hundred faces and as many backgrounds of 25 × 25 */
  SL_NEEDS_CIFAR, /* the first 4000 pictures of CIFAR-10 */
} SlTableNeeds;

typedef struct SlReproduction SlReproduction;

typedef struct
{
  const char *id, *title, *source;
  const char *time, *quick_time; /* on two cores, in words, with the usual seeds; no quick_time: the
                                  * table has no quick form, and --quick passes it over */
  const char *conditions;        /* what is ours and what is theirs, for the reader of the table */
  SlTableNeeds         needs;
  unsigned             usual_seeds;
  const char *const   *rows; /* ended by NULL */
  const SlTableColumn *columns;
  unsigned             n_columns;
  const SlTablePlot   *plots; /* (n_plots) of those of its curves that are not over updates */
  unsigned             n_plots;
  unsigned             across; /* pictures side by side, of a table whose runs paint */
  /* Fills the cells and makes the claims.  Complains. */
  SlExit (*run) (SlReproduction *reproduction);
} SlPaperTable;

struct SlReproduction
{
  const SlPaperTable *table;
  const char         *data;      /* specification of what it needs; NULL: the recipe's own */
  uint64_t            data_hash; /* of those; 0: none is needed */
  char               *title;     /* of the table; says so where the data are not those published */
  unsigned            seeds;
  bool                quick, quiet;
  SlStore            *store; /* where runs are kept, and gone on with; or NULL */
  unsigned            runs;  /* that there were to keep */
  unsigned            n_rows;
  SlTableCell         cell[SL_TABLE_ROWS][SL_TABLE_COLUMNS];
  GArray             *claims;   /* of SlTableClaim */
  bool                is_toy;   /* what of it does not hold says nothing against its paper */
  GPtrArray          *curves;   /* of SlTableCurve: what its figure shows instead of bars */
  GArray             *pictures; /* of SlTablePicture, by row: the same of runs that paint */
  GPtrArray          *recipes;  /* of words: lab, data and settings that runs had */
  double              seconds, processor; /* that passed, and that all threads computed */
};

/* clang-format off */
extern const SlPaperTable
  sl_table_davis_32,
  sl_table_davis_33,
  sl_table_davis_42,
  sl_table_davis_44,
  sl_table_davis_45,
  sl_table_davis_a,
  sl_table_shazeer_6,
  sl_table_shazeer_6_large,
  sl_table_shazeer_7,
  sl_table_bengio_1,
  sl_table_bengio_1_long,
  sl_table_liu_2a,
  sl_table_liu_2b,
  sl_table_liu_2c,
  sl_table_liu_2d,
  sl_table_liu_2d_two,
  sl_table_liu_faces,
  sl_table_cho_4,
  sl_table_donier,
  sl_table_donier_networks,
  sl_table_li_1,
  sl_table_li_2,
  sl_table_li_3,
  sl_table_li_4,
  sl_table_today_experts,
  sl_table_today_signs,
  sl_table_today_gates,
  sl_table_today_exits;
/* clang-format on */

void sl_reproduction_init (SlReproduction *reproduction, const SlPaperTable *table);
void sl_reproduction_clear (SlReproduction *reproduction);

/* Before run(): whether the data have the shape of those that the table is about, and in `title` whether they
 * are the same.  Complains.  */
SlExit sl_reproduction_check_data (SlReproduction *reproduction);

/* For run(): the recipe of some of its runs, for the JSON. */
void sl_reproduction_recipe (SlReproduction *reproduction, const char *lab, const char *data,
                             const char *settings, const char *more);

/* For run(). */
/* Sets a value of ours. */
void sl_reproduction_ours (SlReproduction *reproduction, unsigned row, unsigned column,
                           double value);
/* Sets a published value. */
void sl_reproduction_published (SlReproduction *reproduction, unsigned row, unsigned column,
                                double value, double sd);
/* Adds a claim, and whether it held. */
void sl_reproduction_claim (SlReproduction *reproduction, bool held, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* Prints a remark on the error stream. */
void sl_reproduction_note (const SlReproduction *reproduction, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

/* Copies the curve.  Plots and their curves are in the order of the rows, whichever run ends
 * first.  */
void sl_reproduction_curve (SlReproduction *reproduction, unsigned row, const char *plot,
                            const char *name, size_t n, const double *x, const double *y);

/* Keeps a reference; NULL: there is none.  Pictures are in the order of the rows. */
void sl_reproduction_picture (SlReproduction *reproduction, unsigned row, GBytes *png);

double sl_reproduction_mean (const SlReproduction *reproduction, unsigned row, unsigned column);
double sl_reproduction_sd (const SlReproduction *reproduction, unsigned row, unsigned column);

/* By how many standard errors of their difference the mean of row a is below that of row b; not-a-number with
 * one seed.  */
double sl_reproduction_errors_below (const SlReproduction *reproduction, unsigned a, unsigned b,
                                     unsigned column);

/* Rows of settings of one lab that are independent runs: each row with each seed, side by side. */
typedef struct
{
  const char        *lab, *data; /* data NULL: those of the reproduction */
  const char        *settings;   /* of all rows, "id=value id=value …" */
  const char *const *rows;       /* (n_rows) of each row; NULL: a row that others fill */
  SlBudget           budget;
  /* Reads the figures of one run into its row. */
  void (*read) (SlReproduction *reproduction, unsigned row, const SlSweepResult *result);
} SlTableRuns;

SlExit sl_reproduction_runs (SlReproduction *reproduction, const SlTableRuns *runs);

/* For read(): a score of the test examples; not-a-number: the run has none of that name. */
double sl_reproduction_score (const SlSweepResult *result, const char *id);

/* A plot of errors in validation over the updates. */
extern const SlTablePlot sl_validation_plot;

/* For read() of tables that have this plot: its curve of a run on seed 1, without the error before training, which would
 * push the curves together.  */
void sl_reproduction_validation (SlReproduction *reproduction, unsigned row,
                                 const SlSweepResult *result);

/* "number", "faster", "shape", "not at this scale" or "differs"; static.  A value is the published
 * number when it is within two standard deviations, or 5 % where none is published; a shape when
 * all claims hold.  */
const char *sl_reproduction_verdict (const SlReproduction *reproduction, unsigned row,
                                     unsigned column);

/* The table for a terminal, as Markdown, and as a member of a JSON array. */
void sl_reproduction_print (const SlReproduction *reproduction, FILE *stream);
void sl_reproduction_markdown (const SlReproduction *reproduction, FILE *stream);
void sl_reproduction_json (const SlReproduction *reproduction, GString *json);

/* Every table and figure of chapters 3 and 4 of Davis 2016, with what came out of it here or why nothing did:
 * lines, or a table in Markdown.  */
void sl_items_print (bool markdown, FILE *stream);

/* Many tables on one page of Markdown: a line for each on top, what was passed over and why, then the tables.  */
typedef struct
{
  GString *lines, *tables;
} SlReproductionPage;

void sl_page_init (SlReproductionPage *page);
void sl_page_add (SlReproductionPage *page, const SlReproduction *reproduction);
void sl_page_pass_over (SlReproductionPage *page, const SlPaperTable *table, const char *why);
bool sl_page_write (const SlReproductionPage *page, const char *path); /* false after a complaint */
void sl_page_clear (SlReproductionPage *page);

/* Published beside ours as bars, a plot for each column, ours alone where nothing is published; or the pictures
 * or the curves, where a table has some.  False after a complaint.  */
bool sl_reproduction_figure (const SlReproduction *reproduction, const SlLooks *looks,
                             const char *path);

enum { SL_SEEDS_AS_USUAL = -1 }; /* seeds that were not given */

/* What was typed after sluice-reproduce. */
typedef struct
{
  char    *data, *text, *faces, *cifar, *figure, *store, *report;
  int      seeds;
  gboolean list, all, quick, quiet, markdown, json;
  SlLooks  looks;
} SlTyped;

/* Before anything is trained: options that go together, places where files can be made, and data that some table
 * (found: of SlPaperTable) needs.  Complains.  */
SlExit sl_typed_check (const SlTyped *typed, const GPtrArray *found);
