/* SPDX-License-Identifier: MIT
 *
 * Words of tokens beside their routing: texts, or ids of a vocabulary.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
#pragma once

#include "core/data/read/recording/file.h"

/* The words of tokens that all layers have, of an array with a value for each. */
SlStatus sl_recording_words (SlRecordingFile *file);

/* The array with texts of tokens, else with their ids, or NULL. */
SlArray *sl_recording_word_array (const SlRecordingFile *file);

/* The word of a text, or the id of a number, as the draft keeps it; SL_ROUTING_NO_WORD where there is none. */
SlStatus sl_recording_word (SlRecordingFile *file, const SlArray *array, uint64_t i,
                            uint32_t *token);

/* A part of an answer: `tokens` of its prompt, or behind it, or of both. */
typedef struct
{
  const SlArray *of;          /* whose routing that is */
  uint64_t       row, record; /* of the list that it is in, and of the answers */
  size_t         tokens;
  bool           prompt;
} SlAnswerPart;

/* The words (tokens) of such a part; false: there are none, or of another number of tokens. */
SlStatus sl_recording_answer_words (SlRecordingFile *file, const SlAnswerPart *part,
                                    uint32_t *token, bool *found);
