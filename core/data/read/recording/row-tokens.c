/* SPDX-License-Identifier: MIT
 *
 * Rows of tokens: a list of experts each, or the lists of all tokens of a pass.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/rows.h"

typedef struct
{
  SlRows   *rows;
  int64_t   last[SL_ROUTING_LAYERS]; /* token of each layer's last row */
  uint32_t *request;                 /* (rows) or NULL */
  int64_t   ids[SL_ROUTING_SLOTS];
  float     gate[SL_ROUTING_SLOTS];
} Reader;

/* ------------------------------------------------------------------------------------ requests */

/* A value of the column of requests, and its number once it has one. */
typedef struct
{
  double   value;
  uint32_t number;
} Request;

static int
by_value (const void *a, const void *b)
{
  const Request *x = a, *y = b;

  return (x->value > y->value) - (x->value < y->value);
}

/* A row without a value is of the request -1. */
static Request
request_at (const Reader *r, uint64_t row)
{
  double value = sl_rows_number (r->rows, r->rows->request, row);

  return (Request) { isnan (value) ? -1 : value, SL_ROUTING_NO_REQUEST };
}

/* Numbers the values as they appear; `sorted` has room for all rows. */
static void
number_values (Reader *r, Request *sorted)
{
  uint64_t n = r->rows->n;
  size_t   kinds = 0;
  uint32_t numbered = 0;

  for (uint64_t row = 0; row < n; row++)
    sorted[row] = request_at (r, row);
  qsort (sorted, n, sizeof *sorted, by_value);
  for (uint64_t i = 0; i < n; i++)
    if (i == 0 || sorted[i].value != sorted[kinds - 1].value)
      sorted[kinds++] = sorted[i];
  for (uint64_t row = 0; row < n; row++)
    {
      Request  wanted = request_at (r, row);
      Request *found = bsearch (&wanted, sorted, kinds, sizeof *sorted, by_value);

      if (found->number == SL_ROUTING_NO_REQUEST)
        found->number = numbered++;
      r->request[row] = found->number;
    }
}

/* Numbers of requests in their order of appearance: texts have them already. */
static SlStatus
number_requests (Reader *r)
{
  const SlArray *column = r->rows->request;
  uint64_t       n = r->rows->n;
  Request       *sorted;

  if (column == NULL || column->type == SL_ARRAY_OTHER)
    return SL_SUCCESS;
  r->rows->draft->requests = true;
  r->request = malloc (n * sizeof *r->request + 1);
  sorted = malloc ((column->type == SL_ARRAY_TEXTS ? 0 : n) * sizeof *sorted + 1);
  if (r->request == NULL || sorted == NULL)
    {
      free (sorted);
      return sl_status_no_memory (r->rows->file->arrays.path);
    }
  for (uint64_t row = 0; row < n && column->type == SL_ARRAY_TEXTS; row++)
    r->request[row] = sl_rows_text (r->rows, column, row);
  if (column->type != SL_ARRAY_TEXTS)
    number_values (r, sorted);
  free (sorted);
  return SL_SUCCESS;
}

/* -------------------------------------------------------------------------------------- tokens */

static SlStatus
put_token (Reader *r, unsigned index, uint64_t row, unsigned k, bool gates)
{
  SlRows              *rows = r->rows;
  SlRoutingDraftLayer *layer = &rows->draft->layer[index];
  double               token = rows->token != NULL ? sl_rows_number (rows, rows->token, row) : NAN;
  bool     begins = layer->tokens > 0 && !isnan (token) && token <= (double) r->last[index];
  SlStatus status;

  if (!isnan (token) && fabs (token) < 9e15)
    r->last[index] = (int64_t) token;
  status = sl_routing_draft_token (rows->draft, layer, r->ids, gates ? r->gate : NULL, k, begins);
  if (sl_ok (&status) && rows->draft->decode)
    layer->decode[layer->tokens - 1] = sl_rows_decoding (rows, row);
  if (sl_ok (&status) && r->request != NULL)
    layer->request[layer->tokens - 1] = r->request[row];
  if (sl_ok (&status) && rows->draft->words)
    status = sl_rows_word (rows, row, &layer->token[layer->tokens - 1]);
  return status;
}

static SlStatus
refuse_many (const SlRows *rows, uint64_t row)
{
  return sl_status_at (SL_EFORMAT, rows->file->arrays.path, SL_RECORD, row,
                       sl_message ("more than %d experts of a token", SL_ROUTING_SLOTS),
                       sl_message ("at most %d", SL_ROUTING_SLOTS));
}

