/* SPDX-License-Identifier: MIT
 *
 * What arrays say about routing: by their names, or one without a name by its type and shape.  */
#pragma once

#include "core/data/routing/arrays/array.h"
#include "core/data/routing/draft.h"

enum { SL_ARRAYS_MAX = 64 };

typedef struct
{
  const char *path; /* for failures; the caller's */
  SlArray     array[SL_ARRAYS_MAX];
  unsigned    n;
  SlArray     beside[SL_ARRAYS_MAX]; /* arrays of other names, without their numbers */
  unsigned    n_beside;
  size_t      used;    /* bytes in memory */
  bool        objects; /* a pickle beside them was passed over */
} SlArrays;

/* Whether an array of this name can say anything. */
bool sl_arrays_known (const char *name);

/* Adds an array of another name, of which type and shape are set, as long as there is room. */
void sl_arrays_add_beside (SlArrays *arrays, const SlArray *array);

/* Memory for the numbers of `array`, of which type and shape are set, and adds it.  SL_ENOMEM, also
 * above the budget.  */
SlStatus sl_arrays_add (SlArrays *arrays, const SlArray *array, uint8_t **to);

void sl_arrays_clear (SlArrays *arrays);

/* Fills a draft.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
SlStatus sl_arrays_read (const SlArrays *arrays, SlRoutingDraft *draft);

/* Those of a .npz, which is a zip of .npy, or of a .safetensors file. */
SlStatus sl_arrays_open_npz (SlArrays *arrays, const char *path);
SlStatus sl_arrays_open_safetensors (SlArrays *arrays, const char *path);

/* Whether a .safetensors file has a tensor that says anything, or a header that cannot be read; the
 * weights of a network have neither.  */
bool sl_arrays_likely_safetensors (const char *path);

/* The one of a .npy, which stays in the file unless that is compressed; the file stays open until
 * sl_arrays_clear().  */
SlStatus sl_arrays_open_npy (SlArrays *arrays, const char *path);
