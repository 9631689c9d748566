/* SPDX-License-Identifier: MIT
 *
 * The weights of a network, from a file of tensors: .safetensors, what torch.save writes (a state_dict, alone or inside
 * of something), .npz.  */
#pragma once

#include "core/data/read/safetensors.h"

/* Reads the tensors of real numbers that are `wanted` (NULL: all).  A name that is wanted only from a dot on
 * ("state_dict.features.0.weight") is that: "features.0.weight".  SL_EFORMAT, SL_EIO; SL_ENOMEM above SL_DATA_BUDGET.  On
 * failure *tensors is NULL.  */
SlStatus sl_weights_open (SlTensors **tensors, const char *path, SlTensorWanted *wanted);

/* Whether a file of torch.save has tensors with those names. */
bool sl_weights_likely (const char *path, SlTensorWanted *wanted);
