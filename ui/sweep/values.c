/* SPDX-License-Identifier: MIT */
#include "ui/sweep/values.h"

#include <glib.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 3, STEPS = 5 };

/* The parameter that the lab's first suggested sweep varies, or -1. */
static int
suggested_param (const SlLab *lab)
{
  const char *axes = lab->sweeps != NULL ? lab->sweeps[0].axes : NULL;

  for (unsigned p = 0; axes != NULL && p < lab->n_params; p++)
    {
      size_t n = strlen (lab->params[p].id);

      if (strncmp (axes, lab->params[p].id, n) == 0 && axes[n] == '=')
        return (int) p;
    }
  return -1;
}

int
sl_sweep_first_param (const SlLab *lab, const SlSettings *settings)
{
  static const SlHeadline headlines[]
    = { SL_HEADLINE_RANK, SL_HEADLINE_ACTIVE, SL_HEADLINE_SPARSITY };

  for (unsigned r = 0; r < G_N_ELEMENTS (headlines); r++)
    for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
      if (lab->params[p].headline == headlines[r]
          && sl_param_matters (settings, lab->params, lab->n_params, p))
        return (int) p;
  if (suggested_param (lab) >= 0)
    return suggested_param (lab);
  for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
    if (lab->params[p].effect == SL_LIVE
        && sl_param_matters (settings, lab->params, lab->n_params, p))
      return (int) p;
  return sl_lab_n_settings (lab) > 0 ? 0 : -1;
}

static void
add (GString *out, double value)
{
  char text[48];

  g_ascii_formatd (text, sizeof text, "%.3g", value);
  g_string_append_printf (out, "%s%s", out->len > 0 ? "," : "", text);
}

/* Appends values around the present one: halved a few times and doubled once, because cheap
 * settings are of interest.  */
static void
add_around (GString *out, const SlParam *param, double now, bool whole)
{
  double before = NAN;

  for (int k = -HALVINGS; k <= 1; k++)
    {
      double value = CLAMP (now * exp2 (k), param->lo, param->hi);

      value = whole ? rint (value) : value;
      if (value != before)
        add (out, value);
      before = value;
    }
}

char *
sl_sweep_values (const SlParam *param, const SlValue *now)
{
  GString *out = g_string_new (NULL);

  switch (param->kind)
    {
    case SL_CHOICE:
      for (unsigned i = 0; i < sl_param_offers (param); i++)
        g_string_append_printf (out, "%s%s", i > 0 ? "," : "", param->choices[i].id);
      break;
    case SL_BOOLEAN: g_string_append (out, "no,yes"); break;
    case SL_LIST:
    case SL_INTEGER:
    case SL_REAL:
      if (sl_param_is_whole (param))
        add_around (out, param, MAX (now->v[0], 1.0), true);
      else if (param->logarithmic && now->v[0] > 0.0)
        add_around (out, param, now->v[0], false);
      else
        for (int i = 0; i < STEPS; i++)
          add (out, param->lo + (param->hi - param->lo) * i / (STEPS - 1));
      break;
    }
  return g_string_free (out, FALSE);
}

char *
sl_sweep_values_range (const SlParam *param, char *values)
{
  g_auto (GStrv) value = g_strsplit (values, ",", -1);
  unsigned least = 0, most = 0, n = g_strv_length (value);

  if ((param->kind != SL_INTEGER && param->kind != SL_REAL) || n < 2)
    return values;
  for (unsigned i = 1; i < n; i++)
    {
      if (g_ascii_strtod (value[i], NULL) < g_ascii_strtod (value[least], NULL))
        least = i;
      if (g_ascii_strtod (value[i], NULL) > g_ascii_strtod (value[most], NULL))
        most = i;
    }
  g_free (values);
  return g_strdup_printf ("%s:%s", value[least], value[most]);
}
