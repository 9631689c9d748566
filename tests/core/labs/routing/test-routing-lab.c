/* SPDX-License-Identifier: MIT
 *
 * What the lab `routing` promises beyond its numbers: it says what it leaves out of a recording and
 * offers to count it, opens what the lab of experts writes, looks at single requests and replays a
 * bias.  */
#include <glib/gstdio.h>
#include <math.h>

#include "core/data/routing/npz-write.h"
#include "core/labs/routing/lab.h"
#include "core/run/record/record.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"
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
  g_assert_cmpstr (offer.title, ==, "Count them");
  g_assert_cmpstr (caption.packed, ==, "");

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  assert_ok (sl_settings_set_words (&settings, lab ()->params, lab ()->n_params, offer.settings));
  assert_ok (sl_record_init (&record, lab (), &settings, 1));
  g_assert_cmpstr (sl_english_text (record.caption.packed), ==, "With the warm-up, if any.");
  sl_record_clear (&record);
  /* A layer beyond the last one is the last one. */
  offer = offer_of (data, "warm-up=yes layer=9", &caption);
  g_assert_true (g_str_has_suffix (sl_english_text (offer.words.packed), "They are counted."));
  g_assert_cmpstr (offer.title, ==, "Leave them out");
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

/* A recording of a run of experts has the same numbers where it was made and where it is opened. */
static void
test_recording (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-recording-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "toy.npz", NULL);
  SlRouting       *recording;
  uint8_t         *bytes;
  size_t           size;
  double           cv, peak, effective;
  Run              run, again;

  assert_ok (lab_run_try (&run, "experts", "moons:points=1500", "experts=12 k=2 batch=32"));
  run_steps (&run, 30);
  cv = score_of (&run, SL_VALID, "cv-load");
  peak = score_of (&run, SL_VALID, "peak");
  effective = score_of (&run, SL_VALID, "effective");
  assert_ok (sl_trainer_recording (run.trainer, &recording));
  g_assert_cmpuint (recording->layer[0].tokens, ==, run.dataset->n[SL_VALID]);
  g_assert_nonnull (recording->layer[0].gates);
  assert_ok (sl_routing_npz (recording, &bytes, &size));
  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) size, NULL));
  free (bytes);

  assert_ok (lab_run_try (&again, "routing", path, "warm-up=yes"));
  g_assert_cmpuint (again.dataset->routing->hash, ==, recording->hash);
  sl_assert_near (score_of (&again, SL_TEST, "cv"), cv, 1e-6, 0);
  sl_assert_near (score_of (&again, SL_TEST, "peak"), peak, 1e-6, 0);
  sl_assert_near (score_of (&again, SL_TEST, "effective"), 100.0 * effective / 12.0, 1e-6, 0);
  /* The strongest expert of a token is the first. */
  for (size_t t = 0; t < recording->layer[0].tokens; t++)
    g_assert_cmpfloat (recording->layer[0].gates[2 * t], >=, recording->layer[0].gates[2 * t + 1]);
  sl_routing_free (recording);
  run_clear (&run);
  run_clear (&again);
  g_remove (path);

  assert_ok (lab_run_try (&run, "sign-estimator", "moons", "hidden=8"));
  g_assert_cmpint (sl_trainer_recording (run.trainer, &recording).code, ==, SL_EUNSUPPORTED);
  run_clear (&run);
  g_rmdir (folder);
}

