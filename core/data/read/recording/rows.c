/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where a column has the value of a row: false if nowhere. */
static bool
place_of (const SlRows *rows, const SlArray *column, uint64_t *row)
{
  if (!rows->inner[column - rows->file->arrays.array])
    {
      if (rows->record == NULL || *row >= rows->n)
        return false;
      *row = rows->record[*row];
    }
  return *row < column->n;
}

double
sl_rows_number (const SlRows *rows, const SlArray *column, uint64_t row)
{
  double   value = NAN;
  SlStatus status;

  if (column == NULL || !place_of (rows, column, &row))
    return NAN;
  status = sl_array_reals (column, rows->file->arrays.path, row, 1, &value);
  return sl_ok (&status) ? value : NAN;
}

uint32_t
sl_rows_text (const SlRows *rows, const SlArray *column, uint64_t row)
{
  uint32_t code = SL_NO_TEXT;

  if (column->type == SL_ARRAY_TEXTS && place_of (rows, column, &row))
    memcpy (&code, column->bytes + row * sizeof code, sizeof code);
  return code;
}

SlStatus
sl_rows_word (const SlRows *rows, uint64_t row, uint32_t *token)
{
  *token = SL_ROUTING_NO_WORD;
  if (rows->word == NULL || rows->word->axes != 1 || !place_of (rows, rows->word, &row))
    return SL_SUCCESS;
  return sl_recording_word (rows->file, rows->word, row, token);
}

bool
sl_rows_decoding (const SlRows *rows, uint64_t row)
{
  static const char *const words[] = { "decode", "generate", "gen", "tg", "1" };
  uint32_t                 code = sl_rows_text (rows, rows->phase, row);

  if (rows->phase->type != SL_ARRAY_TEXTS)
    return sl_rows_number (rows, rows->phase, row) == 1;
  for (size_t i = 0; code != SL_NO_TEXT && i < sizeof words / sizeof *words; i++)
    if (strcasecmp (words[i], rows->phase->text[code]) == 0)
      return true;
  return false;
}

SlStatus
sl_rows_refuse (const SlRows *rows, uint64_t row, const SlArray *column, SlMessage expected)
{
  double value = sl_rows_number (rows, column, row);

  return sl_status_at (SL_EFORMAT, rows->file->arrays.path, SL_RECORD, row,
                       isnan (value) ? sl_message ("no value of %s", column->name)
                                     : sl_message ("%s %.15g", column->name, value),
                       expected);
}

static SlArray *
find (const SlRecordingFile *file, SlRole role)
{
  const SlMeant *meant = sl_meaning_find (&file->meaning, role);

  return meant != NULL ? meant->array : NULL;
}

/* The same of a column of one value each. */
static SlArray *
find_single (const SlRecordingFile *file, SlRole role)
{
  SlArray *array = find (file, role);

  return array != NULL && array->axes == 1 ? array : NULL;
}

/* Whether a column of token_id has places rather than ids of a vocabulary: within a layer places rise, by one at most
 * rows, and begin anew now and then, while ids of a text fall about as often as they rise.  */
static bool
are_places (const SlRows *rows, const SlArray *column)
{
  enum { ENOUGH = 8 };
  double   last[SL_ROUTING_LAYERS];
  uint64_t rises = 0, ones = 0, falls = 0;

  for (unsigned i = 0; i < SL_ROUTING_LAYERS; i++)
    last[i] = NAN;
  for (uint64_t row = 0; row < rows->n; row++)
    {
      double layer = sl_rows_number (rows, rows->layer, row);
      double value = sl_rows_number (rows, column, row), *of = &last[0];

      if (layer >= 0 && layer < SL_ROUTING_LAYERS)
        of = &last[(unsigned) layer];
      rises += value > *of;
      ones += value == *of + 1;
      falls += value < *of;
      *of = value;
    }
  return rises + falls < ENOUGH || 2 * ones >= rises || 4 * falls <= rises + falls;
}

