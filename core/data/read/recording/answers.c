/* SPDX-License-Identifier: MIT
 *
 * Answers of a server with the routing of their tokens: that of the prompt, and of each choice.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/text/base64.h"
#include "core/data/read/recording/private.h"
#include "core/data/read/recording/words.h"
#include "core/data/routing/words.h"
#include "core/data/text/grow.h"

/* The tokens of one request, or of its prompt. */
typedef struct
{
  const SlArray *array;
  SlArray        decoded; /* of a text: what `array` is then */
  uint64_t       first;   /* row of (tokens, layers), in the array */
  uint64_t       tokens, layers;
  unsigned       k;
  uint32_t       row, record; /* of the list that it is in, and of the answers */
  bool           prompt;
  size_t         place; /* among all parts, as they were found */
} Part;

typedef struct
{
  SlRecordingFile *file;
  SlRoutingDraft  *draft;
  Part            *part; /* (n) in the order of the answers */
  size_t           n, room;
} Reader;

static SlStatus
add_part (Reader *r, Part part)
{
  if (!sl_grow (&r->part, &r->room, r->n + 1, sizeof *r->part))
    return sl_status_no_memory (r->file->arrays.path);
  part.place = r->n;
  r->part[r->n++] = part;
  return SL_SUCCESS;
}

static uint32_t
record_of (const SlArray *array, size_t piece)
{
  return array->record != NULL ? array->record[piece] : (uint32_t) piece;
}

/* ---------------------------------------------------------------------------- lists of lists */

/* (tokens, layers, k), a piece each; or a list of layers for each token, which are all of one part. */
static SlStatus
add_lists (Reader *r, const SlMeant *meant, bool prompt)
{
  const SlArray *array = meant->array;
  uint64_t       first = 0;
  SlStatus       status = SL_SUCCESS;

  if (array->axes == 2)
    {
      for (size_t p = 1; p < array->pieces; p++)
        if (array->piece[p] != array->piece[0])
          return sl_status_at (SL_EFORMAT, r->file->arrays.path, SL_RECORD, p,
                               sl_message ("%u layers", array->piece[p]),
                               sl_message ("%u", array->piece[0]));
      if (array->pieces == 0 || array->piece[0] == 0)
        return SL_SUCCESS;
      return add_part (r, (Part) { .array = array,
                                   .tokens = array->shape[0] / array->piece[0],
                                   .layers = array->piece[0],
                                   .k = (unsigned) array->shape[1] });
    }
  for (size_t p = 0; p < array->pieces && sl_ok (&status); first += array->piece[p++])
    if (array->piece[p] > 0)
      status = add_part (r, (Part) { .array = array,
                                     .first = first * array->shape[1],
                                     .tokens = array->piece[p],
                                     .layers = array->shape[1],
                                     .k = (unsigned) array->shape[2],
                                     .row = (uint32_t) p,
                                     .record = record_of (array, p),
                                     .prompt = prompt });
  return status;
}

/* -------------------------------------------------------------------- numbers without a shape */

/* Whether rows of `k` numbers have no number twice. */
static bool
are_different (const SlArray *array, const char *path, unsigned k)
{
  int64_t  row[SL_ROUTING_SLOTS];
  SlStatus status = SL_SUCCESS;

  for (uint64_t i = 0; i + k <= array->n && sl_ok (&status); i += k)
    {
      status = sl_array_integers (array, path, i, k, row);
      for (unsigned a = 0; a < k; a++)
        for (unsigned b = 0; b < a; b++)
          if (row[a] == row[b] && row[a] >= 0)
            return false;
    }
  return sl_ok (&status);
}