/* Writes loads of two layers and two experts at steps that are `apart` from another, the last one `late`. */
static void
write_training (const char *path, double apart, double late)
{
  enum { STEPS = 4 };
  g_autoptr (GString) text = g_string_new ("step,layer_4_expert_0_load,layer_4_expert_1_load,"
                                           "layer_9_expert_0_load,layer_9_expert_1_load\n");

  for (unsigned i = 0; i < STEPS; i++)
    g_string_append_printf (text, "%g,%u,%u,%u,%u\n",
                            1000 + apart * i + (i + 1 == STEPS ? late : 0.0), 1 + i, 3, 5, 5 * i);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

/* Over training the map of all layers is that of the step replayed last, and windows stand at their steps where these are
 * even.  */
static void
test_training (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-training-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "log.csv", NULL);
  Run              run;

  write_training (path, 10, 0);
  assert_ok (lab_run_try (&run, "routing", path, ""));
  for (unsigned i = 0; i < 4; i++)
    {
      double load[] = { 1.0 + i, 3, 5, 5.0 * i };

      run_steps (&run, 1);
      run_probe (&run, "layers");
      for (unsigned cell = 0; cell < 4; cell++)
        sl_assert_near (run.snapshot.data[cell],
                        2.0 * load[cell] / (load[cell / 2 * 2] + load[cell / 2 * 2 + 1]), 1e-12, 0);
      run_probe (&run, "usage");
      g_assert_cmpuint (run.snapshot.columns, ==, i + 1);
      g_assert_true (run.snapshot.left == 995.0);
      g_assert_true (run.snapshot.right == 1005.0 + 10.0 * i);
    }
  g_assert_true (sl_trainer_ended (run.trainer, NULL));
  run_clear (&run);

  write_training (path, 10, 500);
  assert_ok (lab_run_try (&run, "routing", path, ""));
  run_steps (&run, 4);
  run_probe (&run, "usage");
  g_assert_true (run.snapshot.left == 0.5 && run.snapshot.right == 4.5);
  run_clear (&run);
  g_remove (path);
  g_rmdir (folder);
}

/* Of shares the numbers of tokens are not known: nothing is said of chance, and no knob is shown that is about tokens. */
static void
test_shares (void)
{
  static const char *const of_tokens[]
    = { "window", "by", "warm-up", "memory", "expert-size", "bandwidth" };
  g_autofree char *folder = g_dir_make_tmp ("sluice-shares-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "log.csv", NULL);
  Run              run;

  g_assert_true (g_file_set_contents (path,
                                      "step,layer,expert,load\n1,0,0,0.25\n1,0,1,0.75\n"
                                      "2,0,0,0.5\n2,0,1,0.5\n",
                                      -1, NULL));
  assert_ok (lab_run_try (&run, "routing", path, ""));
  g_assert_true (run.dataset->routing->shares);
  run_probe (&run, "compare");
  g_assert_cmpstr (
    sl_english_text (run.snapshot.note.packed), ==,
    "First row against last: 25.0 % of the routings differ; nothing is said of chance.");
  for (unsigned i = 0; i < 2; i++)
    g_assert_true (isnan (run.snapshot.data[4 + i]));
  for (size_t i = 0; i < G_N_ELEMENTS (of_tokens); i++)
    {
      int param = sl_param_find (lab ()->params, lab ()->n_params, of_tokens[i]);

      g_assert_false (sl_dataset_has (run.dataset, lab ()->params[param].needs));
    }
  run_clear (&run);
  g_remove (path);
  g_rmdir (folder);
}

/* A file of one layer in which request r sends its tokens to the experts 2r and 2r + 1, its tokens mixed
 * with those of the others, and some are of no request.  */
static void
write_requests (const char *path, unsigned requests, unsigned tokens)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned t = 0; t < tokens; t++)
    g_string_append_printf (
      text, "{\"req_id\": \"r%u\", \"layer\": 0, \"token_idx\": %u, \"topk_ids\": [%u, %u]}\n",
      t % requests, t, 2 * (t % requests) + t / requests % 2,
      2 * (t % requests) + 1 - t / requests % 2);
  for (unsigned t = 0; t < 7; t++)
    g_string_append_printf (text, "{\"layer\": 0, \"token_idx\": %u, \"topk_ids\": [0, %u]}\n",
                            tokens + t, 1 + t);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

/* Where no token has an expert that computes, no panel says what is no number. */
static void
test_zero_alone (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-zero-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "log.jsonl", NULL);
  g_autofree char *said = g_strconcat (path, ":experts=4", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Run run;

  for (unsigned t = 0; t < 40; t++)
    g_string_append_printf (text, "{\"layer\": 0, \"token_idx\": %u, \"topk_ids\": [4, %u]}\n", t,
                            5 + t % 3);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  assert_ok (lab_run_try (&run, "routing", said, ""));
  for (unsigned p = 0; p < lab ()->n_panels; p++)
    if (!sl_panel_is_series (lab ()->panels[p].kind) && lab ()->panels[p].of == NULL)
      {
        run_probe (&run, lab ()->panels[p].id);
        g_test_message ("%s", sl_english_text (run.snapshot.note.packed));
        g_assert_null (strstr (sl_english_text (run.snapshot.note.packed), "nan"));
      }
  run_clear (&run);
  g_remove (path);
  g_rmdir (folder);
}

