/* SPDX-License-Identifier: MIT
 *
 * Student's t distribution, for intervals of means and tests of their differences.  */
#pragma once

/* The chance that a value of this distribution lies above `t`; any degrees of freedom above 0, whole or not.
 * Not-a-number for other arguments.  Correct to about twelve digits.  */
double sl_student_above (double t, double freedom);

/* The t below which this share of the distribution lies, between 0 and 1.  Not-a-number for other arguments.
 * Correct to about ten digits.  */
double sl_student_quantile (double share, double freedom);