/* How many numbers a token has, by what the answer says of its tokens; 0: it does not say. */
static uint64_t
each_token (const Reader *r, uint64_t numbers)
{
  double   sum = 0;
  unsigned found = 0;

  for (unsigned i = 0; i < r->file->arrays.n; i++)
    {
      const SlArray *array = &r->file->arrays.array[i];
      uint64_t       number[2];
      unsigned       n;
      double         value;
      SlStatus       status;

      if (array->axes != 1 || array->n == 0
          || !(sl_rule_matches ("prompt_tokens", array->name, number, &n)
               || sl_rule_matches ("completion_tokens", array->name, number, &n)))
        continue;
      status = sl_array_reals (array, r->file->arrays.path, 0, 1, &value);
      if (sl_ok (&status) && value >= 0 && value < 1e9)
        {
          sum += value;
          found++;
        }
    }
  if (found < 2 || sum < 2)
    return 0;
  /* The last token that was made has mostly not been through the layers. */
  return numbers % ((uint64_t) sum - 1) == 0 ? numbers / ((uint64_t) sum - 1)
         : numbers % (uint64_t) sum == 0     ? numbers / (uint64_t) sum
                                             : 0;
}

/* The numbers have no shape: it must be said, and what it probably is can be tried. */
static SlStatus
ask_shape (const Reader *r, const SlArray *array)
{
  const SlRoutingOptions *options = &r->draft->options;
  uint64_t                each = each_token (r, array->n);
  unsigned                best = 1;
  char                    value[32];
  SlStatus                status = sl_status_new (
                   SL_EFORMAT, r->file->arrays.path,
                   sl_message ("%llu expert numbers without a shape", (unsigned long long) array->n),
                   sl_message ("experts of a token, and layers (k=, layers=)"));

  for (unsigned k = 2; k <= 16 && options->k == 0; k++)
    if ((each > 0 ? each : array->n) % k == 0 && are_different (array, r->file->arrays.path, k))
      best = k;
  best = options->k > 0 ? options->k : best;
  snprintf (value, sizeof value, "%u,layers=%llu", best,
            (unsigned long long) (each > 0 && each % best == 0 ? each / best : 1));
  return sl_status_try (status, "k", value);
}

/* The type of numbers that come as bytes: what the answer says, else 32 bits with a sign. */
static void
settle_type (const Reader *r, SlArray *array)
{
  static const struct
  {
    const char *name;
    SlArrayType type;
    unsigned    size;
  } types[] = { { "uint8", SL_ARRAY_NATURALS, 1 }, { "int8", SL_ARRAY_INTEGERS, 1 },
                { "int16", SL_ARRAY_INTEGERS, 2 }, { "uint16", SL_ARRAY_NATURALS, 2 },
                { "int64", SL_ARRAY_INTEGERS, 8 }, { "int32", SL_ARRAY_INTEGERS, 4 } };

  array->type = SL_ARRAY_INTEGERS;
  array->size = 4;
  for (unsigned i = 0; i < r->file->arrays.n; i++)
    {
      const SlArray *said = &r->file->arrays.array[i];
      size_t         length = strlen (said->name);

      if (said->type != SL_ARRAY_TEXTS || said->n_texts == 0 || length < 5
          || strcmp (said->name + length - 5, "dtype") != 0)
        continue;
      for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (strstr (said->text[0], types[t].name) != NULL)
          {
            array->type = types[t].type;
            array->size = types[t].size;
            return;
          }
    }
}

