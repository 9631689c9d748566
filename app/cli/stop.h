/* SPDX-License-Identifier: MIT
 *
 * Ctrl+C, SIGTERM and SIGHUP (a terminal that closes) as a question to be asked between two steps.  */
#pragma once

#include <stdbool.h>

/* From now on the first of each signal is only noted; the second ends the program at once.  A
 * SIGHUP that is ignored, as nohup does, stays so.  */
void sl_stop_watch (void);

bool sl_stop_asked (void);

/* True for a signal other than Ctrl+C: its sender does not wait for long. */
bool sl_stop_hurries (void);
