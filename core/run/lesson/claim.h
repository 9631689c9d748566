/* SPDX-License-Identifier: MIT
 *
 * What a lesson claims and its runs can decide: "violation.batch@100 > 2.5 in 8 of 10".
 *
 * Two formulas (formula.h) with <, <=, > or >= between them and, where it need not hold for every seed, for how many of how
 * many.  */
#pragma once

#include "core/run/lesson/formula.h"

enum { SL_CLAIM_SEEDS = 1000 }; /* at most */

typedef struct
{
  char    *text; /* as it was written */
  char    *left, *right;
  char     sign[3];      /* "<", "<=", ">" or ">=" */
  unsigned least, seeds; /* for at least so many of so many; 1 of 1: for all */
} SlClaim;

/* NULL with a sentence when it is malformed or `named` does not know a name.  Free with sl_claim_free(). */
SlClaim *sl_claim_read (const char *text, SlNamed named, gpointer data, GError **error);
void     sl_claim_free (SlClaim *claim);

/* Whether it holds for these values; not for what was not measured (not-a-number).  *left and *right are what was compared. */
gboolean sl_claim_holds (const SlClaim *claim, SlNamed named, gpointer data, double *left,
                         double *right);

/* In how many of so many seeds it has to hold: their share, rounded down, but one at least. */
unsigned sl_claim_least (const SlClaim *claim, unsigned seeds);
