/* SPDX-License-Identifier: MIT
 *
 * Ranges, round ticks and their labels; see scale.h.  Tick values are made from whole numbers
 * and powers of ten, so that 0.3 is the double nearest to 0.3.  */
#include "plot/base/scale.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MINUS "\342\210\222"

static const double mantissas[] = { 1.0, 2.0, 5.0, 10.0 };

/* The smallest of 1, 2, 5, 10 … × a power of ten that is at least `x`, as a mantissa and
 * exponent, so that its multiples can be made exactly.  */
static void
round_up (double x, double *mantissa, int *exponent)
{
  double fraction;

  *exponent = (int) floor (log10 (x));
  fraction = x / pow (10.0, *exponent);
  *mantissa = 10.0;
  for (unsigned i = 0; i < G_N_ELEMENTS (mantissas); i++)
    if (fraction <= mantissas[i] * (1.0 + 1e-9))
      {
        *mantissa = mantissas[i];
        break;
      }
  if (*mantissa >= 10.0)
    {
      *mantissa = 1.0;
      (*exponent)++;
    }
}

/* k × mantissa × 10^exponent, correctly rounded for the exponents that matter. */
static double
multiple (double k, double mantissa, int exponent)
{
  return exponent < 0 ? k * mantissa / pow (10.0, -exponent) : k * mantissa * pow (10.0, exponent);
}

SlScale
sl_scale_new (double lo, double hi, bool logarithmic)
{
  SlScale scale = { .logarithmic = logarithmic };
  double  swap;

  if (!isfinite (lo))
    lo = hi;
  if (!isfinite (hi))
    hi = lo;
  if (!isfinite (lo) || (logarithmic && !(MAX (lo, hi) > 0.0)))
    {
      scale.lo = logarithmic ? 1.0 : 0.0;
      scale.hi = logarithmic ? 10.0 : 1.0;
      return scale;
    }
  if (lo > hi)
    {
      swap = lo;
      lo = hi;
      hi = swap;
    }
  lo = CLAMP (lo, -1e300, 1e300);
  hi = CLAMP (hi, -1e300, 1e300);
  if (logarithmic)
    {
      hi = MAX (hi, 1e-300);
      if (!(lo > 0.0) || lo < hi * 1e-30)
        lo = hi * 1e-6;
      if (!(hi > lo * (1.0 + 1e-9)))
        {
          lo /= 2.0;
          hi *= 2.0;
        }
    }
  else if (!(hi - lo > 1e-10 * MAX (fabs (lo), fabs (hi))) || hi - lo < 1e-290)
    {
      double pad = MAX (fabs (lo), fabs (hi)) * 0.1;

      if (!(pad > 1e-280))
        pad = 1.0;
      lo -= pad;
      hi += pad;
    }
  scale.lo = lo;
  scale.hi = hi;
  return scale;
}

void
sl_scale_widen (SlScale *scale, unsigned ticks)
{
  double mantissa;
  int    exponent;

  ticks = MAX (ticks, 1);
  if (scale->logarithmic)
    {
      double low = pow (10.0, floor (log10 (scale->lo) + 1e-9));
      double lo = low;

      for (unsigned i = 0; i < G_N_ELEMENTS (mantissas); i++)
        if (low * mantissas[i] <= scale->lo * (1.0 + 1e-9))
          lo = low * mantissas[i];
      round_up (scale->hi, &mantissa, &exponent);
      scale->lo = MIN (lo, scale->lo);
      scale->hi = MAX (multiple (1.0, mantissa, exponent), scale->hi);
      return;
    }
  round_up ((scale->hi - scale->lo) / ticks, &mantissa, &exponent);
  {
    double step = multiple (1.0, mantissa, exponent);
    double first = floor (scale->lo / step + 1e-9);
    double last = ceil (scale->hi / step - 1e-9);

    scale->lo = MIN (multiple (first, mantissa, exponent), scale->lo);
    scale->hi = MAX (multiple (last, mantissa, exponent), scale->hi);
  }
}

double
sl_scale_least (const SlScale *scale)
{
  return scale->foot > 0.0 ? 0.0 : scale->lo;
}

