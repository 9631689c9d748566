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

/* The experts of an example, the largest gate first, in the lower number's favour where they are
 * equal.  */
static unsigned
read_example (const SlDispatch *dispatch, size_t example, int64_t *ids, float *gates)
{
  unsigned n = 0;

  for (uint32_t i = dispatch->first[example]; i < dispatch->first[example + 1]; i++)
    {
      uint32_t a = dispatch->slot[i], expert = 0;
      float    gate = (float) dispatch->weight[a];
      unsigned at = n++;

      while (dispatch->start[expert + 1] <= a)
        expert++;
      for (; at > 0 && gates[at - 1] < gate; at--)
        {
          ids[at] = ids[at - 1];
          gates[at] = gates[at - 1];
        }
      ids[at] = expert;
      gates[at] = gate;
    }
  return n;
}

static SlStatus
record_example (Recorder *recorder, const SlDispatch *dispatch, size_t example)
{
  int64_t  ids[SL_ROUTING_SLOTS];
  float    gates[SL_ROUTING_SLOTS];
  unsigned n;

  if (dispatch->first[example + 1] - dispatch->first[example] > SL_ROUTING_SLOTS)
    return sl_status_new (SL_EUNSUPPORTED, "recording",
                          sl_message ("%u experts of an example",
                                      dispatch->first[example + 1] - dispatch->first[example]),
                          sl_message ("at most %d", SL_ROUTING_SLOTS));
  n = read_example (dispatch, example, ids, gates);
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
    recorder->status = record_example (recorder, &s->moe.dispatch, i);
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
  if (sl_ok (&recorder.status))
    return sl_routing_finish (&recorder.draft, routing);
  sl_routing_draft_clear (&recorder.draft);
  return recorder.status;
}
