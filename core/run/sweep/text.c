/* SPDX-License-Identifier: MIT
 *
 * Axes, seeds and shards of a sweep as the user types them; see sweep.h.  */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/base/error.h"
#include "core/run/sweep/private.h"

/* Adds a value unless the axis has it.  False when it is full. */
static bool
add_value (SlSweepAxis *axis, const SlValue *value)
{
  for (unsigned i = 0; i < axis->n; i++)
    if (sl_value_same (&axis->value[i], value))
      return true;
  if (axis->n == SL_SWEEP_VALUES_MAX)
    return false;
  axis->value[axis->n++] = *value;
  return true;
}

static gboolean
too_many (const char *what, GError **error)
{
  char expected[64];

  g_snprintf (expected, sizeof expected, _ ("at most %d"), SL_SWEEP_VALUES_MAX);
  return sl_fail (error, SL_EINVAL, what, _ ("too many values"), expected);
}

static gboolean
add_text (const SlParam *param, const char *text, SlSweepAxis *axis, GError **error)
{
  SlValue  value = { 0 };
  SlStatus status = sl_param_parse (param, text, &value);

  if (!sl_status_good (&status, error))
    return FALSE;
  return add_value (axis, &value) || too_many (param->id, error);
}

/* The i-th of n values from lo to hi. */
static double
between (double lo, double hi, unsigned i, unsigned n, bool logarithmic)
{
  double share = n > 1 ? (double) i / (n - 1) : 0;

  return logarithmic ? lo * pow (hi / lo, share) : lo + (hi - lo) * share;
}

