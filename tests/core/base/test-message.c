/* SPDX-License-Identifier: MIT
 *
 * Messages: the same text as printf() in English, any order of the arguments in another language,
 * and no harm from what an argument holds.  */
#include <glib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/base/status.h"

/* A language with another order of words. */
static const char *
in_another (const char *text)
{
  static const struct
  {
    const char *english, *other;
  } catalogue[] = {
    { "%u of %u leaves", "Blätter: %2$u, davon %1$u" },
    { "layer", "Schicht" },
    { "%s, %s %u", "%s (%s %u)" },
    { "100 %% of it", "100 %% davon" },
    { "; no limit", "; ohne Grenze" },
    { "a text", "ein Text" },
    { "%s is too long", "zu lang: %s, %s" },
    { "first weights", "erste Gewichte" },
    { "%s, line %llu", "%s, Zeile %llu" },
    { "found %s, expected %s", "%2$s statt %1$s" },
    { "5 % o", "5 % d" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (catalogue); i++)
    if (strcmp (catalogue[i].english, text) == 0)
      return catalogue[i].other;
  return text;
}

static void
assert_shown (const char *packed, const char *english, const char *other)
{
  char text[2 * SL_MESSAGE_SIZE];

  g_assert_cmpstr (sl_message_show (packed, NULL, text, sizeof text), ==, english);
  g_assert_cmpstr (sl_message_show (packed, in_another, text, sizeof text), ==, other);
}

static void
test_arguments (void)
{
  SlMessage title = sl_message ("%s, %s %u", "recall", sl_message_word ("layer").packed, 2);

  assert_shown (sl_message ("%u of %u leaves", 3, 10).packed, "3 of 10 leaves",
                "Blätter: 10, davon 3");
  assert_shown (sl_message ("100 %% of it").packed, "100 % of it", "100 % davon");
  assert_shown (title.packed, "recall, layer 2", "recall (Schicht 2)");
  assert_shown (sl_message ("%.2f|%-4d|%.*s|%c|%5.1e|%zu|%llx", 0.125, 7, 2, "xyz", 'c', 1e-6,
                            sizeof (char), 255ULL)
                  .packed,
                "0.12|7   |xy|c|1.0e-06|1|ff", "0.12|7   |xy|c|1.0e-06|1|ff");
  /* A translation that asks for more than there is shows where. */
  assert_shown (sl_message ("%s is too long", "x").packed, "x is too long", "zu lang: x, %s");
}

static void
test_plain_texts (void)
{
  SlMessage sum = sl_message ("100 %% of it");

  assert_shown ("", "", "");
  assert_shown ("layer", "layer", "Schicht");
  assert_shown ("layer 2", "layer 2", "layer 2");
  assert_shown (SL_NO_MESSAGE.packed, "", "");
  assert_shown (sl_message_verbatim (NULL).packed, "", "");
  assert_shown (sl_message_verbatim ("layer").packed, "layer", "layer");
  assert_shown (sl_message_word ("layer").packed, "layer", "Schicht");
  assert_shown (sl_message_word ("5 % o").packed, "5 % o", "5 % d");
  sl_message_add (&sum, "; no limit");
  assert_shown (sum.packed, "100 % of it; no limit", "100 % davon; ohne Grenze");
}

/* What fits is a beginning of the whole, in whole characters. */
static void
test_cuts (void)
{
  SlMessage message = sl_message ("%s → %s", "größer", "ein Text");
  char      whole[64], text[64], wide[4 * SL_MESSAGE_SIZE];

  sl_message_show (message.packed, in_another, whole, sizeof whole);
  for (gsize size = 1; size <= sizeof text; size++)
    {
      sl_message_show (message.packed, in_another, text, size);
      g_assert_cmpuint (strlen (text), <, size);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_true (g_str_has_prefix (whole, text));
    }
  for (gsize length = SL_MESSAGE_SIZE - 20; length < SL_MESSAGE_SIZE; length++)
    {
      memset (wide, 'x', length);
      strcpy (wide + length, "€€€€€€€€");
      message = sl_message ("%s is too long", wide);
      g_assert_cmpuint (strlen (message.packed), <, sizeof message.packed);
      sl_message_show (message.packed, NULL, wide, sizeof wide);
      g_assert_true (g_utf8_validate (wide, -1, NULL));
      g_assert_true (g_str_has_prefix (wide, "xxxx"));
      sl_message_add (&message, "; no limit");
      sl_message_add (&message, "; no limit");
      g_assert_cmpuint (strlen (message.packed), <, sizeof message.packed);
    }
}

/* An argument that is cut by its format is cut between letters, wherever it is in the text. */
static void
test_cut_arguments (void)
{
  char text[SL_MESSAGE_SIZE];

  for (unsigned shift = 0; shift < 4; shift++)
    {
      SlMessage message
        = sl_message ("%.8s and %.8s (%u)", &"xxx€€€€€€€€"[shift],
                      &"xxx\360\237\230\200\360\237\230\200\360\237\230\200"[shift], 7);
      SlMessage list = sl_message ("left out: %s", "x");

      sl_message_add (&list, ", %.7s", &"xxx€€€€"[shift]);
      sl_message_add (&list, " and %u more", 3);
      sl_message_show (message.packed, NULL, text, sizeof text);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_true (g_str_has_suffix (text, " (7)"));
      sl_message_show (list.packed, NULL, text, sizeof text);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_true (g_str_has_suffix (text, "€ and 3 more"));
    }
}

/* Formats, bytes that are no text and the marks of a packed message, as arguments. */
static void
test_hostile_arguments (void)
{
  static const char *const texts[] = { "%s%n%1$s%99$s%*d", "\377\376\300",         "\016\016\016",
                                       "\017\037\017\037", "\016%s\037\016%u\037", "" };
  char                     nested[400], text[64];

  assert_shown (sl_message ("%s is too long", texts[0]).packed, "%s%n%1$s%99$s%*d is too long",
                "zu lang: %s%n%1$s%99$s%*d, %s");
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize size = 1; size <= sizeof text; size++)
      {
        SlMessage message = sl_message ("%s, %s %u", texts[i], texts[i], 7);

        sl_message_show (message.packed, in_another, text, size);
        g_assert_cmpuint (strlen (text), <, size);
        sl_message_show (texts[i], in_another, text, size);
        g_assert_cmpuint (strlen (text), <, size);
      }
  memset (nested, '\016', sizeof nested - 1);
  nested[sizeof nested - 1] = '\0';
  sl_message_show (nested, in_another, text, sizeof text);
  g_assert_cmpuint (strlen (text), <, sizeof text);
}

