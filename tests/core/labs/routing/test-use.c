/* SPDX-License-Identifier: MIT
 *
 * What is learned of a recording, against numbers by hand: caches for all layers, experts to keep, typical words.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/report/caches.h"
#include "core/labs/routing/report/keep.h"

enum { NONE = SL_ROUTING_NONE, MOST = 24 };

/* Layers 4 and 7 with the same tokens, layer 9 with others; two experts, of which a token has up to two. */
typedef struct
{
  uint16_t       ids[3][MOST * 2];
  uint8_t        decode[MOST];
  uint32_t       token[MOST], no_token[4], pass[3][2];
  char          *word[2];
  SlRoutingRun   run;
  unsigned       group[3];
  SlRoutingLayer layer[3];
  SlRouting      routing;
} Recording;

static void
make (Recording *r)
{
  /* Token 0 is a warm-up; the two of the first pass that are left, and the one of the second, which was decoded. */
  static const uint16_t ids[3][8] = { { 1, NONE, 0, NONE, 1, NONE, 0, NONE },
                                      { 1, NONE, 1, 0, NONE, NONE, 0, NONE },
                                      { 0, NONE, 1, NONE } };
  static const uint32_t pass[3][2] = { { 3, 1 }, { 3, 1 }, { 2, 0 } };
  static const int      number[] = { 4, 7, 9 };

  *r = (Recording) { .decode = { 0, 0, 0, 1 }, .group = { 0, 0, 2 }, .run = { 0, 1 } };
  memcpy (r->pass, pass, sizeof pass);
  for (unsigned l = 0; l < 3; l++)
    {
      memcpy (r->ids[l], ids[l], sizeof ids[l]);
      r->layer[l] = (SlRoutingLayer) { .number = number[l],
                                       .mtp = -1,
                                       .tokens = l < 2 ? 4 : 2,
                                       .ids = r->ids[l],
                                       .pass = r->pass[l],
                                       .n_passes = l < 2 ? 2 : 1,
                                       .decode = r->decode,
                                       .warm_up = &r->run,
                                       .n_warm_up = l < 2,
                                       .warm_up_tokens = l < 2 };
    }
  r->routing = (SlRouting) { .name = "made up",
                             .kind = SL_ROUTING_IDS,
                             .experts = 2,
                             .k = 2,
                             .bytes = 2,
                             .n_layers = 3,
                             .layer = r->layer,
                             .group = r->group };
}

static const SlTraceSettings settings = { .window = 4,
                                          .hot = 50,
                                          .placement = { .devices = 1, .nodes = 1, .groups = 1 },
                                          .replan = 1,
                                          .capacity = 1,
                                          .memory = 2,
                                          .expert_size = 1024,
                                          .bandwidth = 1 };

static void
assert_near (double got, double expected)
{
  if (!(fabs (got - expected) <= 1e-9 * fabs (expected)))
    g_error ("%.17g, expected %.17g", got, expected);
}

static void
assert_numbers (unsigned n, const double *got, const double *expected)
{
  for (unsigned i = 0; i < n; i++)
    assert_near (got[i], expected[i]);
}

static const SlJson *
member (const SlJson *json, const char *path)
{
  g_auto (GStrv) keys = g_strsplit (path, "/", -1);

  for (char **key = keys; *key != NULL && json != NULL; key++)
    json = sl_json_member (json, *key);
  return json;
}

static const SlJson *
item (const SlJson *array, unsigned i)
{
  const SlJson *at = array->first;

  while (i-- > 0)
    at = at->next;
  return at;
}

typedef SlStatus Write (SlJsonWriter *w, const SlRouting *routing);

static SlJson *
written (Write *write, const SlRouting *routing)
{
  SlJsonWriter     w;
  g_autofree char *text = NULL;
  GError          *error = NULL;
  SlStatus         status;
  SlJson          *json;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  status = write (&w, routing);
  g_assert_true (sl_ok (&status));
  text = sl_json_writer_end (&w, TRUE);
  json = sl_json_parse_object (text, strlen (text), 1 << 20, "document", &error);
  g_assert_no_error (error);
  return json;
}

/* ---- caches ---- */

