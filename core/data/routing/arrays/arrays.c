/* SPDX-License-Identifier: MIT */
#include "core/data/routing/arrays/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/routing/arrays/parts.h"

static const char *const id_names[]
  = { "ids", "topk_ids", "top_indices", "routed_experts", "indices", "arr_0", NULL };
static const char *const score_names[] = { "router_logits", "logits", "router_scores", NULL };
static const char *const first_names[] = { "topk_ids_of_layer", NULL };
static const char *const load_names[] = { "loads", NULL };
static const char *const mask_names[] = { "routing_map", NULL };
static const char *const number_names[] = { "num_experts", NULL };
static const char *const other_names[] = { "topk_weights",
                                           "weights",
                                           "gates",
                                           "layer_numbers",
                                           "layers",
                                           "layer",
                                           "layer_idx",
                                           "phase",
                                           "forward_mode",
                                           "pass",
                                           "physical_to_logical_map",
                                           NULL };

static bool
is_among (const char *const *names, const char *name)
{
  for (; *names != NULL; names++)
    if (strcmp (*names, name) == 0)
      return true;
  return false;
}

bool
sl_arrays_known (const char *name)
{
  return is_among (id_names, name) || is_among (score_names, name) || is_among (first_names, name)
         || is_among (load_names, name) || is_among (mask_names, name)
         || is_among (number_names, name) || is_among (other_names, name)
         || strstr (name, "count") != NULL;
}

SlStatus
sl_arrays_add (SlArrays *arrays, const SlArray *array, uint8_t **to)
{
  uint64_t bytes;
  SlArray *new = &arrays->array[arrays->n];

  *to = NULL;
  if (arrays->n == SL_ARRAYS_MAX)
    return sl_status_new (SL_EFORMAT, arrays->path,
                          sl_message ("more than %d arrays", SL_ARRAYS_MAX),
                          sl_message ("at most %d", SL_ARRAYS_MAX));
  *new = *array;
  if (!sl_array_extent (new, &bytes) || bytes > SL_ROUTING_BUDGET - arrays->used)
    return sl_routing_too_large (arrays->path);
  new->bytes = malloc (bytes + 1);
  if (new->bytes == NULL)
    return sl_status_no_memory (arrays->path);
  *to = new->bytes;
  arrays->used += bytes;
  arrays->n++;
  return SL_SUCCESS;
}

void
sl_arrays_add_beside (SlArrays *arrays, const SlArray *array)
{
  if (arrays->n_beside < SL_ARRAYS_MAX)
    arrays->beside[arrays->n_beside++] = *array;
}

void
sl_arrays_clear (SlArrays *arrays)
{
  for (unsigned i = 0; i < arrays->n; i++)
    {
      if (arrays->array[i].bytes == NULL && arrays->array[i].fd >= 0)
        close (arrays->array[i].fd);
      free (arrays->array[i].bytes);
    }
  arrays->n = 0;
}

const SlArray *
sl_arrays_find (const SlArrays *arrays, const char *const *names, bool (*fits) (const SlArray *))
{
  for (; *names != NULL; names++)
    for (unsigned i = 0; i < arrays->n; i++)
      if (strcmp (arrays->array[i].name, *names) == 0 && (fits == NULL || fits (&arrays->array[i])))
        return &arrays->array[i];
  return NULL;
}

SlStatus
sl_arrays_integers (const SlArrays *arrays, const SlArray *array, int64_t **to)
{
  SlStatus status;

  *to = malloc (array->n * sizeof **to + 1);
  if (*to == NULL)
    return sl_status_no_memory (arrays->path);
  status = sl_array_integers (array, arrays->path, 0, array->n, *to);
  if (!sl_ok (&status))
    {
      free (*to);
      *to = NULL;
    }
  return status;
}

static bool
is_cube_of_counts (const SlArray *array)
{
  return sl_array_whole (array) && array->axes == 3;
}

static const SlArray *
find_counts (const SlArrays *arrays)
{
  for (unsigned i = 0; i < arrays->n; i++)
    if (is_cube_of_counts (&arrays->array[i]) && strstr (arrays->array[i].name, "count") != NULL)
      return &arrays->array[i];
  return NULL;
}

static bool
is_mask (const SlArray *array)
{
  return array->type == SL_ARRAY_TRUTHS && (array->axes == 2 || array->axes == 3);
}

/* How many experts there are, if an array says so. */
static SlStatus
read_number (const SlArrays *arrays, SlRoutingDraft *draft)
{
  const SlArray *array = sl_arrays_find (arrays, number_names, sl_array_whole);
  int64_t        n = 0;
  SlStatus       status = SL_SUCCESS;

  if (array == NULL || array->n != 1)
    return SL_SUCCESS;
  status = sl_array_integers (array, arrays->path, 0, 1, &n);
  if (sl_ok (&status) && (n < 0 || n > SL_ROUTING_EXPERTS))
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("num_experts: %lld", (long long) n),
                          sl_message ("at most %d", SL_ROUTING_EXPERTS));
  draft->experts = (unsigned) n;
  return status;
}