/* A text in base 64: expert numbers, one token after the other. */
static SlStatus
add_text (Reader *r, const SlArray *texts, uint64_t row, uint32_t record)
{
  const SlRoutingOptions *options = &r->draft->options;
  uint32_t                code;
  size_t                  length;
  Part                    part = { .row = (uint32_t) row, .record = record };

  memcpy (&code, texts->bytes + row * sizeof code, sizeof code);
  if (code == SL_NO_TEXT)
    return SL_SUCCESS;
  length = strlen (texts->text[code]);
  part.decoded = (SlArray) { .fd = -1, .axes = 1, .owned = true };
  settle_type (r, &part.decoded);
  part.decoded.bytes = malloc (length / 4 * 3 + 4);
  if (part.decoded.bytes == NULL)
    return sl_status_no_memory (r->file->arrays.path);
  length = sl_base64_decode (texts->text[code], length, part.decoded.bytes);
  if (length == SIZE_MAX || length % part.decoded.size != 0 || length == 0)
    {
      free (part.decoded.bytes);
      return length == 0 ? SL_SUCCESS
                         : sl_status_at (SL_EFORMAT, r->file->arrays.path, SL_RECORD, row,
                                         sl_message ("text that is not base 64"),
                                         sl_message ("numbers or a .npy in base 64"));
    }
  part.decoded.n = part.decoded.shape[0] = length / part.decoded.size;
  part.k = options->k;
  part.layers = options->layers;
  if (part.k > 0 && part.layers == 0)
    {
      uint64_t each = each_token (r, part.decoded.n);

      part.layers = each % part.k == 0 ? each / part.k : 0;
    }
  if (part.k == 0 || part.layers == 0 || part.k > SL_ROUTING_SLOTS
      || part.decoded.n % (part.k * part.layers) != 0)
    {
      SlStatus status = ask_shape (r, &part.decoded);

      free (part.decoded.bytes);
      return status;
    }
  part.tokens = part.decoded.n / (part.k * part.layers);
  return add_part (r, part);
}

static SlStatus
add_texts (Reader *r, SlMeant *meant)
{
  SlArray *texts = meant->array;
  uint64_t width = texts->axes > 1 && texts->n > 0 ? texts->n / texts->shape[0] : 1;
  uint64_t rows = texts->n / width, end = 0;
  size_t   piece = 0;
  SlStatus status = sl_array_load (&r->file->arrays, texts);

  for (uint64_t row = 0; row < rows && sl_ok (&status); row++)
    {
      while (piece < texts->pieces && end <= row)
        end += texts->piece[piece++];
      for (uint64_t i = 0; i < width && sl_ok (&status); i++)
        status = add_text (r, texts, row * width + i,
                           texts->pieces > 0 ? texts->record[piece - 1] : (uint32_t) row);
    }
  return status;
}

/* ------------------------------------------------------------------------------------ the whole */

static int
by_record (const void *a, const void *b)
{
  const Part *x = a, *y = b;

  if (x->record != y->record)
    return x->record < y->record ? -1 : 1;
  if (x->prompt != y->prompt)
    return x->prompt ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static SlStatus
check_layers (Reader *r, const Part *part)
{
  SlRoutingDraftLayer *layer;
  SlStatus             status = SL_SUCCESS;

  if (part->layers == 0 || part->layers > SL_ROUTING_LAYERS
      || (r->draft->n_layers > 0 && part->layers != r->draft->n_layers))
    return sl_status_at (SL_EFORMAT, r->file->arrays.path, SL_RECORD, part->record,
                         sl_message ("%llu layers", (unsigned long long) part->layers),
                         r->draft->n_layers > 0 ? sl_message ("%u", r->draft->n_layers)
                                                : sl_message ("1 to %d", SL_ROUTING_LAYERS));
  for (uint64_t l = r->draft->n_layers; l < part->layers && sl_ok (&status); l++)
    status = sl_routing_draft_layer (r->draft, (int) l, -1, &layer);
  return status;
}

static SlStatus
read_part (Reader *r, const Part *part, uint32_t request)
{
  const SlArray *array = part->array != NULL ? part->array : &part->decoded;
  int64_t        ids[SL_ROUTING_SLOTS];
  SlStatus       status = check_layers (r, part);

  if (sl_ok (&status) && part->k > SL_ROUTING_SLOTS)
    status = sl_routing_draft_slots (r->draft, part->k);
  for (uint64_t i = 0; i < part->tokens * part->layers && sl_ok (&status); i++)
    {
      SlRoutingDraftLayer *layer = &r->draft->layer[i % part->layers];

      status = sl_array_integers (array, r->file->arrays.path, (part->first + i) * part->k, part->k,
                                  ids);
      sl_recording_mark_tops (array, ids, part->k);
      if (sl_ok (&status))
        status = sl_routing_draft_token (r->draft, layer, ids, NULL, part->k, false);
      if (!sl_ok (&status))
        break;
      layer->request[layer->tokens - 1] = request;
      if (r->draft->decode)
        layer->decode[layer->tokens - 1] = !part->prompt;
    }
  return status;
}

static SlStatus
collect (Reader *r)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < r->file->arrays.n && sl_ok (&status); i++)
    {
      SlMeant *meant = &r->file->meaning.of[i];
      bool     prompt;

      if (meant->role != SL_ROLE_IDS)
        continue;
      prompt = strncmp (meant->rule->name, "prompt_", 7) == 0;
      r->draft->decode = r->draft->decode || prompt;
      status = meant->array->type == SL_ARRAY_TEXTS ? add_texts (r, meant)
               : meant->array->piece != NULL        ? add_lists (r, meant, prompt)
                                                    : SL_SUCCESS;
      if (meant->array->type == SL_ARRAY_NATURALS && meant->array->size > 1)
        r->draft->top = SL_RAW_TOP;
    }
  return status;
}