double
sl_scale_map (const SlScale *scale, double value)
{
  if (!scale->logarithmic)
    return (value - scale->lo) / (scale->hi - scale->lo);
  if (scale->foot > 0.0 && value >= 0.0 && value < scale->lo)
    return scale->foot * value / scale->lo;
  if (value <= 0.0)
    return -HUGE_VAL;
  return scale->foot
         + (1.0 - scale->foot) * (log10 (value) - log10 (scale->lo))
             / (log10 (scale->hi) - log10 (scale->lo));
}

double
sl_scale_unmap (const SlScale *scale, double position)
{
  if (!scale->logarithmic)
    return scale->lo + position * (scale->hi - scale->lo);
  if (position >= 0.0 && position < scale->foot)
    return scale->lo * position / scale->foot;
  position = (position - scale->foot) / (1.0 - scale->foot);
  return pow (10.0, log10 (scale->lo) + position * (log10 (scale->hi) - log10 (scale->lo)));
}

/* `value` with this many decimals and a real minus sign, never "-0". */
static void
fixed (double value, int decimals, char *text, size_t size)
{
  char        format[16], digits[64];
  const char *p = digits;

  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 20));
  g_ascii_formatd (digits, sizeof digits, format, value);
  if (*p == '-')
    p++;
  g_snprintf (text, size, "%s%s", p != digits && strpbrk (p, "123456789") != NULL ? MINUS : "", p);
}

static void
append_power (char *text, size_t size, int exponent)
{
  static const char *const raised[]
    = { "\342\201\260", "\302\271",     "\302\262",     "\302\263",     "\342\201\264",
        "\342\201\265", "\342\201\266", "\342\201\267", "\342\201\270", "\342\201\271" };
  char digits[16];

  g_strlcat (text, "10", size);
  g_snprintf (digits, sizeof digits, "%d", exponent);
  for (const char *p = digits; *p != '\0'; p++)
    g_strlcat (text, *p == '-' ? "\342\201\273" : raised[*p - '0'], size);
}

static const struct
{
  double      unit;
  const char *suffix;
} prefixes[]
  = { { 1e12, "\302\240T" }, { 1e9, "\302\240G" }, { 1e6, "\302\240M" }, { 1e3, "\302\240k" } };

/* Decimals needed to write multiples of mantissa × 10^exponent (mantissa 1, 2, 5). */
static int
decimals_of (int exponent)
{
  return MAX (0, -exponent);
}

static void
label_linear (SlTick *ticks, unsigned n, int exponent)
{
  double      largest = 0.0, unit = 1.0;
  const char *suffix = "";
  bool        powers;

  for (unsigned i = 0; i < n; i++)
    largest = MAX (largest, fabs (ticks[i].value));
  powers = largest >= 1e15 || largest < 1e-3;
  if (largest >= 1e4)
    for (unsigned i = 0; i < G_N_ELEMENTS (prefixes); i++)
      if (prefixes[i].unit <= largest
          && decimals_of (exponent - (int) lround (log10 (prefixes[i].unit))) <= 1)
        {
          unit = prefixes[i].unit;
          suffix = prefixes[i].suffix;
          break;
        }
  for (unsigned i = 0; i < n; i++)
    {
      char *label = ticks[i].label;

      if (ticks[i].value == 0.0)
        g_strlcpy (label, "0", SL_TICK_LABEL);
      else if (powers)
        {
          int top = (int) floor (log10 (largest) + 1e-9);

          fixed (ticks[i].value / pow (10.0, top), decimals_of (exponent - top), label,
                 SL_TICK_LABEL);
          g_strlcat (label, "\303\227", SL_TICK_LABEL);
          append_power (label, SL_TICK_LABEL, top);
        }
      else
        {
          fixed (ticks[i].value / unit, decimals_of (exponent - (int) lround (log10 (unit))), label,
                 SL_TICK_LABEL);
          g_strlcat (label, suffix, SL_TICK_LABEL);
        }
    }
}

