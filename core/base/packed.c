/* SPDX-License-Identifier: MIT */
#include "core/base/packed.h"

#include <stdlib.h>
#include <string.h>

struct SlPacked
{
  unsigned n;      /* numbers */
  double   each[]; /* of each value that differs: its parameter, how many elements, these */
};

/* The value behind the one at `at`. */
static unsigned
next (const SlPacked *packed, unsigned at)
{
  return at + 2 + (unsigned) packed->each[at + 1];
}

static SlValue
usual (const SlParam *param)
{
  SlValue value = { .n = 1, .v = { param->fallback } };

  if (param->kind == SL_LIST)
    (void) sl_param_parse (param, param->list, &value);
  return value;
}

SlPacked *
sl_settings_pack (const SlSettings *settings, const SlParam *params, unsigned n_params)
{
  double    each[SL_PARAMS_MAX * (SL_LIST_MAX + 2)];
  unsigned  n = 0;
  SlPacked *packed;

  for (unsigned p = 0; p < n_params; p++)
    {
      const SlValue *value = &settings->value[p];
      SlValue        before = usual (&params[p]);

      if (sl_value_same (value, &before))
        continue;
      each[n++] = p;
      each[n++] = value->n;
      memcpy (each + n, value->v, value->n * sizeof *each);
      n += value->n;
    }
  packed = malloc (sizeof *packed + n * sizeof *each);
  if (packed == NULL)
    return NULL;
  packed->n = n;
  memcpy (packed->each, each, n * sizeof *each);
  return packed;
}

SlPacked *
sl_packed_copy (const SlPacked *packed)
{
  size_t    size = packed != NULL ? sizeof *packed + packed->n * sizeof *packed->each : 0;
  SlPacked *copy = size > 0 ? malloc (size) : NULL;

  if (copy != NULL)
    memcpy (copy, packed, size);
  return copy;
}

/* What stands at a place. */
static SlValue
read_value (const SlPacked *packed, unsigned at)
{
  SlValue value = { .n = (unsigned) packed->each[at + 1] };

  memcpy (value.v, packed->each + at + 2, value.n * sizeof *value.v);
  return value;
}

SlValue
sl_packed_value (const SlPacked *packed, const SlParam *params, unsigned param)
{
  for (unsigned at = 0; packed != NULL && at < packed->n; at = next (packed, at))
    if ((unsigned) packed->each[at] == param)
      return read_value (packed, at);
  return usual (&params[param]);
}

void
sl_settings_unpack (const SlPacked *packed, const SlParam *params, unsigned n_params,
                    SlSettings *settings)
{
  memset (settings, 0, sizeof *settings);
  for (unsigned p = 0; p < n_params; p++)
    settings->value[p] = sl_packed_value (packed, params, p);
}

void
sl_packed_mark (const SlPacked *packed, bool differs[SL_PARAMS_MAX])
{
  for (unsigned at = 0; packed != NULL && at < packed->n; at = next (packed, at))
    differs[(unsigned) packed->each[at]] = true;
}