/* A column under the name token_id is the only one of places where its numbers look like those. */
static void
settle_words (SlRows *rows)
{
  const SlRecordingFile *file = rows->file;
  uint64_t               number[2];
  unsigned               n;

  rows->word = sl_recording_word_array (file);
  for (unsigned i = 0; i < file->arrays.n && rows->token == NULL; i++)
    {
      SlArray *array = &file->arrays.array[i];

      if (file->meaning.of[i].role != SL_ROLE_WORD_ID || array->axes != 1
          || !sl_rule_matches ("token_id", array->name, number, &n) || !are_places (rows, array))
        continue;
      rows->token = array;
      rows->word = rows->word == array ? NULL : rows->word;
    }
}

static SlStatus
find_wide (SlRows *rows)
{
  const SlMeaning *meaning = &rows->file->meaning;

  rows->wide = calloc (rows->file->arrays.n + 1, sizeof (SlArray *));
  if (rows->wide == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  for (unsigned i = 0; i < rows->file->arrays.n; i++)
    if (meaning->of[i].role == SL_ROLE_WIDE)
      rows->wide[rows->n_wide++] = meaning->of[i].array;
  return SL_SUCCESS;
}

/* Columns of one number each row that say how often, under a name that may be of whole arrays as well.  Of several the
 * one whose rule is first; the others are left out.  */
static SlArray *
find_count (SlRecordingFile *file)
{
  SlMeant *best = NULL;

  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      SlMeant *meant = &file->meaning.of[i];

      if (meant->array->axes != 1
          || (meant->role != SL_ROLE_COUNT && meant->role != SL_ROLE_LOADS
              && meant->role != SL_ROLE_TOKENS))
        continue;
      if (best == NULL || meant->rule < best->rule)
        {
          if (best != NULL)
            best->role = SL_ROLE_NONE;
          best = meant;
        }
      else
        meant->role = SL_ROLE_NONE;
    }
  return best != NULL ? best->array : NULL;
}

/* The column that has a value for each row: of objects in a list it is in these, and the layer may be around them. */
static const SlArray *
base_of (const SlRows *rows)
{
  return rows->expert != NULL                        ? rows->expert
         : rows->loads != NULL                       ? rows->loads
         : rows->ids != NULL && rows->ids->axes == 1 ? rows->ids
                                                     : rows->layer;
}

/* Whether two columns have their values in the same objects. */
static bool
are_beside (const SlArray *a, const SlArray *b)
{
  if (a->axes == 0 || b->axes == 0 || a->shape[0] != b->shape[0] || a->pieces != b->pieces)
    return false;
  return a == b || a->pieces == 0
         || (memcmp (a->piece, b->piece, a->pieces * sizeof *a->piece) == 0
             && memcmp (a->record, b->record, a->pieces * sizeof *a->record) == 0);
}

/* Finds which columns have a value for each row, and of which record around it each row is. */
static SlStatus
lay_out (SlRows *rows)
{
  SlArrays      *arrays = &rows->file->arrays;
  const SlArray *base = base_of (rows);
  uint64_t       row = 0;

  rows->n = base != NULL ? base->shape[0] : arrays->rows;
  rows->inner = calloc (arrays->n + 1, sizeof *rows->inner);
  if (base != NULL && base->pieces > 0)
    rows->record = calloc (rows->n + 1, sizeof *rows->record);
  if (rows->inner == NULL || (rows->record == NULL && base != NULL && base->pieces > 0))
    return sl_status_no_memory (arrays->path);
  for (size_t i = 0; rows->record != NULL && i < base->pieces; i++)
    for (uint32_t j = 0; j < base->piece[i] && row < rows->n; j++)
      rows->record[row++] = base->record[i];
  for (unsigned i = 0; i < arrays->n; i++)
    rows->inner[i] = base != NULL
                       ? are_beside (&arrays->array[i], base)
                       : arrays->array[i].axes > 0 && arrays->array[i].shape[0] == rows->n;
  return SL_SUCCESS;
}

/* Whether every row has a value of this column alone. */
bool
sl_rows_are_of (const SlRows *rows, const SlArray *column)
{
  return rows->inner[column - rows->file->arrays.array];
}

