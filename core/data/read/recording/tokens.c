/* SPDX-License-Identifier: MIT
 *
 * Arrays with a row for every token: expert numbers, scores of all experts, or masks.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/private.h"
#include "core/data/read/recording/words.h"

enum { BLOCK_NUMBERS = 1 << 15 };

typedef struct
{
  SlRecordingFile *file;
  SlRoutingDraft  *draft;
  const SlMeant   *meant;
  unsigned         i;      /* place of the array in its set */
  const SlArray   *gates;  /* or NULL */
  const int64_t   *copies; /* (L, n_copies) experts of the copies, or NULL */
  uint64_t         n_copies;
  unsigned         width;  /* numbers of a row */
  uint64_t         begins; /* rows of a sequence of the batch; 0: there are none */
  uint64_t         step;   /* rows of a token in it */
  int64_t          whole[BLOCK_NUMBERS];
  double           real[BLOCK_NUMBERS];
  float            gate[SL_ROUTING_SLOTS];
} Reader;

static SlRoutingDraftLayer *
layer_of (const Reader *r, uint64_t row)
{
  return &r->draft->layer[sl_recording_layer_of (r->meant, r->i, row)];
}

/* Turns numbers of copies into those of experts. */
static SlStatus
map_copies (const Reader *r, const SlRoutingDraftLayer *layer, int64_t *ids)
{
  const int64_t *map = r->copies + (uint64_t) (layer - r->draft->layer) * r->n_copies;

  for (unsigned s = 0; s < r->width; s++)
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

/* Whether a row is of the first token of another sequence. */
static bool
begins_at (const Reader *r, uint64_t row)
{
  return r->begins > 0 && row > 0 && row % r->begins < r->step;
}

static SlStatus
put_ids (Reader *r, uint64_t row, int64_t *ids, const double *gates)
{
  SlRoutingDraftLayer *layer = layer_of (r, row);
  SlStatus             status = SL_SUCCESS;

  if (r->copies != NULL)
    status = map_copies (r, layer, ids);
  for (unsigned s = 0; gates != NULL && s < r->width; s++)
    r->gate[s] = gates[s] - gates[s] == 0 ? (float) gates[s] : 0;
  return sl_ok (&status) ? sl_routing_draft_token (
           r->draft, layer, ids, gates != NULL ? r->gate : NULL, r->width, begins_at (r, row))
                         : status;
}

/* The k largest of a row, the lower number first where they are equal. */
static void
choose (const double *row, unsigned n, unsigned k, int64_t *chosen)
{
  unsigned have = 0;

  for (unsigned i = 0; i < n; i++)
    {
      unsigned at = have;

      if (have == k && row[i] <= row[chosen[k - 1]])
        continue;
      if (have < k)
        have++;
      else
        at = k - 1;
      for (; at > 0 && row[i] > row[chosen[at - 1]]; at--)
        chosen[at] = chosen[at - 1];
      chosen[at] = i;
    }
}

static SlStatus
put_scores (Reader *r, uint64_t row, const double *score)
{
  SlRoutingDraftLayer *layer = layer_of (r, row);
  int64_t              chosen[SL_ROUTING_SLOTS];
  SlStatus             status;

  for (unsigned i = 0; i < r->width; i++)
    if (!(score[i] - score[i] == 0))
      return sl_routing_draft_fail (r->draft, layer, layer->tokens,
                                    sl_message ("a score that is no finite number"),
                                    sl_message ("scores of all experts"));
  choose (score, r->width, r->draft->k, chosen);
  status = sl_routing_draft_token (r->draft, layer, chosen, NULL, r->draft->k, begins_at (r, row));
  for (unsigned i = 0; i < r->width && !layer->lent && sl_ok (&status); i++)
    layer->scores[(layer->tokens - 1) * r->width + i] = (float) score[i];
  return status;
}

/* The experts of the mask that are on. */
static SlStatus
put_mask (Reader *r, uint64_t row, const double *mask)
{
  int64_t  ids[SL_ROUTING_SLOTS];
  unsigned k = 0;

  for (unsigned i = 0; i < r->width; i++)
    if (mask[i] != 0 && k++ < SL_ROUTING_SLOTS)
      ids[k - 1] = i;
  if (k > SL_ROUTING_SLOTS)
    return sl_routing_draft_slots (r->draft, k);
  return sl_routing_draft_token (r->draft, layer_of (r, row), ids, NULL, k, begins_at (r, row));
}

static SlStatus
read_block (Reader *r, uint64_t row, size_t n)
{
  const char *path = r->file->arrays.path;
  uint64_t    first = row * r->width;
  size_t      numbers = n * r->width;
  SlStatus    status;

  if (r->meant->role != SL_ROLE_IDS)
    return sl_array_reals (r->meant->array, path, first, numbers, r->real);
  status = sl_array_integers (r->meant->array, path, first, numbers, r->whole);
  if (sl_ok (&status) && r->gates != NULL)
    status = sl_array_reals (r->gates, path, first, numbers, r->real);
  if (sl_ok (&status))
    sl_recording_mark_tops (r->meant->array, r->whole, numbers);
  return status;
}

/* Rows `from` to `to` of the array. */
static SlStatus
read_rows (Reader *r, uint64_t from, uint64_t to)
{
  size_t   most = BLOCK_NUMBERS / r->width;
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = from; row < to && sl_ok (&status); row += most)
    {
      size_t n = to - row < most ? (size_t) (to - row) : most;

      status = read_block (r, row, n);
      for (size_t i = 0; i < n && sl_ok (&status); i++)
        switch (r->meant->role)
          {
          case SL_ROLE_IDS:
            status = put_ids (r, row + i, r->whole + i * r->width,
                              r->gates != NULL ? r->real + i * r->width : NULL);
            break;
          case SL_ROLE_MASK: status = put_mask (r, row + i, r->real + i * r->width); break;
          default: status = put_scores (r, row + i, r->real + i * r->width); break;
          }
    }
  return status;
}

