/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "core/data/routing/arrays/parts.h"

static const char *const pass_names[] = { "pass", NULL };
static const char *const mode_names[] = { "forward_mode", NULL };
static const char *const phase_names[] = { "phase", NULL };

/* The array of these names if it has a number for each token. */
static const SlArray *
find_of_tokens (const SlArrays *arrays, const char *const *names, size_t tokens)
{
  const SlArray *array = sl_arrays_find (arrays, names, sl_array_whole);

  return array != NULL && array->axes == 1 && array->n == tokens ? array : NULL;
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
sl_arrays_read_passes (const SlArrays *arrays, SlRoutingDraft *draft)
{
  size_t         tokens = draft->layer[0].tokens;
  const SlArray *pass = find_of_tokens (arrays, pass_names, tokens);
  const SlArray *mode = find_of_tokens (arrays, mode_names, tokens);
  const SlArray *phase = mode != NULL ? mode : find_of_tokens (arrays, phase_names, tokens);
  int64_t       *number = NULL;
  SlStatus       status = SL_SUCCESS;

  if (pass != NULL)
    status = sl_arrays_integers (arrays, pass, &number);
  if (number != NULL)
    status = read_passes (draft, number);
  free (number);
  number = NULL;
  if (sl_ok (&status) && phase != NULL)
    status = sl_arrays_integers (arrays, phase, &number);
  if (number != NULL)
    status = read_phases (draft, number, mode != NULL ? 2 : 1);
  free (number);
  return status;
}
