/* SPDX-License-Identifier: MIT
 *
 * See duration.h.  */
#include "app/cli/duration.h"

#include <glib.h>
#include <glib/gi18n.h>
#include <math.h>

char *
sl_duration_words (double seconds)
{
  double step = seconds < 20 ? 1 : seconds < 600 ? 5 : 60;
  gint64 s = (gint64) (MAX (1, ceil (seconds / step)) * step);

  if (!(seconds >= 0 && seconds < 1e9))
    return g_strdup (_ ("unknown time"));
  if (s < 60)
    return g_strdup_printf (_ ("%d s"), (int) s);
  if (s < 600)
    return g_strdup_printf (_ ("%d min %d s"), (int) (s / 60), (int) (s % 60));
  if (s < 3600)
    return g_strdup_printf (_ ("%d min"), (int) (s / 60));
  return g_strdup_printf (_ ("%d h %d min"), (int) (s / 3600), (int) (s / 60 % 60));
}