/* The turns are 0 | 3 2 | 1 | 0 | 2 of the items 0 1 (layer 4) and 2 3 (layer 7). */
static void
test_caches (void)
{
  static const double share[] = { 0, 0, 1 / 6.0, 2 / 6.0 },
                      fixed[] = { 1 / 3.0, 2 / 3.0, 2 / 3.0, 1 };
  Recording     r;
  SlTraceCaches c;
  SlStatus      status;

  make (&r);
  status = sl_trace_caches (&r.routing, FALSE, &settings, TRUE, &c);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (c.layers, ==, 2);
  g_assert_cmpuint (c.items, ==, 4);
  g_assert_cmpuint (c.groups, ==, 3);
  g_assert_cmpuint (c.n, ==, 4);
  g_assert_cmpuint (c.places[c.chosen], ==, 2);
  g_assert_true (c.from == SL_BYTES_SET && c.phases && !c.cut);
  g_assert_cmpuint (c.counts.lookups[SL_TURNS_ALL], ==, 6);
  g_assert_cmpuint (c.counts.first_uses[SL_TURNS_ALL], ==, 4);
  for (unsigned i = 0; i < c.n; i++)
    assert_near (sl_trace_hit_share (&c, SL_TRACE_LRU, i, SL_TURNS_ALL, FALSE), share[i]);
  assert_numbers (4, c.pinned, fixed);
  assert_near (sl_trace_hit_share (&c, SL_TRACE_LRU, 2, SL_TURNS_DECODE, TRUE), 0.5);
  g_assert_true (isnan (sl_trace_hit_share (&c, SL_TRACE_LRU, 2, SL_TURNS_PREFILL, TRUE)));
  assert_near (sl_trace_tokens_per_second (&c, 2, SL_TURNS_DECODE, 1), 1e9 / 0x1p30);
  g_assert_true (isinf (sl_trace_tokens_per_second (&c, 3, SL_TURNS_DECODE, 1)));
}

/* The bytes of an expert that the recording says, and the tokens of a pass together. */
static void
test_caches_by_pass (void)
{
  SlTraceSettings other = settings;
  Recording       r;
  SlTraceCaches   c;
  SlStatus        status;

  make (&r);
  other.expert_size = 0;
  other.by_pass = TRUE;
  r.routing.expert_bytes = 0x1p29;
  status = sl_trace_caches (&r.routing, FALSE, &other, FALSE, &c);
  g_assert_true (sl_ok (&status));
  g_assert_true (c.from == SL_BYTES_RECORDED);
  g_assert_cmpuint (c.places[c.chosen], ==, 4);
  g_assert_cmpuint (c.groups, ==, 2);
  g_assert_cmpuint (c.counts.tokens[SL_TURNS_PREFILL], ==, 2);
  r.routing.expert_bytes = 0;
  status = sl_trace_caches (&r.routing, TRUE, &other, FALSE, &c);
  g_assert_true (sl_ok (&status));
  g_assert_true (c.from == SL_BYTES_ASSUMED);
  assert_near (c.bytes, 12 * 0x1p20);
  g_assert_cmpuint (c.counts.tokens[SL_TURNS_PREFILL], ==, 3);
}

static SlStatus
write_caches (SlJsonWriter *w, const SlRouting *routing)
{
  return sl_trace_write_caches (w, "memory", routing, FALSE, &settings);
}

static void
test_caches_json (void)
{
  Recording r;

  make (&r);

  g_autoptr (SlJson) json = written (write_caches, &r.routing);

  g_assert_true (item (member (json, "memory/phases/decode/tokens_per_second"), 2)->kind
                 == SL_JSON_NUMBER);
  g_assert_true (item (member (json, "memory/phases/decode/tokens_per_second"), 3)->kind
                 == SL_JSON_NULL);
  g_assert_true (member (json, "memory/phases/prefill/steady") == NULL);
  g_assert_nonnull (member (json, "memory/phases/decode/steady/best"));
  g_assert_nonnull (member (json, "memory/pinned"));
  r.layer[0].decode = NULL;

  g_autoptr (SlJson) plain = written (write_caches, &r.routing);

  g_assert_nonnull (member (plain, "memory/phases/all"));
  g_assert_null (member (plain, "memory/phases/decode"));
}

