/* SPDX-License-Identifier: MIT
 *
 * The bytes of a state as the file has them: those of the four places of its numbers (float32) beside their like,
 * in one Zstandard frame; or as they are, where that pays too little.  A state begins with text, a frame with its
 * own mark.  Any thread.  */
#pragma once

#include <glib.h>

typedef struct
{
  const void *data; /* (n) what goes into the file: the frame, or the state itself */
  size_t      n;
  void       *frame; /* for free(); NULL where it is not worth it, or there is no room */
} SlPackedState;

SlPackedState sl_store_pack_state (const void *state, size_t n);

/* The state in bytes of the file, for free(); NULL when they are damaged or there is no room. */
void *sl_store_unpack_state (const void *stored, size_t n, size_t *bytes);
