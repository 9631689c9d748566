/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400, EXPONENT_MAX = 100000, DIGITS_MAX = 18, POWERS = 22 };

bool
sl_numbers_init (SlNumbers *numbers, char point)
{
  numbers->point = point;
  numbers->c_locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  return numbers->c_locale != (locale_t) 0;
}

void
sl_numbers_clear (SlNumbers *numbers)
{
  if (numbers->c_locale != (locale_t) 0)
    freelocale (numbers->c_locale);
  numbers->c_locale = (locale_t) 0;
}

static inline bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* Not-a-number beyond LONGEST bytes. */
static double
read_long (const SlNumbers *numbers, const char *text, size_t n)
{
  char copy[LONGEST + 1], *point;

  if (n > LONGEST)
    return NAN;
  memcpy (copy, text, n);
  copy[n] = '\0';
  point = strchr (copy, numbers->point);
  if (point != NULL)
    *point = '.';
  return strtod_l (copy, NULL, numbers->c_locale);
}

/* "e-05": moves *exponent; NULL where no digit follows. */
static const char *
read_exponent (const char *at, int *exponent)
{
  bool        minus = at[1] == '-';
  const char *from = at + 1 + (at[1] == '-' || at[1] == '+');
  int         e = 0;

  for (at = from; is_digit (*at); at++)
    e = e < EXPONENT_MAX ? 10 * e + (*at - '0') : e;
  *exponent += minus ? -e : e;
  return at > from ? at : NULL;
}

/* Digits and ten to the power are exact, so that one rounding is left (Clinger 1990), several times faster than
 * strtod(); or strtod() where they are not.  */
static double
assemble (const SlNumbers *numbers, const char *text, size_t n, uint64_t digits, unsigned count,
          int exponent)
{
  static const double tens[POWERS + 1]
    = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  double value = (double) digits;

  if (count > DIGITS_MAX || digits > (uint64_t) 1 << 53 || exponent > POWERS || exponent < -POWERS)
    return read_long (numbers, text, n);
  value = exponent < 0 ? value / tens[-exponent] : value * tens[exponent];
  return *text == '-' ? -value : value;
}

const char *
sl_number_read (const SlNumbers *numbers, const char *text, SlNumber *number)
{
  const char *at = text + (*text == '-' || *text == '+');
  uint64_t    digits = 0;
  unsigned    count = 0, all = 0;
  int         exponent = 0;
  bool        point = false, minus = *text == '-', power = false;

  number->kind = SL_NUMBER_NONE;
  for (;; at++)
    if (is_digit (*at))
      {
        all++;
        count += count > 0 || *at != '0';
        digits = count <= DIGITS_MAX ? 10 * digits + (uint64_t) (*at - '0') : digits;
        exponent -= point;
      }
    else if (*at == numbers->point && !point)
      point = true;
    else
      break;
  if (all == 0)
    return NULL;
  if (*at == 'e' || *at == 'E')
    {
      const char *behind = read_exponent (at, &exponent);

      if (behind == NULL)
        return NULL;
      power = true;
      at = behind;
    }
  if (!point && !power && count <= DIGITS_MAX && (digits > 0 || !minus))
    {
      number->kind = SL_NUMBER_WHOLE;
      number->whole = minus ? -(int64_t) digits : (int64_t) digits;
      number->real = (double) number->whole;
      return at;
    }
  number->kind = SL_NUMBER_REAL;
  number->real = assemble (numbers, text, (size_t) (at - text), digits, count, exponent);
  if (isnan (number->real))
    number->kind = SL_NUMBER_NONE;
  return isnan (number->real) ? NULL : at;
}

void
sl_number_show (double number, char text[SL_NUMBER_TEXT])
{
  for (int digits = 15; digits <= 17; digits++)
    {
      char *point;

      snprintf (text, SL_NUMBER_TEXT, "%.*g", digits, number);
      if (strtod (text, NULL) == number || digits == 17)
        {
          /* Of a language with another sign. */
          point = text + strcspn (text, ",");
          if (*point != '\0')
            *point = '.';
          return;
        }
    }
}