/* Every row has a cell for each of the heading. */
static void
test_caches_table (void)
{
  for (unsigned phases = 0; phases < 2; phases++)
    {
      Recording     r;
      SlTraceCaches c;
      SlStatus      status;

      make (&r);
      if (phases == 0)
        r.layer[0].decode = NULL;
      status = sl_trace_caches (&r.routing, FALSE, &settings, TRUE, &c);
      g_assert_true (sl_ok (&status));

      g_autofree char *table = sl_trace_caches_table (&c, 1);
      g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
      g_auto (GStrv) heading = g_strsplit (lines[0], ",", -1);

      g_assert_cmpuint (g_strv_length (lines), ==, 1 + c.n + 1);
      g_assert_cmpuint (g_strv_length (heading), ==, phases == 0 ? 11 : 19);
      for (unsigned i = 0; i < c.n; i++)
        {
          g_auto (GStrv) cells = g_strsplit (lines[1 + i], ",", -1);

          g_assert_cmpuint (g_strv_length (cells), ==, g_strv_length (heading));
          g_assert_cmpuint (g_ascii_strtoull (cells[0], NULL, 10), ==, c.places[i]);
          assert_near (g_ascii_strtod (cells[1], NULL), (double) c.places[i]);
          g_assert_true ((cells[10][0] == '\0') == (i + 1 == c.n)); /* all fit: no bound */
        }
    }
}

/* ---- keep-lists ---- */

/* Loads 3 1 of the first two rows and 0 4 of the third; layer 1 has none in the first part, layer 2 none in the second. */
static const uint64_t rows[3][6]
  = { { 3, 1, 0, 4, 0, 0 }, { 0, 0, 0, 0, 2, 0 }, { 2, 0, 0, 0, 0, 0 } };

static void
make_counts (SlRouting *routing, SlRoutingLayer layer[3])
{
  for (unsigned l = 0; l < 3; l++)
    layer[l] = (SlRoutingLayer) { .number = (int) l, .mtp = -1, .counts = rows[l] };
  *routing = (SlRouting) { .name = "counts",
                           .kind = SL_ROUTING_COUNTS,
                           .experts = 2,
                           .rows = 3,
                           .n_layers = 3,
                           .layer = layer };
}

static void
test_keep (void)
{
  SlRoutingLayer layer[3];
  SlRouting      routing;
  SlTraceKeep    keep;
  SlStatus       status;

  make_counts (&routing, layer);
  status = sl_trace_keep (&routing, FALSE, 0.8, &keep);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (keep.per_layer, ==, 1); /* (3/4 + 1) ÷ 2 */
  assert_near (keep.equal.coverage, 0.875);
  assert_near (keep.equal.judged, 0); /* of layer 0 alone */
  assert_near (keep.equal.judged_least, 0);
  g_assert_cmpuint (keep.equal.count[1], ==, 2);
  g_assert_cmpuint (keep.free.experts, ==, 4);
  sl_trace_keep_clear (&keep);
  status = sl_trace_keep (&routing, FALSE, 0.9, &keep);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (keep.per_layer, ==, 2);
  g_assert_cmpuint (keep.free.count[0], ==, 2);
  g_assert_cmpuint (keep.free.count[2], ==, 1);
  assert_near (keep.free.judged, 1);
  sl_trace_keep_clear (&keep);
}

static SlStatus
write_keep (SlJsonWriter *w, const SlRouting *routing)
{
  return sl_trace_write_keep (w, routing, FALSE, 0.8);
}

static void
test_keep_json (void)
{
  SlRoutingLayer layer[3];
  SlRouting      routing;

  make_counts (&routing, layer);

  g_autoptr (SlJson) json = written (write_keep, &routing);

  g_assert_cmpuint (member (json, "equal/keep/0")->n, ==, 1);
  g_assert_cmpuint (member (json, "equal/keep/1")->n, ==, 2);
  g_assert_cmpuint (member (json, "never_used/0/experts")->n, ==, 0);
  g_assert_cmpuint (member (json, "never_used/1/experts")->n, ==, 1);
  g_assert_nonnull (member (json, "never_used/1/by_chance"));
  routing.rows = 1;
  routing.shares = true;

  g_autoptr (SlJson) row = written (write_keep, &routing);

  g_assert_null (member (row, "equal/judged"));
  g_assert_null (member (row, "never_used/1/by_chance"));
}