/* "3 17 4", "[3, 17, 4]": whole numbers and what parts them. */
static SlStatus
split_text (Reader *r, uint64_t row, unsigned *k)
{
  const SlArray *column = r->rows->ids;
  uint32_t       code = sl_rows_text (r->rows, column, row);
  const char    *at = code != SL_NO_TEXT ? column->text[code] : "";

  for (*k = 0; *at != '\0';)
    {
      char *end;

      at += strspn (at, " \t,;|[]()");
      if (*at == '\0')
        break;
      if (*k == SL_ROUTING_SLOTS)
        return refuse_many (r->rows, row);
      r->ids[(*k)++] = strtoll (at, &end, 10);
      if (end == at || strchr (" \t,;|[]()", *end) == NULL)
        return sl_status_at (SL_EFORMAT, r->rows->file->arrays.path, SL_RECORD, row,
                             sl_message ("“%.40s”", column->text[code]),
                             sl_message ("expert numbers with blanks between"));
      at = end;
    }
  return SL_SUCCESS;
}

/* A number of a list; a type of fractions may hold whole ones. */
static SlStatus
take_id (Reader *r, const SlArray *column, double number, uint64_t row, int64_t *id)
{
  if (!isnan (number) && (number != floor (number) || fabs (number) > 9e15))
    return sl_status_at (SL_EFORMAT, r->rows->file->arrays.path, SL_RECORD, row,
                         sl_message ("%s %.15g", column->name, number), sl_message ("an expert"));
  *id = isnan (number) ? -1 : (int64_t) number;
  if (!r->rows->file->arrays.columns)
    sl_recording_mark_tops (column, id, 1);
  return SL_SUCCESS;
}

/* The list of `width` numbers from `place` on, without what pads it. */
static SlStatus
take_ids (Reader *r, uint64_t place, uint64_t width, uint64_t row, unsigned *k)
{
  double   number[SL_ROUTING_SLOTS];
  SlStatus status = SL_SUCCESS;

  if (width > SL_ROUTING_SLOTS)
    return refuse_many (r->rows, row);
  status = sl_array_reals (r->rows->ids, r->rows->file->arrays.path, place, width, number);
  for (uint64_t s = 0; s < width && sl_ok (&status); s++)
    status = take_id (r, r->rows->ids, number[s], row, &r->ids[s]);
  for (*k = (unsigned) width; *k > 0 && r->ids[*k - 1] == SL_NO_INTEGER;)
    --*k;
  return status;
}

static SlStatus
read_list (Reader *r, uint64_t row, unsigned *k, bool *gates)
{
  const SlRows *rows = r->rows;
  uint64_t      width = rows->ids->axes == 2 ? rows->ids->shape[1] : 1;
  double        gate[SL_ROUTING_SLOTS];
  SlStatus      status;

  *gates = rows->gates != NULL && rows->gates->axes == 2 && rows->gates->shape[1] == width
           && sl_rows_are_of (rows, rows->gates);
  if (rows->ids->type == SL_ARRAY_TEXTS)
    return split_text (r, row, k);
  status = take_ids (r, row * width, width, row, k);
  if (sl_ok (&status) && *gates)
    status = sl_array_reals (rows->gates, rows->file->arrays.path, row * width, width, gate);
  for (uint64_t s = 0; s < width && *gates && sl_ok (&status); s++)
    r->gate[s] = gate[s] - gate[s] == 0 ? (float) gate[s] : 0;
  return status;
}

static SlStatus
read_wide (Reader *r, uint64_t row, unsigned *k)
{
  SlStatus status = SL_SUCCESS;

  *k = 0;
  if (r->rows->n_wide > SL_ROUTING_SLOTS)
    return refuse_many (r->rows, row);
  for (unsigned i = 0; i < r->rows->n_wide && sl_ok (&status); i++)
    if (!isnan (sl_rows_number (r->rows, r->rows->wide[i], row)))
      status = take_id (r, r->rows->wide[i], sl_rows_number (r->rows, r->rows->wide[i], row), row,
                        &r->ids[(*k)++]);
  return status;
}

static SlStatus
read_tokens (Reader *r)
{
  SlRows  *rows = r->rows;
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = 0; row < rows->n && sl_ok (&status); row++)
    {
      unsigned index, k = 0;
      bool     found, gates = false;

      status = rows->ids != NULL ? read_list (r, row, &k, &gates) : read_wide (r, row, &k);
      if (sl_ok (&status))
        status = sl_rows_layer (rows, row, &index, &found);
      if (!sl_ok (&status) || (!found && k == 0)) /* it says something of the whole */
        continue;
      if (!found)
        status = sl_rows_refuse (rows, row, rows->layer, sl_message ("a layer"));
      if (sl_ok (&status))
        status = put_token (r, index, row, k, gates);
    }
  return status;
}

