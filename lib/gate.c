/* SPDX-License-Identifier: MIT
 *
 * A gate of the caller's, as the core calls it.  */
#include "lib/run-private.h"

static bool
choose (void *data, SlOwnBatch *batch)
{
  SlLibGate        *gate = data;
  const SluiceGate *caller = &gate->caller;
  SluiceGateBatch   own = { .rows = batch->rows,
                            .experts = batch->experts,
                            .training = batch->training,
                            .logits = batch->logits,
                            .mask = batch->mask,
                            .weights = batch->weights };
  bool              fine;

  sl_lib_gate_begin ();
  fine = caller->choose (caller->data, &own) == 0;
  sl_lib_gate_end ();
  batch->weighted = own.weighted != 0;
  if (!fine)
    g_atomic_int_set (&gate->failed, 1);
  return fine;
}

static bool
slopes (void *data, size_t rows, size_t experts, const sl_real *dweights, sl_real *dlogits)
{
  const SluiceGate *caller = &((const SlLibGate *) data)->caller;
  bool              fine;

  sl_lib_gate_begin ();
  fine = caller->slopes (caller->data, rows, experts, dweights, dlogits) == 0;
  sl_lib_gate_end ();
  return fine;
}

const SlOwnGate *
sl_lib_gate (SlLibGate *gate, const SluiceGate *caller)
{
  if (caller == NULL)
    return NULL;
  gate->caller = *caller;
  gate->own = (SlOwnGate) { .choose = choose,
                            .slopes = caller->slopes != NULL ? slopes : NULL,
                            .data = gate };
  return &gate->own;
}
