/* SPDX-License-Identifier: MIT
 *
 * What only some recordings have, against numbers by hand: gates, passes, phases, warm-up in the middle, layers of
 * multi-token prediction, empty slots, and too few tokens for most of it.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/report/trace.h"

enum { T = 10, N = 4, K = 2, NONE = SL_ROUTING_NONE };

/* Two layers of ten tokens in three passes, of which the last four tokens were decoded. */
typedef struct
{
  uint16_t       ids[2][T * K];
  float          gates[2][T * K];
  uint8_t        decode[T];
  uint32_t       pass[3];
  SlRoutingRun   run;
  unsigned       group[2];
  SlRoutingLayer layer[2];
  SlRouting      routing;
} Recording;

static const SlTraceSettings settings
  = { .window = 4,
      .hot = 50,
      .placement = { .devices = 2, .extra = 0, .nodes = 1, .groups = 1 },
      .replan = 1,
      .rate = 0.5,
      .cache = 2,
      .capacity = 1 };

static void
make (Recording *r)
{
  static const uint32_t pass[] = { 4, 3, 3 };

  *r = (Recording) { .run = { 2, 3 } };
  memcpy (r->pass, pass, sizeof pass);
  for (unsigned l = 0; l < 2; l++)
    {
      for (unsigned t = 0; t < T; t++)
        {
          r->ids[l][t * K] = (uint16_t) ((t + l) % N);
          r->ids[l][t * K + 1] = (uint16_t) ((t + l + 1) % N);
          r->gates[l][t * K] = 0.75F;
          r->gates[l][t * K + 1] = 0.25F;
          r->decode[t] = t >= 6;
        }
      r->layer[l] = (SlRoutingLayer) { .number = 3 - 2 * (int) l,
                                       .mtp = l == 0 ? -1 : 0,
                                       .tokens = T,
                                       .ids = r->ids[l],
                                       .gates = r->gates[l],
                                       .pass = r->pass,
                                       .n_passes = 3,
                                       .decode = r->decode,
                                       .warm_up = &r->run,
                                       .n_warm_up = 1,
                                       .warm_up_tokens = r->run.tokens };
    }
  r->routing
    = (SlRouting) { .name = "made up",
                    .kind = SL_ROUTING_IDS,
                    .experts = N,
                    .k = K,
                    .bytes = 2,
                    .n_layers = 2,
                    .layer = r->layer,
                    .group = r->group,
                    .reading = { .note = { sl_message ("a %s note", "short") }, .n_notes = 1 } };
}

/* Makes other tokens the warm-up. */
static void
leave_out (Recording *r, size_t first, size_t tokens)
{
  r->run = (SlRoutingRun) { first, tokens };
  for (unsigned l = 0; l < 2; l++)
    r->layer[l].warm_up_tokens = tokens;
}

static char *
document (const SlRouting *routing, gboolean warm_up)
{
  SlJsonWriter w;
  SlStatus     status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  status = sl_trace_write_document (&w, routing, warm_up, &settings);
  g_assert_true (sl_ok (&status));
  return sl_json_writer_end (&w, TRUE);
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("no %s in\n%s", part, text);
}

static void
assert_has_not (const char *text, const char *part)
{
  if (strstr (text, part) != NULL)
    g_error ("%s is in\n%s", part, text);
}

/* The member of a path of keys. */
static const SlJson *
member (const SlJson *json, const char *path)
{
  g_auto (GStrv) keys = g_strsplit (path, "/", -1);

  for (char **key = keys; *key != NULL; key++)
    {
      json = sl_json_member (json, *key);
      if (json == NULL)
        g_error ("no %s of %s", *key, path);
    }
  return json;
}

static void
assert_number (const SlJson *json, const char *path, double expected)
{
  double got = member (json, path)->number;

  if (!(fabs (got - expected) < 1e-6))
    g_error ("%s is %g, expected %g", path, got, expected);
}

static SlJson *
parse (const char *text)
{
  GError *error = NULL;
  SlJson *json = sl_json_parse_object (text, strlen (text), 1 << 20, "document", &error);

  g_assert_no_error (error);
  return json;
}