/* Tokens 1 and 2 or 1 to 3 count: the first half is one of them, and of one token alone it is everything. */
static void
test_keep_tokens (void)
{
  Recording   r;
  SlTraceKeep keep;
  SlStatus    status;

  make (&r);
  r.routing.k = 1;
  r.routing.n_layers = 1;
  for (unsigned t = 0; t < 4; t++)
    r.ids[0][t] = t == 3;
  for (unsigned counted = 0; counted < 2; counted++)
    {
      status = sl_trace_keep (&r.routing, counted > 0, 1, &keep);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (keep.first[0], ==, 1 + counted);
      g_assert_cmpuint (keep.second[0], ==, 1);
      g_assert_cmpuint (keep.second[1], ==, 1);
      assert_near (keep.by_chance[0], counted > 0 ? 2 / 16.0 : 2 / 8.0);
      sl_trace_keep_clear (&keep);
    }
  r.layer[0].warm_up_tokens = r.run.tokens = 3;
  status = sl_trace_keep (&r.routing, FALSE, 1, &keep);
  g_assert_true (sl_ok (&status));
  g_assert_null (keep.loads.second);
  g_assert_true (isnan (keep.equal.judged));
  g_assert_cmpuint (keep.first[1], ==, 1);
  sl_trace_keep_clear (&keep);
}

/* ---- words ---- */

static SlStatus
write_words (SlJsonWriter *w, const SlRouting *routing)
{
  return sl_trace_write_words (w, "words", routing, FALSE);
}

/* The first of two words goes to expert 0 nine times of ten, the other to expert 1. */
static void
test_words (void)
{
  Recording r;

  make (&r);
  r.routing.word = r.word;
  r.routing.n_words = 2;
  r.word[0] = (char *) "“x”";
  r.word[1] = (char *) "y";
  r.routing.k = 1;
  r.layer[0].tokens = 22;
  r.layer[0].token = r.token;
  r.layer[1].token = r.no_token;
  for (unsigned t = 0; t < 4; t++)
    r.no_token[t] = SL_ROUTING_NO_WORD;
  for (unsigned t = 0; t < 22; t++) /* token 0 is a warm-up, token 21 has no word */
    {
      r.ids[0][t] = t >= 10;
      r.token[t] = t == 21 ? SL_ROUTING_NO_WORD : t > 10;
    }

  g_autoptr (SlJson) json = written (write_words, &r.routing);
  const SlJson *word = item (member (json, "words/4/expert/0"), 0);

  assert_near (member (json, "words/4/tokens")->number, 20);
  assert_near (member (json, "words/4/different")->number, 2);
  assert_near (member (json, "words/4/bound")->number, 1.959963984540054 * 1.959963984540054);
  g_assert_cmpuint (member (json, "words/4/expert/0")->n, ==, 1);
  g_assert_cmpstr (item (word, 0)->text, ==, "“x”");
  assert_near (item (word, 1)->number, 9);
  assert_near (item (word, 2)->number, 10);
  assert_near (item (word, 3)->number, 4.5);
  assert_near (item (word, 4)->number, 2);
  assert_near (item (word, 5)->number, 2 * (9 * log (2) + log (1 / 5.5)));
  g_assert_cmpuint (member (json, "words/4/expert/1")->n, ==, 1);
  g_assert_null (member (json, "words/7")); /* its tokens have no words */
  g_assert_null (member (json, "words/9"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/use/caches", test_caches);
  g_test_add_func ("/use/caches-by-pass", test_caches_by_pass);
  g_test_add_func ("/use/caches-json", test_caches_json);
  g_test_add_func ("/use/caches-table", test_caches_table);
  g_test_add_func ("/use/keep", test_keep);
  g_test_add_func ("/use/keep-json", test_keep_json);
  g_test_add_func ("/use/keep-tokens", test_keep_tokens);
  g_test_add_func ("/use/words", test_words);
  return g_test_run ();
}
