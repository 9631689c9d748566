/* SPDX-License-Identifier: MIT
 *
 * OpenBLAS 0.3.21 does not know newer processors and takes AVX2 kernels where AVX-512
 * ones are twice as fast.  It reads OPENBLAS_CORETYPE only while it is being loaded, so the remedy
 * is to set it and start the program again.  */
#pragma once

#include <stdbool.h>

/* Call first in main().  If the processor and system have AVX-512 (F, DQ, BW, VL), the variable
 * is unset and the library chose a kernel without it: sets the variable and executes the same
 * program once more, which does not return.  Returns in every other case, also when that
 * fails.  */
void sl_cpu_choose_kernel (char **argv);

/* True when the processor has AVX-512 F, DQ, BW and VL and the system saves its registers. */
bool sl_cpu_has_avx512 (void);
