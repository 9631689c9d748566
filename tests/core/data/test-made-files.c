/* SPDX-License-Identifier: MIT
 *
 * Recordings made at random and written as people write them: what is read is what was made, or the person is asked;
 * nothing is taken for something else.  */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

static char *folder;

static char *
write_bytes (const char *name, const char *bytes, gsize size)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  return path;
}

static SlDataset *
open_good (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[2048];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return dataset;
}

/* ---- the order of axes ---- */

enum { NUMBERS = 1 << 20 /* most of an array */ };

typedef struct
{
  unsigned  layers, tokens, experts, k;
  double    skew;   /* of the preferences of a layer; 0: even */
  gboolean  same;   /* a token goes to the same experts in all layers, as with routing by hashes */
  uint16_t *ids;    /* (layers, tokens, k) */
  float    *scores; /* (layers, tokens, experts) */
} Made;

/* Scores of a token are preferences of its layer and Gumbel noise, so that without skew every choice is as likely. */
static void
draw (Made *made, SlRng *rng)
{
  double *weight = g_new (double, made->experts);

  for (unsigned l = 0; l < made->layers; l++)
    {
      for (unsigned e = 0; e < made->experts; e++)
        weight[e] = made->skew * 2 * (sl_rng_uniform (rng) - 0.5);
      for (unsigned t = 0; t < made->tokens; t++)
        {
          gsize     row = (gsize) l * made->tokens + t;
          float    *scores = made->scores + row * made->experts;
          uint16_t *ids = made->ids + row * made->k;

          for (unsigned e = 0; e < made->experts && made->same && l > 0; e++)
            scores[e] = made->scores[(gsize) t * made->experts + e];
          for (unsigned e = 0; e < made->experts && !(made->same && l > 0); e++)
            scores[e] = (float) (weight[e] - log (-log (1 - sl_rng_uniform (rng))));
          for (unsigned s = 0; s < made->k; s++)
            {
              unsigned best = 0;
              gboolean any = FALSE;

              for (unsigned e = 0; e < made->experts; e++)
                {
                  gboolean taken = FALSE;

                  for (unsigned before = 0; before < s; before++)
                    taken |= ids[before] == e;
                  if (!taken && (!any || scores[e] > scores[best]))
                    {
                      best = e;
                      any = TRUE;
                    }
                }
              ids[s] = (uint16_t) best;
            }
        }
    }
  g_free (weight);
}

static unsigned
between (SlRng *rng, unsigned least, unsigned most)
{
  return least + (unsigned) (sl_rng_uniform (rng) * (most - least + 1));
}

static void
make (Made *made, uint64_t seed)
{
  static const double skews[] = { 0, 0.02, 0.1, 0.5, 1, 2, 4 };
  SlRng               rng;

  sl_rng_init (&rng, seed, "made-files");
  *made = (Made) { .skew = skews[seed % G_N_ELEMENTS (skews)], .same = seed % 11 == 3 };
  do
    {
      made->experts = 8u << between (&rng, 0, 5);
      made->layers = between (&rng, 2, 64);
      made->tokens = between (&rng, 16, seed % 2 == 0 ? 120 : 2000);
      made->k = between (&rng, 1, 8);
    }
  while ((gsize) made->experts * made->layers * made->tokens > NUMBERS
         || made->k > made->experts / 2 || made->layers == made->tokens);
  made->ids = g_new (uint16_t, (gsize) made->layers * made->tokens * made->k);
  made->scores = g_new (float, (gsize) made->layers * made->tokens * made->experts);
  draw (made, &rng);
}

static void
clear (Made *made)
{
  g_free (made->ids);
  g_free (made->scores);
}

/* A .npy with layers or tokens first. */
static char *
write_array (const Made *made, gboolean scores, gboolean layers_first)
{
  unsigned         width = scores ? made->experts : made->k;
  gsize            size = scores ? sizeof (float) : sizeof (uint16_t), row = width * size;
  unsigned         first = layers_first ? made->layers : made->tokens;
  unsigned         second = layers_first ? made->tokens : made->layers;
  const char      *from = scores ? (const char *) made->scores : (const char *) made->ids;
  g_autofree char *about
    = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (%u, %u, %u), }",
                       scores ? "<f4" : "<u2", first, second, width);
  GString *text = g_string_new_len ("\x93NUMPY\x01\x00\x76\x00", 10);
  char    *path;

  g_string_append_printf (text, "%-117s\n", about);
  for (unsigned i = 0; i < first; i++)
    for (unsigned j = 0; j < second; j++)
      {
        gsize l = layers_first ? i : j, t = layers_first ? j : i;

        g_string_append_len (text, from + (l * made->tokens + t) * row, (gssize) row);
      }
  path = write_bytes ("made.npy", text->str, text->len);
  g_string_free (text, TRUE);
  return path;
}

