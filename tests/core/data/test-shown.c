/* SPDX-License-Identifier: MIT
 *
 * Words of untrusted files as parts of a line of ours.  */
#include <glib.h>
#include <string.h>

#include "core/data/text/shown.h"

static void
test_cases (void)
{
  static const struct
  {
    const char *text, *shown;
  } cases[] = {
    { "a", "a" },
    { "heaven", "heaven" },
    { "ß→漢", "ß→漢" },
    { " ", "␣" },
    { "", "␣" },
    { "\n", "\\x0a" },
    { "a\tb", "a\\x09b" },
    { "\x1b[2J", "\\x1b[2J" },
    { "a\u202eb", "a\\u202eb" },
    { "\u2066x\u2069", "\\u2066x\\u2069" },
    { "\u2028", "\\u2028" },
    { "\ufeff", "\\ufeff" },
    { "\U000e0041", "\\ue0041" },
    { "\xff", "?" },
    { "a\xe2\x80", "a??" },
    { "שלום", "\u2068שלום\u2069" },
    { "012345678901234567890123", "012345678901234567890123" },
    { "0123456789012345678901234", "012345678901234567890123…" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char to[SL_TEXT_SHOWN];

      g_assert_cmpstr (sl_text_shown (cases[i].text, to), ==, cases[i].shown);
    }
}

/* Whatever the bytes are: valid text on one line without anything that sets a direction but a whole pair around it. */
static void
test_bytes (void)
{
  for (unsigned i = 0; i < 20000; i++)
    {
      char        text[200] = "", to[SL_TEXT_SHOWN];
      unsigned    n = (unsigned) g_test_rand_int_range (0, sizeof text - 1);
      const char *at;

      for (unsigned j = 0; j < n; j++)
        text[j] = (char) g_test_rand_int_range (1, 256);
      sl_text_shown (text, to);
      g_assert_true (g_utf8_validate (to, -1, NULL));
      g_assert_cmpuint (strlen (to), <, SL_TEXT_SHOWN);
      for (at = to; *at != '\0'; at = g_utf8_next_char (at))
        {
          gunichar c = g_utf8_get_char (at);

          g_assert_false (g_unichar_iscntrl (c));
          g_assert_false ((c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e));
          g_assert_true (c != 0x2068 || at == to);
          g_assert_true (c != 0x2069 || at[strlen ("\u2069")] == '\0');
        }
    }
}

/* The longest that there can be fits. */
static void
test_longest (void)
{
  char text[40 * 4 + 1] = "", to[SL_TEXT_SHOWN];

  for (unsigned i = 0; i < 40; i++)
    strcat (text, "\U000e0041");
  sl_text_shown (text, to);
  g_assert_true (g_str_has_suffix (to, "…"));
  g_assert_cmpuint (strlen (to), ==, SL_TEXT_SHOWN_LETTERS * strlen ("\\ue0041") + strlen ("…"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shown/cases", test_cases);
  g_test_add_func ("/shown/bytes", test_bytes);
  g_test_add_func ("/shown/longest", test_longest);
  return g_test_run ();
}
