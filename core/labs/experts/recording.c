/* SPDX-License-Identifier: MIT
 *
 * Which experts the validation examples go to, as a recording that the lab of recordings opens.  */
#include <stdlib.h>

#include "core/data/routing/draft.h"
#include "core/labs/experts/lab.h"

typedef struct
{
  SlRoutingDraft draft;
  SlStatus       status;
} Recorder;

/* Puts an expert in its place among `n`, the largest gate first. */
static void
insert (int64_t id, float gate, unsigned n, int64_t *ids, float *gates)
{
  unsigned at = n;

  for (; at > 0 && gates[at - 1] < gate; at--)
    {
      ids[at] = ids[at - 1];
      gates[at] = gates[at - 1];
    }
  ids[at] = id;
  gates[at] = gate;
}

/* The experts of an example, in the lower number's favour where gates are equal; zero-computation ones have numbers
 * from n on.  */
static unsigned
read_example (const SlMoe *moe, size_t example, int64_t *ids, float *gates)
{
  const SlDispatch *dispatch = &moe->dispatch;
  const SlGate     *gate = moe->gates;
  unsigned          n = 0;

  for (uint32_t i = dispatch->first[example]; i < dispatch->first[example + 1]; i++)
    {
      uint32_t a = dispatch->slot[i], expert = 0;

      while (dispatch->start[expert + 1] <= a)
        expert++;
      insert (expert, (float) dispatch->weight[a], n++, ids, gates);
    }
  for (size_t p = 0; moe->shape.zero > 0 && p < gate->k; p++)
    {
      size_t at = example * gate->k + p;

      if (gate->chosen[at] >= moe->shape.experts)
        insert (gate->chosen[at], (float) gate->g[at], n++, ids, gates);
    }
  return n;
}

static SlStatus
record_example (Recorder *recorder, const SlMoe *moe, size_t example)
{
  const uint32_t *first = moe->dispatch.first + example;
  int64_t         ids[SL_ROUTING_SLOTS];
  float           gates[SL_ROUTING_SLOTS];
  unsigned        n, most = moe->shape.zero > 0 ? (unsigned) moe->gates[0].k : first[1] - first[0];

  if (most > SL_ROUTING_SLOTS)
    return sl_status_new (SL_EUNSUPPORTED, "recording",
                          sl_message ("%u experts of an example", most),
                          sl_message ("at most %d", SL_ROUTING_SLOTS));
  n = read_example (moe, example, ids, gates);
  return sl_routing_draft_token (&recorder->draft, &recorder->draft.layer[0], ids, gates, n,
                                 example == 0);
}

/* Each batch is a pass. */
static double
record_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlExpertsLab *s = sl_experts_lab (state);
  Recorder     *recorder = data;

  sl_dataset_range (state->dataset, first, n, s->x, s->label);
  sl_experts_net_forward (s, NET_MIXTURE, n, false, false);
  for (size_t i = 0; i < n && sl_ok (&recorder->status); i++)
    recorder->status = record_example (recorder, &s->moe, i);
  return sl_experts_loss (s, n, false, errors);
}

SlStatus
sl_experts_recording (SlLabState *state, SlRouting **routing)
{
  SlExpertsLab        *s = sl_experts_lab (state);
  Recorder             recorder = { .status = SL_SUCCESS };
  SlRoutingDraftLayer *layer;

  sl_routing_draft_init (&recorder.draft, "experts",
                         &(SlRoutingOptions) { .experts = (unsigned) s->shape.experts });
  recorder.draft.gates = true;
  recorder.status = sl_routing_draft_layer (&recorder.draft, 0, -1, &layer);
  if (sl_ok (&recorder.status))
    sl_evaluate (state, sl_dataset_first (state->dataset, SL_VALID), state->dataset->n[SL_VALID],
                 MOST_BATCH, record_batch, &recorder);
  if (!sl_ok (&state->own.failure))
    recorder.status = sl_own_take (&state->own);
  if (sl_ok (&recorder.status))
    return sl_routing_finish (&recorder.draft, routing);
  sl_routing_draft_clear (&recorder.draft);
  return recorder.status;
}
