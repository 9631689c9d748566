/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "core/data/read/recording/private.h"

/* The array of a role if it has a number for each token. */
static SlArray *
find_of_tokens (const SlRecordingFile *file, SlRole role)
{
  const SlMeant *meant = sl_meaning_find (&file->meaning, role);

  return meant != NULL && meant->array->axes == 1 && sl_array_whole (meant->array)
             && meant->array->n == file->draft->layer[0].tokens
           ? meant->array
           : NULL;
}

/* A pass ends where its number changes. */
static SlStatus
read_passes (SlRoutingDraft *draft, const int64_t *number)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      SlRoutingDraftLayer *layer = &draft->layer[l];

      layer->n_passes = 0;
      for (size_t t = 0; t < layer->tokens && sl_ok (&status); t++)
        status = sl_routing_draft_pass (draft, layer, 1, t > 0 && number[t] != number[t - 1]);
    }
  return status;
}

static SlStatus
read_phases (SlRoutingDraft *draft, const int64_t *phase, int64_t decode)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      SlRoutingDraftLayer *layer = &draft->layer[l];

      layer->decode = malloc (layer->tokens + 1);
      if (layer->decode == NULL)
        return sl_status_no_memory (draft->path);
      for (size_t t = 0; t < layer->tokens; t++)
        layer->decode[t] = phase[t] == decode;
    }
  draft->decode = true;
  return SL_SUCCESS;
}

SlStatus
sl_recording_passes (SlRecordingFile *file)
{
  SlArray *pass = find_of_tokens (file, SL_ROLE_PASS), *mode = find_of_tokens (file, SL_ROLE_MODE);
  SlArray *phase = mode != NULL ? mode : find_of_tokens (file, SL_ROLE_PHASE);
  int64_t *number = NULL;
  SlStatus status = SL_SUCCESS;

  if (pass != NULL)
    {
      status = sl_recording_integers (file, pass, &number);
      if (sl_ok (&status))
        status = read_passes (file->draft, number);
      free (number);
      number = NULL;
    }
  if (phase != NULL && sl_ok (&status))
    {
      status = sl_recording_integers (file, phase, &number);
      if (sl_ok (&status))
        status = read_phases (file->draft, number, mode != NULL ? 2 : 1);
      free (number);
    }
  return status;
}
