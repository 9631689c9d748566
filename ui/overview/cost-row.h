/* SPDX-License-Identifier: MIT
 *
 * One row of the cost strip: its numbers, and their words.  */
#pragma once

#include "ui/overview/cost-strip.h"

G_BEGIN_DECLS

/* Costs by number: expected, executed, timed. */
enum { SL_STRIP_TIMED = 2, SL_STRIP_COSTS };

/* Zeroed: empty.  Free `name` with g_free(). */
typedef struct
{
  char    *name;
  double   cost[SL_STRIP_COSTS], spread, error, dense;
  gboolean busy, paired;
} SlStripRow;

/* Copies. */
void sl_strip_row_set (SlStripRow *row, const SlCostRow *from);

/* Free the texts with g_free(). */
const char *sl_strip_title (unsigned which);
char       *sl_strip_cost_text (const SlStripRow *row, unsigned which, gboolean spread);
char       *sl_strip_error_text (double error);

/* All of it as a sentence. */
void sl_strip_describe (const SlStripRow *row, GString *text);

G_END_DECLS