static unsigned
ticks_linear (const SlScale *scale, unsigned wanted, bool integers, SlTick ticks[SL_TICKS_MAX])
{
  double   span = scale->hi - scale->lo, mantissa, first, last;
  int      exponent;
  unsigned n = 0;

  round_up (span / MAX (wanted, 1), &mantissa, &exponent);
  if (integers && exponent < 0)
    {
      mantissa = 1.0;
      exponent = 0;
    }
  for (;;)
    {
      double step = multiple (1.0, mantissa, exponent);

      first = ceil (scale->lo / step - 1e-9);
      last = floor (scale->hi / step + 1e-9);
      if (last - first >= 1.0 || wanted < 2 || (integers && exponent <= 0 && mantissa == 1.0))
        break;
      /* Fewer than two round values fit: take the next finer step. */
      if (mantissa == 1.0)
        {
          mantissa = 5.0;
          exponent--;
        }
      else
        mantissa = mantissa == 5.0 ? 2.0 : 1.0;
    }
  for (double k = first; k <= last && n < SL_TICKS_MAX; k += 1.0)
    ticks[n++] = (SlTick) { .value = multiple (k, mantissa, exponent) };
  label_linear (ticks, n, exponent);
  return n;
}

static void
label_decade (SlTick *tick, bool powers, bool alone)
{
  int    exponent = (int) floor (log10 (tick->value) + 1e-9);
  double mantissa = tick->value / pow (10.0, exponent);

  if (!powers || (exponent == 0 && mantissa < 1.5))
    sl_number_text (tick->value, alone ? 1 : 2, tick->label, sizeof tick->label);
  else
    {
      tick->label[0] = '\0';
      if (mantissa > 1.5)
        {
          fixed (mantissa, 0, tick->label, sizeof tick->label);
          g_strlcat (tick->label, "\303\227", sizeof tick->label);
        }
      append_power (tick->label, sizeof tick->label, exponent);
    }
}

static unsigned
ticks_decades (const SlScale *scale, unsigned wanted, bool integers, SlTick ticks[SL_TICKS_MAX])
{
  int      first = (int) floor (log10 (scale->lo) + 1e-9);
  int      last = (int) ceil (log10 (scale->hi) - 1e-9);
  int      inside = 0, lowest = last, stride, phase;
  bool     powers, fine;
  unsigned n = 0, labels = 0;

  for (int e = first; e <= last; e++)
    {
      double value = pow (10.0, e);

      if (value < scale->lo * (1.0 - 1e-9) || value > scale->hi * (1.0 + 1e-9))
        continue;
      lowest = MIN (lowest, e);
      inside++;
    }
  stride = MAX (1, (inside + (int) MAX (wanted, 1) - 1) / (int) MAX (wanted, 1));
  /* Multiples of the stride, as they stay where they are when the range grows, unless fewer than two would be in it. */
  phase = inside >= 2 * stride ? 0 : lowest;
  fine = inside < 2 || 3 * inside <= (int) wanted + 1;
  powers = scale->lo < 0.9e-3 || scale->hi > 1.1e12;

  for (int e = first; e <= last && n < SL_TICKS_MAX; e++)
    for (int m = 1; m < 10 && n < SL_TICKS_MAX; m++)
      {
        double value = multiple (1.0, m, e);
        bool   labelled = m == 1 ? (e - phase) % stride == 0 : fine && (m == 2 || m == 5);

        if (!(value >= scale->lo * (1.0 - 1e-9) && value <= scale->hi * (1.0 + 1e-9)))
          continue;
        if (integers && value < 1.0)
          continue;
        if (m > 1 && !labelled && (stride > 1 || inside > 6))
          continue;
        ticks[n] = (SlTick) { .value = value, .minor = !labelled };
        if (labelled)
          {
            label_decade (&ticks[n], powers, !fine);
            labels++;
          }
        n++;
      }
  return labels >= 2 || wanted < 2 ? n : 0;
}

unsigned
sl_scale_ticks (const SlScale *scale, unsigned wanted, bool integers, SlTick ticks[SL_TICKS_MAX])
{
  unsigned n = 0;

  wanted = MIN (wanted, SL_TICKS_MAX / 4);
  if (scale->logarithmic)
    n = ticks_decades (scale, wanted, integers, ticks);
  if (n == 0)
    n = ticks_linear (scale, wanted, integers, ticks);
  if (scale->foot > 0.0)
    {
      n = MIN (n, SL_TICKS_MAX - 1);
      memmove (ticks + 1, ticks, n * sizeof *ticks);
      ticks[0] = (SlTick) { .value = 0.0, .label = "0" };
      n++;
    }
  return n;
}

