/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/words.h"

#include <math.h>
#include <string.h>

#include "core/data/routing/words.h"

static bool
is_of_words (const SlMeant *meant, SlRole role)
{
  uint64_t number[2];
  unsigned n;

  if (meant->array->n == 0)
    return false;
  return meant->role == role
         || (role == SL_ROLE_WORD_ID && meant->role == SL_ROLE_COUNT
             && sl_array_whole (meant->array)
             && sl_rule_matches ("tokens", meant->array->name, number, &n));
}

/* The first of a role whose name is of the prompt, or is not; any with `prompt` below 0. */
static SlArray *
find (const SlRecordingFile *file, SlRole role, int prompt)
{
  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      const SlMeant *meant = &file->meaning.of[i];
      bool           of_prompt = strstr (meant->array->name, "prompt") != NULL
                       || strstr (meant->array->name, "input") != NULL;

      if (meant->role == role && meant->array->n > 0 && (prompt < 0 || prompt == of_prompt))
        return meant->array;
    }
  return NULL;
}

SlArray *
sl_recording_word_array (const SlRecordingFile *file)
{
  SlArray *texts = find (file, SL_ROLE_WORD, -1);

  return texts != NULL ? texts : find (file, SL_ROLE_WORD_ID, -1);
}

static SlStatus
read_text (SlRecordingFile *file, const SlArray *array, uint64_t i, uint32_t *token)
{
  uint32_t code;

  memcpy (&code, array->bytes + i * sizeof code, sizeof code);
  if (code == SL_NO_TEXT)
    return SL_SUCCESS;
  return sl_routing_words_add (&file->draft->words_of, array->text[code],
                               strlen (array->text[code]), token);
}

SlStatus
sl_recording_word (SlRecordingFile *file, const SlArray *array, uint64_t i, uint32_t *token)
{
  double   id = NAN;
  SlStatus status;

  *token = SL_ROUTING_NO_WORD;
  if (array->type == SL_ARRAY_TEXTS)
    return read_text (file, array, i, token);
  status = sl_array_reals (array, file->arrays.path, i, 1, &id);
  if (sl_ok (&status) && id >= 0 && id < SL_ROUTING_NO_WORD && id == floor (id))
    {
      *token = (uint32_t) id;
      file->draft->token_ids = true;
    }
  return status;
}

/* ---- of whole arrays ---- */

/* Whether a list has no value here, as it is shorter than the longest. */
static SlStatus
is_padding (const SlRecordingFile *file, const SlArray *array, uint64_t i, bool *is)
{
  uint32_t code;
  double   number = NAN;
  SlStatus status = SL_SUCCESS;

  if (array->type == SL_ARRAY_TEXTS)
    {
      memcpy (&code, array->bytes + i * sizeof code, sizeof code);
      *is = code == SL_NO_TEXT;
      return SL_SUCCESS;
    }
  status = sl_array_reals (array, file->arrays.path, i, 1, &number);
  *is = isnan (number) || (sl_array_whole (array) && number == SL_NO_INTEGER);
  return status;
}

static SlStatus
count_values (const SlRecordingFile *file, const SlArray *array, size_t *n)
{
  SlStatus status = SL_SUCCESS;

  *n = array->n;
  if (!file->arrays.columns)
    return SL_SUCCESS;
  *n = 0;
  for (uint64_t i = 0; i < array->n && sl_ok (&status); i++)
    {
      bool padding;

      status = is_padding (file, array, i, &padding);
      *n += !padding;
    }
  return status;
}

/* All values one behind the other, without padding. */
static SlStatus
put_values (SlRecordingFile *file, const SlArray *array, size_t n)
{
  SlStatus status = sl_routing_draft_tokens (file->draft, n);

  for (uint64_t i = 0, t = 0; i < array->n && t < n && sl_ok (&status); i++)
    {
      bool padding = false;

      if (file->arrays.columns)
        status = is_padding (file, array, i, &padding);
      if (sl_ok (&status) && !padding)
        status = sl_recording_word (file, array, i, &file->draft->token[t++]);
    }
  return status;
}

/* The first array of a role with a value for each of the layer's tokens; others are left out. */
static SlStatus
put_role (SlRecordingFile *file, SlRole role)
{
  size_t   tokens = file->draft->layer[0].tokens;
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < file->arrays.n && sl_ok (&status); i++)
    {
      SlMeant *meant = &file->meaning.of[i];
      size_t   n = 0;

      if (!is_of_words (meant, role))
        continue;
      status = sl_array_load (&file->arrays, meant->array);
      if (sl_ok (&status))
        status = count_values (file, meant->array, &n);
      if (sl_ok (&status) && n == tokens && file->draft->token == NULL)
        status = put_values (file, meant->array, n);
      else
        meant->role = SL_ROLE_NONE;
    }
  return status;
}

SlStatus
sl_recording_words (SlRecordingFile *file)
{
  SlStatus status = SL_SUCCESS;

  if (file->draft->n_layers > 0)
    status = put_role (file, SL_ROLE_WORD);
  if (sl_ok (&status) && file->draft->n_layers > 0)
    status = put_role (file, SL_ROLE_WORD_ID);
  return status;
}

/* ---- of answers ---- */