/* Words of all parts, one behind the other as their tokens are. */
static SlStatus
read_words (Reader *r)
{
  size_t   tokens = 0, wrong = 0;
  SlStatus status = SL_SUCCESS;

  for (size_t i = 0; i < r->n; i++)
    tokens += r->part[i].tokens;
  if (sl_recording_word_array (r->file) == NULL)
    return SL_SUCCESS;
  status = sl_routing_draft_tokens (r->draft, tokens);
  tokens = 0;
  for (size_t i = 0; i < r->n && sl_ok (&status); tokens += r->part[i++].tokens)
    {
      const Part  *part = &r->part[i];
      SlAnswerPart of = { part->array, part->row, part->record, part->tokens, part->prompt };
      bool         found = false;

      status = sl_recording_answer_words (r->file, &of, r->draft->token + tokens, &found);
      wrong += !found;
    }
  if (sl_ok (&status) && wrong > 0)
    sl_reading_note (
      &r->draft->reading,
      sl_message ("%zu of %zu parts of answers have no words for tokens", wrong, r->n));
  return status;
}

static SlStatus
read_parts (Reader *r)
{
  uint32_t request = 0;
  SlStatus status = SL_SUCCESS;

  if (r->n == 0)
    return sl_status_new (SL_EFORMAT, r->file->arrays.path,
                          sl_message ("no routed_experts with tokens"),
                          sl_message ("answers of a server with --enable-return-routed-experts"));
  qsort (r->part, r->n, sizeof *r->part, by_record);
  r->draft->requests = true;
  for (size_t i = 0; i < r->n && sl_ok (&status); i++)
    {
      status = read_part (r, &r->part[i], request);
      request += !r->part[i].prompt;
    }
  if (sl_ok (&status))
    status = read_words (r);
  if (sl_ok (&status) && r->n == 1 && r->part[0].array != NULL && r->part[0].array->axes == 2)
    r->draft->reading.said
      = sl_message ("rows of tokens: %zu in %u layers, up to %u experts each",
                    r->draft->layer[0].tokens, r->draft->n_layers, r->draft->k);
  else if (sl_ok (&status))
    r->draft->reading.said
      = sl_message ("answers: %zu tokens in %u layers, %u experts each; requests: %u",
                    r->draft->layer[0].tokens, r->draft->n_layers, r->draft->k, request);
  return status;
}

SlStatus
sl_recording_answers (SlRecordingFile *file)
{
  Reader   r = { .file = file, .draft = file->draft };
  SlStatus status = collect (&r);

  if (sl_ok (&status))
    status = read_parts (&r);
  for (size_t i = 0; i < r.n; i++)
    free (r.part[i].decoded.bytes);
  free (r.part);
  return status;
}
