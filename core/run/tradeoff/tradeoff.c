/* SPDX-License-Identifier: MIT
 *
 * See tradeoff.h.  */
#include "core/run/tradeoff/tradeoff.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static bool
is_varied (const SlLab *lab, const SlPacked *const *settings, unsigned n, unsigned param)
{
  SlValue first = sl_packed_value (settings[0], lab->params, param);

  for (unsigned i = 1; i < n; i++)
    {
      SlValue other = sl_packed_value (settings[i], lab->params, param);

      if (!sl_value_same (&first, &other))
        return true;
    }
  return false;
}

unsigned
sl_tradeoff_varied (const SlLab *lab, const SlPacked *const *settings, unsigned n,
                    unsigned varied[SL_PARAMS_MAX])
{
  bool     may[SL_PARAMS_MAX] = { false };
  unsigned found = 0;

  for (unsigned i = 0; i < n; i++)
    sl_packed_mark (settings[i], may);
  for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
    if (may[p] && is_varied (lab, settings, n, p))
      varied[found++] = p;
  return found;
}

char *
sl_tradeoff_text (const SlLab *lab, const SlPacked *settings, const unsigned *varied,
                  unsigned n_varied, bool names)
{
  GString *text = g_string_new (NULL);
  char     value[512];

  for (unsigned i = 0; i < n_varied; i++)
    {
      const SlParam *param = &lab->params[varied[i]];
      SlValue        set = sl_packed_value (settings, lab->params, varied[i]);

      g_string_append_printf (text, "%s%s%s%s", i > 0 ? ", " : "", names ? param->id : "",
                              names ? " " : "", sl_param_format (param, &set, value, sizeof value));
    }
  return g_string_free (text, FALSE);
}

/* By rising cost; settings without both numbers come last. */
static int
by_cost (const void *a, const void *b)
{
  const SlTradeoff *p = *(SlTradeoff *const *) a, *q = *(SlTradeoff *const *) b;
  bool              p_whole = isfinite (p->cost) && isfinite (p->error);
  bool              q_whole = isfinite (q->cost) && isfinite (q->error);

  if (p_whole != q_whole)
    return q_whole ? 1 : -1;
  if (p_whole && p->cost != q->cost)
    return p->cost > q->cost ? 1 : -1;
  if (p_whole && p->error != q->error)
    return p->error > q->error ? 1 : -1;
  /* Whatever the sort does with equals, the same order each time. */
  return (p > q) - (p < q);
}

/* How far a point is below the line between the ends of the front; 1 at the corner. */
static double
gain (const SlTradeoff *point, const SlTradeoff *cheap, const SlTradeoff *good)
{
  return 1.0 - (point->cost - cheap->cost) / (good->cost - cheap->cost)
         - (point->error - good->error) / (cheap->error - good->error);
}

static void
find_knee (SlTradeoff *setting, unsigned n)
{
  const SlTradeoff *cheap = NULL, *good = NULL;
  SlTradeoff       *knee = NULL;
  double            most = 1e-9; /* rounding makes no knee of a straight line */

  for (unsigned i = 0; i < n; i++)
    {
      if (setting[i].best && (cheap == NULL || setting[i].cost < cheap->cost))
        cheap = &setting[i];
      if (setting[i].best && (good == NULL || setting[i].error < good->error))
        good = &setting[i];
    }
  for (unsigned i = 0; i < n; i++)
    if (setting[i].best && gain (&setting[i], cheap, good) > most)
      {
        most = gain (&setting[i], cheap, good);
        knee = &setting[i];
      }
  if (knee != NULL)
    knee->knee = true;
}

void
sl_tradeoff_front (SlTradeoff *setting, unsigned n, unsigned *order)
{
  g_autofree SlTradeoff **sorted = g_new (SlTradeoff *, MAX (n, 1));
  const SlTradeoff       *last = NULL;

  for (unsigned i = 0; i < n; i++)
    sorted[i] = &setting[i];
  qsort (sorted, n, sizeof *sorted, by_cost);
  for (unsigned i = 0; i < n; i++)
    {
      SlTradeoff *at = sorted[i];

      /* Twins both are on the front. */
      at->best = isfinite (at->cost) && isfinite (at->error)
                 && (last == NULL || at->error < last->error
                     || (at->cost == last->cost && at->error == last->error));
      at->knee = false;
      if (at->best)
        last = at;
      if (order != NULL)
        order[i] = (unsigned) (at - setting);
    }
  find_knee (setting, n);
}
