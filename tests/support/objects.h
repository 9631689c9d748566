/* SPDX-License-Identifier: MIT
 *
 * Parsed once for all files of core/run, as toolkit.h is for those of ui/.  */
#include <gio/gio.h>