/* What is counted of each pass, where tokens amid two of them are left out. */
static void
test_head (void)
{
  Recording        r;
  g_autofree char *without = NULL, *with = NULL;

  make (&r);
  without = document (&r.routing, FALSE);
  with = document (&r.routing, TRUE);
  assert_has (without, "\"layers\": [3,\"mtp 0 layer 1\"]");
  assert_has (without, "\"notes\": [\"a short note\"]");
  assert_has (without, "\"order\": \"ranked\"");
  assert_has (without, "\"aligned\": true");
  assert_has (without, "\"tokens\": [7,7]");
  assert_has (without, "\"passes\": {\"number\": 3, \"first\": [2,2,3]}");
  assert_has (with, "\"tokens\": [10,10]");
  assert_has (with, "\"passes\": {\"number\": 3, \"first\": [4,3,3]}");
  assert_has (with, "\"3-mtp 0 layer 1\"");
  assert_has_not (with, "\"bias\"");
}

/* A pass that is left out as a whole is none; of many, six are named. */
static void
test_passes (void)
{
  static const uint32_t many[] = { 1, 1, 1, 1, 1, 1, 4 };
  Recording             r;
  g_autofree char      *whole = NULL, *seven = NULL;

  make (&r);
  leave_out (&r, 4, 3);
  whole = document (&r.routing, FALSE);
  assert_has (whole, "\"passes\": {\"number\": 2, \"first\": [4,3]}");
  r.layer[0].pass = r.layer[1].pass = many;
  r.layer[0].n_passes = r.layer[1].n_passes = 7;
  seven = document (&r.routing, TRUE);
  assert_has (seven, "\"passes\": {\"number\": 7, \"first\": [1,1,1,1,1,1]}");
  /* Six passes of one token touch two experts, one of four all. */
  assert_has (seven, "\"passes_touched\": [[1,6,2],[4,1,4]]");
}

/* One pass says nothing that the layer does not. */
static void
test_one_pass (void)
{
  static const uint32_t one[] = { T };
  Recording             r;
  g_autofree char      *text = NULL;

  make (&r);
  r.layer[0].pass = r.layer[1].pass = one;
  r.layer[0].n_passes = r.layer[1].n_passes = 1;
  r.layer[0].gates = r.layer[1].gates = NULL;
  r.layer[0].decode = r.layer[1].decode = NULL;
  r.group[1] = 1;
  text = document (&r.routing, TRUE);
  assert_has_not (text, "passes_touched");
  assert_has_not (text, "\"gates\"");
  assert_has (text, "\"aligned\": false");
  assert_has_not (text, "3-mtp");

  g_autoptr (SlJson) json = parse (text);

  g_assert_null (sl_json_member (json, "phases"));
}

static void
test_gates (void)
{
  Recording        r;
  g_autofree char *text = NULL;

  make (&r);
  text = document (&r.routing, TRUE);

  g_autoptr (SlJson) json = parse (text);

  assert_number (json, "layer/3/gates/first", 0.75);
  assert_number (json, "layer/3/gates/sum", 1);
  assert_number (json, "layer/3/gates/entropy_bits", 0.811278);
}

/* The prompt's tokens 0, 1 and 5, and 6 to 9. */
static void
test_phases (void)
{
  Recording        r;
  g_autofree char *text = NULL, *decoded = NULL, *prompt = NULL;

  make (&r);
  text = document (&r.routing, FALSE);

  g_autoptr (SlJson) json = parse (text);

  assert_number (json, "phases/3/prefill/tokens", 3);
  assert_number (json, "phases/3/prefill/peak", 2);
  assert_number (json, "phases/3/prefill/dead", 1);
  assert_number (json, "phases/3/prefill/cv", sqrt (1.25) / 1.5);
  assert_number (json, "phases/3/decode/tokens", 4);
  assert_number (json, "phases/3/decode/peak", 1);
  assert_number (json, "phases/3/decode/dead", 0);
  assert_number (json, "phases/3/decode/effective", 4);
  assert_number (json, "phases/mtp 0 layer 1/decode/tokens", 4);
  /* ½ (|1/6 - 1/4| + |3/6 - 1/4| + |2/6 - 1/4| + 1/4) */
  assert_number (json, "phases/3/comparison/total_variation", 1.0 / 3);
  memset (r.decode, 1, sizeof r.decode);
  decoded = document (&r.routing, FALSE);
  assert_has (decoded, "\"phases\": {\n  }");
  memset (r.decode, 0, sizeof r.decode);
  prompt = document (&r.routing, FALSE);
  assert_has (prompt, "\"phases\": {\n  }");
}