/* Whether a plain file has more tokens than memory may have. */
static bool
is_beyond_memory (const SlMeant *meant)
{
  return (strcmp (meant->axes, "tlk") == 0 || strcmp (meant->axes, "tk") == 0)
         && meant->array->bytes == NULL && meant->array->packed == 0 && !meant->array->strided
         && meant->array->n > SL_ROUTING_BUDGET / sizeof (uint16_t);
}

/* Of so many tokens only the chosen part is read: what else is known of a recording, such as how many experts it
 * has, is then that of the part.  */
static void
take_part (SlRoutingOptions *options, uint64_t tokens, uint64_t *first, uint64_t *n)
{
  *first = options->from < tokens ? options->from : tokens;
  *n = tokens - *first;
  if (options->most > 0 && *n > options->most)
    *n = options->most;
  options->from = options->most = 0;
}

static SlStatus
find_gates (Reader *r, unsigned n)
{
  SlMeant *gates = sl_meaning_find (&r->file->meaning, SL_ROLE_GATES);
  SlStatus status;

  if (gates == NULL || n > 1 || r->meant->role != SL_ROLE_IDS)
    return SL_SUCCESS;
  if (gates->array->n != r->meant->array->n)
    return sl_status_new (
      SL_EFORMAT, r->file->arrays.path,
      sl_message ("%s: %llu numbers", gates->array->name, (unsigned long long) gates->array->n),
      sl_message ("%llu, one for each expert number", (unsigned long long) r->meant->array->n));
  status = sl_array_load (&r->file->arrays, gates->array);
  r->gates = gates->array;
  r->draft->gates = true;
  return status;
}

/* Leaves scores where they are if they are a program's floats, layer after layer. */
static void
lend_scores (Reader *r, uint64_t layers)
{
  const SlArray *array = r->meant->array;
  uint64_t       rows = array->n / r->width / layers;

  if (r->meant->role != SL_ROLE_SCORES || !r->file->arrays.lent || array->owned || array->strided
      || array->size != sizeof (float) || (uintptr_t) array->bytes % _Alignof(float) != 0
      || (layers > 1 && r->meant->axes[0] != 'l'))
    return;
  for (uint64_t l = 0; l < layers; l++)
    sl_routing_draft_lend (&r->draft->layer[r->i + l],
                           (const float *) array->bytes + l * rows * r->width);
}