static void
test_status (void)
{
  SlStatus  status = sl_status_at (SL_EFORMAT, "a.csv", SL_LINE, 4, sl_message ("a text"),
                                   sl_message ("%u of %u leaves", 1, 2));
  SlStatus  bare = sl_status_no_memory (SL_MARK ("first weights"));
  SlMessage note = sl_status_message (&status);
  char      text[256];

  assert_shown (note.packed, "a.csv, line 4: found a text, expected 1 of 2 leaves",
                "a.csv, Zeile 4: Blätter: 2, davon 1 statt ein Text");
  sl_status_show (&status, in_another, text, sizeof text);
  g_assert_cmpstr (text, ==, "a.csv, Zeile 4: Blätter: 2, davon 1 statt ein Text");
  sl_status_show (&bare, in_another, text, sizeof text);
  g_assert_cmpstr (text, ==, "erste Gewichte: not enough memory");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message/arguments", test_arguments);
  g_test_add_func ("/message/plain-texts", test_plain_texts);
  g_test_add_func ("/message/cuts", test_cuts);
  g_test_add_func ("/message/cut-arguments", test_cut_arguments);
  g_test_add_func ("/message/hostile-arguments", test_hostile_arguments);
  g_test_add_func ("/message/status", test_status);
  return g_test_run ();
}
