/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/kind.h"

#include <string.h>

void
sl_kind_name_pairs (SlMeaning *meaning)
{
  if (meaning->arrays->columns && !meaning->arrays->headed && meaning->arrays->n == 2)
    {
      meaning->of[0].role = SL_ROLE_LAYER;
      meaning->of[1].role = SL_ROLE_EXPERT;
    }
}

void
sl_kind_forget_order (SlMeaning *meaning)
{
  bool lightllm = false;

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    lightllm = lightllm || strcmp (meaning->arrays->array[i].name, "count_output_tokens") == 0;
  for (unsigned i = 0; i < meaning->arrays->n && lightllm; i++)
    if (meaning->of[i].role == SL_ROLE_IDS && meaning->of[i].array->axes == 3
        && meaning->of[i].array->pieces == 1)
      meaning->of[i].rule = NULL;
}

/* Whether a list has as many lists in each line, and several. */
static bool
has_even_pieces (const SlArray *array)
{
  bool even = array->piece != NULL && array->axes == 2 && array->pieces > 1 && array->piece[0] > 1;

  for (size_t p = 1; even && p < array->pieces; p++)
    even = array->piece[p] == array->piece[0];
  return even;
}

void
sl_kind_take_token_lines (SlMeaning *meaning)
{
  static const SlRule of_token
    = { .whose = "by hand", .name = "experts", .role = SL_ROLE_IDS, .axes = "tlk" };

  if (sl_meaning_find (meaning, SL_ROLE_LAYER) != NULL
      || (sl_meaning_find (meaning, SL_ROLE_TOKEN) == NULL
          && sl_meaning_find (meaning, SL_ROLE_WORD) == NULL))
    return;
  for (unsigned i = 0; i < meaning->arrays->n; i++)
    if (meaning->of[i].role == SL_ROLE_IDS && has_even_pieces (meaning->of[i].array))
      meaning->of[i].rule = &of_token;
}

bool
sl_kind_is_matrix (SlMeaning *meaning, SlRole as)
{
  unsigned wide = 0;

  if (!meaning->arrays->columns || sl_meaning_find (meaning, SL_ROLE_LAYER) != NULL)
    return false;
  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      SlMeant *meant = &meaning->of[i];

      if (as == SL_ROLE_LOADS && meant->role == SL_ROLE_NONE && meant->array->axes == 1
          && (sl_array_whole (meant->array) || sl_array_real (meant->array)))
        meant->role = SL_ROLE_WIDE;
      wide += meant->role == SL_ROLE_WIDE;
    }
  return wide >= 2
         && (as == SL_ROLE_LOADS
             || (sl_meaning_find (meaning, SL_ROLE_TOKEN) == NULL
                 && sl_meaning_find (meaning, SL_ROLE_WORD) == NULL
                 && sl_meaning_find (meaning, SL_ROLE_WORD_ID) == NULL));
}

bool
sl_kind_are_even_sums (const SlMeaning *meaning)
{
  enum { ROWS = 128, WIDTH = 8 };

  const SlArrays *arrays = meaning->arrays;
  double          first = 0;

  if (!arrays->columns || arrays->headed || arrays->n < WIDTH || arrays->rows < 2
      || arrays->rows > ROWS)
    return false;
  for (uint64_t row = 0; row < arrays->rows; row++)
    {
      double sum = 0;

      for (unsigned i = 0; i < arrays->n; i++)
        {
          const SlArray *array = &arrays->array[i];
          double         value = -1;
          SlStatus       status;

          if (!sl_array_whole (array) || array->n != arrays->rows)
            return false;
          status = sl_array_reals (array, arrays->path, row, 1, &value);
          if (!sl_ok (&status) || value < 0)
            return false;
          sum += value;
        }
      first = row == 0 ? sum : first;
      if (sum != first || sum < 2 * arrays->n)
        return false;
    }
  return true;
}

bool
sl_kind_are_answers (const SlMeaning *meaning)
{
  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      const SlMeant *meant = &meaning->of[i];

      if (meant->role == SL_ROLE_IDS && meant->rule != NULL
          && (meant->array->type == SL_ARRAY_TEXTS
              || (meant->array->piece != NULL && strcmp (meant->rule->axes, "tlk") == 0)))
        return true;
    }
  return false;
}

bool
sl_kind_are_rows (const SlMeaning *meaning)
{
  const SlMeant *layer = sl_meaning_find (meaning, SL_ROLE_LAYER);
  const SlMeant *ids = sl_meaning_find (meaning, SL_ROLE_IDS);

  if (layer == NULL || layer->array->axes != 1)
    return false;
  return meaning->arrays->columns
         || (ids != NULL && ids->array->axes == 2 && ids->array->shape[0] == layer->array->n);
}

bool
sl_kind_have_experts (const SlMeaning *meaning)
{
  static const SlRole roles[] = { SL_ROLE_EXPERT, SL_ROLE_IDS, SL_ROLE_WIDE, SL_ROLE_LOADS };

  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (sl_meaning_find (meaning, roles[i]) != NULL)
      return true;
  return false;
}

bool
sl_kind_are_trained (const SlMeaning *meaning, SlRole as)
{
  return as == SL_ROLE_LOADS ? meaning->loads > 0
                             : as == SL_ROLE_NONE && 2 * meaning->loads > meaning->curves;
}