SlStatus
sl_rows_init (SlRows *rows, SlRecordingFile *file)
{
  SlStatus status = SL_SUCCESS;

  *rows = (SlRows) { .file = file,
                     .draft = file->draft,
                     .layer = find_single (file, SL_ROLE_LAYER),
                     .token = find_single (file, SL_ROLE_TOKEN),
                     .slot = find_single (file, SL_ROLE_SLOT),
                     .expert = find_single (file, SL_ROLE_EXPERT),
                     .count = find_count (file),
                     .phase = find_single (file, SL_ROLE_PHASE),
                     .request = find_single (file, SL_ROLE_REQUEST),
                     .gates = find (file, SL_ROLE_GATES),
                     .block = find_single (file, SL_ROLE_BLOCK),
                     .mtp = find_single (file, SL_ROLE_MTP),
                     .ids = find (file, SL_ROLE_IDS),
                     .loads = find (file, SL_ROLE_LOADS) };
  if (rows->loads != NULL && rows->loads->axes != 2)
    rows->loads = NULL;
  /* A list of experts under the name of one. */
  if (rows->ids == NULL && rows->expert == NULL)
    rows->ids = find (file, SL_ROLE_EXPERT);
  for (unsigned i = 0; i < file->arrays.n && sl_ok (&status); i++)
    if (file->meaning.of[i].role != SL_ROLE_NONE)
      status = sl_array_load (&file->arrays, &file->arrays.array[i]);
  if (sl_ok (&status))
    status = lay_out (rows);
  if (sl_ok (&status))
    settle_words (rows);
  return sl_ok (&status) ? find_wide (rows) : status;
}

void
sl_rows_clear (SlRows *rows)
{
  free (rows->wide);
  free (rows->inner);
  free (rows->record);
}

/* Whether a row is of a block of multi-token prediction, and which; -1: it is not. */
static int
mtp_of (const SlRows *rows, uint64_t row)
{
  uint32_t code = rows->block != NULL ? sl_rows_text (rows, rows->block, row) : SL_NO_TEXT;
  double   number = sl_rows_number (rows, rows->mtp, row);

  if (code == SL_NO_TEXT || strcmp (rows->block->text[code], "decoder") == 0)
    return -1;
  return number >= 0 && number <= INT16_MAX ? (int) number : 0;
}

SlStatus
sl_rows_layer (SlRows *rows, uint64_t row, unsigned *layer, bool *found)
{
  double number = rows->layer != NULL ? sl_rows_number (rows, rows->layer, row) : (double) row;
  int    mtp = mtp_of (rows, row);
  SlRoutingDraftLayer *of;
  SlStatus             status;

  *found = !isnan (number);
  *layer = rows->last;
  if (!*found)
    return SL_SUCCESS;
  if (number < 0 || number > INT32_MAX || number != floor (number))
    return sl_rows_refuse (rows, row, rows->layer, sl_message ("a layer"));
  if (rows->last < rows->draft->n_layers && rows->draft->layer[rows->last].number == (int) number
      && rows->draft->layer[rows->last].mtp == mtp)
    return SL_SUCCESS;
  status = sl_routing_draft_layer (rows->draft, (int) number, mtp, &of);
  if (sl_ok (&status))
    *layer = rows->last = (unsigned) (of - rows->draft->layer);
  return status;
}

/* Whether every pair of layer and expert is there once; no if there is no memory to tell. */
static bool
are_pairs_once (const SlRows *rows)
{
  uint8_t *seen = calloc ((size_t) SL_ROUTING_LAYERS * SL_ROUTING_EXPERTS, 1);
  bool     once = seen != NULL;

  for (uint64_t row = 0; row < rows->n && once; row++)
    {
      double layer = sl_rows_number (rows, rows->layer, row);
      double expert = sl_rows_number (rows, rows->expert, row);
      size_t place = 0;

      once = layer >= 0 && layer < SL_ROUTING_LAYERS && expert >= 0 && expert < SL_ROUTING_EXPERTS;
      if (once)
        place = (size_t) layer * SL_ROUTING_EXPERTS + (size_t) expert;
      once = once && !seen[place];
      if (once)
        seen[place] = 1;
    }
  free (seen);
  return once;
}

