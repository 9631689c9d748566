/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `routing` against the recording itself and the panel of all layers.  */
#include <glib/gstdio.h>

#include "core/labs/routing/lab.h"
#include "tests/core/labs/alive.h"

enum { WAY, BARS };

/* Whether the recording has a token at an expert; *gate is its value there. */
static bool
goes_to (const Run *run, unsigned layer, size_t token, unsigned expert, float *gate)
{
  const SlRouting *recording = run->dataset->routing;
  uint16_t         ids[SL_ROUTING_SLOTS];
  float            gates[SL_ROUTING_SLOTS];
  bool             has_gates = recording->layer[layer].gates != NULL;

  assert_ok (sl_routing_read (recording, layer, false, token, 1, ids, has_gates ? gates : NULL));
  for (unsigned i = 0; i < recording->k; i++)
    if (ids[i] == expert)
      {
        *gate = has_gates ? gates[i] : 0.0F;
        return true;
      }
  return false;
}

/* Every cell of a picture without bands, and the bars: the gates of a layer, the largest first. */
static void
check_token (const Run *run, const SlAlive *alive, size_t token)
{
  const SlRouting *recording = run->dataset->routing;
  unsigned         n = recording->experts;

  g_assert_cmpuint (alive->group[WAY].n, ==, recording->n_layers * n);
  for (unsigned l = 0; l < recording->n_layers; l++)
    {
      const SlAliveGroup *bars = &alive->group[BARS];
      float               largest = 0.0F, gate;
      unsigned            strongest = 0, used = 0;

      for (unsigned e = 0; e < n; e++)
        {
          const double *cell = alive_cell (alive, WAY, l * n + e);
          bool          goes = goes_to (run, l, token, e, &gate);

          g_assert_cmpint (sl_alive_state (cell) == SL_ALIVE_USED, ==, goes);
          g_assert_cmpfloat (cell[4], ==, e + 1.0);
          strongest += cell[3] > 0.0;
          used += goes;
          if (goes && gate > largest)
            largest = gate;
          if (cell[3] > 0.0)
            g_assert_true (goes);
        }
      g_assert_cmpuint (strongest, ==, 1);
      for (unsigned i = 0; i < bars->across; i++)
        {
          const double *bar = alive_cell (alive, BARS, l * bars->across + i);

          g_assert_cmpint (sl_alive_state (bar) == SL_ALIVE_USED, ==, i < used);
          if (i >= used)
            continue;
          g_assert_true (goes_to (run, l, token, (unsigned) bar[4] - 1, &gate));
          sl_assert_near (bar[2], (double) gate, 0, 1e-6);
          g_assert_cmpint (i == 0, ==,
                           alive_cell (alive, WAY, l * n + (size_t) bar[4] - 1)[3] > 0.0);
          if (i == 0)
            g_assert_cmpfloat ((double) gate, ==, (double) largest);
          else
            g_assert_cmpfloat (bar[2], <=, bar[2 - SL_ALIVE_COLUMNS]);
        }
    }
}

static void
check_sentence (const Run *run, const SlAlive *alive)
{
  const SlRouting *recording = run->dataset->routing;
  double           number[4], used = 0.0, all = recording->experts * (double) recording->n_layers;

  for (unsigned i = 0; i < alive->group[WAY].n; i++)
    used += sl_alive_is_on (alive_cell (alive, WAY, i));
  g_assert_cmpuint (alive_numbers (run, number, 4), ==, 4);
  g_assert_cmpfloat (number[0], ==, used);
  g_assert_cmpfloat (number[1], ==, all);
  g_assert_cmpfloat (number[2], ==, recording->n_layers);
  sl_assert_near (number[3], 100.0 * used / all, 6e-3, 0);
}

/* The pictures of all tokens together are the loads of the panel of all layers. */
static void
test_panels (void)
{
  enum { EXPERTS = 12, LAYERS = 3 };
  double load[LAYERS * EXPERTS] = { 0 }, sum[LAYERS] = { 0 };
  Run    run;

  assert_ok (lab_run_try (&run, "routing", "router:tokens=700,experts=12,k=3,layers=3,warm-up=80",
                          "layer=1"));
  run_steps (&run, 1);
  for (unsigned t = 0; t < sl_routing_tokens (run.dataset->routing, 1, false); t++)
    {
      SlAlive alive = alive_of (&run, t);

      for (unsigned i = 0; i < LAYERS * EXPERTS; i++)
        {
          load[i] += sl_alive_is_on (alive_cell (&alive, WAY, i));
          sum[i / EXPERTS] += sl_alive_is_on (alive_cell (&alive, WAY, i));
        }
      if (t % 50 == 0)
        {
          check_token (&run, &alive, t);
          check_sentence (&run, &alive);
        }
    }
  run_probe (&run, "layers");
  g_assert_cmpuint (run.snapshot.n_data, ==, LAYERS * EXPERTS);
  for (unsigned i = 0; i < LAYERS * EXPERTS; i++)
    sl_assert_near (run.snapshot.data[i], load[i] * EXPERTS / sum[i / EXPERTS], 1e-12, 1e-12);
  run_clear (&run);
}

