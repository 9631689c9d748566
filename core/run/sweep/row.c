/* SPDX-License-Identifier: MIT
 *
 * See sweep-row.h.  */
#include "core/run/sweep/row.h"

/* How many runs from the first on have its value. */
static unsigned
alike (const SlSettings *const *run, unsigned n, unsigned param)
{
  const SlValue *first = &run[0]->value[param];
  unsigned       same = 1;

  while (same < n && sl_value_same (&run[same]->value[param], first))
    same++;
  return same;
}

unsigned
sl_sweep_row (const SlLab *lab, const SlSettings *const *run, unsigned n)
{
  unsigned longest = 1;

  for (unsigned p = 0; p < lab->n_params && n > 0; p++)
    {
      unsigned same = alike (run, n, p);

      if (same < n && same > longest)
        longest = same;
    }
  return longest > 1 && n % longest == 0 ? longest : 0;
}
