/* SPDX-License-Identifier: MIT
 *
 * The text of the King James Bible as Debian's package bible-kjv-text installs it: one verse a
 * line, in windows of 64 KiB that Unix compress made small.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* True for the first bytes of such a file. */
bool sl_bible_likely (const uint8_t *head, size_t size);

/* Replaces *data, *size bytes of such a file, by its verses without their numbers, a line each;
 * free() it.  `subject` names the file in a failure.  SL_EFORMAT, SL_ENOMEM; *data then is as it
 * was.  */
SlStatus sl_bible_expand (const char *subject, uint8_t **data, size_t *size);
