/* SPDX-License-Identifier: MIT
 *
 * The network of the lab `selective-execution` by the clock, against its dearest path without a
 * choice.  */
#include "core/labs/selective-execution/probes.h"

#include <string.h>

enum { SIZES = 3 };

static const size_t batch_size[SIZES] = { 1, 64, 256 };

typedef struct
{
  SlSelectiveLab *s;
  size_t          batch;
} Pass;

/* The nodes of the dearest path for all rows, without controllers. */
static void
pass_dearest (void *data)
{
  const Pass     *p = data;
  SlSelectiveLab *s = p->s;
  bool            runs[SL_DAG_NODES];

  sl_dag_trace (&s->net.plan, &s->dag.facts, s->dag.facts.dearest, runs, NULL);
  for (unsigned at = 0; at < s->net.plan.n_nodes; at++)
    {
      unsigned i = s->dag.facts.order[at];

      if (runs[i] && !s->net.aside[i] && s->net.plan.node[i].kind == SL_DAG_REGULAR)
        sl_dag_run_node (&s->dag, i, p->batch);
    }
}

static void
pass_chosen (void *data)
{
  const Pass *p = data;

  sl_selective_forward (p->s, p->batch);
}

void
sl_selective_probe_clock (SlProbe *p)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);
  size_t          most = batch_size[SIZES - 1];
  size_t          n = sl_examples (&s->base, SL_VALID, (double) most);
  Pass            pass = { .s = s };
  SlMeasured      timed[SIZES];
  double          counted[SIZES];

  sl_dataset_range (s->base.dataset, sl_dataset_first (s->base.dataset, SL_VALID), n, s->x,
                    s->label);
  /* Few validation examples come again. */
  for (size_t e = n; e < most; e++)
    memcpy (s->x + e * s->inputs, s->x + e % n * s->inputs, s->inputs * sizeof *s->x);
  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
  for (size_t i = 0; i < SIZES; i++)
    {
      pass.batch = batch_size[i];
      timed[i] = sl_probe_time_ratio (p, pass_chosen, pass_dearest, &pass);
      sl_selective_forward (s, pass.batch);
      counted[i] = sl_dag_executed (&s->dag) / ((double) pass.batch * s->dag.facts.dearest_macs);
    }
  sl_probe_bars (p, T_TIMED, SIZES, timed);
  sl_probe_values (p, T_COUNTED, 0, 0, SIZES, counted);
  sl_probe_note (p, "Kernel %s; %.2f million multiplications on the most expensive path",
                 sl_probe_kernel (p), s->dag.facts.dearest_macs / 1e6);
}