/* Whether two arrays can be expert numbers of one recording, such as those of two layers. */
static bool
are_alike (const SlArray *a, const SlArray *b)
{
  return a != b && sl_array_whole (b) && a->axes == b->axes && a->axes >= 2
         && a->shape[a->axes - 1] == b->shape[b->axes - 1];
}

/* Another array that can be expert numbers as well, or NULL. */
static const SlArray *
find_second (const SlArrays *arrays, const SlArray *ids)
{
  for (unsigned i = 0; i < arrays->n; i++)
    if (are_alike (ids, &arrays->array[i])
        && (is_among (id_names, arrays->array[i].name)
            || is_among (first_names, arrays->array[i].name)))
      return &arrays->array[i];
  for (unsigned i = 0; i < arrays->n_beside; i++)
    if (are_alike (ids, &arrays->beside[i]))
      return &arrays->beside[i];
  return NULL;
}

/* Of several arrays of expert numbers one alone would be a part of the recording. */
static SlStatus
read_only_ids (const SlArrays *arrays, const SlArray *ids, bool layers_first, SlRoutingDraft *draft)
{
  const SlArray *second = find_second (arrays, ids);

  if (second == NULL)
    return sl_arrays_read_ids (arrays, ids, layers_first, draft);
  return sl_status_new (
    SL_EFORMAT, arrays->path,
    sl_message ("several arrays of expert numbers, %s and %s", ids->name, second->name),
    sl_message (
      "one, tokens × layers × k, as np.stack of those of all layers along axis 1 makes it"));
}

static SlStatus
read_named (const SlArrays *arrays, SlRoutingDraft *draft)
{
  const SlArray *ids = sl_arrays_find (arrays, id_names, sl_array_whole);
  const SlArray *ids_first = sl_arrays_find (arrays, first_names, sl_array_whole);
  const SlArray *mask = sl_arrays_find (arrays, mask_names, is_mask);
  const SlArray *loads = sl_arrays_find (arrays, load_names, is_cube_of_counts);
  const SlArray *counts = find_counts (arrays);
  const SlArray *scores = sl_arrays_find (arrays, score_names, sl_array_real);

  if (ids_first != NULL)
    return read_only_ids (arrays, ids_first, true, draft);
  if (ids != NULL)
    return read_only_ids (arrays, ids, false, draft);
  if (mask != NULL)
    return sl_arrays_read_mask (arrays, mask, draft);
  if (loads != NULL)
    return sl_arrays_read_counts (arrays, loads, true, draft);
  if (counts != NULL)
    return sl_arrays_read_counts (arrays, counts, false, draft);
  if (scores != NULL)
    return sl_arrays_read_scores (arrays, scores, draft);
  return sl_status_new (SL_EFORMAT, arrays->path,
                        sl_message ("no array of expert numbers or counts"),
                        sl_message ("one named topk_ids, loads, logical_count or router_logits"));
}

static SlStatus
refuse_shape (const SlArrays *arrays, const SlArray *array)
{
  return sl_status_new (SL_EFORMAT, arrays->path,
                        array->axes == 2 || array->axes == 3
                          ? sl_message ("an array of texts, dates or the like")
                          : sl_message ("an array of %u axes", array->axes),
                        sl_message ("tokens × layers × k"));
}

/* An array without a name is what its type and shape say. */
static SlStatus
read_nameless (const SlArrays *arrays, const SlArray *array, SlRoutingDraft *draft)
{
  SlRoutingAs as = draft->options.as;
  bool        ids = as != SL_ROUTING_AS_COUNTS;
  SlStatus    status = SL_SUCCESS;

  if (is_mask (array))
    return sl_arrays_read_mask (arrays, array, draft);
  if ((array->axes != 2 && array->axes != 3) || !(sl_array_whole (array) || sl_array_real (array)))
    return refuse_shape (arrays, array);
  if (sl_array_real (array) && (as == SL_ROUTING_AS_IDS || as == SL_ROUTING_AS_COUNTS))
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("fractions"),
                          sl_message (".astype ('int16') of expert numbers"));
  if (sl_array_real (array))
    return sl_arrays_read_scores (arrays, array, draft);
  if (as == SL_ROUTING_AS_SCORES)
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("whole numbers"),
                          sl_message ("scores of all experts, which are fractions"));
  if (as == SL_ROUTING_AS_AUTO && array->axes == 3)
    status = sl_arrays_look_like_ids (arrays, array, &ids);
  if (!sl_ok (&status))
    return status;
  return ids ? sl_arrays_read_ids (arrays, array, false, draft)
             : sl_arrays_read_counts (arrays, array, false, draft);
}

SlStatus
sl_arrays_read (const SlArrays *arrays, SlRoutingDraft *draft)
{
  SlStatus status = read_number (arrays, draft);

  if (!sl_ok (&status))
    return status;
  if (arrays->objects)
    sl_routing_draft_note (
      draft, sl_message ("an array of Python objects, which are never loaded, was passed over"));
  if (arrays->n == 1 && arrays->array[0].name[0] == '\0')
    return read_nameless (arrays, &arrays->array[0], draft);
  return read_named (arrays, draft);
}