/* All of one array. */
static SlStatus
read_array (Reader *r)
{
  uint64_t tokens = sl_meant_length (r->meant, 't'), layers = sl_meant_length (r->meant, 'l');
  uint64_t batch = sl_meant_length (r->meant, 'b'), first = 0, n = tokens;
  bool     beyond = is_beyond_memory (r->meant);
  SlArray *array = r->meant->array;
  SlStatus status = SL_SUCCESS;

  r->begins = sl_meant_stride (r->meant, 'b');
  r->step = sl_meant_stride (r->meant, 't');
  if (beyond)
    take_part (&r->draft->options, tokens, &first, &n);
  else if (array->bytes == NULL && (array->packed > 0 || array->strided))
    status = sl_array_load (&r->file->arrays, array);
  lend_scores (r, layers);
  for (unsigned l = 0; l < layers && sl_ok (&status); l++)
    status = sl_routing_draft_room (r->draft, &r->draft->layer[r->i + l], n * batch);
  if (!sl_ok (&status))
    return status;
  return beyond ? read_rows (r, first * layers, (first + n) * layers)
                : read_rows (r, 0, array->n / r->width);
}

static SlStatus
refuse_width (const SlRecordingFile *file, const SlMeant *meant, uint64_t width)
{
  if (meant->array->n == 0)
    return sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("no tokens"),
                          sl_message ("a row for each"));
  return meant->role == SL_ROLE_IDS
           ? sl_status_new (SL_EFORMAT, file->arrays.path,
                            sl_message ("%llu experts of a token", (unsigned long long) width),
                            sl_message ("at most %d", SL_ROUTING_SLOTS))
           : sl_status_new (SL_EFORMAT, file->arrays.path,
                            sl_message ("%llu experts", (unsigned long long) width),
                            sl_message ("at most %d", SL_ROUTING_EXPERTS));
}

/* How many are chosen of so many scores must be said, or stand beside them. */
static SlStatus
settle_scores (SlRecordingFile *file, unsigned n)
{
  SlRoutingDraft *draft = file->draft;
  int64_t         beside = sl_recording_scalar (file, SL_ROLE_TOP);
  unsigned        k = draft->options.k > 0 ? draft->options.k : beside > 0 ? (unsigned) beside : 0;

  if (k == 0 || k > n || k > SL_ROUTING_SLOTS)
    return sl_status_try (sl_status_new (SL_EFORMAT, file->arrays.path,
                                         sl_message ("scores of %u experts", n),
                                         sl_message ("experts of a token")),
                          "k", n >= 2 ? "2" : "1");
  if (draft->options.experts > 0 && draft->options.experts != n)
    return sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("scores of %u experts", n),
                          sl_message ("%u (experts=)", draft->options.experts));
  draft->experts = n;
  draft->scores = true;
  return sl_routing_draft_slots (draft, k);
}

static SlStatus
check_type (SlRecordingFile *file, const SlMeant *meant)
{
  if (meant->role == SL_ROLE_IDS && !sl_array_whole (meant->array))
    return sl_status_line (sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("fractions"),
                                          sl_message ("expert numbers, which are whole")),
                           "np.save (\"ids.npy\", ids.astype (\"int16\"))");
  if (meant->role == SL_ROLE_SCORES && !sl_array_real (meant->array))
    return sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("whole numbers"),
                          sl_message ("scores, which are fractions"));
  return SL_SUCCESS;
}