/* Halves of an odd number of tokens, and no halves of a single one. */
static void
test_halves (void)
{
  Recording        r;
  g_autofree char *text = NULL, *single = NULL, *none = NULL;

  make (&r);
  text = document (&r.routing, FALSE);

  g_autoptr (SlJson) json = parse (text);

  /* Tokens 0, 1, 5 and 6 to 9, as the phases. */
  assert_number (json, "first_half_to_second/3/total_variation", 1.0 / 3);
  leave_out (&r, 1, 9);
  single = document (&r.routing, FALSE);
  assert_has (single, "\"tokens\": [1,1]");
  assert_has (single, "\"first_half_to_second\": {\n  }");
  leave_out (&r, 0, 10);
  none = document (&r.routing, FALSE);
  assert_has (none, "\"tokens\": [0,0]");
  assert_has (none, "\"passes\": {\"number\": 0, \"first\": []}");
}

/* Slots may be empty: the token's route is shorter. */
static void
test_warm_up (void)
{
  Recording    r;
  SlJsonWriter w;
  SlStatus     status;

  make (&r);
  r.ids[1][2 * K] = NONE;
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  status = sl_trace_write_warm_up (&w, &r.routing);
  g_assert_true (sl_ok (&status));

  g_autofree char *text = sl_json_writer_end (&w, FALSE);

  g_assert_cmpstr (text, ==,
                   "{\"warm_up\": {\"runs\": [[[2,3,2,3]],[[2,3,0]]], "
                   "\"left_out\": [3,3], \"of\": [10,10]}}");
}

/* ---- comparisons ---- */

static char *
compare (const SlRouting *a, const SlRouting *b, gboolean warm_up, gboolean paired)
{
  SlJsonWriter w;
  SlStatus     status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  status = sl_trace_write_recordings (&w, a, b, warm_up, paired);
  g_assert_true (sl_ok (&status));
  return sl_json_writer_end (&w, FALSE);
}

static void
test_compare (void)
{
  Recording        a, b;
  g_autofree char *text = NULL, *plain = NULL, *ascending = NULL, *none = NULL;

  make (&a);
  make (&b);
  b.ids[0][0] = 2; /* token 0 goes to 2, 1 and not 0, 1 */
  text = compare (&a.routing, &b.routing, TRUE, TRUE);

  g_autoptr (SlJson) json = parse (text);

  assert_number (json, "comparison/3/flip", 1.0 / 20);
  assert_number (json, "comparison/3/same_set", 0.9);
  assert_number (json, "comparison/3/top1_flip", 0.1);
  assert_number (json, "comparison/3/total_variation", 0.05);
  assert_number (json, "comparison/mtp 0 layer 1/flip", 0);
  assert_has_not (text, "half_width\": [n"); /* too few tokens for intervals */
  plain = compare (&a.routing, &b.routing, TRUE, FALSE);
  assert_has (plain, "total_variation");
  assert_has_not (plain, "\"flip\"");
  b.routing.order = SL_ROUTING_ASCENDING;
  ascending = compare (&a.routing, &b.routing, TRUE, TRUE);
  assert_has (ascending, "\"flip\"");
  assert_has_not (ascending, "top1_flip");
  /* Nothing is left of one of them. */
  leave_out (&b, 0, 10);
  none = compare (&a.routing, &b.routing, FALSE, FALSE);
  assert_has (none, "\"comparison\": {\n  }");
}

