/* SPDX-License-Identifier: MIT
 *
 * A file of a recording while it is read: its arrays, what they mean, and the draft that they go into.  */
#pragma once

#include "core/data/read/meaning/meaning.h"
#include "core/data/routing/draft.h"

typedef struct
{
  SlArrays        arrays;
  SlMeaning       meaning;
  SlSaid          said;
  SlRoutingDraft *draft;
  bool            events; /* it is event files, which have nothing but curves */
} SlRecordingFile;
