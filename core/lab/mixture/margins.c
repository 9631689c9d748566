/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/margins.h"

#include <math.h>
#include <stdio.h>

#include "core/lab/mixture/panels.h"

enum { BINS = 40 };

bool
sl_mixture_has_learned (SlProbe *p)
{
  if (p->state->now.t == 0)
    sl_probe_note (p, "Nothing has been learned yet.");
  return p->state->now.t > 0;
}

void
sl_mixture_note_caveat (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting)
{
  double chosen = sl_mixture_chosen (moe, setting);
  double at_once = moe->shape.zero > 0 ? (double) setting->k : chosen;

  if (chosen >= (double) moe->shape.experts)
    sl_probe_note (p, " Every example uses all experts.");
  else if (at_once <= 1.0 && moe->shape.gate == SL_MOE_NOISY)
    sl_probe_note (p, " With k = 1 every gate value is 1, and the error does not train the gate.");
}

/* What is to be known about an expert's margins. */
typedef struct
{
  const sl_real *margin; /* (n) */
  size_t         n, chosen;
  double         lo, hi; /* of the finite ones */
  double         near;   /* share within 3 σ of the threshold, where the noise can decide */
  double         reach;  /* mean of φ(u) / φ(0): how strongly the load loss gets through */
} Margins;

static Margins
margins_of (const SlMoe *moe, size_t expert, size_t n, sl_real *margin)
{
  Margins m = { .margin = margin, .n = n, .lo = HUGE_VAL, .hi = -HUGE_VAL };

  sl_moe_margin (moe, expert, margin);
  for (size_t e = 0; e < n; e++)
    {
      double u = (double) margin[e];

      if (!isfinite (u))
        continue;
      m.lo = u < m.lo ? u : m.lo;
      m.hi = u > m.hi ? u : m.hi;
      m.near += fabs (u) < 3.0 ? 1.0 / (double) n : 0.0;
      m.reach += exp (-0.5 * u * u) / (double) n;
    }
  m.chosen = moe->balance.hard[expert];
  return m;
}

/* Share of the examples by margin in some range, in %. */
static void
add_histogram (SlProbe *p, unsigned trace, const Margins *m, double lo, double hi)
{
  double x[BINS], share[BINS] = { 0 }, width = (hi - lo) / BINS;

  for (int i = 0; i < BINS; i++)
    x[i] = lo + width * (i + 0.5);
  for (size_t e = 0; e < m->n; e++)
    {
      double at = floor (((double) m->margin[e] - lo) / width);

      if (!isnan (at))
        share[(int) fmax (0.0, fmin (at, BINS - 1.0))] += 100.0 / (double) m->n;
    }
  sl_probe_points (p, trace, 0, BINS, x, share);
}

/* The same in the ranges of SL_PANEL_MARGINS: what counts are the first few σ on either side. */
static void
add_bars (SlProbe *p, unsigned trace, const Margins *m)
{
  static const double edge[] = { -100, -10, -3, -1, 0, 1, 3, 10, 100 };
  enum { RANGES = sizeof edge / sizeof *edge + 1 };
  double share[RANGES] = { 0 };

  for (size_t e = 0; e < m->n; e++)
    {
      size_t at = 0;

      if (isnan (m->margin[e]))
        continue;
      while (at < RANGES - 1 && (double) m->margin[e] > edge[at])
        at++;
      share[at] += 100.0 / (double) m->n;
    }
  sl_probe_values (p, trace, 0, 0, RANGES, share);
}

/* What may become of an expert that nobody chooses: how much of the load loss gets through to it.
 * With next to nothing of it, the expert may still come back in the wake of others: when the losses
 * make the busy ones give way, the threshold falls.  */
