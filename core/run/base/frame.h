/* SPDX-License-Identifier: MIT
 *
 * Bytes in one Zstandard frame, for files and memory.  Any thread.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The frame of n bytes, for free(), and how many it has; NULL: no memory. */
void *sl_frame_pack (const void *bytes, size_t n, size_t *size);

/* True when bytes begin as a frame does. */
bool sl_frame_is (const void *frame, size_t n);

/* What is in a frame, for free(), and how many bytes; NULL where it is damaged, is empty, does not say how much it holds or
 * says more than `most`, or there is no memory.  */
void *sl_frame_open (const void *frame, size_t n, size_t most, size_t *bytes);
