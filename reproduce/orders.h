/* SPDX-License-Identifier: MIT
 *
 * Orders of rows that papers publish of the gates of today, and what a toy makes of them.  */
#pragma once

#include "reproduce/reproduce.h"

/* Row a is below row b in a column. */
typedef struct
{
  unsigned    a, b, column;
  const char *published;
} SlTableOrder;

/* A claim for each; the table says that it is of a toy. */
void sl_reproduction_orders (SlReproduction *reproduction, const SlTableOrder *orders, unsigned n);

/* For read(): error of the test examples and multiplications in % of dense, into the first two columns. */
void sl_reproduction_error_and_cost (SlReproduction *reproduction, unsigned row,
                                     const SlSweepResult *result);