/* The word of a token of a pass, where rows have a list of them that is as long. */
static SlStatus
put_word (Reader *r, uint64_t row, uint32_t t, SlRoutingDraftLayer *layer)
{
  const SlArray *words = r->rows->word;

  if (!r->rows->draft->words || words->axes != 2 || row >= words->shape[0] || t >= words->shape[1])
    return SL_SUCCESS;
  return sl_recording_word (r->rows->file, words, row * words->shape[1] + t,
                            &layer->token[layer->tokens - 1]);
}

/* A row is a pass of its layer: `piece` tokens of the long list. */
static SlStatus
read_passes (Reader *r)
{
  SlRows        *rows = r->rows;
  const SlArray *column = rows->ids;
  const SlMeant *said = sl_meaning_find (&rows->file->meaning, SL_ROLE_TOKENS);
  uint64_t       width = column->shape[1], place = 0;
  SlStatus       status = SL_SUCCESS;

  for (size_t p = 0; p < column->pieces && sl_ok (&status); p++)
    {
      uint64_t row = column->record != NULL ? column->record[p] : p;
      double   tokens = said != NULL ? sl_rows_number (rows, said->array, row) : NAN;
      unsigned index;
      bool     found;

      if (!isnan (tokens) && tokens != column->piece[p])
        return sl_status_at (SL_EFORMAT, rows->file->arrays.path, SL_RECORD, row,
                             sl_message ("%u tokens", column->piece[p]),
                             sl_message ("%.15g (%s)", tokens, said->array->name));
      status = column->piece[p] > 0 ? sl_rows_layer (rows, row, &index, &found) : SL_SUCCESS;
      if (sl_ok (&status) && column->piece[p] > 0 && !found)
        status = sl_rows_refuse (rows, row, rows->layer, sl_message ("a layer"));
      for (uint32_t t = 0; t < column->piece[p] && sl_ok (&status); t++, place += width)
        {
          unsigned k = 0;

          status = take_ids (r, place, width, row, &k);
          if (sl_ok (&status))
            status = sl_routing_draft_token (rows->draft, &rows->draft->layer[index], r->ids, NULL,
                                             k, t == 0);
          if (sl_ok (&status))
            status = put_word (r, row, t, &rows->draft->layer[index]);
        }
    }
  return status;
}

/* No row may be longer than what the recording says of itself. */
static SlStatus
check_top (const SlRoutingDraft *draft, unsigned top)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      for (unsigned s = draft->k; s-- > top;)
        if (draft->layer[l].ids[t * draft->k + s] != SL_RAW_NONE)
          return sl_routing_draft_fail (draft, &draft->layer[l], t,
                                        sl_message ("%u experts", s + 1),
                                        sl_message ("at most %u (top_k)", top));
  return SL_SUCCESS;
}

static void
say (SlRoutingDraft *draft)
{
  size_t tokens = 0;

  for (unsigned l = 0; l < draft->n_layers; l++)
    tokens = draft->layer[l].tokens > tokens ? draft->layer[l].tokens : tokens;
  draft->reading.said = sl_message ("rows of tokens: %zu in %u layers, up to %u experts each",
                                    tokens, draft->n_layers, draft->k);
}

SlStatus
sl_rows_tokens (SlRows *rows)
{
  int64_t top = sl_recording_scalar (rows->file, SL_ROLE_TOP);
  Reader *r = calloc (1, sizeof *r);
  bool    passes = rows->ids != NULL && rows->ids->pieces > 0 && rows->ids->axes == 2
                && !sl_rows_are_of (rows, rows->ids);
  SlStatus status;

  if (r == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  if (rows->ids != NULL && !passes && (!sl_rows_are_of (rows, rows->ids) || rows->ids->axes > 2))
    {
      free (r);
      return sl_status_new (SL_EFORMAT, rows->file->arrays.path,
                            sl_message ("%s apart from its layers", rows->ids->name),
                            sl_message ("experts beside each layer"));
    }
  r->rows = rows;
  rows->draft->decode = rows->phase != NULL && !passes;
  rows->draft->gates = rows->gates != NULL && rows->gates->axes == 2 && !passes;
  rows->draft->words = rows->word != NULL;
  rows->draft->lists = true;
  if (rows->ids != NULL && rows->ids->type == SL_ARRAY_NATURALS && !rows->file->arrays.columns)
    rows->draft->top = rows->ids->size == 1 ? UINT8_MAX : SL_RAW_TOP;
  status = passes ? SL_SUCCESS : number_requests (r);
  if (sl_ok (&status))
    status = passes ? read_passes (r) : read_tokens (r);
  if (sl_ok (&status) && top > 0 && top <= SL_ROUTING_SLOTS)
    status = rows->draft->k > (unsigned) top ? check_top (rows->draft, (unsigned) top)
                                             : sl_routing_draft_slots (rows->draft, (unsigned) top);
  if (sl_ok (&status))
    say (rows->draft);
  free (r->request);
  free (r);
  return status;
}
