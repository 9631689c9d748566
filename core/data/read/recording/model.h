/* SPDX-License-Identifier: MIT
 *
 * What the files of a model say about its recording, in the folder that the person names or in that of the recording:
 * words for ids of tokens, and how large an expert is.  */
#pragma once

#include "core/data/routing/draft.h"

/* Reads tokenizer.json where tokens have ids, and config.json.  What the person names must be there and be right; what
 * only lies beside the recording is left out where it is not, with a note.  Tokens without a name are called by their
 * ids.  SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_recording_model (SlRoutingDraft *draft);

/* Bytes of the weights of an expert by a config.json, 0 where it does not say, and the sentence on it.  SL_EIO,
 * SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_config_expert (const char *path, double *bytes, SlMessage *said);
