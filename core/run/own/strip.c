/* SPDX-License-Identifier: MIT */
#include "core/run/own/strip.h"

#include <stdlib.h>

#include "core/base/rng.h"

enum { A_CASE = 2, LOOKED_AT = 512 };

typedef struct
{
  const SlDataset     *data;
  const SlPredictions *predictions;
  size_t               first, n;         /* examples that are looked at */
  unsigned short       order[LOOKED_AT]; /* by chance */
  float           sure, unsure; /* margins from which on, and up to which, a case has an example */
  SlStripExample *strip;
  unsigned        chosen;
} Choice;

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* The quarters of the examples that the network is most and least sure of. */
static void
find_margins (Choice *c)
{
  float  margin[SL_PREDICTIONS];
  size_t n = c->predictions->n;

  for (size_t i = 0; i < n; i++)
    margin[i] = c->predictions->of[i].margin;
  qsort (margin, n, sizeof *margin, compare);
  c->unsure = margin[n / 4];
  c->sure = margin[n - 1 - n / 4];
}

static void
shuffle (Choice *c, uint64_t seed)
{
  SlRng rng;

  sl_rng_init (&rng, seed, "strip");
  for (size_t i = 0; i < c->n; i++)
    {
      size_t j = (size_t) (sl_rng_uniform (&rng) * (double) (i + 1));

      c->order[i] = c->order[j];
      c->order[j] = (unsigned short) i;
    }
}

static bool
is_chosen (const Choice *c, unsigned example)
{
  for (unsigned i = 0; i < c->chosen; i++)
    if (c->strip[i].example == example)
      return true;
  return false;
}

static unsigned
label_of (const Choice *c, unsigned example)
{
  return c->data->label[c->first + example];
}

static bool
is_of (const Choice *c, SlStripCase why, unsigned example)
{
  const SlPrediction *says = &c->predictions->of[example];
  bool                right = says->label == label_of (c, example);

  switch (why)
    {
    case SL_CASE_SURE: return says->margin >= c->sure;
    case SL_CASE_UNSURE: return says->margin <= c->unsure;
    case SL_CASE_WRONG: return !right;
    case SL_CASE_RIGHT: return right;
    case SL_CASE_PLAIN: break;
    }
  return true;
}

static void
choose_case (Choice *c, SlStripCase why)
{
  for (size_t i = 0, found = 0; i < c->n && found < A_CASE; i++)
    if (c->order[i] < c->predictions->n && !is_chosen (c, c->order[i])
        && is_of (c, why, c->order[i]))
      {
        c->strip[c->chosen++] = (SlStripExample) { c->order[i], why };
        found++;
      }
}

/* How many of those chosen are of the class of an example. */
static unsigned
alike (const Choice *c, unsigned example)
{
  unsigned n = 0;

  for (unsigned i = 0; i < c->chosen; i++)
    n += label_of (c, c->strip[i].example) == label_of (c, example);
  return n;
}

/* One more of a class that has fewest so far. */
static bool
choose_plain (Choice *c)
{
  unsigned best = 0, least = SL_STRIP + 1;

  for (size_t i = 0; i < c->n; i++)
    if (!is_chosen (c, c->order[i]) && alike (c, c->order[i]) < least)
      {
        best = c->order[i];
        least = alike (c, best);
      }
  if (least <= SL_STRIP)
    c->strip[c->chosen++] = (SlStripExample) { best, SL_CASE_PLAIN };
  return least <= SL_STRIP;
}

/* Case by case; those of none last. */
static int
compare_cases (const void *a, const void *b)
{
  const SlStripExample *x = a, *y = b;
  int                   by = (int) (y->why == SL_CASE_PLAIN) - (int) (x->why == SL_CASE_PLAIN);

  if (by != 0)
    return -by;
  return x->why != y->why ? (int) x->why - (int) y->why
                          : (x->example > y->example) - (x->example < y->example);
}

unsigned
sl_strip_choose (const SlDataset *data, const SlPredictions *predictions, uint64_t seed,
                 SlStripExample strip[SL_STRIP])
{
  SlSplit split = data->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  Choice  c = { .data = data, .predictions = predictions, .strip = strip };

  c.first = sl_dataset_first (data, split);
  c.n = data->n[split] < LOOKED_AT ? data->n[split] : LOOKED_AT;
  shuffle (&c, seed);
  if (predictions != NULL && predictions->n > 0)
    {
      find_margins (&c);
      /* The rarest first, so that no other case takes its examples. */
      for (int why = SL_CASE_WRONG; why >= SL_CASE_SURE; why--)
        choose_case (&c, (SlStripCase) why);
      choose_case (&c, SL_CASE_RIGHT);
    }
  while (c.chosen < SL_STRIP && choose_plain (&c))
    ;
  qsort (strip, c.chosen, sizeof *strip, compare_cases);
  return c.chosen;
}
