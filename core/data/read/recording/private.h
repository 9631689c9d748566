/* SPDX-License-Identifier: MIT
 *
 * The parts of sl_routing_open(): from what arrays mean to a draft of a recording.  Each fills the draft of
 * the file.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
#pragma once

#include "core/data/read/recording/file.h"

/* Whole arrays of all tokens, or one a layer. */
SlStatus sl_recording_cubes (SlRecordingFile *file);

/* Rows that say which layer they are of. */
SlStatus sl_recording_rows (SlRecordingFile *file);

/* A column of loads for each expert, beside one of training steps. */
SlStatus sl_recording_training (SlRecordingFile *file);

/* Answers of a server, each with the routing of its tokens. */
SlStatus sl_recording_answers (SlRecordingFile *file);

/* Expert numbers, scores or masks of all tokens, of `n` arrays: one, or one a layer. */
SlStatus sl_recording_tokens (SlRecordingFile *file, SlMeant *const *meant, unsigned n);

/* Loads: the same. */
SlStatus sl_recording_loads (SlRecordingFile *file, SlMeant *const *meant, unsigned n);

/* Expert numbers (T, L, k) of more tokens than memory may have: rows of counts. */
SlStatus sl_recording_count (SlRecordingFile *file, const SlMeant *ids);

/* Passes and phases of tokens that all layers have. */
SlStatus sl_recording_passes (SlRecordingFile *file);

/* Makes the layers that a set of arrays has: by the numbers in their names, by the model's own, or from 0 on. */
SlStatus sl_recording_layers (SlRecordingFile *file, SlMeant *const *meant, unsigned n);

/* Which layer of the draft a row of an array is of; `i` is the place of the array in its set. */
unsigned sl_recording_layer_of (const SlMeant *meant, unsigned i, uint64_t row);

/* The one number of a scalar, or -1. */
int64_t sl_recording_scalar (const SlRecordingFile *file, SlRole role);

/* All of an array's integers; *to is free()d by the caller, also after a failure. */
SlStatus sl_recording_integers (SlRecordingFile *file, SlArray *array, int64_t **to);

/* The experts of copies, (L, copies), for arrays of copies of so many layers; NULL: there are none.  *n is how
 * many copies a layer has; *copies is free()d by the caller, also after a failure.  */
SlStatus sl_recording_copies (SlRecordingFile *file, uint64_t layers, int64_t **copies,
                              uint64_t *n);

/* The largest number of a type without a sign and of more than one byte becomes SL_RAW_TOP, which it is until it
 * is known what it means.  */
void sl_recording_mark_tops (const SlArray *array, int64_t *ids, size_t n);

/* Settles how many columns counts have, where the largest number is `n` - 1; SL_EFORMAT where the file says that there
 * are fewer experts.  If the person does, sl_routing_finish() counts the others apart.  */
SlStatus sl_recording_experts (SlRoutingDraft *draft, unsigned n);
