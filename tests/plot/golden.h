/* SPDX-License-Identifier: MIT
 *
 * Texts against files of tests/golden/figures.  */
#pragma once

/* The test fails where a text differs from the file in more than the last digit of a number.  Of many lines
 * that differ in numbers alone the file has the first few and sums.  With SLUICE_RENEW set the file is
 * written instead.  */
void golden_compare (const char *name, const char *text);

/* The same for a text that has to be the same to the letter. */
void golden_compare_exactly (const char *name, const char *text);
