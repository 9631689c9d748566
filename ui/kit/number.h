/* SPDX-License-Identifier: MIT
 *
 * Counts and times as text.  */
#pragma once

#include <glib.h>

/* Whole numbers in groups of three with narrow spaces, so that a large step can be read aloud:
 * "94 902".  Free with g_free().  */
char *sl_grouped (guint64 number);

/* "40 s", "1 min 40 s", "2 h 5 min"; at least a second.  Free with g_free().  */
char *sl_span_text (double seconds);