/* What is left of a magnitude when it is written with so many digits, or all of those before the point. */
static double
written (double magnitude, int digits)
{
  int  whole = magnitude < 1e4 ? (int) floor (log10 (magnitude)) + 1 : 0;
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE];

  g_snprintf (format, sizeof format, "%%.%de", MAX (digits, whole) - 1);
  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, magnitude), NULL);
}

const char *
sl_number_text (double value, int digits, char *text, size_t size)
{
  double      magnitude = fabs (value), unit = 1.0;
  const char *suffix = "";
  int         exponent, decimals;
  bool        power;
  char       *end;

  if (isnan (value))
    {
      g_strlcpy (text, "not a number", size);
      return text;
    }
  if (isinf (value))
    {
      g_strlcpy (text, value < 0 ? MINUS "\342\210\236" : "\342\210\236", size);
      return text;
    }
  digits = CLAMP (digits, 1, 17);
  if (magnitude == 0.0)
    {
      g_strlcpy (text, "0", size);
      return text;
    }
  magnitude = written (magnitude, digits);
  if (magnitude >= 1e4 && magnitude < 1e15)
    for (unsigned i = 0; i < G_N_ELEMENTS (prefixes); i++)
      if (magnitude >= prefixes[i].unit * (1.0 - 1e-12))
        {
          unit = prefixes[i].unit;
          suffix = prefixes[i].suffix;
          break;
        }
  exponent = (int) floor (log10 (magnitude / unit) + 1e-12);
  power = magnitude >= 1e15 || magnitude < 1e-4;
  if (power)
    unit = pow (10.0, exponent);
  decimals = MAX (0, digits - 1 - (power ? 0 : exponent));
  fixed (value / unit, decimals, text, size);
  /* Zeros at the end of decimals say nothing. */
  if (strchr (text, '.') != NULL)
    {
      end = text + strlen (text);
      while (end[-1] == '0')
        *--end = '\0';
      if (end[-1] == '.')
        end[-1] = '\0';
    }
  if (*suffix != '\0')
    g_strlcat (text, suffix, size);
  else if (power)
    {
      g_strlcat (text, "\303\227", size);
      append_power (text, size, exponent);
    }
  return text;
}

/* With decimals as far as the digits of the spread that count. */
static const char *
with_spread (double value, double spread, int digits, int counted, char *text, size_t size)
{
  char   number[48];
  double magnitude = fmax (fabs (value), spread);
  int    decimals, most;

  if (!isfinite (value) || !(spread > 0.0) || isinf (spread) || magnitude >= 1e4
      || magnitude < 1e-3)
    return sl_number_text (value, digits, text, size);
  decimals = MAX (0, counted - 1 - (int) floor (log10 (spread) + 1e-12));
  most = MAX (0, digits - 1 - (int) floor (log10 (magnitude) + 1e-12));
  if (decimals > most)
    {
      decimals = most;
      if (spread < 0.5 * pow (10.0, -most))
        return sl_number_text (value, digits, text, size);
    }
  fixed (value, decimals, text, size);
  fixed (spread, decimals, number, sizeof number);
  g_strlcat (text, " \302\261 ", size);
  g_strlcat (text, number, size);
  return text;
}

const char *
sl_spread_text (double value, double spread, int digits, char *text, size_t size)
{
  return with_spread (value, spread, digits, 1, text, size);
}

const char *
sl_interval_text (double value, double half, int digits, char *text, size_t size)
{
  char   number[48];
  double largest = fmax (fabs (value), half);

  if (!isfinite (value) || !(half > 0.0) || isinf (half) || (largest < 1e4 && largest >= 1e-3))
    return with_spread (value, half, digits, 2, text, size);
  sl_number_text (value, digits, text, size);
  g_strlcat (text, " \302\261 ", size);
  g_strlcat (text, sl_number_text (half, 2, number, sizeof number), size);
  return text;
}

const char *
sl_percent_text (double percent, char *text, size_t size)
{
  if (percent >= 999.5)
    g_strlcpy (text, "> 999", size);
  else if (percent >= 9.95)
    fixed (percent, 0, text, size);
  else
    sl_number_text (percent, 2, text, size);
  return text;
}
