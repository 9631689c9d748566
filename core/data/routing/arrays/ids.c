/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/arrays/parts.h"
#include "core/data/routing/few.h"

enum { BLOCK_NUMBERS = 1 << 15, LIKELY_ROWS = 1 << 20 };

static const char *const gate_names[] = { "topk_weights", "weights", "gates", NULL };
static const char *const layer_names[] = { "layer", "layer_idx", NULL };
static const char *const number_names[] = { "layer_numbers", "layers", NULL };
static const char *const copy_names[] = { "physical_to_logical_map", NULL };

/* How the rows of an array lie. */
typedef enum {
  TOKENS_FIRST, /* all layers of a token, then the next token */
  LAYERS_FIRST, /* all tokens of a layer, then the next layer */
  IN_ROWS,      /* an array beside it has the layer of each row */
} Order;

typedef struct
{
  const SlArrays *arrays;
  const SlArray  *ids, *gates;
  SlRoutingDraft *draft;
  Order           order;
  uint64_t        first, rows; /* those that are read */
  uint64_t        period;      /* rows of a token, or of a layer */
  const unsigned *layer_of;    /* IN_ROWS: index of each row's layer */
  const int64_t  *copies;      /* (L, n_copies) experts of the copies, or NULL */
  uint64_t        n_copies;
  int64_t        *block;
  double         *gate_block;
  float           gate[SL_ROUTING_SLOTS];
} Reader;

static bool
is_row_array (const SlArray *array, uint64_t rows)
{
  return array != NULL && array->axes == 1 && array->n == rows && sl_array_whole (array);
}

const SlArray *
sl_arrays_copies (const SlArrays *arrays, uint64_t layers)
{
  const SlArray *map = sl_arrays_find (arrays, copy_names, sl_array_whole);

  return map != NULL && map->axes == 2 && map->shape[0] == layers && map->n > 0 ? map : NULL;
}

SlStatus
sl_arrays_read_copies (const SlArrays *arrays, const SlArray *map, int64_t **copies,
                       unsigned *experts)
{
  SlStatus status = sl_arrays_integers (arrays, map, copies);

  *experts = 0;
  for (uint64_t i = 0; i < map->n && sl_ok (&status); i++)
    {
      int64_t expert = (*copies)[i];

      if (expert < 0 || expert >= SL_ROUTING_EXPERTS)
        return sl_status_new (SL_EFORMAT, arrays->path,
                              sl_message ("physical_to_logical_map: %lld", (long long) expert),
                              sl_message ("an expert from 0 to %d", SL_ROUTING_EXPERTS - 1));
      if (expert >= *experts)
        *experts = (unsigned) expert + 1;
    }
  return status;
}

static SlStatus
refuse_layers (const SlArrays *arrays, uint64_t n)
{
  return sl_status_new (SL_EFORMAT, arrays->path,
                        sl_message ("%llu layers", (unsigned long long) n),
                        sl_message ("1 to %d", SL_ROUTING_LAYERS));
}

static SlStatus
add_layer (const SlArrays *arrays, SlRoutingDraft *draft, int64_t number)
{
  unsigned             before = draft->n_layers;
  SlRoutingDraftLayer *layer;
  SlStatus             status;

  if (number < 0 || number > INT32_MAX)
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("layer %lld", (long long) number),
                          sl_message ("the number of a layer"));
  status = sl_routing_draft_layer (draft, (int) number, -1, &layer);
  if (sl_ok (&status) && draft->n_layers == before)
    return sl_status_new (SL_EFORMAT, arrays->path,
                          sl_message ("layer %lld twice", (long long) number),
                          sl_message ("layer numbers that differ"));
  return status;
}

SlStatus
sl_arrays_layers (const SlArrays *arrays, SlRoutingDraft *draft, uint64_t n)
{
  const SlArray *array = sl_arrays_find (arrays, number_names, sl_array_whole);
  int64_t       *number = NULL;
  SlStatus       status = SL_SUCCESS;

  if (n == 0 || n > SL_ROUTING_LAYERS)
    return refuse_layers (arrays, n);
  if (is_row_array (array, n))
    status = sl_arrays_integers (arrays, array, &number);
  for (uint64_t l = 0; l < n && sl_ok (&status); l++)
    status = add_layer (arrays, draft, number != NULL ? number[l] : (int64_t) l);
  free (number);
  return status;
}

