/* SPDX-License-Identifier: MIT
 *
 * The heading of a table of routing: which column is what, by its name.  */
#pragma once

#include <stdbool.h>

#include "core/data/routing/routing.h"

enum { SL_TABLE_CELLS = 256 };

typedef enum {
  SL_TABLE_WIDE,  /* a token and layer a line, a column for each slot */
  SL_TABLE_LIST,  /* the same with a list in one cell */
  SL_TABLE_LONG,  /* a routing a line, with token and slot */
  SL_TABLE_PAIRS, /* a routing a line: layer and expert */
} SlTableKind;

typedef struct
{
  SlTableKind kind;
  unsigned    n;                                       /* columns */
  int         layer, token, slot, phase, expert, list; /* columns, or -1 */
  unsigned    wide[SL_ROUTING_SLOTS], n_wide;          /* n_wide: how many there would be */
} SlHeading;

/* Cuts a line at its commas, in place, and the blanks and quotes around cells off.  Returns how many
 * there are, at most SL_TABLE_CELLS; SL_TABLE_CELLS + 1: more.  */
unsigned sl_table_cut (char *line, char *cell[SL_TABLE_CELLS]);

/* Whether cells (n) are a heading, with a column of layers; then what they name. */
bool sl_heading_read (SlHeading *heading, char *const *cell, unsigned n);

/* That of a table of two columns without one: layer and expert. */
SlHeading sl_heading_of_pairs (void);

/* Whether the columns say where tokens went. */
bool sl_heading_whole (const SlHeading *heading);
