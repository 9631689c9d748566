/* SPDX-License-Identifier: MIT
 *
 * See formula.h.  */
#include "core/run/lesson/formula.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/run/base/error.h"

enum { NAME_MAX_BYTES = 64, DEPTH_MAX = 16, DECIMALS_MAX = 9 };

typedef struct
{
  const char *formula, *at;
  unsigned    depth;
  SlNamed     named;
  gpointer    data;
  GError    **error;
} Reader;

static gboolean read_sum (Reader *r, double *value);

static gboolean
refuse (Reader *r, const char *found, const char *expected)
{
  char quoted[SL_UTF8_QUOTE];

  return sl_fail (r->error, SL_EFORMAT, sl_utf8_quote (r->formula, quoted), found, expected);
}

static void
skip_space (Reader *r)
{
  while (*r->at == ' ')
    r->at++;
}

static gboolean
is_of_name (char c)
{
  return g_ascii_islower (c) || g_ascii_isdigit (c) || c == '.' || c == '-';
}

/* Digits with a point and an exponent perhaps; no sign and nothing of the locale. */
static gboolean
read_number (Reader *r, double *value)
{
  char *end;

  *value = g_ascii_strtod (r->at, &end);
  if (end == r->at || !isfinite (*value))
    return refuse (r, _ ("a number that cannot be read"), NULL);
  r->at = end;
  return TRUE;
}

static gboolean
read_name (Reader *r, double *value)
{
  const char      *from = r->at;
  double           at = NAN;
  char             quoted[SL_UTF8_QUOTE];
  g_autofree char *name = NULL;

  while (is_of_name (*r->at))
    r->at++;
  if (r->at - from > NAME_MAX_BYTES)
    return refuse (r, _ ("a name that is too long"), NULL);
  name = g_strndup (from, (gsize) (r->at - from));
  if (*r->at == '@')
    {
      r->at++;
      if (!read_number (r, &at))
        return FALSE;
    }
  if (r->named (name, at, value, r->data))
    return TRUE;
  return refuse (r, sl_utf8_quote (name, quoted), _ ("the name of a value"));
}

static gboolean
read_factor (Reader *r, double *value)
{
  skip_space (r);
  if (*r->at == '-')
    {
      r->at++;
      if (++r->depth > DEPTH_MAX)
        return refuse (r, _ ("too many signs"), NULL);
      if (!read_factor (r, value))
        return FALSE;
      r->depth--;
      *value = -*value;
      return TRUE;
    }
  if (*r->at == '(')
    {
      r->at++;
      if (++r->depth > DEPTH_MAX)
        return refuse (r, _ ("too many parentheses"), NULL);
      if (!read_sum (r, value))
        return FALSE;
      r->depth--;
      skip_space (r);
      if (*r->at != ')')
        return refuse (r, *r->at == '\0' ? _ ("its end") : _ ("something else"), "\")\"");
      r->at++;
      return TRUE;
    }
  if (g_ascii_isdigit (*r->at))
    return read_number (r, value);
  if (g_ascii_islower (*r->at))
    return read_name (r, value);
  return refuse (r, *r->at == '\0' ? _ ("its end") : _ ("something else"),
                 _ ("a number, a name or \"(\""));
}

static gboolean
read_product (Reader *r, double *value)
{
  if (!read_factor (r, value))
    return FALSE;
  for (skip_space (r); *r->at == '*' || *r->at == '/'; skip_space (r))
    {
      char   sign = *r->at++;
      double other;

      if (!read_factor (r, &other))
        return FALSE;
      *value = sign == '*' ? *value * other : *value / other;
    }
  return TRUE;
}

static gboolean
read_sum (Reader *r, double *value)
{
  if (!read_product (r, value))
    return FALSE;
  for (skip_space (r); *r->at == '+' || *r->at == '-'; skip_space (r))
    {
      char   sign = *r->at++;
      double other;

      if (!read_product (r, &other))
        return FALSE;
      *value = sign == '+' ? *value + other : *value - other;
    }
  return TRUE;
}

gboolean
sl_formula_value (const char *formula, SlNamed named, gpointer data, double *value, GError **error)
{
  Reader r = { .formula = formula, .at = formula, .named = named, .data = data, .error = error };

  if (!read_sum (&r, value))
    return FALSE;
  if (*r.at != '\0')
    return refuse (&r, _ ("something else"), _ ("an operator or its end"));
  return TRUE;
}

/* Fills in the text between two braces. */
static gboolean
fill_one (GString *filled, const char *inside, SlNamed named, gpointer data, GError **error)
{
  const char      *colon = strrchr (inside, ':');
  g_autofree char *formula = colon != NULL ? g_strndup (inside, (gsize) (colon - inside)) : NULL;
  char             quoted[SL_UTF8_QUOTE];
  guint64          decimals;
  double           value;

  sl_utf8_quote (inside, quoted);
  if (formula == NULL)
    return sl_fail (error, SL_EFORMAT, quoted, _ ("no decimals"), _ ("a colon and their number"));
  if (!g_ascii_string_to_unsigned (colon + 1, 10, 0, DECIMALS_MAX, &decimals, NULL))
    return sl_fail (error, SL_EFORMAT, quoted, _ ("something else after the colon"),
                    _ ("a number of decimals from 0 to 9"));
  if (!sl_formula_value (formula, named, data, &value, error))
    return FALSE;
  if (isfinite (value))
    {
      char format[] = "%.0f", number[G_ASCII_DTOSTR_BUF_SIZE * 16];

      format[2] = (char) ('0' + decimals);
      if (fabs (value) < 0.5 * pow (10.0, -(double) decimals))
        value = 0.0; /* without the sign of what was rounded away */
      g_string_append (filled, g_ascii_formatd (number, sizeof number, format, value));
    }
  else
    g_string_append (filled, "…");
  return TRUE;
}

char *
sl_formula_fill (const char *text, SlNamed named, gpointer data, GError **error)
{
  GString *filled = g_string_new (NULL);

  while (*text != '\0')
    {
      const char      *open = strchr (text, '{'), *close = open != NULL ? strchr (open, '}') : NULL;
      g_autofree char *inside = NULL;

      if (open == NULL)
        {
          g_string_append (filled, text);
          break;
        }
      if (close == NULL)
        {
          sl_fail (error, SL_EFORMAT, "text", _ ("\"{\" without \"}\""), NULL);
          g_string_free (filled, TRUE);
          return NULL;
        }
      g_string_append_len (filled, text, open - text);
      inside = g_strndup (open + 1, (gsize) (close - open - 1));
      if (!fill_one (filled, inside, named, data, error))
        {
          g_string_free (filled, TRUE);
          return NULL;
        }
      text = close + 1;
    }
  return g_string_free (filled, FALSE);
}