/* Together requests are even, each alone is not. */
static void
test_requests (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-requests-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "log.jsonl", NULL);
  Run              run;

  write_requests (path, 6, 600);
  assert_ok (lab_run_try (&run, "routing", path, "window=50"));
  g_assert_true (sl_dataset_has (run.dataset, "data.requests"));
  run_probe (&run, "requests");
  g_assert_cmpstr (sl_english_text (run.snapshot.note.packed), ==,
                   "6 of 6 requests are more uneven than 95 % of chance.");
  run_steps (&run, 1);
  run_clear (&run);

  /* The third one: two of twelve experts, and no other token is looked at. */
  assert_ok (lab_run_try (&run, "routing", path, "window=50 request=3"));
  run_steps (&run, 2);
  sl_assert_near (now (&run, "cv.cv"), sqrt (12.0 / 2.0 - 1.0), 1e-12, 0);
  g_assert_true (sl_trainer_ended (run.trainer, NULL));
  run_clear (&run);

  /* Beyond the last one is the last one. */
  assert_ok (lab_run_try (&run, "routing", path, "window=50 request=99"));
  run_probe (&run, "requests");
  g_assert_cmpfloat (run.snapshot.mark, ==, 6);
  run_clear (&run);
  g_remove (path);
  g_rmdir (folder);
}

/* No window is so short that it is uneven by chance alone: a short rest counts with the one before. */
static void
test_rest (void)
{
  static const unsigned counts[] = { 12, 43, 60, 68, 93, 118, 599, 618, 640, 643 };

  for (unsigned i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char    *folder = g_dir_make_tmp ("sluice-rest-XXXXXX", NULL);
      g_autofree char    *path = g_build_filename (folder, "log.jsonl", NULL);
      const SlRoutingLab *lab;
      size_t              tokens = 0;
      Run                 run;

      write_requests (path, 6, counts[i]);
      assert_ok (lab_run_try (&run, "routing", path, "window=50"));
      lab = sl_routing_lab (sl_trainer_state (run.trainer));
      for (size_t w = 0; w < lab->windows; w++)
        {
          tokens += lab->tokens[w];
          g_assert_cmpuint (lab->tokens[w], <=, lab->longest);
          if (lab->windows > 1)
            g_assert_cmpuint (2 * lab->tokens[w], >=, 50);
        }
      g_assert_cmpuint (tokens, ==, lab->routes.tokens);
      run_steps (&run, (unsigned) lab->windows);
      g_assert_true (sl_trainer_ended (run.trainer, NULL));
      run_clear (&run);
      g_remove (path);
      g_rmdir (folder);
    }
}

/* One cache for all layers: the score and the series of hits are those of the same replay. */
static void
test_cache (void)
{
  static const char data[] = "router:experts=24,k=3,layers=3,tokens=3000,warm-up=0,skew=2";
  Run               run;
  SlRoutingLab     *lab;
  uint64_t          lookups = 3 * 3 * 3000, first_uses = 3 * 24;
  double            hits = 0.0;

  assert_ok (lab_run_try (&run, "routing", data, "window=100 memory=3"));
  lab = sl_routing_lab (sl_trainer_state (run.trainer));
  g_assert_cmpuint (sl_routing_places (lab), ==, 24); /* of 128 MiB */
  for (unsigned w = 0; w < lab->windows; w++)
    {
      run_steps (&run, 1);
      hits += now (&run, "hits.lru") / 100.0 * 3 * 3 * 100;
    }
  sl_assert_near (score_of (&run, SL_TEST, "lru-miss"),
                  100.0 * (1.0 - hits / (double) (lookups - first_uses)), 1e-9, 0);
  sl_assert_near (now (&run, "hits.any"), 100.0 / 3.0, 1e-12, 0);
  run_probe (&run, "cache");
  g_assert_true (g_str_has_prefix (sl_english_text (run.snapshot.note.packed), "3 GiB: LRU hits "));
  g_assert_true (g_str_has_suffix (sl_english_text (run.snapshot.note.packed),
                                   ". 24 of 72 experts fit; at random they hit 33.3 %."));
  run_set (&run, "memory", 0.1);
  run_probe (&run, "cache");
  g_assert_cmpstr (sl_english_text (run.snapshot.note.packed), ==,
                   "0.1 GiB hold no expert of 128 MiB.");
  run_clear (&run);
}

