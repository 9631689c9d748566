/* SPDX-License-Identifier: MIT */
#include "plot/base/tint.h"

#include <math.h>

#define BEND 0.6

SlTint
sl_tint_new (double lo, double hi, double centre, bool logarithmic)
{
  return (SlTint) { .scale = sl_scale_new (lo, hi, logarithmic), .centre = centre };
}

SlRgba
sl_tint_at (const SlTheme *theme, const SlTint *tint, double position)
{
  double neutral = sl_scale_map (&tint->scale, tint->centre);

  if (neutral > 0.0 && neutral < 1.0)
    {
      double away = (position - neutral) / (position < neutral ? neutral : 1.0 - neutral);

      /* Ratios: a little more or less than neutral is seen, and the ends are still apart. */
      if (tint->scale.logarithmic)
        away = copysign (pow (fabs (away), BEND), away);
      return sl_map_diverging (theme, away);
    }
  return sl_map_sequential (theme, position);
}

SlRgba
sl_tint_colour (const SlTheme *theme, const SlTint *tint, double value)
{
  if (!isfinite (value))
    return sl_mix (theme->alarm, theme->plot, 0.5);
  return sl_tint_at (theme, tint, sl_scale_map (&tint->scale, value));
}

double
sl_hatch_pitch (const SlTheme *theme)
{
  return 0.5 * theme->type;
}

double
sl_hatch_width (const SlTheme *theme)
{
  return 0.1 * theme->type;
}

SlRgba
sl_hatch_ink (SlRgba under)
{
  return sl_mix (under, sl_ink_on (under), 0.7);
}
