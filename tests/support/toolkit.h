/* SPDX-License-Identifier: MIT
 *
 * Parsed once for all files of ui/ where Meson's option b_pch is on, as in the folders of ./bootstrap test: the toolkit's
 * headers are more than half of what such a file takes to compile.  Off elsewhere, so files include what they use, and
 * tools that read the commands of the compiler need not know it.  */
#include <adwaita.h>
