/* SPDX-License-Identifier: MIT
 *
 * Two tables and a walk over a text; see tex.h.  */
#include "plot/base/tex.h"

#include <stdbool.h>

typedef enum {
  TEXT, /* outside of mathematics */
  MATH,
  RAISED, /* in a superscript, several of them in one */
  LOWERED,
} Place;

typedef struct
{
  gunichar    sign;
  Place       place;
  const char *tex;
} Sign;

/* In the order of their numbers. */
static const Sign signs[] = {
  { '"', TEXT, "{\\char34}" }, /* some languages make it a command */
  { '#', TEXT, "\\#" },
  { '$', TEXT, "\\$" },
  { '%', TEXT, "\\%" },
  { '&', TEXT, "\\&" },
  { '<', MATH, "<" },
  { '>', MATH, ">" },
  { '\\', TEXT, "\\textbackslash{}" },
  { '^', TEXT, "\\textasciicircum{}" },
  { '_', TEXT, "\\_" },
  { '`', TEXT, "\\textasciigrave{}" },
  { '{', TEXT, "\\{" },
  { '|', MATH, "\\vert " },
  { '}', TEXT, "\\}" },
  { '~', TEXT, "\\textasciitilde{}" },
  { 0x00A0, TEXT, "~" },
  { 0x00A7, TEXT, "\\S{}" },
  { 0x00B0, RAISED, "\\circ " },
  { 0x00B1, MATH, "\\pm " },
  { 0x00B2, RAISED, "2" },
  { 0x00B3, RAISED, "3" },
  { 0x00B5, MATH, "\\mu " },
  { 0x00B7, MATH, "\\cdot " },
  { 0x00B9, RAISED, "1" },
  { 0x00BD, MATH, "\\frac{1}{2}" },
  { 0x00D7, MATH, "\\times " },
  { 0x00F7, MATH, "\\div " },
  { 0x0125, MATH, "\\hat{h}" },
  { 0x0174, MATH, "\\hat{W}" },
  { 0x0177, MATH, "\\hat{y}" },
  { 0x0393, MATH, "\\Gamma " },
  { 0x0394, MATH, "\\Delta " },
  { 0x0398, MATH, "\\Theta " },
  { 0x039B, MATH, "\\Lambda " },
  { 0x03A0, MATH, "\\Pi " },
  { 0x03A3, MATH, "\\Sigma " },
  { 0x03A6, MATH, "\\Phi " },
  { 0x03A8, MATH, "\\Psi " },
  { 0x03A9, MATH, "\\Omega " },
  { 0x03B1, MATH, "\\alpha " },
  { 0x03B2, MATH, "\\beta " },
  { 0x03B3, MATH, "\\gamma " },
  { 0x03B4, MATH, "\\delta " },
  { 0x03B5, MATH, "\\varepsilon " },
  { 0x03B6, MATH, "\\zeta " },
  { 0x03B7, MATH, "\\eta " },
  { 0x03B8, MATH, "\\theta " },
  { 0x03B9, MATH, "\\iota " },
  { 0x03BA, MATH, "\\kappa " },
  { 0x03BB, MATH, "\\lambda " },
  { 0x03BC, MATH, "\\mu " },
  { 0x03BD, MATH, "\\nu " },
  { 0x03BE, MATH, "\\xi " },
  { 0x03C0, MATH, "\\pi " },
  { 0x03C1, MATH, "\\rho " },
  { 0x03C3, MATH, "\\sigma " },
  { 0x03C4, MATH, "\\tau " },
  { 0x03C6, MATH, "\\varphi " },
  { 0x03C7, MATH, "\\chi " },
  { 0x03C8, MATH, "\\psi " },
  { 0x03C9, MATH, "\\omega " },
  { 0x1D40, RAISED, "T" },
  { 0x1D4F, RAISED, "k" },
  { 0x1D62, LOWERED, "i" },
  { 0x2010, TEXT, "-" },
  { 0x2011, TEXT, "-" },
  { 0x2013, TEXT, "--" },
  { 0x2014, TEXT, "---" },
  { 0x2016, MATH, "\\Vert " },
  { 0x2018, TEXT, "{`}" },
  { 0x2019, TEXT, "{'}" },
  { 0x201C, TEXT, "{``}" },
  { 0x201D, TEXT, "{''}" },
  { 0x2026, TEXT, "\\ldots{}" },
  { 0x202F, TEXT, "\\," },
  { 0x2032, RAISED, "\\prime " },
  { 0x2070, RAISED, "0" },
  { 0x2074, RAISED, "4" },
  { 0x2075, RAISED, "5" },
  { 0x2076, RAISED, "6" },
  { 0x2077, RAISED, "7" },
  { 0x2078, RAISED, "8" },
  { 0x2079, RAISED, "9" },
  { 0x207A, RAISED, "+" },
  { 0x207B, RAISED, "-" },
  { 0x207F, RAISED, "n" },
  { 0x2080, LOWERED, "0" },
  { 0x2081, LOWERED, "1" },
  { 0x2082, LOWERED, "2" },
  { 0x2083, LOWERED, "3" },
  { 0x2084, LOWERED, "4" },
  { 0x2085, LOWERED, "5" },
  { 0x2086, LOWERED, "6" },
  { 0x2087, LOWERED, "7" },
  { 0x2088, LOWERED, "8" },
  { 0x2089, LOWERED, "9" },
  { 0x2090, LOWERED, "a" },
  { 0x2113, MATH, "\\ell " },
  { 0x2190, MATH, "\\leftarrow " },
  { 0x2192, MATH, "\\rightarrow " },
  { 0x2194, MATH, "\\leftrightarrow " },
  { 0x2202, MATH, "\\partial " },
  { 0x2208, MATH, "\\in " },
  { 0x220F, MATH, "\\prod " },
  { 0x2211, MATH, "\\sum " },
  { 0x2212, MATH, "-" },
  { 0x221A, MATH, "\\surd " },
  { 0x221D, MATH, "\\propto " },
  { 0x221E, MATH, "\\infty " },
  { 0x2248, MATH, "\\approx " },
  { 0x2260, MATH, "\\neq " },
  { 0x2264, MATH, "\\leq " },
  { 0x2265, MATH, "\\geq " },
  { 0x2299, MATH, "\\odot " },
  { 0x230A, MATH, "\\lfloor " },
  { 0x230B, MATH, "\\rfloor " },
  { 0x23CE, MATH, "\\hookleftarrow " },
  { 0x2717, MATH, "\\times " },
  { 0x2C7C, LOWERED, "j" },
  { 0xFFFD, TEXT, "?" },
};