void
sl_arrays_note_order (const SlArrays *arrays, const SlArray *array, SlRoutingDraft *draft)
{
  enum { FEW = 128, EXPERTS = 8 /* that a load has at least */ };
  unsigned long long first = array->shape[0], second = array->shape[1];

  if (array->axes == 3 && first <= second && first <= SL_ROUTING_LAYERS
      && !is_row_array (sl_arrays_find (arrays, number_names, sl_array_whole), second))
    sl_routing_draft_note (
      draft,
      sl_message ("read as %llu tokens × %llu layers; if it is %llu layers × %llu tokens, save "
                  "np.swapaxes (a, 0, 1)",
                  first, second, first, second));
  else if (array->axes == 2 && sl_array_whole (array) && first <= FEW && second >= EXPERTS)
    sl_routing_draft_note (
      draft, sl_message (
               "read as %llu tokens with %llu experts each; if it is the load of %llu layers with "
               "%llu experts, save a[None] and say as=counts",
               first, second, first, second));
}

static SlRoutingDraftLayer *
layer_of_row (const Reader *r, uint64_t row)
{
  uint64_t l = r->order == TOKENS_FIRST   ? row % r->period
               : r->order == LAYERS_FIRST ? row / r->period
                                          : r->layer_of[row];

  return &r->draft->layer[l];
}

/* Turns numbers of copies into those of experts. */
static SlStatus
map_copies (const Reader *r, const SlRoutingDraftLayer *layer, int64_t *ids, unsigned k)
{
  const int64_t *map = r->copies + (uint64_t) (layer - r->draft->layer) * r->n_copies;

  for (unsigned s = 0; s < k; s++)
    {
      if (ids[s] >= (int64_t) r->n_copies)
        return sl_routing_draft_fail (
          r->draft, layer, layer->tokens, sl_message ("copy %lld", (long long) ids[s]),
          sl_message ("one of 0 to %llu", (unsigned long long) r->n_copies - 1));
      if (ids[s] >= 0)
        ids[s] = map[ids[s]];
    }
  return SL_SUCCESS;
}

void
sl_array_mark_tops (const SlArray *array, int64_t *ids, size_t n)
{
  int64_t top = array->size == 2 ? UINT16_MAX : array->size == 4 ? (int64_t) UINT32_MAX : -2;

  if (array->type != SL_ARRAY_NATURALS || array->size == 1)
    return;
  for (size_t i = 0; i < n; i++)
    if (ids[i] == top)
      ids[i] = SL_RAW_TOP;
}

static SlStatus
put_row (Reader *r, uint64_t row, int64_t *ids, const double *gates, unsigned k)
{
  SlRoutingDraftLayer *layer = layer_of_row (r, row);
  SlStatus             status = SL_SUCCESS;

  if (r->copies != NULL)
    status = map_copies (r, layer, ids, k);
  for (unsigned s = 0; gates != NULL && s < k; s++)
    r->gate[s] = gates[s] - gates[s] == 0 ? (float) gates[s] : 0;
  return sl_ok (&status)
           ? sl_routing_draft_token (r->draft, layer, ids, gates != NULL ? r->gate : NULL, k, false)
           : status;
}

static SlStatus
read_blocks (Reader *r, unsigned k)
{
  size_t   most = BLOCK_NUMBERS / k;
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = 0; row < r->rows && sl_ok (&status); row += most)
    {
      size_t n = r->rows - row < most ? (size_t) (r->rows - row) : most;

      status = sl_array_integers (r->ids, r->arrays->path, (r->first + row) * k, n * k, r->block);
      if (sl_ok (&status) && r->gates != NULL)
        status
          = sl_array_reals (r->gates, r->arrays->path, (r->first + row) * k, n * k, r->gate_block);
      if (sl_ok (&status))
        sl_array_mark_tops (r->ids, r->block, n * k);
      for (size_t i = 0; i < n && sl_ok (&status); i++)
        status = put_row (r, row + i, r->block + i * k,
                          r->gates != NULL ? r->gate_block + i * k : NULL, k);
    }
  return status;
}

static SlStatus
read_copies (Reader *r, const SlArray *map, int64_t **copies)
{
  unsigned experts;
  SlStatus status = sl_arrays_read_copies (r->arrays, map, copies, &experts);

  r->copies = *copies;
  r->n_copies = map->shape[1];
  if (sl_ok (&status) && r->draft->experts == 0)
    r->draft->experts = experts;
  return status;
}

static SlStatus
find_gates (Reader *r)
{
  r->gates = sl_arrays_find (r->arrays, gate_names, sl_array_real);
  if (r->gates != NULL && r->gates->n != r->ids->n)
    return sl_status_new (
      SL_EFORMAT, r->arrays->path,
      sl_message ("%s: %llu numbers", r->gates->name, (unsigned long long) r->gates->n),
      sl_message ("%llu, one for each expert number", (unsigned long long) r->ids->n));
  r->draft->gates = r->gates != NULL;
  return SL_SUCCESS;
}

