/* SPDX-License-Identifier: MIT
 *
 * Decimal numbers in text, whatever the language of the person.  */
#pragma once

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  locale_t c_locale;
  char     point; /* '.' or ',' */
} SlNumbers;

typedef enum {
  SL_NUMBER_NONE,
  SL_NUMBER_WHOLE, /* of at most 18 digits, without a point or exponent; never -0 */
  SL_NUMBER_REAL,  /* infinite beyond what a double holds */
} SlNumberKind;

typedef struct
{
  SlNumberKind kind;
  int64_t      whole;
  double       real;
} SlNumber;

/* False: no memory. */
bool sl_numbers_init (SlNumbers *numbers, char point);
void sl_numbers_clear (SlNumbers *numbers);

/* Reads the number at `text`, which a zero byte ends, correctly rounded.  Returns what is behind it; NULL, with
 * SL_NUMBER_NONE, where there is none.  */
const char *sl_number_read (const SlNumbers *numbers, const char *text, SlNumber *number);

enum { SL_NUMBER_TEXT = 32 };

/* The shortest text that is read as this number, with a point. */
void sl_number_show (double number, char text[SL_NUMBER_TEXT]);
