/* SPDX-License-Identifier: MIT */
#include "core/data/text/half.h"

#include <math.h>

double
sl_half_to_double (uint16_t bits)
{
  int    exponent = bits >> 10 & 0x1f;
  double fraction = bits & 0x3ff, size;

  if (exponent == 31)
    size = fraction == 0 ? HUGE_VAL : (double) NAN;
  else if (exponent == 0)
    size = ldexp (fraction, -24);
  else
    size = ldexp (1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -size : size;
}
