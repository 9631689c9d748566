/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts` that need a pass over validation examples of their own: which
 * expert gets which class, why an expert is used or not; and the memory.  They read the weights and
 * use the batch as scratch, which every step fills anew.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"

enum { BINS = 40 };

size_t
sl_experts_run_validation (SlLabState *s, size_t most)
{
  size_t n = s->dataset->n[SL_VALID] < most ? s->dataset->n[SL_VALID] : most;

  sl_dataset_range (s->dataset, sl_dataset_first (s->dataset, SL_VALID), n, s->x, s->label);
  sl_experts_net_forward (s, n, false, false);
  return n;
}

/* What a person should know about these settings before reading anything into a picture, or "". */
static const char *
caveat (const SlLabState *s)
{
  size_t chosen = sl_experts_chosen (s);

  if (chosen == s->moe.shape.experts)
    return " All experts are always chosen: k is as large as it can be.";
  if (chosen == 1 && s->moe.shape.gate == SL_MOE_NOISY)
    return " With k = 1 every gate value is 1, and the error teaches the gate nothing.";
  return "";
}

static SlStatus
probe_classes (SlLabState *s, SlSnapshot *snapshot)
{
  size_t              experts = s->moe.shape.experts, classes = s->dataset->classes, used = 0;
  size_t              n = s->dataset->n[SL_VALID], at = 0;
  SlExpertsEvaluation evaluation;
  double             *share, largest = 0.1;

  if (n > value_of (s, P_EXAMPLES))
    n = (size_t) value_of (s, P_EXAMPLES);
  sl_experts_evaluate (s, sl_dataset_first (s->dataset, SL_VALID), n, &evaluation);
  share = sl_snapshot_matrix (snapshot, 1, (unsigned) experts, (unsigned) classes);
  if (share == NULL)
    return sl_probe_no_memory ();
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
  snapshot->lo = 0.0;
  snapshot->hi = ceil (10.0 * largest) / 10.0;
  for (size_t c = 0; s->dataset->class_title != NULL && c < classes; c++)
    at += strlen (s->dataset->class_title[c]) + 1;
  /* Half of the names would be worse than none. */
  if (at > 0 && at < sizeof snapshot->names)
    for (size_t c = at = 0; c < classes; c++)
      at += (size_t) snprintf (snapshot->names + at, sizeof snapshot->names - at, "%s\n",
                               s->dataset->class_title[c]);
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu of %zu experts used on %zu validation examples, without noise.%s", used, experts,
            n, caveat (s));
  return SL_SUCCESS;
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
margins_of (SlLabState *s, size_t expert, size_t n, sl_real *margin)
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

/* Share of the examples by margin, in %; those out of sight are left out. */
static SlStatus
add_histogram (SlSnapshot *snapshot, uint32_t channel, const Margins *m, double lo, double hi)
{
  double *x = sl_snapshot_curve (snapshot, channel, BINS, false), width = (hi - lo) / BINS;

  if (x == NULL)
    return sl_probe_no_memory ();
  for (int i = 0; i < BINS; i++)
    {
      x[i] = lo + width * (i + 0.5);
      x[BINS + i] = 0.0;
    }
  for (size_t e = 0; e < m->n; e++)
    {
      double at = floor (((double) m->margin[e] - lo) / width);

      if (at >= 0.0 && at < BINS)
        x[BINS + (int) at] += 100.0 / (double) m->n;
    }
  return SL_SUCCESS;
}

/* A margin for people: "+3.1", with a real minus sign. */
static const char *
margin_text (double margin, char *text, size_t size)
{
  snprintf (text, size, fabs (margin) < 100.0 ? "%s%.3g" : "%s%.0f", margin < 0.0 ? "−" : "+",
            fabs (margin));
  return text;
}

/* What may become of an expert that nobody chooses: how much of the load loss gets through to it.
 * With next to nothing of it, the expert may still come back in the wake of others: when the losses
 * make the busy ones give way, the threshold falls.  */
static void
foretell (const SlLabState *s, const Margins *m, char *text, size_t size)
{
  static const double hardly = 1e-3;

  if (s->moe.shape.gate == SL_MOE_BALANCED)
    snprintf (text, size, "Its threshold falls until somebody does.");
  else if (m->reach < hardly)
    snprintf (text, size, "Hardly any load loss reaches it: it is back only if others give way.");
  else
    snprintf (text, size, "A load loss %s it back, with %.2g %% of its strength.",
              value_of (s, P_W_LOAD) > 0.0 ? "pulls" : "would pull", 100.0 * m->reach);
}

static void
explain (const SlLabState *s, size_t expert, const Margins *m, char *note, size_t size)
{
  const char *unit = s->moe.shape.gate == SL_MOE_NOISY ? " σ" : "";
  unsigned    number = (unsigned) expert + 1;
  char        best[24], future[96];

  margin_text (m->hi, best, sizeof best);
  if (m->chosen > 0)
    {
      snprintf (note, size, "Expert %u gets %.1f %% of the examples; its best margin is %s%s.%s",
                number, 100.0 * (double) m->chosen / (double) m->n, best, unit, caveat (s));
      return;
    }
  foretell (s, m, future, sizeof future);
  snprintf (note, size, "Nobody chooses expert %u: at best %s%s. %s", number, best, unit, future);
}

static SlStatus
probe_why (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  static const double least = 1e-3; /* where all margins are 0, still a width */
  const uint32_t      channel = sink->layout->first[V_WHY][0];
  const uint32_t     *hard = s->moe.balance.hard;
  size_t              experts = s->moe.shape.experts, expert = (size_t) value_of (s, P_EXPERT) - 1;
  size_t              n = sl_experts_run_validation (s, PROBE), busiest = 0;
  Margins             watched, other;
  double              lo, hi, margin;
  SlStatus            status;

  if (expert >= experts)
    expert = experts - 1;
  for (size_t i = 1; i < experts; i++)
    if (hard[i] > hard[busiest])
      busiest = i;
  watched = margins_of (s, expert, n, s->margin);
  other = margins_of (s, busiest, n, s->margin + MOST_BATCH);
  if (!(watched.lo <= watched.hi && other.lo <= other.hi))
    {
      snprintf (snapshot->note, sizeof snapshot->note, "There is nothing to choose.%s", caveat (s));
      return SL_SUCCESS;
    }
  /* All of the expert looked at and the threshold are in sight. */
  lo = fmin (0.0, watched.lo);
  hi = fmax (0.0, watched.hi);
  margin = fmax (least, 0.05 * (hi - lo));
  lo -= margin;
  hi += margin;
  status = add_histogram (snapshot, channel + T_WATCHED, &watched, lo, hi);
  if (sl_ok (&status) && busiest != expert)
    status = add_histogram (snapshot, channel + T_BUSIEST, &other, lo, hi);
  snapshot->mark = 0.0;
  explain (s, expert, &watched, snapshot->note, sizeof snapshot->note);
  return status;
}

static SlStatus
probe_memory (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  static const double megabyte = 1e6;
  const uint32_t      channel = sink->layout->first[V_MEMORY][0];
  SlMoeSetting        setting = sl_experts_setting (s), stored = setting;
  SlMoe               plain = s->moe;
  size_t              batch = (size_t) value_of (s, P_BATCH);

  stored.recompute = false;
  plain.shape.factored = plain.experts.factored = false;
  for (unsigned side = T_AS_SET; side <= T_PLAIN; side++)
    {
      bool        as_set = side == T_AS_SET;
      SlMoeMemory memory = sl_moe_memory (as_set ? &s->moe : &plain, as_set ? &setting : &stored,
                                          batch, !as_set || value_of (s, P_OPTIMISER) != 0.0);
      double *bars = sl_snapshot_curve (snapshot, channel + side, 4, false);

      if (bars == NULL)
        return sl_probe_no_memory ();
      for (int i = 0; i < 4; i++)
        bars[i] = i;
      bars[4] = memory.weights / megabyte;
      bars[5] = memory.gradient / megabyte;
      bars[6] = memory.moments / megabyte;
      bars[7] = memory.activations / megabyte;
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "Gates and experts; a batch of %zu with %zu of %zu experts each", batch,
            sl_experts_chosen (s), s->moe.shape.experts);
  return SL_SUCCESS;
}

SlStatus
sl_experts_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;

  if (snapshot == NULL)
    return SL_SUCCESS;
  /* Where nothing has been learned all logits are equal, and the tie goes to the first experts. */
  if (s->now.t == 0 && (panel == V_CLASSES || panel == V_WHY))
    snprintf (snapshot->note, sizeof snapshot->note, "Nothing has been learned yet.");
  else if (panel == V_CLASSES)
    status = probe_classes (s, snapshot);
  else if (panel == V_WHY)
    status = probe_why (s, sink, snapshot);
  else if (panel == V_MEMORY)
    status = probe_memory (s, sink, snapshot);
  else if (panel == V_SPEED)
    status = sl_experts_probe_speed (s, sink, snapshot);
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
