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

static void
test_nothing (void)
{
  g_autofree char *empty = sl_phrase ("");

  g_assert_null (sl_words (NULL));
  g_assert_null (sl_phrase (NULL));
  /* Not the head of the catalogue. */
  g_assert_cmpstr (sl_words (""), ==, "");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_phrases (void)
{
  static const struct
  {
    const char *text, *words;
  } known[] = {
    { "rank", "Rang" },
    { "layer 2", "Schicht 2" },
    { "agreement, layer 12", "richtig, Schicht 12" },
    { "a number from 1e-06 to 10", "eine Zahl von 1e-06 bis 10" },
    { "perhaps learning-rate", "vielleicht learning-rate" },
    { "3 of 10 leaves reached by 128 validation examples",
      "3 von 10 Blättern von 128 Validierungsbeispielen erreicht" },
    { "Only leaves have weights.", "Nur Blätter haben Gewichte." },
    { "Kernel Haswell, 2 threads; weights after update 50",
      "Kernel Haswell, 2 Threads; Gewichte nach Schritt 50" },
    { "Expert 1 gets 16 % of the examples; its best margin is +0.3 σ.",
      "Experte 1 bekommt 16 % der Beispiele; sein bester Abstand ist +0.3 σ." },
    { "Rank 50-35-25 → 5-5-5", "Rang 50-35-25 → 5-5-5" },
    { "Optimiser Gradient descent → Adam", "Optimierer Gradientenabstieg → Adam" },
    { "nobody ever wrote 7 such words", "nobody ever wrote 7 such words" },
    { "rank; nobody wrote this", "Rang; nobody wrote this" },
    { "rank, ", "rank, " },
    { "...", "..." },
    { ", ", ", " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *phrase = sl_phrase (known[i].text);

      g_assert_cmpstr (phrase, ==, german ? known[i].words : known[i].text);
    }
}

/* What the record writes into a flag is what sl_phrase() takes apart. */
static void
test_flags (void)
{
  const SlLab     *lab = sl_lab_find ("sign-estimator");
  SlSettings       from, to;
  int              i = sl_param_find (lab->params, lab->n_params, "estimator");
  char             text[SL_CHANGE_MARKER_TEXT];
  g_autofree char *phrase = NULL;

  sl_settings_default (&from, lab->params, lab->n_params);
  to = from;
  g_assert_cmpint (sl_settings_set (&to, lab->params, lab->n_params, "estimator", "watch").code, ==,
                   SL_OK);
  phrase = sl_phrase (sl_change_marker_text (&lab->params[i], &from.value[i], &to.value[i], text));
  g_assert_cmpstr (phrase, ==,
                   german ? "Schätzer An → Nur beobachten" : "Estimator On → Watch only");
}

/* A cut is never inside a character. */
static void
test_cuts (void)
{
  char whole[64], out[64];

  sl_phrase_into ("3 of 10 leaves reached by 128 validation examples", whole, sizeof whole);
  for (gsize size = 1; size <= sizeof out; size++)
    {
      sl_phrase_into ("3 of 10 leaves reached by 128 validation examples", out, size);
      g_assert_true (g_utf8_validate (out, -1, NULL));
      g_assert_cmpuint (strlen (out), <, size);
      g_assert_true (g_str_has_prefix (whole, out));
    }
}

static void
test_status (void)
{
  SlStatus status
    = sl_status_at (SL_EFORMAT, "rank.csv", SL_LINE, 4, "an empty cell", "a finite number");
  SlStatus         bare = sl_status_new (SL_ENOMEM, NULL, NULL, NULL);
  g_autofree char *sentence = sl_status_sentence (&status);
  g_autofree char *code = sl_status_sentence (&bare);
  char             english[256];

  if (german)
    {
      g_assert_cmpstr (sentence, ==,
                       "rank.csv, Zeile 4: "
                       "gefunden: eine leere Zelle, erwartet: eine endliche Zahl");
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
        SlStatus         status = sl_status_at (SL_EIO, subjects[s], places[p], 7, "x-1", NULL);
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
  g_test_add_func ("/language/phrases", test_phrases);
  g_test_add_func ("/language/flags", test_flags);
  g_test_add_func ("/language/cuts", test_cuts);
  g_test_add_func ("/language/status", test_status);
  g_test_add_func ("/language/places", test_places);
  g_test_add_func ("/language/descriptors", test_descriptors);
  return g_test_run ();
}
