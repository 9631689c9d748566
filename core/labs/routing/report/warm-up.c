/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "core/labs/routing/report/trace.h"

static int
compare_ids (const void *a, const void *b)
{
  return *(const uint16_t *) a - *(const uint16_t *) b;
}

static SlStatus
add_run (SlJsonWriter *w, const SlRouting *recording, unsigned layer, const SlRoutingRun *run)
{
  uint16_t ids[SL_ROUTING_SLOTS];
  SlStatus status = sl_routing_read (recording, layer, true, run->first, 1, ids, NULL);

  if (!sl_ok (&status))
    return status;
  qsort (ids, recording->k, sizeof *ids, compare_ids);
  sl_json_open (w, NULL, '[', SL_JSON_PACKED);
  sl_json_add_whole (w, NULL, run->first);
  sl_json_add_whole (w, NULL, run->tokens);
  for (unsigned s = 0; s < recording->k && ids[s] != SL_ROUTING_NONE; s++)
    sl_json_add_whole (w, NULL, ids[s]);
  sl_json_close (w);
  return status;
}

static SlStatus
add_runs (SlJsonWriter *w, const SlRouting *recording)
{
  SlStatus status = SL_SUCCESS;

  sl_json_open (w, "runs", '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < recording->n_layers; l++)
    {
      const SlRoutingLayer *layer = &recording->layer[l];

      sl_json_open (w, NULL, '[', SL_JSON_PACKED);
      for (size_t i = 0; i < layer->n_warm_up && sl_ok (&status); i++)
        status = add_run (w, recording, l, &layer->warm_up[i]);
      sl_json_close (w);
    }
  sl_json_close (w);
  return status;
}

SlStatus
sl_trace_write_warm_up (SlJsonWriter *w, const SlRouting *recording)
{
  SlStatus status;

  sl_json_open (w, "warm_up", '{', SL_JSON_TIGHT);
  status = add_runs (w, recording);
  sl_json_open (w, "left_out", '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < recording->n_layers; l++)
    sl_json_add_whole (w, NULL, recording->layer[l].warm_up_tokens);
  sl_json_close (w);
  sl_json_open (w, "of", '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < recording->n_layers; l++)
    sl_json_add_whole (w, NULL, recording->layer[l].tokens);
  sl_json_close (w);
  sl_json_close (w);
  return status;
}