/* ---- a layer in a line ---- */

/* Experts that compute nothing, among the tokens that count. */
static void
test_zeros (void)
{
  static const uint8_t zeros[T] = { 0, 0, 1, 1, 1, 0, 0, 0, 1, 0 };
  Recording            r;
  g_autofree char     *text = NULL, *all = NULL;

  make (&r);
  r.layer[0].zeros = zeros;
  r.layer[0].zero = 4;
  for (unsigned t = 0; t < T; t++)
    if (zeros[t] > 0)
      r.ids[0][t * K + 1] = NONE;
  text = document (&r.routing, FALSE); /* without tokens 2 to 4 */
  all = document (&r.routing, TRUE);

  g_autoptr (SlJson) json = parse (text);
  g_autoptr (SlJson) whole = parse (all);

  assert_number (json, "layer/3/zero/routings", 1);
  assert_number (json, "layer/3/zero/share", 1.0 / 14);
  assert_number (json, "layer/3/zero/mean_k", 13.0 / 7);
  assert_number (whole, "layer/3/zero/routings", 4);
  assert_number (whole, "layer/3/zero/share", 0.2);
  assert_number (whole, "layer/3/zero/mean_k", 1.6);
  g_assert_true (strstr (text, "\"zero\"")
                 == g_strrstr (text, "\"zero\"")); /* one layer has some */
}

static void
test_line (void)
{
  Recording   r;
  SlTraceLine line;
  SlStatus    status;

  make (&r);
  status = sl_trace_line (&r.routing, 0, TRUE, &settings, &line);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (line.tokens, ==, T);
  g_assert_cmpuint (line.balance.routings, ==, T * K);
  g_assert_cmpuint (line.hot_set, ==, 2);
  g_assert_cmpuint (line.cache, ==, 2);
  g_assert_true (fabs (line.hot - 0.55) < 1e-12); /* loads 5, 6, 5, 4 */
  g_assert_true (isnan (line.recall));
  status = sl_trace_line (&r.routing, 1, TRUE, &settings, &line);
  g_assert_true (sl_ok (&status));
  g_assert_true (line.recall >= 0 && line.recall <= 1);
  r.group[1] = 1;
  status = sl_trace_line (&r.routing, 1, TRUE, &settings, &line);
  g_assert_true (sl_ok (&status) && isnan (line.recall));
  r.group[1] = 0;
  leave_out (&r, 0, 7); /* three tokens tell nothing of the next layer */
  status = sl_trace_line (&r.routing, 1, FALSE, &settings, &line);
  g_assert_true (sl_ok (&status) && isnan (line.recall));
  g_assert_cmpuint (line.tokens, ==, 3);
  leave_out (&r, 0, 6);
  status = sl_trace_line (&r.routing, 1, FALSE, &settings, &line);
  g_assert_true (sl_ok (&status) && !isnan (line.recall));
  leave_out (&r, 0, 10);
  status = sl_trace_line (&r.routing, 0, FALSE, &settings, &line);
  g_assert_true (sl_ok (&status) && isnan (line.lru));
  g_assert_cmpuint (line.tokens, ==, 0);
}

/* Counts of tokens with an unknown number of experts: there is no number of tokens. */
static void
test_counts (void)
{
  static const uint64_t counts[] = { 1, 2, 3, 4, 4, 3, 2, 1 };
  SlRoutingLayer        layer = { .number = 5, .mtp = -1, .counts = counts };
  SlRouting             r
    = { .kind = SL_ROUTING_COUNTS, .experts = N, .rows = 2, .n_layers = 1, .layer = &layer };
  SlTraceLine      line;
  SlStatus         status = sl_trace_line (&r, 0, TRUE, &settings, &line);
  g_autofree char *two = document (&r, TRUE), *one = NULL;

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (line.tokens, ==, 0);
  g_assert_cmpuint (line.balance.routings, ==, 20);
  g_assert_cmpfloat (line.balance.cv, ==, 0);
  assert_has (two, "\"kind\": \"counts\"");
  assert_has (two, "\"rows\": 2");
  assert_has (two, "\"load\": [5,5,5,5]");
  assert_has (two, "first_to_last");
  assert_has (two, "\"row_dead\": [0,0]");
  assert_has_not (two, "\"tokens\"");
  r.rows = 1;
  r.k = 2;
  one = document (&r, TRUE);
  assert_has (one, "\"load\": [1,2,3,4]");
  assert_has_not (one, "first_to_last");
  status = sl_trace_line (&r, 0, TRUE, &settings, &line);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (line.tokens, ==, 5);
}

