/* SPDX-License-Identifier: MIT
 *
 * The parts of sl_arrays_read(): one function for each thing that an array can be.  Each takes axes
 * in the order of the specification of the file and fills the draft.  */
#pragma once

#include "core/data/routing/arrays/arrays.h"

/* The array of one of these names (ended by NULL) for which `fits` holds (NULL: any), or NULL. */
const SlArray *sl_arrays_find (const SlArrays *arrays, const char *const *names,
                               bool (*fits) (const SlArray *));

/* All of an array's integers; *to is free()d by the caller.  */
SlStatus sl_arrays_integers (const SlArrays *arrays, const SlArray *array, int64_t **to);

/* Makes `n` layers, numbered by the array `layer_numbers` if there is one of that length, else from 0.  */
SlStatus sl_arrays_layers (const SlArrays *arrays, SlRoutingDraft *draft, uint64_t n);

/* The largest number of a type without a sign and of more than one byte becomes SL_RAW_TOP, which it is
 * until it is known what it means.  */
void sl_array_mark_tops (const SlArray *array, int64_t *ids, size_t n);

/* Where an expert's copies lead: (layers, copies), or NULL. */
const SlArray *sl_arrays_copies (const SlArrays *arrays, uint64_t layers);

/* Reads them, each checked to be below SL_ROUTING_EXPERTS; *experts is the largest and one more.
 * *copies is free()d by the caller, also after a failure.  SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_arrays_read_copies (const SlArrays *arrays, const SlArray *map, int64_t **copies,
                                unsigned *experts);

/* Tokens come first.  Where the first axis could as well be layers, as there are fewer of them and nothing in the file
 * says what it is, a note has both readings and what makes the other one.  */
void sl_arrays_note_order (const SlArrays *arrays, const SlArray *array, SlRoutingDraft *draft);

/* Expert numbers (T, k) or (T, L, k), or with `layers_first` (L, T, k). */
SlStatus sl_arrays_read_ids (const SlArrays *arrays, const SlArray *ids, bool layers_first,
                             SlRoutingDraft *draft);

/* Expert numbers (T, L, k) of more tokens than memory may have: rows of counts. */
SlStatus sl_arrays_count_ids (const SlArrays *arrays, const SlArray *ids, uint64_t tokens,
                              uint64_t layers, unsigned k, SlRoutingDraft *draft);

/* Counts (rows, L, n), or with `layers_first` (L, rows, n). */
SlStatus sl_arrays_read_counts (const SlArrays *arrays, const SlArray *counts, bool layers_first,
                                SlRoutingDraft *draft);

/* Scores of all experts, or a mask of them, (T, n) or (T, L, n). */
SlStatus sl_arrays_read_scores (const SlArrays *arrays, const SlArray *scores,
                                SlRoutingDraft *draft);
SlStatus sl_arrays_read_mask (const SlArrays *arrays, const SlArray *mask, SlRoutingDraft *draft);

/* Passes and phases of tokens that all layers have. */
SlStatus sl_arrays_read_passes (const SlArrays *arrays, SlRoutingDraft *draft);

/* Whether integers of rank 3 look like expert numbers rather than counts.  */
SlStatus sl_arrays_look_like_ids (const SlArrays *arrays, const SlArray *array, bool *likely);
