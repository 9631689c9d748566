/* SPDX-License-Identifier: MIT
 *
 * A published table as its file has it: what is run, what is read from each run, what was
 * published, and what the paper says of it.  Texts are interned and live as long as the program.
 *
 * The files, core/labs/X/published/X.table, are compiled in.  They have groups of key=value lines:
 *
 *   [table]       order in the list, title, source, conditions, seeds; lab, data, settings of all rows; needs
 *                 (mnist, wiki8, faces, cifar); across (pictures side by side); toy=yes; measure (code in place
 *                 of runs); trials=yes (seeds are trials of a clock); curves-from (the first update of curves)
 *   [full] [quick]  time in words; epochs, steps, patience; measure, at, trunk; any other key replaces {key} in
 *                 data and settings
 *   [column ID]   name, unit, kind (number, faster, shape, scale), read, missing, quick=no
 *   [row ID], and [rows] for all: label, settings, data, epochs, then at `at`, published-COLUMN, read-COLUMN,
 *                 from (rows whose run it is read from), plot, curves, quick=no
 *   [claim ID]    text, that, each or some of the rows (claims.h), kind (paper, ours, scale, arithmetic), quick=no
 *   [plot NAME]   x, y and their units, ranges; across, up, rows, names for curves over rows; rows, columns,
 *                 categories for bars
 *
 * `read` is a formula as in lessons over score.ID, valid.ID, outcome.error, outcome.executed, last.CHANNEL,
 * least.CHANNEL, end.CHANNEL, seconds and epochs.  Rows are ids and patterns, a|b*.  A published number is written
 * as its paper has it: 1.124 ± 0.0737, ≈ 1.80.  What cannot be read is refused with its group.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

enum {
  SL_TABLE_ROWS = 32,
  SL_TABLE_COLUMNS = 12,
  SL_TABLE_CLAIMS = 24,
  SL_TABLE_SEEDS = 100,
};

/* What of a column can be compared. */
typedef enum {
  SL_COLUMN_NUMBER, /* the published value itself */
  SL_COLUMN_FASTER, /* that or above: a speed on other hardware */
  SL_COLUMN_SHAPE,  /* another size of network or data: only what is claimed of its rows */
  SL_COLUMN_SCALE,  /* nothing: it needs a scale that is not available here */
} SlColumnKind;

typedef struct
{
  const char  *id, *name, *unit;
  const char  *read; /* a formula of what a run has; NULL: measures fill it */
  SlColumnKind kind;
  bool         full_only; /* --quick does not have it */
} SlTableColumn;

typedef struct
{
  const char *text;      /* as published: "1.124 ± 0.0737", "≈ 1.80"; NULL: it is not */
  double      value, sd; /* not-a-number: none */
} SlPublished;

typedef struct
{
  const char *id, *label;
  SlPublished published[SL_TABLE_COLUMNS];
  bool        full_only;
} SlTableRow;

typedef enum {
  SL_CLAIM_OF_PAPER,
  SL_CLAIM_OURS,       /* not in the paper */
  SL_CLAIM_SCALE,      /* of the paper; its size decides, so that it cannot be refuted here */
  SL_CLAIM_ARITHMETIC, /* a formula computed twice: nothing is estimated */
} SlClaimKind;

typedef struct
{
  const char *text, *that, *rows; /* see claims.h */
  bool        some;               /* any of the rows is enough */
  bool        full_only;
  SlClaimKind kind;
} SlTableStatement;

/* Data that are not part of this program. */
typedef enum {
  SL_NEEDS_NO_FILE,
  SL_NEEDS_MNIST,
  SL_NEEDS_WIKI8, /* thirty million letters of Wikipedia, made by the rules of text8 */
  SL_NEEDS_FACES, /* a hundred faces and as many backgrounds of 25 × 25 */
  SL_NEEDS_CIFAR, /* the first 4000 pictures of CIFAR-10 */
  SL_N_TABLE_NEEDS,
} SlTableNeeds;

typedef struct
{
  GKeyFile        *file;
  const char      *id, *title, *source, *conditions;
  const char      *time, *quick_time; /* on two cores; no quick_time: the table has no quick form */
  SlTableNeeds     needs;
  unsigned         order, seeds, across; /* pictures side by side */
  bool             toy;    /* what of it does not hold says nothing against its papers */
  bool             trials; /* of a clock: seed i is not the same chance in two rows */
  unsigned         n_rows, n_columns, n_claims;
  SlTableRow       row[SL_TABLE_ROWS];
  SlTableColumn    column[SL_TABLE_COLUMNS];
  SlTableStatement claim[SL_TABLE_CLAIMS];
} SlPaperTable;

/* Reads the file `id`.table.  NULL with a sentence that names file, group and key. */
SlPaperTable *sl_table_read (const char *id, const char *text, gsize length, GError **error);
void          sl_table_free (SlPaperTable *table);

/* All tables that are linked, in their order, to be freed together: of SlPaperTable. */
GPtrArray *sl_tables_load (GError **error);

/* A value of a group, or NULL; of a row, what [rows] says of all where the row says nothing. */
const char *sl_table_word (const SlPaperTable *table, const char *group, const char *key);
const char *sl_table_row_word (const SlPaperTable *table, unsigned row, const char *key);

/* `text` (or NULL) with each "{key}" replaced by that of [full] or [quick].  Free with g_free(). */
char *sl_table_fill (const SlPaperTable *table, bool quick, const char *text);

/* Index of a row or column; -1: there is none. */
int sl_table_find_row (const SlPaperTable *table, const char *id);
int sl_table_find_column (const SlPaperTable *table, const char *id);

/* Whether a row is one of "a|b*": ids and patterns. */
bool sl_table_row_is (const SlPaperTable *table, unsigned row, const char *patterns);

G_END_DECLS
