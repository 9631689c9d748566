/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Decodes `n` letters of base 64 (JSON's "\/" is a slash) into at most n / 4 * 3 + 3 bytes; returns how many there
 * are, or SIZE_MAX where it is no base 64.  */
size_t sl_base64_decode (const char *text, size_t n, uint8_t *to);
