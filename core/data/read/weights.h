/* SPDX-License-Identifier: MIT
 *
 * The weights of a network, from a file of tensors: .safetensors, what torch.save writes (a state_dict, alone or inside
 * of something), .npz.  */
#pragma once

#include <stdbool.h>

#include "core/base/status.h"
#include "core/base/tensors.h"

/* Whether the caller wants the tensor of that name. */
typedef bool SlTensorWanted (const char *name);

/* Reads the tensors of real numbers that are `wanted` (NULL: all).  A name that is wanted only from a dot on
 * ("state_dict.features.0.weight") is that: "features.0.weight".  Tensors of other types may be in a file as long as they are not wanted; numbers of one alone
 * are passed over.  SL_EFORMAT, SL_EIO; SL_ENOMEM above SL_DATA_BUDGET, before anything is allocated.  On
 * failure *tensors is NULL.  */
SlStatus sl_weights_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted);

/* Whether a file of torch.save has tensors with those names. */
bool sl_weights_likely (const char *path, SlTensorWanted *wanted);
