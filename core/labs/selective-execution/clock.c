/* SPDX-License-Identifier: MIT
 *
 * The network of the lab `selective-execution` by the clock, against its dearest path without a
 * choice.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/kernels/mat.h"

enum { SIZES = 3 };

static const size_t batch_size[SIZES] = { 1, 64, 256 };

typedef struct
{
  SlLabState *s;
  size_t      batch;
} Pass;

/* The nodes of the dearest path for all rows, without controllers. */
static void
pass_dearest (void *data)
{
  const Pass *p = data;
  SlLabState *s = p->s;
  bool        runs[SL_DAG_NODES];

  sl_dag_trace (&s->net.plan, &s->dag.facts, s->dag.facts.dearest, runs, NULL);
  for (unsigned at = 0; at < s->net.plan.n_nodes; at++)
    {
      unsigned i = s->dag.facts.order[at];

      if (runs[i] && s->net.plan.node[i].kind == SL_DAG_REGULAR)
        sl_dag_run_node (&s->dag, i, p->batch);
    }
}

static void
pass_chosen (void *data)
{
  const Pass *p = data;

  sl_selective_forward (p->s, p->batch);
}

/* Adds a group of bars, one for each batch. */
static SlStatus
add_bars (SlSnapshot *snapshot, uint32_t channel, const double *value)
{
  double *bars = sl_snapshot_curve (snapshot, channel, SIZES, false);

  if (bars == NULL)
    return sl_probe_no_memory ();
  for (size_t i = 0; i < SIZES; i++)
    {
      bars[i] = (double) i;
      bars[SIZES + i] = value[i];
    }
  return SL_SUCCESS;
}

SlStatus
sl_selective_probe_clock (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const uint32_t channel = sink->layout->first[V_CLOCK][0];
  size_t         most = batch_size[SIZES - 1];
  size_t         n = s->dataset->n[SL_VALID] < most ? s->dataset->n[SL_VALID] : most;
  Pass           pass = { .s = s };
  double         timed[SIZES], counted[SIZES];
  SlStatus       status;

  sl_dataset_range (s->dataset, sl_dataset_first (s->dataset, SL_VALID), n, s->x, s->label);
  /* Few validation examples come again. */
  for (size_t e = n; e < most; e++)
    memcpy (s->x + e * s->inputs, s->x + e % n * s->inputs, s->inputs * sizeof *s->x);
  memset (s->forced, SL_DAG_FREE, MOST_DECISIONS * MOST_BATCH);
  for (size_t i = 0; i < SIZES; i++)
    {
      pass.batch = batch_size[i];
      timed[i] = sl_time_ratio (pass_chosen, pass_dearest, &pass, sink);
      if (!isfinite (timed[i]))
        return sl_probe_cancelled ();
      sl_selective_forward (s, pass.batch);
      counted[i] = sl_dag_executed (&s->dag) / ((double) pass.batch * s->dag.facts.dearest_macs);
    }
  status = add_bars (snapshot, channel + T_TIMED, timed);
  if (sl_ok (&status))
    status = add_bars (snapshot, channel + T_COUNTED, counted);
  snprintf (snapshot->note, sizeof snapshot->note,
            "Kernel %s, %u thread%s; %.2f million "
            "multiplications on the dearest path",
            sl_blas_kernel (), sl_blas_threads (), sl_blas_threads () == 1 ? "" : "s",
            s->dag.facts.dearest_macs / 1e6);
  return status;
}
