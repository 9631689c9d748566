/* SPDX-License-Identifier: MIT
 *
 * Ctrl+C and SIGTERM as a question to be asked between two steps.  */
#pragma once

#include <stdbool.h>

/* From now on the first of either is only noted; the second ends the program at once. */
void sl_stop_watch (void);

bool sl_stop_asked (void);

/* It was SIGTERM: whoever sends that does not wait for long. */
bool sl_stop_hurries (void);
