/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts` that need a pass over validation examples of their own: which
 * expert gets which class, why an expert is used or not; and the memory.  They read the weights and
 * use the batch as scratch, which every step fills anew.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <stdio.h>

#include "core/lab/kit/probe.h"

enum { BINS = 40 };

size_t
sl_experts_run_validation (SlExpertsLab *s, size_t most)
{
  size_t n = sl_examples (&s->base, SL_VALID, (double) most);

  sl_dataset_range (s->base.dataset, sl_dataset_first (s->base.dataset, SL_VALID), n, s->x,
                    s->label);
  sl_experts_net_forward (s, n, false, false);
  return n;
}

/* Where nothing has been learned all logits are equal, and the tie goes to the first experts. */
static bool
has_learned (SlProbe *p)
{
  if (p->state->now.t == 0)
    sl_probe_note (p, "Nothing has been learned yet.");
  return p->state->now.t > 0;
}

/* Adds what a person should know about these settings before reading anything into a picture. */
static void
note_caveat (SlProbe *p, const SlExpertsLab *s)
{
  size_t chosen = sl_experts_chosen (s);

  if (chosen == s->moe.shape.experts)
    sl_probe_note (p, " All experts are always chosen: k is as large as it can be.");
  else if (chosen == 1 && s->moe.shape.gate == SL_MOE_NOISY)
    sl_probe_note (
      p, " With k = 1 every gate value is 1, and the gate gets no gradient from the error.");
}

static void
probe_classes (SlProbe *p)
{
  SlExpertsLab       *s = sl_experts_lab (p->state);
  size_t              experts = s->moe.shape.experts, classes = s->base.dataset->classes, used = 0;
  size_t              n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlExpertsEvaluation evaluation;
  double             *share, largest = 0.1;

  if (!has_learned (p))
    return;
  sl_experts_evaluate (s, sl_dataset_first (s->base.dataset, SL_VALID), n, &evaluation);
  share = sl_probe_matrix (p, 1, experts, classes);
  if (share == NULL)
    return;
  for (size_t i = 0; i < experts; i++)
    {
      used += evaluation.hard[i] > 0.0;
      for (size_t c = 0; evaluation.hard[i] > 0.0 && c < classes; c++)
        {
          share[i * classes + c] = (double) s->joint[i * classes + c] / evaluation.hard[i];
          largest = fmax (largest, share[i * classes + c]);
        }
    }
  /* In tenths, so that the colours mean the same for a while. */
  p->snapshot->lo = 0.0;
  p->snapshot->hi = ceil (10.0 * largest) / 10.0;
  sl_probe_class_names (p, s->base.dataset);
  sl_probe_note (p, "%zu of %zu experts used on %zu validation examples, without noise.", used,
                 experts, n);
  note_caveat (p, s);
}

/* What is to be known about an expert's margins. */
typedef struct
{
  const sl_real *margin; /* (n) */
  size_t         n, chosen;
  double         lo, hi; /* of the finite ones */
  double         reach;  /* mean of φ(u) / φ(0): how strongly the load loss gets through */
} Margins;

static Margins
margins_of (SlExpertsLab *s, size_t expert, size_t n, sl_real *margin)
{
  Margins m = { .margin = margin, .n = n, .lo = HUGE_VAL, .hi = -HUGE_VAL };

  sl_moe_margin (&s->moe, expert, margin);
  for (size_t e = 0; e < n; e++)
    {
      double u = (double) margin[e];

      if (!isfinite (u))
        continue;
      m.lo = u < m.lo ? u : m.lo;
      m.hi = u > m.hi ? u : m.hi;
      m.reach += exp (-0.5 * u * u) / (double) n;
    }
  m.chosen = s->moe.balance.hard[expert];
  return m;
}

/* Share of the examples by margin, in %; those outside the plot stand at its edges. */
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

/* What may become of an expert that nobody chooses: how much of the load loss gets through to it.
 * With next to nothing of it, the expert may still come back in the wake of others: when the losses
 * make the busy ones give way, the threshold falls.  */
static SlMessage
foretell (const SlExpertsLab *s, const Margins *m)
{
  static const double hardly = 1e-3;

  if (s->moe.shape.gate == SL_MOE_BALANCED)
    return sl_message ("Its threshold falls until an example chooses it.");
  if (m->reach < hardly)
    return sl_message ("Hardly any gradient of the load loss reaches it: it is used again only if "
                       "the threshold falls.");
  return sl_value_of (&s->base, P_W_LOAD) > 0.0
           ? sl_message ("The load loss brings it back, with %.2g %% of its largest gradient.",
                         100.0 * m->reach)
           : sl_message ("A load loss would bring it back, with %.2g %% of its largest gradient.",
                         100.0 * m->reach);
}

/* What is shown of an expert's margins: the threshold and all of them, but no more noise than an example
 * is ever likely to have, so that the plot can be read when the noise has become small against them.  */
static void
sight (const SlExpertsLab *s, const Margins *m, double *lo, double *hi)
{
  static const double least = 1e-3; /* where all margins are 0, still a width */
  static const double most = 20.0;  /* σ */
  double              margin;

  *lo = fmin (0.0, m->lo);
  *hi = fmax (0.0, m->hi);
  if (s->moe.shape.gate == SL_MOE_NOISY)
    {
      *lo = fmax (*lo, -most);
      *hi = fmin (*hi, most);
    }
  margin = fmax (least, 0.05 * (*hi - *lo));
  *lo -= margin;
  *hi += margin;
}

/* Share of the examples outside the plot, in %. */
static double
share_outside (const Margins *m, double lo, double hi)
{
  size_t n = 0;

  for (size_t e = 0; e < m->n; e++)
    n += (double) m->margin[e] < lo || (double) m->margin[e] > hi;
  return 100.0 * (double) n / (double) m->n;
}

static void
explain (SlProbe *p, const SlExpertsLab *s, size_t expert, const Margins *m, double outside)
{
  const char *unit = s->moe.shape.gate == SL_MOE_NOISY ? " σ" : "";
  unsigned    number = (unsigned) expert + 1;
  char        best[32]; /* "+3.1 σ", with a real minus sign */

  snprintf (best, sizeof best, fabs (m->hi) < 100.0 ? "%s%.3g%s" : "%s%.0f%s",
            m->hi < 0.0 ? "−" : "+", fabs (m->hi), unit);
  if (m->chosen == 0)
    {
      sl_probe_note (p, "No example chooses expert %u; its best margin is %s. %s", number, best,
                     foretell (s, m).packed);
      return;
    }
  if (outside > 0.0)
    sl_probe_note (p,
                   "Expert %u gets %.1f %% of the examples; its best margin is %s. %.0f %% outside "
                   "the plot, counted at its edges.",
                   number, 100.0 * (double) m->chosen / (double) m->n, best, outside);
  else
    sl_probe_note (p, "Expert %u gets %.1f %% of the examples; its best margin is %s.", number,
                   100.0 * (double) m->chosen / (double) m->n, best);
  note_caveat (p, s);
}

static void
probe_why (SlProbe *p)
{
  SlExpertsLab   *s = sl_experts_lab (p->state);
  const uint32_t *hard = s->moe.balance.hard;
  size_t          experts = s->moe.shape.experts, expert = sl_count_of (&s->base, P_EXPERT) - 1;
  size_t          n = sl_experts_run_validation (s, PROBE), busiest = 0;
  Margins         watched, other;
  double          lo, hi;

  if (!has_learned (p))
    return;
  if (expert >= experts)
    expert = experts - 1;
  for (size_t i = 1; i < experts; i++)
    if (hard[i] > hard[busiest])
      busiest = i;
  watched = margins_of (s, expert, n, s->margin);
  other = margins_of (s, busiest, n, s->margin + MOST_BATCH);
  if (!(watched.lo <= watched.hi && other.lo <= other.hi))
    {
      sl_probe_note (p, "There is nothing to choose.");
      note_caveat (p, s);
      return;
    }
  sight (s, &watched, &lo, &hi);
  add_histogram (p, T_WATCHED, &watched, lo, hi);
  if (busiest != expert)
    add_histogram (p, T_BUSIEST, &other, lo, hi);
  p->snapshot->mark = 0.0;
  explain (p, s, expert, &watched, share_outside (&watched, lo, hi));
}

static void
probe_memory (SlProbe *p)
{
  SlExpertsLab       *s = sl_experts_lab (p->state);
  static const double megabyte = 1e6;
  SlMoeSetting        setting = sl_experts_setting (s), stored = setting;
  SlMoe               plain = s->moe;
  size_t              batch = sl_count_of (&s->base, P_BATCH);

  stored.recompute = false;
  plain.shape.factored = plain.experts.factored = false;
  for (unsigned side = T_AS_SET; side <= T_PLAIN; side++)
    {
      bool        as_set = side == T_AS_SET;
      SlMoeMemory memory = sl_moe_memory (as_set ? &s->moe : &plain, as_set ? &setting : &stored,
                                          batch, !as_set || sl_is_on (&s->base, P_OPTIMISER));
      double mb[] = { memory.weights / megabyte, memory.gradient / megabyte,
                      memory.moments / megabyte, memory.activations / megabyte };

      sl_probe_values (p, side, 0, 0, 4, mb);
    }
  sl_probe_note (p, "Gates and experts; a batch of %zu with %zu of %zu experts each", batch,
                 sl_experts_chosen (s), s->moe.shape.experts);
}

const SlProbePanel sl_experts_probes[N_PANELS] = {
  [V_WHY] = probe_why,         [V_WHY_VALUE] = probe_why,
  [V_CLASSES] = probe_classes, [V_SPEED] = sl_experts_probe_speed,
  [V_MEMORY] = probe_memory,
};