/* That a question has both orders, each of which opens as what it says. */
static void
check_question (const SlStatus *status, const char *spec, const Made *made, gboolean layers_first)
{
  unsigned right = 0;

  g_assert_cmpuint (status->n_advice, ==, 2);
  for (unsigned i = 0; i < 2; i++)
    {
      const char      *value = status->advice[i].value;
      g_autofree char *said = g_strconcat (spec, ",axes=", value, NULL);
      gboolean         is_right = (value[0] == 'l') == layers_first;
      SlDataset       *dataset;

      g_assert_cmpstr (status->advice[i].option, ==, "axes");
      dataset = open_good (said);
      g_assert_cmpuint (dataset->routing->n_layers, ==, is_right ? made->layers : made->tokens);
      right += is_right;
      sl_dataset_free (dataset);
    }
  g_assert_cmpuint (right, ==, 1);
}

static void
check_routes (const Made *made, const SlRouting *routing)
{
  uint16_t ids[SL_ROUTING_SLOTS];

  for (unsigned l = 0; l < made->layers; l++)
    for (unsigned t = 0; t < made->tokens; t++)
      {
        sl_routing_read (routing, l, true, t, 1, ids, NULL);
        for (unsigned s = 0; s < made->k; s++)
          g_assert_cmpuint (ids[s], ==, made->ids[((gsize) l * made->tokens + t) * made->k + s]);
      }
}

/* Either order of either kind is taken for what it is, or both orders are named. */
static void
test_axes (void)
{
  unsigned asked = 0, clear_asked = 0, clear_ones = 0;

  for (uint64_t seed = 0; seed < 200; seed++)
    {
      Made     made;
      gboolean is_clear;

      make (&made, seed);
      is_clear = made.skew >= 2 && !made.same && made.tokens >= 200 && made.layers >= 4;
      for (unsigned way = 0; way < 4; way++)
        {
          gboolean         scores = way / 2 == 1, layers_first = way % 2 == 1;
          g_autofree char *path = write_array (&made, scores, layers_first);
          g_autofree char *spec
            = g_strdup_printf ("%s:k=%u,experts=%u", path, made.k, made.experts);
          SlDataset *dataset;
          SlStatus   status = sl_source_open (spec, &dataset);

          clear_ones += is_clear;
          if (!sl_ok (&status))
            {
              check_question (&status, spec, &made, layers_first);
              asked++;
              clear_asked += is_clear;
              continue;
            }
          if (dataset->routing->n_layers != made.layers)
            g_error (
              "seed %d: %s%u layers × %u tokens, %u experts, k %u, skew %g, %s %s first: taken "
              "for %u layers",
              (int) seed, made.same ? "same, " : "", made.layers, made.tokens, made.experts, made.k,
              made.skew, scores ? "scores," : "numbers,", layers_first ? "layers" : "tokens",
              dataset->routing->n_layers);
          /* Tokens at 0, 1, … in all layers are padding. */
          if (!made.same)
            check_routes (&made, dataset->routing);
          sl_dataset_free (dataset);
        }
      clear (&made);
    }
  g_test_message ("%u of 800 asked; of %u clear ones %u", asked, clear_ones, clear_asked);
  g_assert_cmpuint (clear_ones, >, 20);
  g_assert_cmpuint (clear_asked * 10, <, clear_ones);
}

/* ---- tables of loads ---- */

enum { LAYERS = 5, EXPERTS = 12 };

static unsigned
load_of (unsigned layer, unsigned expert)
{
  return (layer * 7 + expert * expert * 3) % 5 == 0 ? 0 : 3 + 11 * layer + expert * expert;
}

static void
check_loads (const SlDataset *dataset, double scale)
{
  const SlRouting *routing = dataset->routing;

  g_assert_nonnull (routing);
  g_assert_cmpint (routing->kind, ==, SL_ROUTING_COUNTS);
  g_assert_cmpuint (routing->n_layers, ==, LAYERS);
  g_assert_cmpuint (routing->experts, ==, EXPERTS);
  g_assert_cmpuint (routing->rows, ==, 1);
  for (unsigned l = 0; l < LAYERS; l++)
    for (unsigned e = 0; e < EXPERTS; e++)
      g_assert_cmpfloat (fabs ((double) routing->layer[l].counts[e] - scale * load_of (l, e)), <=,
                         scale > 1 ? 1e-6 * scale : 0);
}