/* Room for all tokens at once, and everything read into it. */
static SlStatus
read_all (Reader *r, unsigned k)
{
  uint64_t tokens = r->rows / r->draft->n_layers;
  SlStatus status = find_gates (r);

  if (sl_ok (&status))
    status = sl_routing_draft_slots (r->draft, k);
  for (unsigned l = 0; l < r->draft->n_layers && sl_ok (&status) && r->order != IN_ROWS; l++)
    status = sl_routing_draft_room (r->draft, &r->draft->layer[l], tokens);
  if (!sl_ok (&status))
    return status;
  r->block = malloc (BLOCK_NUMBERS * sizeof *r->block);
  r->gate_block = malloc (BLOCK_NUMBERS * sizeof *r->gate_block);
  if (r->block != NULL && r->gate_block != NULL)
    status = read_blocks (r, k);
  else
    status = sl_status_no_memory (r->arrays->path);
  free (r->block);
  free (r->gate_block);
  return status;
}

static int
by_value (const void *a, const void *b)
{
  const int64_t *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* Makes a layer of each number among `number` (rows), in rising order. */
static SlStatus
number_layers (Reader *r, const int64_t *number)
{
  int64_t *sorted = malloc (r->rows * sizeof *sorted + 1);
  SlStatus status = SL_SUCCESS;

  if (sorted == NULL)
    return sl_status_no_memory (r->arrays->path);
  memcpy (sorted, number, r->rows * sizeof *sorted);
  qsort (sorted, r->rows, sizeof *sorted, by_value);
  for (uint64_t i = 0; i < r->rows && sl_ok (&status); i++)
    if (i == 0 || sorted[i] != sorted[i - 1])
      status = add_layer (r->arrays, r->draft, sorted[i]);
  free (sorted);
  return status;
}

/* A row for each token and layer in use. */
static SlStatus
read_rows (Reader *r, const SlArray *layers, unsigned k)
{
  int64_t  *number = NULL;
  unsigned *layer_of;
  SlStatus  status;

  if (r->rows > SL_ROUTING_BUDGET / (2 * sizeof *number + sizeof *layer_of))
    return sl_routing_too_large (r->arrays->path);
  layer_of = malloc (r->rows * sizeof *layer_of + 1);
  status = layer_of != NULL ? sl_arrays_integers (r->arrays, layers, &number)
                            : sl_status_no_memory (r->arrays->path);
  if (sl_ok (&status))
    status = number_layers (r, number);
  for (uint64_t i = 0; i < r->rows && sl_ok (&status); i++)
    {
      SlRoutingDraftLayer *layer;

      status = sl_routing_draft_layer (r->draft, (int) number[i], -1, &layer);
      layer_of[i] = (unsigned) (layer - r->draft->layer);
    }
  r->order = IN_ROWS;
  r->layer_of = layer_of;
  if (sl_ok (&status))
    status = read_all (r, k);
  free (number);
  free (layer_of);
  return status;
}

/* Whether a plain file has more tokens than memory may have. */
static bool
is_beyond_memory (const Reader *r)
{
  return r->order == TOKENS_FIRST && r->ids->bytes == NULL
         && r->ids->n > SL_ROUTING_BUDGET / sizeof (uint16_t);
}

/* Of so many tokens only the chosen part is read: what else is known of a recording, such as how
 * many experts it has, is then that of the part.  */
static void
take_part (Reader *r, uint64_t tokens, uint64_t layers)
{
  SlRoutingOptions *options = &r->draft->options;
  uint64_t          first = options->from < tokens ? options->from : tokens;
  uint64_t          n = tokens - first;

  if (options->most > 0 && n > options->most)
    n = options->most;
  r->first = first * layers;
  r->rows = n * layers;
  options->from = options->most = 0;
}

static SlStatus
read_cube (Reader *r, uint64_t tokens, uint64_t layers, unsigned k)
{
  const SlArray *map = sl_arrays_copies (r->arrays, layers);
  int64_t       *copies = NULL;
  SlStatus       status = sl_arrays_layers (r->arrays, r->draft, layers);

  r->period = r->order == TOKENS_FIRST ? layers : tokens;
  if (sl_ok (&status) && is_beyond_memory (r))
    {
      if (r->draft->options.from == 0 && r->draft->options.most == 0)
        return sl_arrays_count_ids (r->arrays, r->ids, tokens, layers, k, r->draft);
      take_part (r, tokens, layers);
    }
  if (sl_ok (&status) && map != NULL)
    status = read_copies (r, map, &copies);
  if (sl_ok (&status))
    status = read_all (r, k);
  free (copies);
  return sl_ok (&status) ? sl_arrays_read_passes (r->arrays, r->draft) : status;
}

static SlStatus
refuse_ids (const SlArrays *arrays, const SlArray *ids)
{
  if (ids->axes != 2 && ids->axes != 3)
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("an array of %u axes", ids->axes),
                          sl_message ("tokens × layers × k"));
  if (ids->n == 0)
    return sl_status_new (SL_EFORMAT, arrays->path, sl_message ("no tokens"),
                          sl_message ("tokens × layers × k"));
  return sl_status_new (
    SL_EFORMAT, arrays->path,
    sl_message ("%llu experts of a token", (unsigned long long) ids->shape[ids->axes - 1]),
    sl_message ("at most %d", SL_ROUTING_SLOTS));
}

