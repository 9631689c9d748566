/* SPDX-License-Identifier: MIT
 *
 * Statements of a table, as its file has them.
 *
 * that: comparisons with " and " between them, each of two or more formulas (core/run/lesson/formula.h) with
 *   < <= > or >=; or "rising COLUMN ROWS", "falling COLUMN ROWS": each row below, above, the next.  Names are
 *   COLUMN.ROW; mean.COLUMN.PREFIX, the mean of the rows whose ids begin so; pairs.COLUMN, how many pairs of rows are
 *   in published order; line.Y.X.PREFIX, the Y that the line through the rows of this prefix has at the X of `here`.
 * each, some: rows for which, or for one of which, that holds; their name in it is "here".
 * text: a sentence with formulas of the means, {FORMULA:DECIMALS}, and {here}, the label of the row that decides: the
 *   weakest of each, the strongest of some; kept and all are how many of the rows it holds for in the mean.  */
#pragma once

#include "core/run/published/cells.h"

/* Tells what seeds say of a statement of the table.  Frees nothing: its text and it are the caller's, for g_free().
 * A gain that is not a number: there are no figures.  NULL with a sentence when it cannot be read.  */
SlTableClaim *sl_claim_make (const SlTableCells *cells, const SlTableStatement *statement,
                             GError **error);