/* A recording of two layers whose tokens belong to three requests in turn, named to break lines; token 7 goes to
 * another expert where `other` is set.  */
static char *
write_requests (const char *folder, bool other)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char *path = g_build_filename (folder, "requests.jsonl", NULL);

  for (unsigned layer = 0; layer < 2; layer++)
    for (unsigned t = 0; t < 120; t++)
      {
        unsigned a = (5 * t + layer) % 11, b = (a + 1 + t % 7) % 11;

        if (other && t == 7 && layer == 1)
          a = (a + 9) % 11 == b ? (a + 8) % 11 : (a + 9) % 11;
        g_string_append_printf (text,
                                "{\"req_id\": \"\\u202er%u\\n\", \"layer\": %u, \"token_idx\": %u, "
                                "\"topk_ids\": [%u, %u]}\n",
                                t % 3, layer, t, a, b);
      }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static void
begin_requests (Run *run, const char *folder, bool other, const char *settings)
{
  g_autofree char *path = write_requests (folder, other);

  assert_ok (lab_run_try (run, "routing", path, settings));
}

/* The row has tokens of one request, and leads from each to the one it shows. */
static void
test_requests (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-alive-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "requests.jsonl", NULL);
  Run              run;

  begin_requests (&run, folder, false, "layer=1");
  for (unsigned t = 0; t < 120; t += 13)
    {
      SlAlive alive = alive_of (&run, t);
      double  before = -1e9;
      bool    found = false;

      g_assert_null (strstr (run.snapshot.row_names, "\u202e"));
      g_assert_cmpuint (alive.n_points, >=, 20);
      for (unsigned i = 0; i < alive.n_points; i++)
        {
          const double *token = alive.pixel + (size_t) i * SL_ALIVE_COLUMNS;
          unsigned      shown = (unsigned) (t + token[3]);

          g_assert_cmpuint (shown % 3, ==, t % 3);
          g_assert_cmpfloat (token[1], ==, (5 * shown + 1) % 11 + 1.0);
          g_assert_cmpint (token[2] > 0.0, ==, shown == t);
          g_assert_cmpfloat (token[3], >, before);
          before = token[3];
          found |= token[2] > 0.0;
        }
      g_assert_true (found);
    }
  run_clear (&run);
  /* Of one request alone tokens have other numbers. */
  begin_requests (&run, folder, false, "layer=0 request=2");
  for (unsigned t = 0; t < 40; t++)
    {
      SlAlive alive = alive_of (&run, t);

      g_assert_cmpint (sl_alive_state (alive_cell (&alive, WAY, 5 * (3 * t + 1) % 11)), ==,
                       SL_ALIVE_USED);
    }
  run_clear (&run);
  g_unlink (path);
  g_rmdir (folder);
}

/* One number of the recording is another one: two cells change. */
static void
test_change (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-alive-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "requests.jsonl", NULL);
  SlAliveState     state[22];
  unsigned         changed = 0;
  SlAlive          alive;
  Run              run;

  begin_requests (&run, folder, false, "layer=0");
  alive = alive_of (&run, 7);
  g_assert_cmpuint (alive.n_groups, ==, 1); /* no gates */
  for (unsigned i = 0; i < 22; i++)
    state[i] = sl_alive_state (alive_cell (&alive, WAY, i));
  run_clear (&run);
  begin_requests (&run, folder, true, "layer=0");
  alive = alive_of (&run, 7);
  for (unsigned i = 0; i < 22; i++)
    {
      bool differs = state[i] != sl_alive_state (alive_cell (&alive, WAY, i));

      changed += differs;
      g_assert_true (!differs || i >= 11);
    }
  g_assert_cmpuint (changed, ==, 2);
  run_clear (&run);
  g_unlink (path);
  g_rmdir (folder);
}

/* Tokens have their words, and by `tint` a strength: the load of their expert beside the largest of the layer, or their
 * gate value beside the largest of the line.  */
