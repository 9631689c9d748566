/* SPDX-License-Identifier: MIT */
#include "core/base/evidence.h"

#include <math.h>

#include "core/base/student.h"

static const double level = 0.05;

/* Of the numbers among n: how many, their mean, and the variance of that mean. */
typedef struct
{
  unsigned n;
  double   mean, variance;
} Side;

static Side
side_of (const double *number, unsigned n)
{
  Side   side = { 0 };
  double sum = 0;

  for (unsigned i = 0; i < n; i++)
    if (isfinite (number[i]))
      {
        sum += number[i];
        side.n++;
      }
  side.mean = side.n > 0 ? sum / side.n : (double) NAN;
  for (unsigned i = 0; i < n; i++)
    if (isfinite (number[i]))
      side.variance += (number[i] - side.mean) * (number[i] - side.mean);
  side.variance = side.n > 1 ? side.variance / (side.n - 1) / side.n : (double) NAN;
  return side;
}

/* Both chances for a gain of this variance.  Where nothing varies it is certain; a difference that rounding
 * makes is none.  */
static void
fill_chances (SlEvidence *evidence, double variance, double freedom, double size)
{
  static const double rounding = 1e-12;
  double              error = sqrt (variance);
  bool                none = fabs (evidence->gain) <= rounding * size && error <= rounding * size;

  if (isnan (error))
    return;
  evidence->holds = none ? 1 : sl_student_above (evidence->gain / error, freedom);
  evidence->differs = none ? 1 : sl_student_above (-evidence->gain / error, freedom);
}

static double
square (double x)
{
  return x * x;
}

SlEvidence
sl_evidence_compare (const double *less, const double *more, unsigned n, bool shared)
{
  Side       a = side_of (less, n), b = side_of (more, n);
  double     size = fmax (fabs (a.mean), fabs (b.mean)), variance, freedom;
  SlEvidence evidence = { (double) NAN, (double) NAN, a.n < b.n ? a.n : b.n, b.mean - a.mean };
  double     gain[SL_JUDGE_MOST];

  for (unsigned i = 0; i < n && shared; i++)
    {
      shared = isfinite (less[i]) == isfinite (more[i]);
      gain[i] = more[i] - less[i];
    }
  if (shared)
    {
      variance = side_of (gain, n).variance;
      freedom = a.n - 1.0;
    }
  else
    {
      variance = a.variance + b.variance;
      /* Where nothing varies any number of degrees will do. */
      freedom = variance > 0
                  ? square (variance)
                      / (square (a.variance) / (a.n - 1) + square (b.variance) / (b.n - 1))
                  : 1;
    }
  fill_chances (&evidence, variance, freedom, size);
  return evidence;
}

/* The statement needs the weakest of its parts; its opposite the strongest, which counts for n attempts. */
SlEvidence
sl_evidence_all (const SlEvidence *parts, unsigned n)
{
  SlEvidence all = parts[0];

  if (n == 0)
    return (SlEvidence) { (double) NAN, (double) NAN, 0, (double) NAN };
  for (unsigned i = 1; i < n; i++)
    {
      all.holds = parts[i].holds > all.holds || isnan (parts[i].holds) ? parts[i].holds : all.holds;
      all.differs = parts[i].differs < all.differs || isnan (parts[i].differs) ? parts[i].differs
                                                                               : all.differs;
      all.seeds = parts[i].seeds < all.seeds ? parts[i].seeds : all.seeds;
      all.gain = parts[i].gain < all.gain || isnan (parts[i].gain) ? parts[i].gain : all.gain;
    }
  if (n * all.differs > 1)
    all.differs = 1;
  else
    all.differs *= n;
  return all;
}

SlEvidence
sl_evidence_any (const SlEvidence *parts, unsigned n)
{
  SlEvidence all, turned[SL_JUDGE_MOST];

  for (unsigned i = 0; i < n; i++)
    turned[i] = (SlEvidence) { parts[i].differs, parts[i].holds, parts[i].seeds, -parts[i].gain };
  all = sl_evidence_all (turned, n);
  return (SlEvidence) { all.differs, all.holds, all.seeds, -all.gain };
}

/* Holm: the smallest chance against level / n, the next against level / (n - 1), until one is not below. */
static void
mark (const double *chance, unsigned n, SlJudged mark_as, SlJudged *judged)
{
  bool     marked[SL_JUDGE_MOST] = { false };
  unsigned tested = 0;

  for (unsigned i = 0; i < n; i++)
    tested += !isnan (chance[i]);
  for (; tested > 0; tested--)
    {
      unsigned least = n;

      for (unsigned i = 0; i < n; i++)
        if (!marked[i] && !isnan (chance[i]) && (least == n || chance[i] < chance[least]))
          least = i;
      if (!(chance[least] <= level / tested))
        return;
      marked[least] = true;
      judged[least] = mark_as;
    }
}

void
sl_judge (const SlEvidence *evidence, unsigned n, SlJudged *judged)
{
  double holds[SL_JUDGE_MOST], differs[SL_JUDGE_MOST];

  for (unsigned i = 0; i < n; i++)
    {
      bool enough = evidence[i].seeds >= SL_JUDGE_SEEDS;

      judged[i] = SL_JUDGED_OPEN;
      holds[i] = enough ? evidence[i].holds : (double) NAN;
      differs[i] = enough ? evidence[i].differs : (double) NAN;
    }
  mark (holds, n, SL_JUDGED_HOLDS, judged);
  mark (differs, n, SL_JUDGED_DIFFERS, judged);
}
