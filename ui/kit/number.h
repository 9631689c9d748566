/* SPDX-License-Identifier: MIT
 *
 * Counts as text.  */
#pragma once

#include <glib.h>

/* Whole numbers in groups of three with narrow spaces, so that a large step can be read aloud:
 * "94 902".  Free with g_free().  */
char *sl_grouped (guint64 number);
