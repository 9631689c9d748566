/* SPDX-License-Identifier: MIT
 *
 * Parsed once for all files of plot/, as toolkit.h is for those of ui/.  */
#include <glib.h>
#include <pango/pangocairo.h>
