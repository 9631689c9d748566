/* SPDX-License-Identifier: MIT
 *
 * Texts in the person's language, with the German catalogue of the build: what the core put
 * together is found again, what nobody translated stays, and numbers keep their point.  Without an
 * argument the same in English.  */
#include <locale.h>
#include <string.h>

#include "core/lab/lab.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/record/record.h"

static gboolean german;

static void
test_numbers (void)
{
  g_autofree char *half = g_strdup_printf ("%g", 0.5);

  g_assert_cmpstr (setlocale (LC_NUMERIC, NULL), ==, "C");
  g_assert_cmpstr (half, ==, "0.5");
}

static const char *
shown (const char *packed, char text[256])
{
  return sl_message_show (packed, sl_words, text, 256);
}

static void
test_nothing (void)
{
  char text[256];

  g_assert_null (sl_words (NULL));
  /* Not the head of the catalogue. */
  g_assert_cmpstr (sl_words (""), ==, "");
  g_assert_cmpstr (shown ("", text), ==, "");
}

/* Messages of the core, as they are made there. */
static void
test_messages (void)
{
  const struct
  {
    SlMessage   message;
    const char *english, *words;
  } known[] = {
    { sl_message_word ("rank"), "rank", "Rang" },
    { sl_message ("%s, %s %u", sl_message_word ("recall").packed, sl_message_word ("layer").packed,
                  12),
      "recall, layer 12", "Trefferquote, Schicht 12" },
    { sl_message ("a number from %s to %s", "1e-06", "10"), "a number from 1e-06 to 10",
      "eine Zahl von 1e-06 bis 10" },
    { sl_message ("perhaps %s", "rank"), "perhaps rank", "vielleicht rank" },
    { sl_message ("%zu of %zu leaves reached by %zu validation examples", (size_t) 3, (size_t) 10,
                  (size_t) 128),
      "3 of 10 leaves reached by 128 validation examples",
      "3 von 10 Blättern von 128 Validierungsbeispielen erreicht" },
    { sl_message (
        "Kernel %s; weights after update %llu",
        sl_message ("%s, %s", "Haswell", sl_message ("%zu bytes", (size_t) 2).packed).packed,
        50ULL),
      "Kernel Haswell, 2 bytes; weights after update 50",
      "Kernel Haswell, 2 Bytes; Gewichte nach Schritt 50" },
    { sl_message ("Expert %u gets %.1f %% of the examples; its best margin is %s.", 1, 16.0,
                  "+0.3 σ"),
      "Expert 1 gets 16.0 % of the examples; its best margin is +0.3 σ.",
      "Experte 1 bekommt 16.0 % der Beispiele; sein bester Abstand ist +0.3 σ." },
    { sl_message ("nobody ever wrote %d such words", 7), "nobody ever wrote 7 such words",
      "nobody ever wrote 7 such words" },
    { sl_message_verbatim ("rank"), "rank", "rank" },
  };
  char text[256];

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_cmpstr (shown (known[i].message.packed, text), ==,
                     german ? known[i].words : known[i].english);
}

static void
test_change_markers (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   from, to;
  int          i = sl_param_find (lab->params, lab->n_params, "estimator");
  char         text[SL_CHANGE_MARKER_TEXT], out[256];

  sl_settings_default (&from, lab->params, lab->n_params);
  to = from;
  g_assert_cmpint (sl_settings_set (&to, lab->params, lab->n_params, "estimator", "watch").code, ==,
                   SL_OK);
  sl_change_marker_text (&lab->params[i], &from.value[i], &to.value[i], text);
  g_assert_cmpstr (shown (text, out), ==,
                   german ? "Schätzer An → Nur beobachten" : "Estimator On → Watch only");
}

static void
test_status (void)
{
  SlStatus status = sl_status_at (SL_EFORMAT, "rank.csv", SL_LINE, 4, sl_message ("column %u", 2u),
                                  sl_message ("a finite number"));
  SlStatus bare = sl_status_no_memory (NULL);
  g_autofree char *sentence = sl_status_sentence (&status);
  g_autofree char *code = sl_status_sentence (&bare);
  char             english[256];

  if (german)
    {
      g_assert_cmpstr (sentence, ==,
                       "rank.csv, Zeile 4: "
                       "gefunden: Spalte 2, erwartet: eine endliche Zahl");
      g_assert_cmpstr (code, ==, "zu wenig Speicher");
      return;
    }
  g_assert_cmpstr (sentence, ==, sl_status_text (&status, english, sizeof english));
  g_assert_cmpstr (code, ==, "not enough memory");
}

/* The sentences of both kinds, from the core and for people, are the same in English. */
static void
test_places (void)
{
  static const SlPlace     places[] = { SL_NOWHERE, SL_BYTE, SL_LINE, SL_RECORD, SL_STEP };
  static const char *const subjects[] = { "", "a.csv" };

  for (gsize p = 0; p < G_N_ELEMENTS (places); p++)
    for (gsize s = 0; s < G_N_ELEMENTS (subjects); s++)
      {
        SlStatus status
          = sl_status_at (SL_EIO, subjects[s], places[p], 7, sl_message ("x-1"), SL_NO_MESSAGE);
        g_autofree char *sentence = sl_status_sentence (&status);
        char             english[256];

        sl_status_text (&status, english, sizeof english);
        if (!german)
          g_assert_cmpstr (sentence, ==, english);
        g_assert_true (g_str_has_suffix (sentence, "x-1"));
        g_assert_cmpint (strstr (sentence, "7") != NULL, ==, places[p] != SL_NOWHERE);
      }
}

/* Whatever language: no descriptor loses its text. */
static void
test_descriptors (void)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_assert_cmpstr (sl_words (sl_labs[i]->title), !=, "");
      g_assert_cmpint (german, ==,
                       !g_str_equal (sl_words (sl_labs[i]->summary), sl_labs[i]->summary));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_language_start ();
  german = argc > 1;
  if (german && !g_str_has_prefix (setlocale (LC_MESSAGES, NULL), "de"))
    {
      g_print ("1..0 # SKIP the German locale is not installed\n");
      return 0;
    }
  g_test_add_func ("/language/numbers", test_numbers);
  g_test_add_func ("/language/nothing", test_nothing);
  g_test_add_func ("/language/messages", test_messages);
  g_test_add_func ("/language/change-markers", test_change_markers);
  g_test_add_func ("/language/status", test_status);
  g_test_add_func ("/language/places", test_places);
  g_test_add_func ("/language/descriptors", test_descriptors);
  return g_test_run ();
}