static void
test_words (void)
{
  static const char *const word[] = { "The", " cat", "\\n", "", "  " }, *const shown[]
                                                                        = { "The", " cat", "↵", "∅",
                                                                            "␣" };
  static const char *const tints[] = { "tint=expert", "tint=load", "tint=gate" };
  g_autofree char         *folder = g_dir_make_tmp ("sluice-alive-XXXXXX", NULL);
  g_autofree char         *path = g_build_filename (folder, "words.jsonl", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  unsigned load[9] = { 0 }, most = 0;

  for (unsigned t = 0; t < 20; t++)
    {
      unsigned a = t * t % 9, b = (a + 4) % 9;

      load[a]++;
      load[b]++;
      g_string_append_printf (text,
                              "{\"layer\": 0, \"token\": \"%s\", \"topk_ids\": [%u, %u], "
                              "\"topk_weights\": [%.2f, 0.1]}\n",
                              word[t % 5], a, b, 0.2 + 0.03 * (t % 7));
    }
  for (unsigned i = 0; i < 9; i++)
    most = MAX (most, load[i]);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  for (unsigned tint = 0; tint < G_N_ELEMENTS (tints); tint++)
    {
      SlAlive alive;
      char    sentence[SL_MESSAGE_SIZE];
      Run     run;

      g_auto (GStrv) names = NULL;

      assert_ok (lab_run_try (&run, "routing", path, tints[tint]));
      alive = alive_of (&run, 6);
      names = g_strsplit (run.snapshot.row_names, "\n", -1);
      g_assert_cmpuint (alive.n_points, ==, 20);
      for (unsigned t = 0; t < 20; t++)
        {
          const double *token = alive.pixel + (size_t) t * SL_ALIVE_COLUMNS;
          unsigned      a = t * t % 9;
          double        strength = tint == 0   ? 0.0
                                   : tint == 1 ? (double) load[a] / most
                                               : (0.2 + 0.03 * (t % 7)) / 0.38;

          g_assert_cmpstr (sl_message_show (names[t + 1], NULL, sentence, sizeof sentence), ==,
                           shown[t % 5]);
          sl_assert_near (token[4], strength, 0, 1e-6);
          if (tint == 0)
            g_assert_cmpfloat (token[1], ==, a + 1.0);
          else
            g_assert_true (token[1] > 0.0);
        }
      sl_message_show (names[0], NULL, sentence, sizeof sentence);
      g_assert_cmpstr (sentence, ==, "token 7 “ cat”");
      sl_message_show (run.snapshot.note.packed, NULL, sentence, sizeof sentence);
      g_assert_true (g_str_has_prefix (sentence, "“ cat”: 2 of 9 experts computed"));
      run_clear (&run);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* More layers and experts than there are cells for: bands of experts and every so many-th layer, the chosen one
 * always among them; the sentence counts all.  */
static void
test_large (void)
{
  static const char *const data[] = { "router:tokens=200,experts=300,k=8,layers=100,warm-up=0",
                                      "router:tokens=64,experts=4096,k=64,layers=3,warm-up=0",
                                      "router:tokens=64,experts=1,k=1,layers=1,warm-up=0" };

  for (unsigned i = 0; i < G_N_ELEMENTS (data); i++)
    for (unsigned layer = 1; layer <= 101; layer += 20)
      {
        g_autofree char *words = g_strdup_printf ("layer=%u", layer);
        double           number[4];
        SlRoutingLab    *s;
        SlAlive          alive;
        Run              run;
        char             name[64], text[SL_MESSAGE_SIZE];

        g_auto (GStrv) names = NULL;

        assert_ok (lab_run_try (&run, "routing", data[i], words));
        s = sl_routing_lab (sl_trainer_state (run.trainer));
        alive = alive_of (&run, 11);
        sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
        names = g_strsplit (run.snapshot.row_names, "\n", -1);
        g_assert_true (
          g_str_has_suffix (sl_message_show (names[1 + alive.n_points + alive.group[WAY].slot],
                                             NULL, text, sizeof text),
                            name));
        g_assert_cmpuint (alive_numbers (&run, number, 4), ==, 4);
        g_assert_cmpfloat (number[0], ==, (double) s->k * s->layers);
        g_assert_cmpfloat (number[1], ==, (double) s->n * s->layers);
        run_clear (&run);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/routing-alive/panels", test_panels);
  g_test_add_func ("/routing-alive/requests", test_requests);
  g_test_add_func ("/routing-alive/change", test_change);
  g_test_add_func ("/routing-alive/words", test_words);
  g_test_add_func ("/routing-alive/large", test_large);
  return g_test_run ();
}