/* Signs that LaTeX puts over a letter; in Unicode they follow it. */
static const Sign accents[] = {
  { 0x0302, MATH, "\\hat" },
  { 0x0303, MATH, "\\tilde" },
  { 0x0304, MATH, "\\bar" },
  { 0x0307, MATH, "\\dot" },
};

static int
compare (const void *key, const void *sign)
{
  gunichar a = *(const gunichar *) key, b = ((const Sign *) sign)->sign;

  return (a > b) - (a < b);
}

static const Sign *
accent_of (gunichar c)
{
  return bsearch (&c, accents, G_N_ELEMENTS (accents), sizeof *accents, compare);
}

/* Closes what `from` had opened and opens what `to` needs; several raised signs share a group. */
static Place
move (GString *out, Place from, Place to)
{
  if (from == to)
    return to;
  if (from == RAISED || from == LOWERED)
    g_string_append_c (out, '}');
  if (from == TEXT || to == TEXT)
    g_string_append_c (out, '$');
  if (to == RAISED || to == LOWERED)
    g_string_append (out, to == RAISED ? "^{" : "_{");
  return to;
}

/* A single sign, in the place where it has to stand. */
static Place
append_sign (GString *out, Place place, gunichar c)
{
  const Sign *sign = bsearch (&c, signs, G_N_ELEMENTS (signs), sizeof *signs, compare);

  place = move (out, place, sign != NULL ? sign->place : TEXT);
  if (sign != NULL)
    g_string_append (out, sign->tex);
  else
    g_string_append_unichar (out, g_unichar_iscntrl (c) ? ' ' : c);
  return place;
}

/* A letter with an accent, for which the letter is mathematics too. */
static Place
append_accented (GString *out, Place place, gunichar c, const Sign *accent)
{
  const Sign *sign = bsearch (&c, signs, G_N_ELEMENTS (signs), sizeof *signs, compare);

  if ((sign == NULL && !g_ascii_isalpha ((char) (c < 128 ? c : 0)))
      || (sign != NULL && sign->place != MATH))
    return append_sign (out, place, c); /* then without */
  place = move (out, place, MATH);
  g_string_append_printf (out, "%s{", accent->tex);
  if (sign != NULL)
    g_string_append (out, sign->tex);
  else
    g_string_append_unichar (out, c);
  g_string_append_c (out, '}');
  return place;
}

void
sl_tex_append (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  Place            place = TEXT;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar    c = g_utf8_get_char (p);
      const char *next = g_utf8_next_char (p);
      const Sign *accent = *next != '\0' ? accent_of (g_utf8_get_char (next)) : NULL;

      if (accent_of (c) != NULL)
        continue; /* it went with the letter before it */
      place
        = accent != NULL ? append_accented (out, place, c, accent) : append_sign (out, place, c);
    }
  move (out, place, TEXT);
}
