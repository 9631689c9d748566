/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers share: input becomes files, files are opened as the product does, and
 * whatever comes back must keep the promises of dataset.h and status.h.  A broken promise
 * aborts; the files of that input then stay in the folder sluice-fuzz-… of /dev/shm or of
 * the folder for temporary files.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* One input; defined by each fuzzer, called by libFuzzer or replay.c. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Writes `size` bytes as the file `name`. */
void fuzz_write (const char *name, const uint8_t *data, size_t size);

/* Where that file is. */
void fuzz_path (const char *name, char *path, size_t size);

/* Takes a part off the front of the input: two bytes, its length, then the part itself, as
 * long as it is there.  */
const uint8_t *fuzz_part (const uint8_t **data, size_t *size, size_t *part);

/* Opens the file or, with "", the folder, and checks what comes back. */
void fuzz_open (const char *name);

/* Aborts unless the promise holds. */
#define fuzz_require(promise) fuzz_require_that (promise, #promise, __FILE__, __LINE__)
void fuzz_require_that (int holds, const char *promise, const char *file, int line);
