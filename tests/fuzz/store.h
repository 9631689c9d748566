/* SPDX-License-Identifier: MIT
 *
 * What the two fuzzers of stores share: a file that came from somewhere is used as the program would,
 * and whatever it says, there is an answer or a sentence.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Opens, lists, loads, goes on, merges, saves, edits and removes.  The files are in the fuzzer's folder:
 * `name` is the store, and is another one afterwards.  Reading is a sixth of the time: with SLUICE_FUZZ_SHARE=N
 * set, only one in N stores, by the sum of the input, is copied and changed, too.  */
void fuzz_use_store (const char *name, const uint8_t *input, size_t size);
