/* SPDX-License-Identifier: MIT
 *
 * Student's t distribution, for tests of a difference of two means.  */
#pragma once

/* The chance that a value of this distribution lies above `t`; any degrees of freedom above 0, whole or not.
 * Not-a-number for other arguments.  Correct to about twelve digits.  */
double sl_student_above (double t, double freedom);
