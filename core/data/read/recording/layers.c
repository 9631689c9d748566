/* SPDX-License-Identifier: MIT
 *
 * What arrays say about layers and passes, and the small arrays beside them.  */
#include <stdlib.h>

#include "core/data/read/recording/private.h"

static SlStatus
add_layer (SlRecordingFile *file, int64_t number)
{
  unsigned             before = file->draft->n_layers;
  SlRoutingDraftLayer *layer;
  SlStatus             status;

  if (number < 0 || number > INT32_MAX)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("layer %lld", (long long) number), sl_message ("a layer"));
  status = sl_routing_draft_layer (file->draft, (int) number, -1, &layer);
  if (sl_ok (&status) && file->draft->n_layers == before)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("layer %lld twice", (long long) number),
                          sl_message ("layer numbers that differ"));
  return status;
}

static SlStatus
add_numbered (SlRecordingFile *file, uint64_t n)
{
  SlMeant *numbers = sl_meaning_find (&file->meaning, SL_ROLE_NUMBERS);
  int64_t *number = NULL;
  SlStatus status = SL_SUCCESS;

  if (n == 0 || n > SL_ROUTING_LAYERS)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("%llu layers", (unsigned long long) n),
                          sl_message ("1 to %d", SL_ROUTING_LAYERS));
  if (numbers != NULL && numbers->array->axes == 1 && numbers->array->n == n)
    status = sl_recording_integers (file, numbers->array, &number);
  for (uint64_t l = 0; l < n && sl_ok (&status); l++)
    status = add_layer (file, number != NULL ? number[l] : (int64_t) l);
  free (number);
  return status;
}

SlStatus
sl_recording_layers (SlRecordingFile *file, SlMeant *const *meant, unsigned n)
{
  SlStatus status = SL_SUCCESS;

  if (n == 1)
    return add_numbered (file, sl_meant_length (meant[0], 'l'));
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    status = add_layer (file, (int64_t) meant[i]->number[meant[i]->numbers - 1]);
  return status;
}

unsigned
sl_recording_layer_of (const SlMeant *meant, unsigned i, uint64_t row)
{
  uint64_t stride = sl_meant_stride (meant, 'l');

  return stride == 0 ? i : (unsigned) (row / stride % sl_meant_length (meant, 'l'));
}

int64_t
sl_recording_scalar (const SlRecordingFile *file, SlRole role)
{
  const SlMeant *meant = sl_meaning_find (&file->meaning, role);
  double         number = -1;
  SlStatus       status;

  if (meant == NULL || meant->array->n == 0)
    return -1;
  for (uint64_t i = 0; i < meant->array->n; i++)
    {
      status = sl_array_reals (meant->array, file->arrays.path, i, 1, &number);
      if (sl_ok (&status) && number >= 0 && number < 1e9)
        return (int64_t) number;
    }
  return -1;
}

SlStatus
sl_recording_integers (SlRecordingFile *file, SlArray *array, int64_t **to)
{
  SlStatus status = sl_array_load (&file->arrays, array);

  *to = NULL;
  if (!sl_ok (&status))
    return status;
  *to = malloc (array->n * sizeof **to + 1);
  return *to != NULL ? sl_array_integers (array, file->arrays.path, 0, array->n, *to)
                     : sl_status_no_memory (file->arrays.path);
}

SlStatus
sl_recording_copies (SlRecordingFile *file, uint64_t layers, int64_t **copies, uint64_t *n)
{
  SlMeant *map = sl_meaning_find (&file->meaning, SL_ROLE_COPIES);
  unsigned experts = 0;
  SlStatus status;

  *copies = NULL;
  *n = 0;
  if (map == NULL || map->array->axes != 2 || map->array->shape[0] != layers || map->array->n == 0)
    return SL_SUCCESS;
  status = sl_recording_integers (file, map->array, copies);
  *n = map->array->shape[1];
  for (uint64_t i = 0; i < map->array->n && sl_ok (&status); i++)
    {
      int64_t expert = (*copies)[i];

      if (expert < 0 || expert >= SL_ROUTING_EXPERTS)
        return sl_status_new (SL_EFORMAT, file->arrays.path,
                              sl_message ("physical_to_logical_map: %lld", (long long) expert),
                              sl_message ("one of 0 to %d", SL_ROUTING_EXPERTS - 1));
      if (expert >= experts)
        experts = (unsigned) expert + 1;
    }
  if (file->draft->experts == 0)
    file->draft->experts = experts;
  return status;
}

void
sl_recording_mark_tops (const SlArray *array, int64_t *ids, size_t n)
{
  int64_t top = array->size == 2 ? UINT16_MAX : array->size == 4 ? (int64_t) UINT32_MAX : -2;

  if (array->type != SL_ARRAY_NATURALS || array->size == 1)
    return;
  for (size_t i = 0; i < n; i++)
    if (ids[i] == top)
      ids[i] = SL_RAW_TOP;
}

SlStatus
sl_recording_experts (SlRoutingDraft *draft, unsigned n)
{
  unsigned said = draft->options.experts;

  draft->experts_from = said > 0             ? SL_ROUTING_SAID
                        : draft->experts > 0 ? SL_ROUTING_FILE
                                             : SL_ROUTING_LARGEST;
  draft->experts = said > 0 ? (said > n ? said : n) : draft->experts > 0 ? draft->experts : n;
  if (n > draft->experts || draft->experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("expert %u", n - 1),
                          sl_message ("one of 0 to %u", draft->experts - 1));
  return SL_SUCCESS;
}

/* ---- passes and phases of tokens ---- */

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
