/* SPDX-License-Identifier: MIT
 *
 * Lengths of time in words, as the user reads and types them.  */
#pragma once

/* "40 s", "1 min 40 s", "3 h 5 min", rounded to what matters; free with g_free(). */
char *sl_duration_words (double seconds);
