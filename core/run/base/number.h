/* SPDX-License-Identifier: MIT
 *
 * Numbers in files: always in the C locale, with as many digits as bring back the same
 * double.  */
#pragma once

#include <glib.h>
#include <stdint.h>

enum { SL_NUMBER_SIZE = 32 };

/* The number as text: 15 digits where they are enough, else 17.  Also "nan", "inf" and
 * "-inf".  Returns `text`.  */
const char *sl_number_format (double value, char text[SL_NUMBER_SIZE]);

/* Appends a number to JSON text.  Not-a-number is null; an infinity is a literal too large
 * for a double, which readers take for one.  */
void sl_json_number (GString *json, double value);

/* Appends a quoted string. */
void sl_json_string (GString *json, const char *text);
