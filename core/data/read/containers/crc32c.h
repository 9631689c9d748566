/* SPDX-License-Identifier: MIT
 *
 * The check sum of TFRecord files: CRC-32 with Castagnoli's polynomial (RFC 3720, B.4).  */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint32_t sl_crc32c (const uint8_t *bytes, size_t n);

/* As TFRecord files have it: rotated by 15 bits, plus a constant. */
uint32_t sl_crc32c_masked (const uint8_t *bytes, size_t n);