/* Reads "lo:hi:n" or "lo:hi:nlog". */
static gboolean
add_range (const SlParam *param, const char *text, SlSweepAxis *axis, GError **error)
{
  char   *end;
  double  lo, hi;
  guint64 n = 0;
  bool    logarithmic, good;

  lo = g_ascii_strtod (text, &end);
  good = end != text && *end == ':';
  text = end + 1;
  hi = good ? g_ascii_strtod (text, &end) : 0;
  good = good && end != text && *end == ':';
  text = end + 1;
  n = good && g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &end, 10) : 0;
  logarithmic = good && strcmp (end, "log") == 0;
  if (!good || n < 1 || (*end != '\0' && !logarithmic) || !isfinite (lo) || !isfinite (hi))
    return sl_fail (error, SL_EINVAL, param->id, _ ("a range that is not lo:hi:n"),
                    _ ("for example 1:64:7log"));
  if (param->kind == SL_CHOICE || param->kind == SL_BOOLEAN)
    return sl_fail (error, SL_EINVAL, param->id, _ ("a range"),
                    _ ("its values, with commas between"));
  if (n > SL_SWEEP_VALUES_MAX)
    return too_many (param->id, error);
  if (logarithmic && !(lo > 0 && hi > 0))
    return sl_fail (error, SL_EINVAL, param->id, _ ("a range at equal ratios that reaches 0"),
                    _ ("both ends above 0"));
  for (unsigned i = 0; i < n; i++)
    {
      double value = between (lo, hi, i, (unsigned) n, logarithmic);
      char   number[G_ASCII_DTOSTR_BUF_SIZE];

      /* Twelve digits make 0.3 of the third of ten tenths. */
      g_ascii_formatd (number, sizeof number, sl_param_is_whole (param) ? "%.0f" : "%.12g", value);
      if (!add_text (param, number, axis, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_list (const SlParam *param, const char *text, SlSweepAxis *axis, GError **error)
{
  g_auto (GStrv) values = g_strsplit (text, ",", -1);

  for (char **value = values; *value != NULL; value++)
    if (!add_text (param, *value, axis, error))
      return FALSE;
  return values[0] != NULL
         || sl_fail (error, SL_EINVAL, param->id, _ ("no value"), _ ("at least one"));
}

gboolean
sl_sweep_add_axis (SlSweep *sweep, const char *text, GError **error)
{
  const SlLab         *lab = sweep->lab;
  const char          *equals = strchr (text, '=');
  g_autofree char     *id = NULL;
  g_autofree SlChoice *choices = NULL;
  SlParam              param;
  SlSweepAxis          axis = { 0 };
  SlSettings           scratch = sweep->settings;
  unsigned             place = 0;
  gboolean             good;

  if (sweep->how != SL_SWEEP_GRID && equals == NULL && sl_sweep_axis_find (lab, text) >= 0)
    {
      g_autofree char *all = NULL, *whole = NULL;

      param = sl_sweep_axis_param (lab, (unsigned) sl_sweep_axis_find (lab, text), &choices);
      whole = sl_sweep_whole_range (&param);
      all = g_strconcat (text, "=", whole, NULL);
      return sl_sweep_add_axis (sweep, all, error);
    }
  if (equals == NULL || equals == text)
    return sl_fail (error, SL_EINVAL, text, _ ("no axis"),
                    _ ("ID=VALUES, for example rank=5,10,25"));
  id = g_strndup (text, (gsize) (equals - text));
  if (strcmp (id, "seed") == 0)
    return sl_fail (error, SL_EINVAL, id, _ ("no parameter"),
                    _ ("--seeds, for example --seeds 1-3"));
  if (sl_sweep_axis_find (lab, id) < 0)
    {
      if (sl_param_find (lab->params, lab->n_params, id) >= 0)
        return sl_fail (error, SL_EINVAL, id,
                        _ ("a setting of the view, which changes no training"),
                        _ ("a parameter, for example learning-rate"));

      /* The sentence of sl_settings_set() names the nearest parameter. */
      SlStatus status = sl_settings_set (&scratch, lab->params, lab->n_params, id, "");

      return sl_status_good (&status, error);
    }
  axis.param = (unsigned) sl_sweep_axis_find (lab, id);
  param = sl_sweep_axis_param (lab, axis.param, &choices);
  while (place < sweep->n_axes && sweep->axis[place].param != axis.param)
    place++;
  if (place == SL_SWEEP_AXES_MAX)
    return sl_fail (error, SL_EINVAL, id, _ ("too many axes"), _ ("at most 8"));
  axis.value = g_new (SlValue, SL_SWEEP_VALUES_MAX);
  if (strchr (equals, ':') == NULL)
    good = add_list (&param, equals + 1, &axis, error);
  else if (sweep->how == SL_SWEEP_GRID)
    good = add_range (&param, equals + 1, &axis, error);
  else
    good = sl_sweep_read_range (&param, equals + 1, &axis, error);
  if (!good)
    {
      g_free (axis.value);
      return FALSE;
    }
  axis.value = g_renew (SlValue, axis.value, axis.n);
  if (place < sweep->n_axes)
    g_free (sweep->axis[place].value);
  else
    sweep->n_axes++;
  sweep->axis[place] = axis;
  return TRUE;
}

char *
sl_sweep_axis_text (const SlSweep *sweep, unsigned axis)
{
  const SlSweepAxis   *a = &sweep->axis[axis];
  g_autofree SlChoice *choices = NULL;
  SlParam              param = sl_sweep_axis_param (sweep->lab, a->param, &choices);
  GString             *text = g_string_new (param.id);
  char                 value[512];

  for (unsigned i = 0; i < a->n; i++)
    g_string_append_printf (text, "%c%s",
                            i == 0     ? '='
                            : a->range ? ':'
                                       : ',',
                            sl_param_format (&param, &a->value[i], value, sizeof value));
  if (a->range)
    g_string_append (text, a->logarithmic ? ":log" : ":lin");
  return g_string_free (text, FALSE);
}

/* Reads digits and nothing else. */
static bool
read_seed (const char **text, uint64_t *seed)
{
  char *end;

  if (!g_ascii_isdigit (**text))
    return false;
  errno = 0;
  *seed = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return errno == 0;
}

gboolean
sl_sweep_add_data (SlSweep *sweep, const char *data, GError **error)
{
  for (unsigned i = 0; i < sl_sweep_n_data (sweep); i++)
    if (g_strcmp0 (sl_sweep_data (sweep, i), data) == 0)
      return TRUE;
  if (sl_sweep_n_data (sweep) == SL_SWEEP_VALUES_MAX)
    return too_many (_ ("data"), error);
  g_ptr_array_add (sweep->also, g_strdup (data));
  return TRUE;
}

static bool
add_seed (GArray *seeds, uint64_t seed)
{
  for (guint i = 0; i < seeds->len; i++)
    if (g_array_index (seeds, uint64_t, i) == seed)
      return true;
  if (seeds->len == SL_SWEEP_VALUES_MAX)
    return false;
  g_array_append_val (seeds, seed);
  return true;
}

gboolean
sl_sweep_set_seeds (SlSweep *sweep, const char *text, GError **error)
{
  g_autoptr (GArray) seeds = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  const char *at = text;

  for (;;)
    {
      uint64_t first, last;
      bool     good = read_seed (&at, &first);

      last = first;
      if (good && *at == '-')
        {
          at++;
          good = read_seed (&at, &last) && last >= first;
        }
      if (!good || (*at != ',' && *at != '\0'))
        return sl_fail (error, SL_EINVAL, "seeds", text, _ ("for example 1-5 or 1,2,10"));
      for (uint64_t seed = first;; seed++)
        {
          if (!add_seed (seeds, seed))
            return too_many (_ ("seeds"), error);
          if (seed == last)
            break;
        }
      if (*at == '\0')
        break;
      at++;
    }
  g_array_unref (sweep->seeds);
  sweep->seeds = g_steal_pointer (&seeds);
  return TRUE;
}

char *
sl_sweep_seeds_text (const SlSweep *sweep)
{
  GString *text = g_string_new (NULL);
  guint    n = sweep->seeds->len;

  for (guint i = 0; i < n;)
    {
      uint64_t first = g_array_index (sweep->seeds, uint64_t, i);
      guint    run = 1;

      while (i + run < n && g_array_index (sweep->seeds, uint64_t, i + run) == first + run)
        run++;
      g_string_append_printf (text, "%s%" PRIu64, i > 0 ? "," : "", first);
      if (run > 1)
        g_string_append_printf (text, "-%" PRIu64, first + run - 1);
      i += run;
    }
  return g_string_free (text, FALSE);
}

gboolean
sl_sweep_read_shard (const char *text, unsigned *shard, unsigned *shards, GError **error)
{
  unsigned i, n;
  char     rest;

  if (!g_ascii_isdigit (text[0]) || sscanf (text, "%6u/%6u%c", &i, &n, &rest) != 2 || i < 1
      || i > n)
    return sl_fail (error, SL_EINVAL, _ ("the shard"), text,
                    _ ("i/n with i from 1 to n, for example 2/3"));
  *shard = i;
  *shards = n;
  return TRUE;
}
