/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/claim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/base/utf8.h"
#include "core/run/base/error.h"

static gboolean
refuse (const char *text, const char *found, const char *expected, GError **error)
{
  char quoted[SL_UTF8_QUOTE];

  return sl_fail (error, SL_EFORMAT, sl_utf8_quote (text, quoted), found, expected);
}

/* "8 of 10" */
static gboolean
read_share (SlClaim *claim, const char *share, GError **error)
{
  int used = 0;

  if (sscanf (share, "%4u of %4u%n", &claim->least, &claim->seeds, &used) == 2
      && share[used] == '\0' && claim->least >= 1 && claim->least <= claim->seeds
      && claim->seeds <= SL_CLAIM_SEEDS)
    return TRUE;
  return refuse (claim->text, share, _ ("for how many of how many seeds, as in \"8 of 10\""),
                 error);
}

static gboolean
split (SlClaim *claim, GError **error)
{
  const char *sign = strpbrk (claim->text, "<>"), *share = strstr (claim->text, " in "), *right;

  if (sign == NULL || (share != NULL && share < sign))
    return refuse (claim->text, _ ("no comparison"), _ ("one of <, <=, > and >="), error);
  right = sign + (sign[1] == '=' ? 2 : 1);
  g_strlcpy (claim->sign, sign, (gsize) (right - sign) + 1);
  claim->left = g_strstrip (g_strndup (claim->text, (gsize) (sign - claim->text)));
  claim->right
    = g_strstrip (share != NULL ? g_strndup (right, (gsize) (share - right)) : g_strdup (right));
  return share == NULL || read_share (claim, share + strlen (" in "), error);
}

SlClaim *
sl_claim_read (const char *text, SlNamed named, gpointer data, GError **error)
{
  SlClaim *claim = g_new0 (SlClaim, 1);
  double   value;

  claim->text = g_strdup (text);
  claim->least = claim->seeds = 1;
  if (split (claim, error) && sl_formula_value (claim->left, named, data, &value, error)
      && sl_formula_value (claim->right, named, data, &value, error))
    return claim;
  sl_claim_free (claim);
  return NULL;
}

void
sl_claim_free (SlClaim *claim)
{
  g_free (claim->text);
  g_free (claim->left);
  g_free (claim->right);
  g_free (claim);
}

gboolean
sl_claim_holds (const SlClaim *claim, SlNamed named, gpointer data, double *left, double *right)
{
  double a, b;

  *left = *right = (double) NAN;
  if (!sl_formula_value (claim->left, named, data, left, NULL)
      || !sl_formula_value (claim->right, named, data, right, NULL))
    return FALSE;
  a = claim->sign[0] == '<' ? *left : *right;
  b = claim->sign[0] == '<' ? *right : *left;
  return a < b || (claim->sign[1] == '=' && a == b);
}

unsigned
sl_claim_least (const SlClaim *claim, unsigned seeds)
{
  return MAX (seeds * claim->least / claim->seeds, MIN (seeds, 1));
}
