/* SPDX-License-Identifier: MIT */
#include "core/data/read/meaning/meaning.h"

#include <stdlib.h>
#include <string.h>

/* The load of one layer may have axes of length 1 around it. */
static void
squeeze (SlArray *array)
{
  unsigned axes = 0;

  for (unsigned a = 0; a < array->axes; a++)
    if (array->shape[a] != 1)
      array->shape[axes++] = array->shape[a];
  if (axes == 0)
    array->shape[axes++] = 1;
  array->axes = axes;
}

SlStatus
sl_meaning_init (SlMeaning *meaning, SlArrays *arrays)
{
  *meaning = (SlMeaning) { .arrays = arrays };
  meaning->of = calloc (arrays->n + 1, sizeof *meaning->of);
  if (meaning->of == NULL)
    return sl_status_no_memory (arrays->path);
  for (unsigned i = 0; i < arrays->n; i++)
    {
      SlMeant *meant = &meaning->of[i];

      meant->array = &arrays->array[i];
      meant->rule = sl_rule_find (meant->array, meant->number, &meant->numbers);
      meant->role = meant->rule != NULL ? meant->rule->role : SL_ROLE_NONE;
      if (meant->role == SL_ROLE_LOADS && meant->numbers > 0 && !meant->array->strided)
        squeeze (meant->array);
    }
  /* A lone array needs no name. */
  if (arrays->n == 1 && !arrays->columns && arrays->array[0].name[0] == '\0')
    meaning->of[0].role = SL_ROLE_ANY;
  return arrays->columns ? sl_meaning_train (meaning) : SL_SUCCESS;
}

void
sl_meaning_clear (SlMeaning *meaning)
{
  free (meaning->of);
  meaning->of = NULL;
}

SlMeant *
sl_meaning_find (const SlMeaning *meaning, SlRole role)
{
  for (unsigned i = 0; meaning->of != NULL && i < meaning->arrays->n; i++)
    if (meaning->of[i].role == role)
      return &meaning->of[i];
  return NULL;
}

void
sl_meaning_note_rest (const SlMeaning *meaning, SlFileReading *reading)
{
  enum { NAMED = 4 };
  SlMessage names = SL_NO_MESSAGE;
  unsigned  n = 0;

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    if (meaning->of[i].role == SL_ROLE_NONE && meaning->of[i].array->name[0] != '\0' && n++ < NAMED)
      sl_message_add (&names, n == 1 ? "%.40s" : ", %.40s", meaning->of[i].array->name);
  if (n > NAMED)
    sl_reading_note (reading, sl_message ("left out: %s and %u more", names.packed, n - NAMED));
  else if (n > 0)
    sl_reading_note (reading, sl_message ("left out: %s", names.packed));
}

uint64_t
sl_meant_length (const SlMeant *meant, char axis)
{
  const char *at = strchr (meant->axes, axis);

  return at != NULL && axis != '\0' ? meant->array->shape[at - meant->axes] : 1;
}

uint64_t
sl_meant_stride (const SlMeant *meant, char axis)
{
  const char *at = strchr (meant->axes, axis);
  uint64_t    stride = 1;

  if (at == NULL || axis == '\0')
    return 0;
  for (const char *next = at + 1; next[0] != '\0' && next[1] != '\0'; next++)
    stride *= meant->array->shape[next - meant->axes];
  return stride;
}
