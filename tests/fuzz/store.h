/* SPDX-License-Identifier: MIT
 *
 * What the two fuzzers of stores share: a file that came from somewhere is used as the program would,
 * and whatever it says, there is an answer or a sentence.  */
#pragma once

/* Opens, lists, loads, goes on, merges, saves, edits and removes.  The files are in the fuzzer's folder:
 * `name` is the store, and is another one afterwards.  */
void fuzz_use_store (const char *name);
