/* SPDX-License-Identifier: MIT
 *
 * What other programs compute while something is timed here.  */
#pragma once

/* Processor seconds that all cores have computed until now but for those of this process and what it waited for to
 * end: differences say how many cores others use.  Not-a-number where the system does not tell.  */
double sl_busy_others (void);

/* The same with this process and what it waited for. */
double sl_busy_all (void);
