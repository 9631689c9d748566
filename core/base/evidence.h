/* SPDX-License-Identifier: MIT
 *
 * When statements about means hold: by a one-sided test of two means over seeds, paired where both sides ran
 * the same seeds (Student), else not (Welch); with five seeds or more; and by Holm's rule over all statements that
 * are made together, as those of a published table, at 0.05.  This is the only place that decides.  */
#pragma once

#include <stdbool.h>

enum { SL_JUDGE_SEEDS = 5, SL_JUDGE_MOST = 512 };

/* What seeds say of a statement "less < more", or of several such. */
typedef struct
{
  double holds,
    differs;      /* the chance of such seeds, or clearer ones, where the means are equal; of the
                            * statement, and of its opposite.  Not-a-number: too few seeds for any */
  unsigned seeds; /* of the side with fewer */
  double   gain;  /* mean of more - mean of less; not-a-number: a side has no figure */
} SlEvidence;

typedef enum {
  SL_JUDGED_OPEN, /* too few seeds, or neither is significant */
  SL_JUDGED_HOLDS,
  SL_JUDGED_DIFFERS, /* significant in the other direction */
} SlJudged;

/* Figures of two sides by seed (n); not-a-number where a side has none.  A constant is a side that has the same
 * figure n times.  `shared`: seed i is the same chance on both sides.  */
SlEvidence sl_evidence_compare (const double *less, const double *more, unsigned n, bool shared);

/* Of a statement that needs all n, and of one that needs any of n, which counts for n attempts.  Not-a-number
 * for none.  */
SlEvidence sl_evidence_all (const SlEvidence *parts, unsigned n);
SlEvidence sl_evidence_any (const SlEvidence *parts, unsigned n);

/* Judges the n statements of one table, at most SL_JUDGE_MOST. */
void sl_judge (const SlEvidence *evidence, unsigned n, SlJudged *judged);
