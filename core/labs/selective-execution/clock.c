/* SPDX-License-Identifier: MIT
 *
 * The network of the lab `selective-execution` by the clock, against its dearest path without a
 * choice.  */
#include "core/labs/selective-execution/probes.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/clock.h"

static size_t
clock_begin (SlPasses *passes)
{
  SlSelectiveLab *s = sl_selective_lab (passes->probe.state);
  size_t          n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_BATCH));

  sl_dataset_range (s->base.dataset, sl_dataset_first (s->base.dataset, SL_VALID), n, s->x,
                    s->label);
  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
  sl_selective_forward (s, n);
  return n;
}

/* The nodes of the dearest path for all rows, without controllers. */
static void
clock_dense (SlPasses *passes)
{
  SlSelectiveLab *s = sl_selective_lab (passes->probe.state);
  bool            runs[SL_DAG_NODES];

  sl_dag_trace (&s->net.plan, &s->dag.facts, s->dag.facts.dearest, runs, NULL);
  for (unsigned at = 0; at < s->net.plan.n_nodes; at++)
    {
      unsigned i = s->dag.facts.order[at];

      if (runs[i] && !s->net.aside[i] && s->net.plan.node[i].kind == SL_DAG_REGULAR)
        sl_dag_run_node (&s->dag, i, passes->batch);
    }
}

static void
clock_conditional (SlPasses *passes)
{
  sl_selective_forward (sl_selective_lab (passes->probe.state), passes->batch);
}

const SlClock sl_selective_passes = { .channel = "clock.timed",
                                      .begin = clock_begin,
                                      .dense = clock_dense,
                                      .conditional = clock_conditional };

void
sl_selective_probe_clock (SlProbe *p)
{
  const SlMeasured timed[2] = { sl_counted (NAN), sl_counted (NAN) };
  SlSelectiveLab  *s = sl_selective_lab (p->state);
  SlPasses         passes = { .probe = *p };
  size_t           batch[2] = { 1, clock_begin (&passes) };
  double           counted[2];

  for (size_t i = 0; i < 2; i++)
    {
      sl_selective_forward (s, batch[i]);
      counted[i] = sl_dag_executed (&s->dag) / ((double) batch[i] * s->dag.facts.dearest_macs);
    }
  sl_probe_bars (p, T_TIMED, 2, timed);
  sl_probe_values (p, T_COUNTED, 0, 0, 2, counted);
  sl_probe_note (p, "Kernel %s; %.2f million multiplications on the most expensive path",
                 sl_probe_kernel (p), s->dag.facts.dearest_macs / 1e6);
}
