/* SPDX-License-Identifier: MIT
 *
 * Small formulas over what a run published, and texts with such formulas in them, as lessons use
 * them: "100 * cost.executed / cost.expected", "The clock says {speed.speed-up@1:2} ×".
 *
 * A formula has numbers, names, + - * / and parentheses.  A name is lower-case letters, digits,
 * points and hyphens (so a minus has spaces around it), and may end in @ and a number: the place
 * along x.  In a text a formula is in braces, followed by a colon and the number of decimals.  */
#pragma once

#include <glib.h>

/* The value of a name, `at` a place along x or not-a-number; *value may be not-a-number where
 * nothing was published yet.  FALSE when there is nothing of this name.  */
typedef gboolean (*SlNamed) (const char *name, double at, double *value, gpointer data);

/* Evaluates.  FALSE with a sentence when it is malformed or has an unknown name. */
gboolean sl_formula_value (const char *formula, SlNamed named, gpointer data, double *value,
                           GError **error);

/* The text with values in the place of the braces, "…" where there is none yet; free with
 * g_free().  NULL with a sentence.  Numbers are written in the C locale.  */
char *sl_formula_fill (const char *text, SlNamed named, gpointer data, GError **error);
