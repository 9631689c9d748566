/* SPDX-License-Identifier: MIT
 *
 * Texts in little room.  Any thread.  */
#pragma once

#include <stddef.h>

/* Copies a text, of one that is too long as many whole letters as there is room for.  Returns `to`. */
char *sl_fit (char *to, const char *text, size_t size);
