/* SPDX-License-Identifier: MIT
 *
 * What came out of a published table: figures by row, column and seed, and what is said of them.  */
#pragma once

#include "core/base/evidence.h"
#include "core/run/published/table.h"

G_BEGIN_DECLS

/* A statement of the table about its rows, and what became of it. */
typedef struct
{
  const SlTableStatement *statement;
  char                   *text;
  SlEvidence              evidence;
  SlJudged                judged;
  bool                    about[SL_TABLE_ROWS][SL_TABLE_COLUMNS]; /* the cells that it names */
} SlTableClaim;

typedef struct
{
  const SlPaperTable *table;
  unsigned            seeds;
  bool                quick;
  double   ours[SL_TABLE_ROWS][SL_TABLE_COLUMNS][SL_TABLE_SEEDS]; /* not-a-number: none */
  SlJudged judged[SL_TABLE_ROWS][SL_TABLE_COLUMNS]; /* that it is the published number, or faster */
  GPtrArray *claims;                                /* of SlTableClaim, once judged */
} SlTableCells;

/* Without figures, for the table's usual seeds. */
SlTableCells *sl_cells_new (const SlPaperTable *table);
void          sl_cells_free (SlTableCells *cells);

/* Of our figures in a cell: how many, their mean, and their standard deviation; not-a-number: none. */
unsigned sl_cells_count (const SlTableCells *cells, unsigned row, unsigned column);
double   sl_cells_mean (const SlTableCells *cells, unsigned row, unsigned column);
double   sl_cells_sd (const SlTableCells *cells, unsigned row, unsigned column);

/* Whether any cell of the row has a figure. */
bool sl_cells_have_row (const SlTableCells *cells, unsigned row);

/* Judges claims and cells, once all figures are there.  FALSE with a sentence when a claim cannot be read. */
gboolean sl_cells_judge (SlTableCells *cells, GError **error);

/* Whether all claims of a table can be read.  FALSE with a sentence. */
gboolean sl_cells_check (const SlPaperTable *table, GError **error);

/* Of a cell that was published: "number" within two standard deviations, or within 5 % where none is published;
 * "faster" above a speed; "not at this scale"; else by the claims that name the cell, the worst of them: "shape" where
 * they hold, "differs", "not decided here"; "" where no claim does.  Static.  */
const char *sl_cells_verdict (const SlTableCells *cells, unsigned row, unsigned column);

/* "holds", "differs", "not decided here", "not at this scale" or "arithmetic".  Static. */
const char *sl_claim_verdict (const SlTableClaim *claim);

/* What a reader has to know of all verdicts of the table, or NULL.  Free with g_free(). */
char *sl_cells_remark (const SlTableCells *cells);

G_END_DECLS