/* ---- settings ---- */

static void
test_settings (void)
{
  SlSettings      given;
  SlTraceSettings s;
  SlStatus        status;

  sl_settings_default (&given, sl_trace_params, sl_n_trace_params);
  s = sl_trace_settings (&given);
  g_assert_cmpuint (s.window, ==, 256);
  g_assert_cmpfloat (s.hot, ==, 10);
  g_assert_cmpuint (s.cache, ==, 0);
  g_assert_cmpfloat (s.capacity, ==, 1.25);
  g_assert_cmpuint (s.placement.devices, ==, 8);
  g_assert_cmpuint (s.placement.extra, ==, 8);
  g_assert_cmpuint (s.placement.nodes, ==, 1);
  g_assert_cmpuint (s.placement.groups, ==, 1);
  g_assert_cmpuint (s.replan, ==, 4);
  g_assert_cmpfloat (s.rate, ==, 0.001);
  g_assert_cmpint (s.score, ==, SL_SCORES_RECORDED);
  g_assert_cmpfloat (s.memory, ==, 8);
  g_assert_cmpfloat (s.expert_size, ==, 0);
  g_assert_cmpfloat (s.bandwidth, ==, 25);
  g_assert_false (s.by_pass);
  status = sl_settings_set_words (&given, sl_trace_params, sl_n_trace_params,
                                  "window=1 hot=2 cache=3 capacity=4 devices=5 extra=6 nodes=7 "
                                  "groups=8 replan=9 bias-rate=0.5 score=sigmoid memory=10.5 "
                                  "expert-size=16.5 bandwidth=900 by=pass");
  g_assert_true (sl_ok (&status));
  s = sl_trace_settings (&given);
  g_assert_cmpuint (s.window, ==, 1);
  g_assert_cmpfloat (s.hot, ==, 2);
  g_assert_cmpuint (s.cache, ==, 3);
  g_assert_cmpfloat (s.capacity, ==, 4);
  g_assert_cmpuint (s.placement.devices, ==, 5);
  g_assert_cmpuint (s.placement.extra, ==, 6);
  g_assert_cmpuint (s.placement.nodes, ==, 7);
  g_assert_cmpuint (s.placement.groups, ==, 8);
  g_assert_cmpuint (s.replan, ==, 9);
  g_assert_cmpfloat (s.rate, ==, 0.5);
  g_assert_cmpint (s.score, ==, SL_SCORES_SIGMOID);
  g_assert_cmpfloat (s.memory, ==, 10.5);
  g_assert_cmpfloat (s.expert_size, ==, 16.5);
  g_assert_cmpfloat (s.bandwidth, ==, 900);
  g_assert_true (s.by_pass);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document/head", test_head);
  g_test_add_func ("/document/passes", test_passes);
  g_test_add_func ("/document/one-pass", test_one_pass);
  g_test_add_func ("/document/gates", test_gates);
  g_test_add_func ("/document/phases", test_phases);
  g_test_add_func ("/document/halves", test_halves);
  g_test_add_func ("/document/warm-up", test_warm_up);
  g_test_add_func ("/document/compare", test_compare);
  g_test_add_func ("/document/zeros", test_zeros);
  g_test_add_func ("/document/line", test_line);
  g_test_add_func ("/document/counts", test_counts);
  g_test_add_func ("/document/settings", test_settings);
  return g_test_run ();
}
