/* SPDX-License-Identifier: MIT
 *
 * The compression of Unix compress (.Z): Lempel, Ziv and Welch with codes of 9 to 16 bits and a
 * code that forgets everything.  Only reading; without the three bytes of a .Z file's head.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Expands `size` bytes into at most `most`; false for codes that cannot be, or more than that. 
 * Room for tables is on the stack.  */
bool sl_lzw_expand (const uint8_t *from, size_t size, uint8_t *to, size_t most, size_t *got);