static SlStatus
settle (SlRecordingFile *file, SlMeant *const *meant, unsigned n)
{
  SlRoutingDraft *draft = file->draft;
  SlStatus        status = SL_SUCCESS;

  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    {
      const SlArray *array = meant[i]->array;
      uint64_t       width = array->shape[array->axes - 1];

      status = check_type (file, meant[i]);
      if (sl_ok (&status)
          && (array->n == 0
              || width > (meant[i]->role == SL_ROLE_IDS ? (uint64_t) SL_ROUTING_SLOTS
                                                        : (uint64_t) SL_ROUTING_EXPERTS)))
        status = refuse_width (file, meant[i], width);
      if (sl_ok (&status) && width != meant[0]->array->shape[meant[0]->array->axes - 1])
        status = sl_status_new (
          SL_EFORMAT, file->arrays.path,
          sl_message ("%s: rows of %llu numbers", array->name, (unsigned long long) width),
          sl_message ("those of %s", meant[0]->array->name));
    }
  if (!sl_ok (&status))
    return status;
  if (meant[0]->role == SL_ROLE_IDS && meant[0]->array->type == SL_ARRAY_NATURALS)
    draft->top = meant[0]->array->size == 1 ? UINT8_MAX : SL_RAW_TOP;
  draft->mask = meant[0]->role == SL_ROLE_MASK;
  if (draft->mask && draft->experts == 0)
    draft->experts = (unsigned) meant[0]->array->shape[meant[0]->array->axes - 1];
  return SL_SUCCESS;
}

static void
say (SlRecordingFile *file, const SlMeant *meant, unsigned n)
{
  unsigned long long layers = n > 1 ? n : sl_meant_length (meant, 'l');
  unsigned long long tokens = sl_meant_length (meant, 't') * sl_meant_length (meant, 'b');
  unsigned           width = (unsigned) meant->array->shape[meant->array->axes - 1];
  SlMessage         *said = &file->draft->reading.said;

  if (meant->role == SL_ROLE_IDS)
    *said
      = sl_message ("expert numbers of %llu tokens in %llu layers, %u each", tokens, layers, width);
  else if (meant->role == SL_ROLE_MASK)
    *said = sl_message ("masks of %u experts, %llu tokens in %llu layers", width, tokens, layers);
  else
    *said = sl_message ("scores of %u experts, %llu tokens in %llu layers, k = %u", width, tokens,
                        layers, file->draft->k);
}

static SlStatus
read_set (Reader *r, SlMeant *const *meant, unsigned n)
{
  uint64_t layers = n > 1 ? n : sl_meant_length (meant[0], 'l');
  int64_t *copies = NULL;
  SlStatus status = sl_recording_copies (r->file, layers, &copies, &r->n_copies);

  r->copies = r->meant->role == SL_ROLE_IDS ? copies : NULL;
  if (sl_ok (&status))
    status = find_gates (r, n);
  if (sl_ok (&status) && r->meant->role == SL_ROLE_IDS)
    status = sl_routing_draft_slots (r->draft, r->width);
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    {
      r->i = i;
      r->meant = meant[i];
      status = read_array (r);
    }
  free (copies);
  return status;
}

SlStatus
sl_recording_tokens (SlRecordingFile *file, SlMeant *const *meant, unsigned n)
{
  Reader  *r = NULL;
  SlStatus status = settle (file, meant, n);

  if (sl_ok (&status) && meant[0]->role == SL_ROLE_SCORES)
    status = settle_scores (file, (unsigned) meant[0]->array->shape[meant[0]->array->axes - 1]);
  if (sl_ok (&status))
    status = sl_recording_layers (file, meant, n);
  if (!sl_ok (&status))
    return status;
  say (file, meant[0], n);
  if (n == 1 && meant[0]->role == SL_ROLE_IDS && is_beyond_memory (meant[0])
      && file->draft->options.from == 0 && file->draft->options.most == 0)
    return sl_recording_count (file, meant[0]);
  r = calloc (1, sizeof *r);
  if (r == NULL)
    return sl_status_no_memory (file->arrays.path);
  r->file = file;
  r->draft = file->draft;
  r->meant = meant[0];
  r->width = (unsigned) meant[0]->array->shape[meant[0]->array->axes - 1];
  status = read_set (r, meant, n);
  free (r);
  if (sl_ok (&status))
    status = sl_recording_passes (file);
  return sl_ok (&status) ? sl_recording_words (file) : status;
}
