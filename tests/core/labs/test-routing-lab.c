/* SPDX-License-Identifier: MIT
 *
 * What the lab `routing` promises beyond its numbers: it says what it leaves out of a recording and
 * offers to count it.  */
#include "core/run/record/record.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/english.h"

static const SlLab *
lab (void)
{
  return sl_lab_find ("routing");
}

static SlOffer
offer_of (const char *data, const char *words, SlMessage *caption)
{
  SlSettings settings;
  SlDataset *dataset;
  SlOffer    offer;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  assert_ok (sl_settings_set_words (&settings, lab ()->params, lab ()->n_params, words));
  assert_ok (sl_source_open (data, &dataset));
  offer = sl_lab_offer (lab (), dataset, &settings);
  *caption = lab ()->caption (&settings);
  sl_dataset_free (dataset);
  return offer;
}

/* Nothing is left out in silence, what is counted is in the note of every figure, and the way there
 * leads back.  */
static void
test_offer (void)
{
  static const char data[] = "router:experts=16,k=2,layers=2,tokens=1024,warm-up=100";
  SlMessage         caption;
  SlOffer           offer = offer_of (data, NULL, &caption);
  SlRecord          record;
  SlSettings        settings;

  g_test_message ("%s", sl_english_text (offer.words.packed));
  g_assert_true (g_str_has_prefix (sl_english_text (offer.words.packed),
                                   "100 of 1124 tokens, at the beginning, all went to experts "));
  g_assert_true (g_str_has_suffix (sl_english_text (offer.words.packed),
                                   ": a warm-up or padding. They are left out."));
  g_assert_cmpstr (offer.title, ==, "Count Them");
  g_assert_cmpstr (caption.packed, ==, "");

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  assert_ok (sl_settings_set_words (&settings, lab ()->params, lab ()->n_params, offer.settings));
  assert_ok (sl_record_init (&record, lab (), &settings, 1));
  g_assert_cmpstr (sl_english_text (record.caption.packed), ==,
                   "With the warm-up, if there is any.");
  sl_record_clear (&record);
  /* A layer beyond the last one is the last one. */
  offer = offer_of (data, "warm-up=yes layer=9", &caption);
  g_assert_true (g_str_has_suffix (sl_english_text (offer.words.packed), "They are counted."));
  g_assert_cmpstr (offer.title, ==, "Leave Them Out");
  offer = offer_of (data, offer.settings, &caption);
  g_assert_cmpstr (offer.settings, ==, "warm-up=yes");

  g_assert_cmpstr (offer_of ("router:warm-up=0,tokens=1024", NULL, &caption).words.packed, ==, "");
  offer = sl_lab_offer (lab (), NULL, &settings);
  g_assert_cmpstr (offer.words.packed, ==, "");
}

/* Routes too long for a sentence, and several of them, are said in other words. */
static void
test_offer_words (void)
{
  SlMessage caption;
  SlOffer   offer
    = offer_of ("router:experts=40,k=12,layers=1,tokens=1024,warm-up=100", NULL, &caption);

  g_test_message ("%s", sl_english_text (offer.words.packed));
  g_assert_true (g_str_has_prefix (sl_english_text (offer.words.packed),
                                   "100 of 1124 tokens all went to the same 12 experts: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/routing-lab/offer", test_offer);
  g_test_add_func ("/routing-lab/offer-words", test_offer_words);
  return g_test_run ();
}