static SlMessage
foretell (const SlMoe *moe, const SlMoeSetting *setting, const Margins *m)
{
  static const double hardly = 1e-3;

  switch (moe->shape.gate)
    {
    case SL_MOE_NOISY: break;
    case SL_MOE_BALANCED: return sl_message ("Its threshold falls until an example chooses it.");
    case SL_MOE_EXPERT_CHOICE:
      return sl_message ("In training it takes its share of every batch; its threshold follows.");
    case SL_MOE_BIAS:
      return setting->choice.bias_rule != SL_CHOOSER_REST
               ? sl_message ("Its bias rises until an example chooses it.")
               : sl_message ("The bias rule that would bring it back is off.");
    case SL_MOE_SWITCH:
      return setting->choice.w_balance > 0
               ? sl_message ("The balance loss pushes the others down, not this one up.")
               : sl_message ("Nothing brings it back: the balance loss has no weight.");
    case SL_MOE_BASE: return sl_message ("In training the plan gives it its share of every batch.");
    case SL_MOE_TOP_P:
      return sl_message ("It is used again only if the others' probabilities fall.");
    case SL_MOE_OWN: return sl_message ("It is used again only if your gate chooses it.");
    case SL_MOE_RELU:
    case SL_MOE_SOFT:
    case SL_MOE_DENSE: return sl_message ("Nothing brings it back.");
    }
  if (m->reach < hardly)
    return sl_message ("Hardly any gradient of the load loss reaches it: only a falling "
                       "threshold brings it back.");
  return setting->w_load > 0
           ? sl_message ("The load loss brings it back, with %.2g %% of its largest gradient.",
                         100.0 * m->reach)
           : sl_message ("A load loss would bring it back, with %.2g %% of its largest gradient.",
                         100.0 * m->reach);
}

/* Room for all margins and the threshold. */
static void
find_range (const Margins *m, double *lo, double *hi)
{
  static const double least = 1e-3; /* where all margins are 0, still a width */
  double              margin;

  *lo = fmin (0.0, m->lo);
  *hi = fmax (0.0, m->hi);
  margin = fmax (least, 0.05 * (*hi - *lo));
  *lo -= margin;
  *hi += margin;
}

/* Says when the margins are so large against the noise that it hardly ever decides. */
static void
note_noise (SlProbe *p, const SlMoe *moe, const Margins *m)
{
  static const double hardly = 0.05;

  if (moe->shape.gate == SL_MOE_NOISY && m->near < hardly)
    sl_probe_note (
      p, " The noise hardly decides: %.0f %% of the margins are within 3 σ (mean σ %.2g).",
      100.0 * m->near, moe->balance.noise);
}

static void
explain (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting, size_t expert, const Margins *m)
{
  const char *unit = moe->shape.gate == SL_MOE_NOISY ? " σ" : "";
  unsigned    number = (unsigned) expert + 1;
  char        best[32]; /* "+3.1 σ", with a real minus sign */

  snprintf (best, sizeof best, fabs (m->hi) < 100.0 ? "%s%.3g%s" : "%s%.0f%s",
            m->hi < 0.0 ? "−" : "+", fabs (m->hi), unit);
  if (m->chosen == 0)
    sl_probe_note (p, "No example chooses expert %u; its best margin is %s. %s", number, best,
                   foretell (moe, setting, m).packed);
  else
    sl_probe_note (p, "Expert %u gets %.1f %% of the examples; its best margin is %s.", number,
                   100.0 * (double) m->chosen / (double) m->n, best);
  note_noise (p, moe, m);
  if (m->chosen > 0)
    sl_mixture_note_caveat (p, moe, setting);
}

void
sl_mixture_probe_margins (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting, size_t expert,
                          size_t n, sl_real *margin)
{
  const uint32_t *hard = moe->balance.hard;
  size_t          experts = moe->shape.experts, busiest = 0;
  Margins         watched, other;
  double          lo, hi;

  if (!sl_mixture_has_learned (p))
    return;
  if (expert >= experts)
    expert = experts - 1;
  for (size_t i = 1; i < experts; i++)
    if (hard[i] > hard[busiest])
      busiest = i;
  watched = margins_of (moe, expert, n, margin);
  other = margins_of (moe, busiest, n, margin + n);
  if (!(watched.lo <= watched.hi && other.lo <= other.hi))
    {
      sl_probe_note (p, "There is nothing to choose.");
      sl_mixture_note_caveat (p, moe, setting);
      return;
    }
  if (moe->shape.gate == SL_MOE_NOISY)
    {
      add_bars (p, SL_MARGINS_SELECTED, &watched);
      if (busiest != expert)
        add_bars (p, SL_MARGINS_BUSIEST, &other);
    }
  else
    {
      find_range (&watched, &lo, &hi);
      add_histogram (p, SL_MARGINS_SELECTED, &watched, lo, hi);
      if (busiest != expert)
        add_histogram (p, SL_MARGINS_BUSIEST, &other, lo, hi);
      p->snapshot->mark = 0.0;
    }
  explain (p, moe, setting, expert, &watched);
}