typedef struct
{
  const char *layer, *expert, *count, *beside; /* a further column, or NULL */
} Headings;

/* The pairs in an order that a step apart from their number gives. */
static char *
write_loads (const Headings *h, const char *before, unsigned step, gboolean zeros, double scale)
{
  GString *text = g_string_new (before);
  char    *path;

  g_string_append_printf (text, "%s,%s,%s%s%s\n", h->layer, h->expert, h->count,
                          h->beside != NULL ? "," : "", h->beside != NULL ? h->beside : "");
  for (unsigned i = 0; i < LAYERS * EXPERTS; i++)
    {
      unsigned at = i * step % (LAYERS * EXPERTS), l = at / EXPERTS, e = at % EXPERTS;
      char     number[G_ASCII_DTOSTR_BUF_SIZE];

      /* The last expert has a load somewhere, so that all are known. */
      if (load_of (l, e) == 0 && !zeros)
        continue;
      g_ascii_formatd (number, sizeof number, "%.12g", load_of (l, e) * scale);
      g_string_append_printf (text, "%u,%u,%s", l, e, number);
      if (h->beside != NULL)
        g_string_append_printf (text, ",%u.5", i * 37 % 11);
      g_string_append_c (text, '\n');
    }
  path = write_bytes ("loads.csv", text->str, text->len);
  g_string_free (text, TRUE);
  return path;
}

