/* SPDX-License-Identifier: MIT
 *
 * The one floating-point type of the network code.  The product computes in
 * float; the same sources are compiled a second time with SL_DOUBLE for the
 * tests, where gradients are compared with central differences.  Mathematical
 * functions come from <tgmath.h>, which follows the type.  */
#pragma once

#ifdef SL_DOUBLE
typedef double sl_real;
#else
typedef float sl_real;
#endif

/* A run of numbers that the caller owns. */
typedef struct
{
  sl_real      *data; /* (n) */
  unsigned long n;
} SlSpan;