/* The loads of the first half of a layer's tokens, counted one by one, are those that the lab chooses by. */
static void
assert_first_half (const SlRoutingLab *lab, unsigned layer)
{
  uint64_t load[16] = { 0 };
  size_t   tokens = sl_routing_tokens (lab->recording, layer, false);

  g_assert_cmpuint (lab->n, ==, 16);
  for (size_t t = 0; t < tokens / 2; t++)
    {
      uint16_t ids[SL_ROUTING_SLOTS];

      assert_ok (sl_routing_read (lab->recording, layer, false, t, 1, ids, NULL));
      for (unsigned i = 0; i < lab->k; i++)
        load[ids[i]]++;
    }
  g_assert_cmpmem (load, sizeof load, lab->layer_first + (size_t) layer * 16, sizeof load);
}

/* The experts that go are those of the chosen layer that the first half used least. */
static void
test_keep (void)
{
  Run           run;
  SlRoutingLab *lab;
  const char   *list;
  unsigned      named = 0;
  uint64_t      most = 0, least = UINT64_MAX;
  bool          goes[16] = { false };

  assert_ok (lab_run_try (&run, "routing",
                          "router:experts=16,k=2,layers=3,tokens=9001,warm-up=0,skew=2",
                          "layer=1 keep=80"));
  lab = sl_routing_lab (sl_trainer_state (run.trainer));
  for (unsigned l = 0; l < 3; l++)
    assert_first_half (lab, l);
  run_probe (&run, "coverage");
  list = strstr (sl_english_text (run.snapshot.note.packed), " Layer 1 loses ");
  g_assert_nonnull (list);
  for (list += strlen (" Layer 1 loses "); *list != '.'; named++)
    {
      guint64 expert = g_ascii_strtoull (list, (char **) &list, 10);

      g_assert_cmpuint (expert, <, 16);
      goes[expert] = true;
      list += strspn (list, ", ");
    }
  g_assert_cmpuint (named, ==, 16 - (unsigned) run.snapshot.mark);
  for (unsigned e = 0; e < 16; e++)
    if (goes[e])
      most = MAX (most, lab->layer_first[16 + e]);
    else
      least = MIN (least, lab->layer_first[16 + e]);
  g_assert_cmpuint (most, <=, least);
  run_clear (&run);
}

/* What the recording does not tell apart cannot be chosen. */
static void
test_choice (void)
{
  static const char *const settings[] = { "phase=decode", "phase=prefill", "request=1" };

  for (size_t i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      Run      run;
      SlStatus status = lab_run_try (&run, "routing", "router:tokens=512,warm-up=0", settings[i]);

      g_assert_cmpint (status.code, ==, SL_EINVAL);
      g_assert_true (g_str_has_prefix (settings[i], status.subject));
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/routing-lab/offer", test_offer);
  g_test_add_func ("/routing-lab/offer-words", test_offer_words);
  g_test_add_func ("/routing-lab/rest", test_rest);
  g_test_add_func ("/routing-lab/recording", test_recording);
  g_test_add_func ("/routing-lab/training", test_training);
  g_test_add_func ("/routing-lab/shares", test_shares);
  g_test_add_func ("/routing-lab/requests", test_requests);
  g_test_add_func ("/routing-lab/zero-alone", test_zero_alone);
  g_test_add_func ("/routing-lab/cache", test_cache);
  g_test_add_func ("/routing-lab/keep", test_keep);
  g_test_add_func ("/routing-lab/choice", test_choice);
  return g_test_run ();
}
