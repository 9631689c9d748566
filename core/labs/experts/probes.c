/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts` that need a pass over validation examples of their own: which
 * expert gets which class, why an expert is used or not; and the memory.  They read the weights and
 * use the batch as scratch, which every step fills anew.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <stdio.h>

#include "core/lab/kit/probe.h"
#include "core/lab/mixture/margins.h"
#include "core/lab/mixture/memory.h"
#include "core/nn/kernels/blocks.h"

size_t
sl_experts_run_validation (SlExpertsLab *s, size_t most)
{
  size_t n = sl_examples (&s->base, SL_VALID, (double) most);

  sl_dataset_range (s->base.dataset, sl_dataset_first (s->base.dataset, SL_VALID), n, s->x,
                    s->label);
  sl_experts_net_forward (s, NET_MIXTURE, n, false, false);
  return n;
}

/* Names the rows of a range of experts each: "17–32". */
static void
name_rows (SlProbe *p, size_t experts, unsigned span)
{
  p->snapshot->span = span;
  for (size_t from = 0; span > 1 && from < experts; from += span)
    {
      char name[32];

      snprintf (name, sizeof name, "%zu–%zu", from + 1, sl_least (from + span, experts));
      sl_snapshot_row_name (p->snapshot, name);
    }
}

static void
note_use (SlProbe *p, size_t experts, size_t n, const double *hard)
{
  size_t used = 0, busiest = 0;
  double sum = 0.0;

  for (size_t i = 0; i < experts; i++)
    {
      used += hard[i] > 0.0;
      sum += hard[i];
      busiest = hard[i] > hard[busiest] ? i : busiest;
    }
  sl_probe_note (p, "%zu of %zu experts used on %zu validation examples, without noise.", used,
                 experts, n);
  if (sl_layout_span ((unsigned) experts, SL_MIXTURE_ROWS) > 1 && sum > 0.0)
    sl_probe_note (p, " Expert %zu gets most, %.3g times an even share.", busiest + 1,
                   hard[busiest] * (double) experts / sum);
}

static void
probe_classes (SlProbe *p)
{
  SlExpertsLab       *s = sl_experts_lab (p->state);
  size_t              experts = s->moe.shape.experts, classes = s->base.dataset->classes;
  size_t              n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlMoeSetting        setting = sl_experts_setting (s);
  SlExpertsEvaluation evaluation;
  double             *share, largest = 0.1, even = 0.0;
  unsigned            span = sl_layout_span ((unsigned) experts, SL_MIXTURE_ROWS);

  if (!sl_mixture_has_learned (p))
    return;
  sl_experts_evaluate (s, sl_dataset_first (s->base.dataset, SL_VALID), n, &evaluation);
  share = sl_probe_matrix (p, 1, (experts + span - 1) / span, classes);
  if (share == NULL)
    return;
  for (size_t i = 0; i < experts; i++)
    even += evaluation.hard[i] / (double) experts;
  for (size_t from = 0; from < experts; from += span, share += classes)
    {
      double all = 0.0;

      for (size_t i = from; i < from + span && i < experts; i++)
        {
          all += evaluation.hard[i];
          for (size_t c = 0; c < classes; c++)
            share[c] += (double) s->joint[i * classes + c];
        }
      /* Few examples are no specialist: rows of less than a quarter of an even share are paler. */
      all = fmax (all, 0.25 * even * (double) span);
      for (size_t c = 0; all > 0.0 && c < classes; c++)
        {
          share[c] /= all;
          largest = fmax (largest, share[c]);
        }
    }
  /* In tenths, so that the colours mean the same for a while. */
  p->snapshot->lo = 0.0;
  p->snapshot->hi = ceil (10.0 * largest) / 10.0;
  sl_probe_class_names (p, s->base.dataset);
  name_rows (p, experts, span);
  note_use (p, experts, n, evaluation.hard);
  sl_mixture_note_caveat (p, &s->moe, &setting);
}

static void
probe_why (SlProbe *p)
{
  SlExpertsLab *s = sl_experts_lab (p->state);
  SlMoeSetting  setting = sl_experts_setting (s);
  size_t        n = sl_experts_run_validation (s, PROBE);

  sl_mixture_probe_margins (p, &s->moe, &setting, sl_count_of (&s->base, P_EXPERT) - 1, n,
                            s->margin);
}

static void
probe_memory (SlProbe *p)
{
  SlExpertsLab *s = sl_experts_lab (p->state);
  SlMoeSetting  setting = sl_experts_setting (s);

  sl_mixture_probe_memory (p, &s->moe, &setting, sl_count_of (&s->base, P_BATCH),
                           (SlOptimiser) sl_count_of (&s->base, P_OPTIMISER));
}

const SlProbePanel sl_experts_probes[N_PANELS] = {
  [V_ALIVE] = sl_experts_probe_alive,
  [V_WHY] = probe_why,
  [V_WHY_VALUE] = probe_why,
  [V_CLASSES] = probe_classes,
  [V_SPEED] = sl_experts_probe_speed,
  [V_STRONGEST] = sl_experts_probe_strongest,
  [V_MEMORY] = probe_memory,
  [V_PRUNING] = sl_experts_probe_pruning,
  [V_BY_CLASS] = sl_experts_probe_by_class,
};