/* Values of an array from `first` on. */
typedef struct
{
  const SlArray *array;
  uint64_t       first, n;
} Sequence;

/* Whether two columns are of the objects of one list, by what their paths have before the last name. */
static bool
are_of_one_list (const SlArray *a, const SlArray *b)
{
  const char *x = strrchr (a->name, '.'), *y = strrchr (b->name, '.');
  size_t      n = x != NULL ? (size_t) (x - a->name) : 0;

  return n == (y != NULL ? (size_t) (y - b->name) : 0) && strncmp (a->name, b->name, n) == 0;
}

/* The row of an array that belongs to a part of an answer; beyond all where there is none. */
static uint64_t
row_of (const SlArray *array, const SlAnswerPart *part)
{
  if (array->record == NULL)
    return part->record;
  if (part->of != NULL && part->of->record != NULL && part->of->pieces == array->pieces
      && are_of_one_list (array, part->of))
    return part->row;
  for (size_t row = 0; row < array->pieces; row++)
    if (array->record[row] == part->record)
      return row;
  return UINT64_MAX;
}

/* The list that an array has for a part, without what pads it. */
static SlStatus
find_sequence (SlRecordingFile *file, SlArray *array, const SlAnswerPart *part, Sequence *found)
{
  uint64_t width = array != NULL && array->axes == 2 ? array->shape[1] : 0;
  uint64_t row = width > 0 ? row_of (array, part) : UINT64_MAX;
  SlStatus status = SL_SUCCESS;

  *found = (Sequence) { .array = array };
  if (row >= (width > 0 ? array->shape[0] : 0))
    return SL_SUCCESS;
  status = sl_array_load (&file->arrays, array);
  found->first = row * width;
  for (found->n = width; found->n > 0 && sl_ok (&status); found->n--)
    {
      bool padding = false;

      status = is_padding (file, array, found->first + found->n - 1, &padding);
      if (!padding)
        break;
    }
  return status;
}

static SlStatus
put_sequence (SlRecordingFile *file, const Sequence *from, uint32_t *token, size_t n)
{
  SlStatus status = SL_SUCCESS;

  for (size_t t = 0; t < n && t < from->n && sl_ok (&status); t++)
    status = sl_recording_word (file, from->array, from->first + t, &token[t]);
  return status;
}

/* How many tokens the prompt of an answer has, where it says that but not which. */
static uint64_t
prompt_tokens (const SlRecordingFile *file, const SlAnswerPart *part)
{
  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      const SlArray *array = &file->arrays.array[i];
      uint64_t       number[2], row = row_of (array, part);
      unsigned       n;
      double         value = 0;
      SlStatus       status;

      if (array->axes != 1 || row >= array->n || !(sl_array_whole (array) || sl_array_real (array))
          || !sl_rule_matches ("prompt_tokens", array->name, number, &n))
        continue;
      status = sl_array_reals (array, file->arrays.path, row, 1, &value);
      return sl_ok (&status) && value > 0 && value < 1e9 ? (uint64_t) value : 0;
    }
  return 0;
}

/* Rows of tokens, one record each. */
static SlStatus
put_rows (SlRecordingFile *file, SlArray *array, const SlAnswerPart *part, uint32_t *token,
          bool *found)
{
  SlStatus status = sl_array_load (&file->arrays, array);

  *found = array->n == part->tokens;
  for (size_t t = 0; t < part->tokens && *found && sl_ok (&status); t++)
    status = sl_recording_word (file, array, t, &token[t]);
  return status;
}

/* The last token that was made has mostly not been through the layers. */
static bool
fits (uint64_t tokens, uint64_t words)
{
  return words > 0 && (tokens == words || tokens + 1 == words);
}

SlStatus
sl_recording_answer_words (SlRecordingFile *file, const SlAnswerPart *part, uint32_t *token,
                           bool *found)
{
  SlRole   role = find (file, SL_ROLE_WORD, -1) != NULL ? SL_ROLE_WORD : SL_ROLE_WORD_ID;
  SlArray *any = find (file, role, -1);
  Sequence prompt, made;
  uint64_t before;
  SlStatus status;

  *found = false;
  if (any != NULL && any->axes == 1 && part->of != NULL && part->of->axes == 2)
    return put_rows (file, any, part, token, found);
  status = find_sequence (file, find (file, role, 1), part, &prompt);
  if (sl_ok (&status))
    status = find_sequence (file, find (file, role, 0), part, &made);
  if (!sl_ok (&status))
    return status;
  before = prompt.n > 0 ? prompt.n : prompt_tokens (file, part);
  *found = true;
  if (part->prompt || (made.n == 0 && prompt.n == part->tokens))
    {
      *found = prompt.n == part->tokens;
      return *found ? put_sequence (file, &prompt, token, part->tokens) : SL_SUCCESS;
    }
  if (fits (part->tokens, made.n))
    return put_sequence (file, &made, token, part->tokens);
  if (!(before > 0 && before <= part->tokens && fits (part->tokens, before + made.n)))
    {
      *found = false;
      return SL_SUCCESS;
    }
  status = put_sequence (file, &prompt, token, before);
  return sl_ok (&status) ? put_sequence (file, &made, token + before, part->tokens - before)
                         : status;
}