static gboolean
notes_have (const SlRouting *routing, const char *word)
{
  for (unsigned i = 0; i < routing->reading.n_notes; i++)
    if (strstr (sl_english (&routing->reading.note[i]), word) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_load_tables (void)
{
  static const char *const layers[] = { "layer", "layer_idx", "block", "layer_id", "Layer" };
  static const char *const experts[] = { "expert", "expert_id", "expert_idx", "Expert" };
  static const char *const counts[]
    = { "count", "n", "tokens", "num_tokens", "load", "freq", "hits", "Count", "frequency" };
  static const char *const besides[] = { NULL, "gate_mean", "notes" };
  static const char *const befores[] = { "", "# made by a script\n", "# one\n\n# two=3\n" };
  unsigned                 tried = 0;

  for (size_t l = 0; l < G_N_ELEMENTS (layers); l++)
    for (size_t e = 0; e < G_N_ELEMENTS (experts); e++)
      for (size_t c = 0; c < G_N_ELEMENTS (counts); c++, tried++)
        {
          const char      *beside = besides[tried % G_N_ELEMENTS (besides)];
          Headings         h = { layers[l], experts[e], counts[c], beside };
          gboolean         zeros = tried % 2 == 0;
          g_autofree char *path = write_loads (&h, befores[tried / 2 % G_N_ELEMENTS (befores)],
                                               tried % 4 == 0 ? 1 : 17, zeros, 1);
          SlDataset       *dataset;

          g_test_message ("%s,%s,%s,%s", h.layer, h.expert, h.count, beside != NULL ? beside : "");
          dataset = open_good (path);
          check_loads (dataset, 1);
          if (beside != NULL)
            g_assert_true (notes_have (dataset->routing, beside));
          g_assert_true (notes_have (dataset->routing, "missing") == !zeros);
          g_assert_nonnull (strstr (sl_english (&dataset->routing->reading.said), h.count));
          sl_dataset_free (dataset);
        }
}

/* Shares of the tokens are loads, of which nothing can be said of chance. */
static void
test_shares (void)
{
  static const char *const counts[] = { "share", "load", "freq", "fraction" };

  for (size_t c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      Headings         h = { "layer", "expert", counts[c], NULL };
      g_autofree char *path = write_loads (&h, "", 17, TRUE, 1e-4);
      SlDataset       *dataset = open_good (path);
      const SlRouting *routing = dataset->routing;

      g_assert_true (routing->shares);
      g_assert_true (notes_have (routing, "chance"));
      check_loads (dataset, (double) routing->layer[0].counts[1] / load_of (0, 1));
      sl_dataset_free (dataset);
    }
}

/* ---- rows in other rows ---- */

/* Lists of objects within JSON: each row has the layer that stands beside or around it. */
static void
test_nested (void)
{
  static const struct
  {
    const char *text;
    unsigned    layers, experts, rows;
    uint64_t    count[2][4]; /* of the layers: all rows together */
  } cases[] = {
    { "{\"trace\": [{\"layer\": 0, \"expert\": 0, \"count\": 5}, "
      "{\"layer\": 0, \"expert\": 1, \"count\": 7}, {\"layer\": 1, \"expert\": 0, \"count\": 6}, "
      "{\"layer\": 1, \"expert\": 1, \"count\": 1}]}",
      2,
      2,
      1,
      { { 5, 7 }, { 6, 1 } } },
    { "[{\"layer\": 0, \"load\": [{\"expert\": 0, \"count\": 5}, {\"expert\": 1, \"count\": 6}]}, "
      "{\"layer\": 3, \"load\": [{\"expert\": 1, \"count\": 9}, {\"expert\": 0, \"count\": 2}]}]",
      2,
      2,
      1,
      { { 5, 6 }, { 2, 9 } } },
    { "{\"layer\": 0, \"counts\": [[1, 2, 3], [4, 5, 6]]}\n"
      "{\"layer\": 1, \"counts\": [[7, 8, 9], [1, 1, 2]]}\n",
      2,
      3,
      2,
      { { 5, 7, 9 }, { 8, 9, 11 } } },
    { "{\"model\": \"x\", \"trace\": [{\"layer\": 0, \"experts\": [1, 2]}, "
      "{\"layer\": 1, \"experts\": [0, 3]}, {\"layer\": 0, \"experts\": [1, 2]}, "
      "{\"layer\": 1, \"experts\": [2, 3]}]}",
      2,
      4,
      0,
      { { 0, 2, 2, 0 }, { 1, 0, 1, 2 } } },
    { "{\"layer\": 0, \"expert\": [3, 1]}\n{\"layer\": 1, \"expert\": [2, 0]}\n",
      2,
      4,
      0,
      { { 0, 1, 0, 1 }, { 1, 0, 1, 0 } } },
    { "[{\"layer\": 0, \"a\": [{\"experts\": [1, 2]}]}, {\"layer\": 1}, {\"layer\": 2}]",
      1,
      3,
      0,
      { { 0, 1, 1 } } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_bytes ("n.json", cases[i].text, strlen (cases[i].text));
      SlDataset       *dataset = open_good (path);
      const SlRouting *routing = dataset->routing;

      g_assert_cmpuint (routing->n_layers, ==, cases[i].layers);
      g_assert_cmpuint (routing->experts, ==, cases[i].experts);
      g_assert_cmpuint (routing->rows, ==, cases[i].rows);
      for (unsigned l = 0; l < routing->n_layers; l++)
        for (unsigned e = 0; e < routing->experts; e++)
          {
            uint64_t sum = 0;
            uint16_t ids[SL_ROUTING_SLOTS];

            for (size_t row = 0; row < routing->rows; row++)
              sum += routing->layer[l].counts[row * routing->experts + e];
            for (size_t t = 0; t < sl_routing_tokens (routing, l, true); t++)
              {
                sl_routing_read (routing, l, true, t, 1, ids, NULL);
                for (unsigned s = 0; s < routing->k; s++)
                  sum += ids[s] == e;
              }
            g_assert_cmpuint (sum, ==, cases[i].count[l][e]);
          }
      sl_dataset_free (dataset);
    }
}

/* Rows that add up to one, or all to 100, are loads of layers; other fractions are scores, which need k. */
static void
test_percent (void)
{
  static const double sums[] = { 1, 100, 7 };

  for (size_t i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      g_autoptr (GString) text = g_string_new_len ("\x93NUMPY\x01\x00\x76\x00", 10);
      g_autofree char *path = NULL;
      SlDataset       *dataset;
      SlStatus         status;

      g_string_append_printf (text, "%-117s\n",
                              "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 8), }");
      for (unsigned j = 0; j < 16; j++)
        {
          double share = sums[i] * (j % 8 + 1) / 36;

          g_string_append_len (text, (const char *) &share, sizeof share);
        }
      path = write_bytes ("percent.npy", text->str, (gsize) text->len);
      status = sl_source_open (path, &dataset);
      g_assert_true (sl_ok (&status) == (i < 2));
      if (!sl_ok (&status))
        continue;
      g_assert_true (dataset->routing->shares);
      g_assert_cmpuint (dataset->routing->n_layers, ==, 2);
      sl_dataset_free (dataset);
    }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  folder = g_dir_make_tmp ("sluice-made-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/made-files/axes", test_axes);
  g_test_add_func ("/made-files/load-tables", test_load_tables);
  g_test_add_func ("/made-files/shares", test_shares);
  g_test_add_func ("/made-files/percent", test_percent);
  g_test_add_func ("/made-files/nested", test_nested);
  result = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return result;
}