SlStatus
sl_arrays_read_ids (const SlArrays *arrays, const SlArray *ids, bool layers_first,
                    SlRoutingDraft *draft)
{
  const SlArray *layers = sl_arrays_find (arrays, layer_names, sl_array_whole);
  Reader         r = { .arrays = arrays, .ids = ids, .draft = draft };
  unsigned       k;

  if ((ids->axes != 2 && ids->axes != 3) || ids->n == 0
      || ids->shape[ids->axes - 1] > SL_ROUTING_SLOTS)
    return refuse_ids (arrays, ids);
  k = (unsigned) ids->shape[ids->axes - 1];
  r.rows = ids->n / k;
  if (ids->type == SL_ARRAY_NATURALS)
    draft->top = ids->size == 1 ? UINT8_MAX : SL_RAW_TOP;
  if (ids->axes == 2 && is_row_array (layers, r.rows))
    return read_rows (&r, layers, k);
  if (!layers_first)
    sl_arrays_note_order (arrays, ids, draft);
  if (ids->axes == 2)
    return read_cube (&r, ids->shape[0], 1, k);
  if (!layers_first)
    return read_cube (&r, ids->shape[0], ids->shape[1], k);
  r.order = LAYERS_FIRST;
  return read_cube (&r, ids->shape[1], ids->shape[0], k);
}

/* ------------------------------------------------------------- whether they are expert numbers */

typedef struct
{
  int64_t first_sum;
  uint16_t
    first[SL_ROUTING_SLOTS]; /* the first row, sorted; of each number one more, so that 0 is none */
  bool any, same_sums, same_rows;
} Look;

/* False if this row cannot be expert numbers. */
static bool
look_at_row (Look *look, const int64_t *row, unsigned k)
{
  uint16_t sorted[SL_ROUTING_SLOTS];
  int64_t  sum = 0;
  bool     zeros = k > 1;

  for (unsigned s = 0; s < k; s++)
    {
      if (row[s] >= SL_ROUTING_EXPERTS || row[s] < -1)
        return false;
      zeros = zeros && row[s] == 0;
      sum += row[s];
      sorted[s] = (uint16_t) (row[s] + 1);
    }
  if (zeros)
    return true;
  sl_sort_few (sorted, k);
  for (unsigned s = 1; s < k; s++)
    if (sorted[s] == sorted[s - 1] && sorted[s] != 0)
      return false;
  if (!look->any)
    {
      memcpy (look->first, sorted, k * sizeof *sorted);
      look->first_sum = sum;
      look->any = look->same_sums = look->same_rows = true;
    }
  look->same_sums = look->same_sums && sum == look->first_sum;
  look->same_rows = look->same_rows && memcmp (look->first, sorted, k * sizeof *sorted) == 0;
  return true;
}

SlStatus
sl_arrays_look_like_ids (const SlArrays *arrays, const SlArray *array, bool *likely)
{
  unsigned k = array->shape[2] <= SL_ROUTING_SLOTS ? (unsigned) array->shape[2] : 0;
  uint64_t rows = k > 0 ? array->n / k : 0;
  int64_t *block = malloc (BLOCK_NUMBERS * sizeof *block);
  Look     look = { .any = false };
  SlStatus status = SL_SUCCESS;

  if (block == NULL)
    return sl_status_no_memory (arrays->path);
  *likely = k > 0 || array->n == 0;
  rows = rows < LIKELY_ROWS ? rows : LIKELY_ROWS;
  for (uint64_t row = 0, n; row < rows && *likely && sl_ok (&status); row += n)
    {
      n = rows - row < BLOCK_NUMBERS / k ? rows - row : BLOCK_NUMBERS / k;
      status = sl_array_integers (array, arrays->path, row * k, n * k, block);
      for (uint64_t i = 0; i < n && *likely && sl_ok (&status); i++)
        *likely = look_at_row (&look, block + i * k, k);
    }
  free (block);
  if (k > 1 && look.any && look.same_sums && look.first_sum > 0 && !look.same_rows)
    *likely = false;
  return status;
}
