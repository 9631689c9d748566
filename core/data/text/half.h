/* SPDX-License-Identifier: MIT
 *
 * IEEE 754's half precision, as files of weights and scores have it.  */
#pragma once

#include <stdint.h>

double sl_half_to_double (uint16_t bits);