/* A column beside layer and expert that says how often: a heading that no rule knows, where every pair is there once.  */
static SlArray *
find_unknown_count (const SlRows *rows)
{
  for (unsigned i = 0; i < rows->file->arrays.n; i++)
    {
      SlArray *array = &rows->file->arrays.array[i];

      if (rows->file->meaning.of[i].role == SL_ROLE_NONE && array->axes == 1
          && array->name[0] != '\0' && (sl_array_whole (array) || sl_array_real (array)))
        return are_pairs_once (rows) ? array : NULL;
    }
  return NULL;
}

/* Whether wide columns are loads: a row of them for each layer, which would be one token otherwise; or more than a
 * token can have.  */
static bool
wide_are_loads (const SlRows *rows)
{
  double seen[SL_ROUTING_LAYERS];
  size_t n = 0;

  if (rows->file->said.as != SL_ROLE_NONE)
    return rows->file->said.as == SL_ROLE_LOADS;
  if (rows->token != NULL)
    return false;
  if (rows->layer == NULL)
    return true;
  for (uint64_t row = 0; row < rows->n; row++)
    {
      double layer = sl_rows_number (rows, rows->layer, row);

      for (size_t i = 0; i < n; i++)
        if (seen[i] == layer)
          return rows->n_wide > SL_ROUTING_SLOTS;
      if (n == SL_ROUTING_LAYERS)
        return false;
      seen[n++] = layer;
    }
  return true;
}

/* Words beside pairs that are all there once: rather counts that are not written as numbers. */
static SlStatus
refuse_words (const SlRows *rows)
{
  for (unsigned i = 0; i < rows->file->arrays.n && rows->draft->options.k == 0; i++)
    {
      SlArray *array = &rows->file->arrays.array[i];

      if (rows->file->meaning.of[i].role == SL_ROLE_NONE && array->type == SL_ARRAY_TEXTS
          && are_pairs_once (rows))
        return sl_status_try (
          sl_status_new (
            SL_EFORMAT, rows->file->arrays.path,
            sl_message ("each layer and expert once, with words in %.40s", array->name),
            sl_message ("counts: numbers without a sign")),
          "k", "1");
    }
  return SL_SUCCESS;
}

/* Rows of one expert each. */
static SlStatus
read_experts (SlRows *rows)
{
  bool     alone = rows->count == NULL && rows->slot == NULL && rows->token == NULL;
  SlStatus status = SL_SUCCESS;

  if (alone)
    rows->count = find_unknown_count (rows);
  if (rows->count != NULL && (rows->slot == NULL || rows->token == NULL))
    return sl_rows_loads (rows);
  if (alone)
    status = refuse_words (rows);
  return sl_ok (&status) ? sl_rows_routings (rows) : status;
}

static SlStatus
read_rows (SlRows *rows)
{
  if (rows->expert != NULL)
    return read_experts (rows);
  if (rows->file->said.as == SL_ROLE_LOADS && rows->ids != NULL && rows->ids->axes == 2)
    rows->loads = rows->ids;
  if (rows->loads != NULL || (rows->n_wide > 0 && wide_are_loads (rows)))
    return sl_rows_loads (rows);
  if (rows->ids != NULL || rows->n_wide > 0)
    return sl_rows_tokens (rows);
  return sl_status_new (SL_EFORMAT, rows->file->arrays.path, sl_message ("layers without experts"),
                        sl_message ("a column expert, expert_ids, or e0, e1, …"));
}

SlStatus
sl_recording_rows (SlRecordingFile *file)
{
  SlRows   rows;
  int64_t  experts = sl_recording_scalar (file, SL_ROLE_EXPERTS);
  SlStatus status = sl_rows_init (&rows, file);

  if (sl_ok (&status) && experts > SL_ROUTING_EXPERTS)
    status = sl_status_new (SL_EFORMAT, file->arrays.path,
                            sl_message ("%lld experts", (long long) experts),
                            sl_message ("at most %d", SL_ROUTING_EXPERTS));
  if (sl_ok (&status))
    status = read_rows (&rows);
  if (sl_ok (&status) && file->draft->n_layers == 0)
    status = sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("no rows of routing"),
                            sl_message ("a layer and experts in each"));
  if (sl_ok (&status))
    sl_routing_draft_sort (file->draft);
  sl_rows_clear (&rows);
  return status;
}
