/* SPDX-License-Identifier: MIT
 *
 * Every number of recorded routing against an independent program: the document that is written
 * is compared with the golden one, member by member and both ways.  Integers, orders and placements
 * exactly, reals within 1e-9.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/labs/routing/report/trace.h"
#include "core/train/trainer.h"
#include "tests/support/golden.h"

static JsonObject *golden;

/* ---- Two trees ---- */

static void compare_nodes (const char *where, JsonNode *got, JsonNode *want);

/* What is told of a file in words; experts without a token by chance, which a layer of tokens has twice; and what
 * tests/e2e/recorded_oracle.py computes anew.  */
static bool
is_apart (const char *where, const char *member)
{
  static const char *const apart[]
    = { "notes", "reading", "gini", "memory", "keep", "words", NULL };

  return g_strv_contains (apart, member)
         || (g_str_equal (member, "dead") && g_str_has_suffix (where, ".chance"));
}

/* By the loads it is nearly as by the tokens, and the same where all of these have as many experts. */
static void
compare_dead (const char *where, JsonObject *got)
{
  double tokens = json_object_get_double_member (got, "dead_by_chance");
  double loads
    = json_object_get_double_member (json_object_get_object_member (got, "chance"), "dead");

  if (!(fabs (loads - tokens) <= 0.05 * tokens))
    g_error ("%s.chance.dead: got %.17g, want %.17g", where, loads, tokens);
}

static void
compare_objects (const char *where, JsonObject *got, JsonObject *want)
{
  g_autoptr (GList) members = json_object_get_members (want);

  for (GList *at = members; at != NULL; at = at->next)
    {
      JsonNode        *wanted = json_object_get_member (want, at->data);
      g_autofree char *path = g_strdup_printf ("%s.%s", where, (const char *) at->data);

      if (JSON_NODE_HOLDS_NULL (wanted))
        continue;
      if (!json_object_has_member (got, at->data))
        g_error ("%s is missing", path);
      compare_nodes (path, json_object_get_member (got, at->data), wanted);
    }
  for (GList *at = json_object_get_members (got); at != NULL; at = g_list_delete_link (at, at))
    if (!json_object_has_member (want, at->data) && !is_apart (where, at->data))
      g_error ("%s.%s is nowhere in the golden numbers", where, (const char *) at->data);
  if (json_object_has_member (got, "dead_by_chance") && json_object_has_member (got, "chance"))
    compare_dead (where, got);
}

static void
compare_arrays (const char *where, JsonArray *got, JsonArray *want)
{
  if (json_array_get_length (got) != json_array_get_length (want))
    g_error ("%s: got %u elements, want %u", where, json_array_get_length (got),
             json_array_get_length (want));
  for (guint i = 0; i < json_array_get_length (want); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s[%u]", where, i);

      compare_nodes (path, json_array_get_element (got, i), json_array_get_element (want, i));
    }
}

static void
compare_nodes (const char *where, JsonNode *got, JsonNode *want)
{
  if (JSON_NODE_TYPE (got) != JSON_NODE_TYPE (want))
    g_error ("%s: another kind of value", where);
  if (JSON_NODE_HOLDS_OBJECT (want))
    compare_objects (where, json_node_get_object (got), json_node_get_object (want));
  else if (JSON_NODE_HOLDS_ARRAY (want))
    compare_arrays (where, json_node_get_array (got), json_node_get_array (want));
  else if (json_node_get_value_type (want) == G_TYPE_STRING)
    g_assert_cmpstr (json_node_get_string (got), ==, json_node_get_string (want));
  else if (json_node_get_value_type (want) == G_TYPE_BOOLEAN)
    g_assert_cmpint (json_node_get_boolean (got), ==, json_node_get_boolean (want));
  else
    {
      double a = json_node_get_double (got), b = json_node_get_double (want);
      double wide = strstr (where, ".gates.") != NULL ? 1e-6 : 1e-9;

      if (json_node_get_value_type (want) == G_TYPE_INT64)
        wide = json_node_get_value_type (got) == G_TYPE_INT64 ? 0.0 : wide;
      if (!(fabs (a - b) <= wide * fabs (b) + (wide > 0.0 ? 1e-12 : 0.0)))
        g_error ("%s: got %.17g, want %.17g", where, a, b);
    }
}

static void
compare_document (const char *where, SlJsonWriter *w, JsonObject *want)
{
  g_autofree char *text = sl_json_writer_end (w, TRUE);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  compare_objects (where, json_node_get_object (json_parser_get_root (parser)), want);
}

/* ---- Recordings as the golden file has them ---- */

static SlTraceSettings
settings_of (JsonObject *entry)
{
  JsonObject     *o = json_object_get_object_member (entry, "settings");
  SlTraceSettings s = { .window = 256, .hot = 10.0, .replan = 4, .rate = 0x1p-6 };

  s.window = (size_t) json_object_get_int_member_with_default (o, "window", 256);
  s.placement.devices = (unsigned) json_object_get_int_member_with_default (o, "devices", 8);
  s.placement.extra = (unsigned) json_object_get_int_member_with_default (o, "extra", 8);
  s.placement.nodes = s.placement.groups = 1;
  return s;
}

/* The number of a word among a few. */
static unsigned
word_number (JsonObject *o, const char *member, const char *const *words)
{
  const char *word = json_object_get_string_member (o, member);

  for (unsigned i = 0; words[i] != NULL; i++)
    if (g_str_equal (word, words[i]))
      return i;
  g_error ("%s: %s", member, word);
}

/* What the document says of the recording as a whole, without any layer's tokens. */
static SlRouting *
routing_of (JsonObject *document)
{
  static const char *const orders[] = { "ranked", "ascending", "listed", NULL };
  static const char *const from[] = { "said", "file", "largest", NULL };
  JsonArray               *layers = json_object_get_array_member (document, "layers");
  SlRouting               *r = g_new0 (SlRouting, 1);

  r->experts = (unsigned) json_object_get_int_member (document, "experts");
  r->experts_from = word_number (document, "experts_from", from);
  r->k = (unsigned) json_object_get_int_member (document, "k");
  r->bytes = 2;
  r->n_layers = json_array_get_length (layers);
  r->layer = g_new0 (SlRoutingLayer, r->n_layers);
  r->group = g_new0 (unsigned, r->n_layers);
  if (json_object_has_member (document, "order"))
    r->order = word_number (document, "order", orders);
  for (unsigned l = 0; l < r->n_layers; l++)
    {
      r->layer[l].number = (int) json_array_get_int_element (layers, l);
      r->layer[l].mtp = -1;
    }
  return r;
}

static void
free_routing (SlRouting *r)
{
  for (unsigned l = 0; l < r->n_layers; l++)
    {
      g_free ((void *) r->layer[l].ids);
      g_free ((void *) r->layer[l].scores);
      g_free ((void *) r->layer[l].pass);
      g_free ((void *) r->layer[l].counts);
      g_free (r->layer[l].warm_up);
    }
  g_free (r->layer);
  g_free ((void *) r->group);
  g_free (r);
}

static void
set_warm_up (SlRoutingLayer *layer, JsonArray *runs)
{
  layer->n_warm_up = json_array_get_length (runs);
  layer->warm_up = g_new (SlRoutingRun, layer->n_warm_up);
  for (guint i = 0; i < layer->n_warm_up; i++)
    {
      JsonArray *run = json_array_get_array_element (runs, i);

      layer->warm_up[i].first = (size_t) json_array_get_int_element (run, 0);
      layer->warm_up[i].tokens = (size_t) json_array_get_int_element (run, 1);
      layer->warm_up_tokens += layer->warm_up[i].tokens;
    }
}

/* One pass of all tokens, whose ids the layer takes over. */
static void
set_tokens (SlRouting *r, unsigned l, size_t tokens, uint16_t *ids, JsonObject *entry)
{
  JsonObject *warm_up = json_object_get_object_member (entry, "warm_up");
  uint32_t   *pass = g_new (uint32_t, 1);

  *pass = (uint32_t) tokens;
  r->layer[l].tokens = tokens;
  r->layer[l].ids = ids;
  r->layer[l].pass = pass;
  r->layer[l].n_passes = 1;
  set_warm_up (&r->layer[l],
               json_array_get_array_element (json_object_get_array_member (warm_up, "runs"), l));
}

/* Ids of a column of the file; false where all of them are 0: a layer that the recording does not
 * have.  */
static gboolean
read_column (JsonArray *tokens, guint column, unsigned k, uint16_t *ids)
{
  gboolean any = FALSE;

  for (guint t = 0; t < json_array_get_length (tokens); t++)
    for (unsigned s = 0; s < k; s++)
      {
        gint64 id = json_array_get_int_element (
          json_array_get_array_element (json_array_get_array_element (tokens, t), column), s);

        ids[t * k + s] = (uint16_t) id;
        any = any || id != 0;
      }
  return any;
}

static SlRouting *
routing_of_ids (JsonObject *entry, JsonObject *document)
{
  JsonArray *tokens
    = json_object_get_array_member (json_object_get_object_member (entry, "recording"), "ids");
  guint      T = json_array_get_length (tokens);
  SlRouting *r = routing_of (document);

  for (unsigned l = 0, column = 0; l < r->n_layers; l++, column++)
    {
      uint16_t *ids = g_new (uint16_t, T * r->k);

      if (!read_column (tokens, column, r->k, ids))
        g_assert_true (read_column (tokens, ++column, r->k, ids));
      set_tokens (r, l, T, ids, entry);
    }
  return r;
}

/* Its experts are the k best of scores (T, n), ties to the lower. */
static SlRouting *
routing_of_scores (JsonObject *entry, JsonObject *document)
{
  SlRouting *r = routing_of (document);
  GArray *values = sl_golden_numbers (json_object_get_object_member (entry, "recording"), "scores");
  size_t  tokens = values->len / r->experts;
  float  *scores = g_new (float, values->len);
  uint16_t *ids = g_new (uint16_t, tokens * r->k), *order = g_new (uint16_t, r->experts);

  for (guint i = 0; i < values->len; i++)
    scores[i] = (float) g_array_index (values, double, i);
  for (size_t t = 0; t < tokens; t++)
    {
      sl_order_falling (r->experts, &g_array_index (values, double, t * r->experts), order);
      memcpy (ids + t * r->k, order, r->k * sizeof *ids);
    }
  set_tokens (r, 0, tokens, ids, entry);
  r->layer[0].scores = scores;
  g_free (order);
  g_array_unref (values);
  return r;
}

/* Rows that are not all zeros. */
static SlRouting *
routing_of_counts (JsonObject *entry)
{
  SlRouting *r = routing_of (entry);
  GArray    *values
    = sl_golden_numbers (json_object_get_object_member (entry, "recording"), "logical_count");
  size_t n = r->experts, pass = r->n_layers * n, passes = values->len / pass;

  r->kind = SL_ROUTING_COUNTS;
  for (unsigned l = 0; l < r->n_layers; l++)
    r->layer[l].counts = g_new (uint64_t, passes * n);
  for (size_t p = 0; p < passes; p++)
    {
      const double *row = &g_array_index (values, double, p *pass);
      double        sum = 0.0;

      for (size_t i = 0; i < pass; i++)
        sum += row[i];
      for (size_t i = 0; sum > 0.0 && i < pass; i++)
        ((uint64_t *) r->layer[i / n].counts)[r->rows * n + i % n] = (uint64_t) row[i];
      r->rows += sum > 0.0;
    }
  g_array_unref (values);
  return r;
}

/* ---- Tests ---- */

/* The document but for its notes, whose words are free, and what stands beside it. */
static JsonObject *
without_words (JsonObject *document)
{
  g_autoptr (GList) members = json_object_get_members (document);
  JsonObject *numbers = json_object_new ();

  for (GList *at = members; at != NULL; at = at->next)
    if (!g_str_equal (at->data, "notes") && !g_str_equal (at->data, "recording")
        && !g_str_equal (at->data, "settings"))
      json_object_set_member (numbers, at->data, json_object_dup_member (document, at->data));
  return numbers;
}

static void
check_document (const char *name, JsonObject *entry, SlRouting *r, JsonObject *document,
                gboolean warm_up)
{
  SlTraceSettings settings = settings_of (entry);
  g_autoptr (JsonObject) want = without_words (document);
  SlJsonWriter w;
  SlStatus     status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  status = sl_trace_write_document (&w, r, warm_up, &settings);
  g_assert_true (sl_ok (&status));
  compare_document (name, &w, want);
  free_routing (r);
}

static void
check_tokens (const char *name, JsonObject *entry, const char *which)
{
  JsonObject *document = json_object_get_object_member (entry, which);
  gboolean    scores
    = json_object_has_member (json_object_get_object_member (entry, "recording"), "scores");

  check_document (name, entry,
                  scores ? routing_of_scores (entry, document) : routing_of_ids (entry, document),
                  document, g_str_equal (which, "with"));
}

static void
test_synthetic (void)
{
  JsonObject *all = json_object_get_object_member (golden, "synthetic");
  g_autoptr (GList) names = json_object_get_members (all);

  g_assert_cmpuint (g_list_length (names), ==, 6);
  for (GList *at = names; at != NULL; at = at->next)
    {
      JsonObject *entry = json_object_get_object_member (all, at->data);

      if (json_object_has_member (entry, "rows"))
        check_document (at->data, entry, routing_of_counts (entry), entry, FALSE);
      else
        check_tokens (at->data, entry, "without");
      if (json_object_has_member (entry, "with"))
        check_tokens (at->data, entry, "with");
    }
}

/* ---- The lab ---- */

typedef struct
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
} Report;

static double
score_of (const Report *report, const char *id)
{
  for (unsigned i = 0; i < report->n; i++)
    if (g_str_equal (report->scores[i].id, id))
      return report->scores[i].value;
  return NAN;
}

static void
assert_same (double got, double want)
{
  if (!(fabs (got - want) <= 1e-9 * fmax (1.0, fabs (want))))
    g_error ("the lab has %.17g, the document %.17g", got, want);
}

/* The scores of the lab on one layer, with the settings `words`. */
static Report
score_layer (const SlDataset *dataset, const char *words)
{
  const SlLab *lab = sl_lab_find ("routing");
  SlSettings   settings;
  SlTrainer   *trainer;
  Report       report = { .n = 0 };
  SlStatus     status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, words);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_new (&trainer, lab, &settings, dataset, 1);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_score (trainer, SL_TEST, report.scores, &report.n);
  g_assert_true (sl_ok (&status));
  sl_trainer_free (trainer);
  return report;
}

static void
compare_layer (const SlDataset *dataset, unsigned layer, gboolean warm_up)
{
  g_autofree char *words = g_strdup_printf ("layer=%u warm-up=%s window=100 capacity=1.5", layer,
                                            warm_up ? "yes" : "no");
  SlTraceSettings  settings = { .window = 100, .hot = 20, .cache = 7, .capacity = 1.5 };
  Report           report = score_layer (dataset, words);
  unsigned         n = dataset->routing->experts;
  SlTraceLine      line;
  SlStatus         status = sl_trace_line (dataset->routing, layer, warm_up, &settings, &line);

  g_assert_true (sl_ok (&status));
  assert_same (score_of (&report, "cv"), line.balance.cv);
  assert_same (score_of (&report, "floor"), line.balance.chance.floor);
  assert_same (score_of (&report, "cv-excess"), line.balance.cv_excess);
  assert_same (score_of (&report, "peak"), line.balance.peak);
  assert_same (score_of (&report, "effective"), 100 * line.balance.effective / n);
  assert_same (score_of (&report, "dead"), 100.0 * line.balance.dead / n);
  assert_same (score_of (&report, "gini"), line.balance.gini);
  assert_same (score_of (&report, "dropped"), 100 * line.dropped);
  g_assert_true (isnan (line.recall) == isnan (score_of (&report, "recall")));
  if (!isnan (line.recall))
    assert_same (score_of (&report, "recall"), 100 * line.recall);
}

/* The lab says what the document says, of every layer, with the warm-up and without. */
static void
test_lab (void)
{
  SlDataset *dataset;
  SlStatus   status
    = sl_source_open ("router:experts=24,k=3,layers=3,tokens=3000,warm-up=500,link=0.5", &dataset);

  g_assert_true (sl_ok (&status));
  for (unsigned layer = 0; layer < 3; layer++)
    for (int warm_up = 0; warm_up < 2; warm_up++)
      compare_layer (dataset, layer, warm_up);
  sl_dataset_free (dataset);
}

/* ---- Two recordings ---- */

static SlDataset *
made_up (const char *words)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (words, &dataset);

  g_assert_true (sl_ok (&status));
  return dataset;
}

/* What sl_trace_compare() told, layer by layer. */
typedef struct
{
  unsigned         layers, experts;
  gboolean         pairs;
  SlLoadComparison loads[4];
  SlPairedRoutes   pair[4];
} Told;

static void
note_layer (const char *layer, unsigned experts, const SlLoadComparison *loads,
            const SlPairedRoutes *pairs, gpointer data)
{
  Told *told = data;

  g_assert_cmpuint (told->layers, <, G_N_ELEMENTS (told->loads));
  told->experts = experts;
  told->pairs = pairs != NULL;
  told->loads[told->layers] = *loads;
  if (pairs != NULL)
    told->pair[told->layers] = *pairs;
  told->layers++;
}

static Told
compare_both (const SlRouting *a, const SlRouting *b, gboolean paired)
{
  Told     told = { 0 };
  SlStatus status = sl_trace_compare (a, b, TRUE, paired, note_layer, &told);

  g_assert_true (sl_ok (&status));
  return told;
}

/* A recording and itself, whose tokens go where they went; and another one, as the same numbers are worked out
 * from its loads and by the document.  */
static void
test_compare (void)
{
  SlDataset *one = made_up ("router:experts=12,k=2,layers=2,tokens=900,warm-up=0");
  SlDataset *other
    = made_up ("router:experts=12,k=2,layers=3,tokens=900,warm-up=0,seed=2,skew=1.5");
  Told same = compare_both (one->routing, one->routing, TRUE);
  Told loads = compare_both (one->routing, other->routing, FALSE);
  Told pairs = compare_both (one->routing, other->routing, TRUE);

  g_assert_cmpuint (same.layers, ==, 2);
  g_assert_cmpuint (same.experts, ==, 12);
  g_assert_cmpuint (loads.layers, ==, 2); /* of three, which only the other has */
  g_assert_true (same.pairs && !loads.pairs && pairs.pairs);
  for (unsigned l = 0; l < 2; l++)
    {
      g_assert_cmpfloat (same.loads[l].total_variation, ==, 0.0);
      g_assert_cmpfloat (same.pair[l].flip, ==, 0.0);
      g_assert_cmpfloat (same.pair[l].same_set, ==, 1.0);
      g_assert_cmpfloat (same.pair[l].top1_flip, ==, 0.0);
      g_assert_true (loads.loads[l].total_variation > 0.01);
      g_assert_cmpfloat (loads.loads[l].total_variation, ==, pairs.loads[l].total_variation);
      g_assert_true (pairs.pair[l].flip > 0.1 && pairs.pair[l].flip <= 1.0);
      g_assert_true (pairs.pair[l].same_set < 1.0);
    }
  sl_dataset_free (one);
  sl_dataset_free (other);
}

/* The counts of a recording's tokens compare as the tokens do, told and written. */
static void
test_compare_counts (void)
{
  SlDataset       *one = made_up ("router:experts=12,k=2,layers=1,tokens=900,warm-up=0");
  SlDataset       *other = made_up ("router:experts=12,k=2,layers=1,tokens=900,warm-up=0,seed=2");
  uint64_t         load[12] = { 0 };
  SlRoutingLayer   layer = { .number = other->routing->layer[0].number, .mtp = -1, .counts = load };
  SlRouting        counts = { .name = "counts",
                              .kind = SL_ROUTING_COUNTS,
                              .experts = 12,
                              .k = 2,
                              .rows = 1,
                              .n_layers = 1,
                              .layer = &layer };
  SlTraceSettings  settings = { .window = 256, .hot = 10 };
  Told             tokens = compare_both (one->routing, other->routing, FALSE), told;
  SlTraceLine      line;
  SlJsonWriter     w;
  g_autofree char *text = NULL;
  SlStatus         status;

  for (size_t t = 0; t < 900; t++)
    {
      uint16_t ids[2];

      status = sl_routing_read (other->routing, 0, true, t, 1, ids, NULL);
      g_assert_true (sl_ok (&status));
      load[ids[0]]++;
      load[ids[1]]++;
    }
  told = compare_both (one->routing, &counts, FALSE);
  g_assert_cmpuint (told.layers, ==, 1);
  g_assert_cmpfloat (told.loads[0].total_variation, ==, tokens.loads[0].total_variation);
  g_assert_cmpfloat (told.loads[0].jensen_shannon_bits, ==, tokens.loads[0].jensen_shannon_bits);
  g_assert_false (told.loads[0].has_interval);

  status = sl_trace_line (&counts, 0, TRUE, &settings, &line);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (line.tokens, ==, 900);
  g_assert_cmpuint (line.balance.routings, ==, 1800);
  g_assert_true (isnan (line.lru) && isnan (line.recall) && isnan (line.dropped));

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  status = sl_trace_write_recordings (&w, one->routing, &counts, TRUE, FALSE);
  g_assert_true (sl_ok (&status));
  text = sl_json_writer_end (&w, FALSE);
  g_assert_nonnull (strstr (text, "\"total_variation\""));
  g_assert_null (strstr (text, "\"half_width\""));
  g_assert_null (strstr (text, "\"flip\""));
  sl_dataset_free (one);
  sl_dataset_free (other);
}

static void
assert_refused (const SlRouting *a, const SlRouting *b, gboolean paired, const char *hint)
{
  Told     told = { 0 };
  char     text[512];
  SlStatus status = sl_trace_compare (a, b, TRUE, paired, note_layer, &told);

  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_cmpuint (told.layers, ==, 0);
  sl_status_show (&status, NULL, text, sizeof text);
  if (strstr (text, hint) == NULL)
    g_error ("\"%s\" says nothing of %s", text, hint);
}

/* What cannot be compared is refused with the reason. */
static void
test_compare_refused (void)
{
  SlDataset     *one = made_up ("router:experts=12,k=2,layers=2,tokens=900,warm-up=0");
  SlDataset     *wide = made_up ("router:experts=13,k=2,layers=2,tokens=900,warm-up=0");
  SlDataset     *brief = made_up ("router:experts=12,k=2,layers=2,tokens=800,warm-up=0");
  uint64_t       load[12] = { 1 };
  SlRoutingLayer layer = { .number = one->routing->layer[0].number, .mtp = -1, .counts = load };
  SlRouting      counts = { .name = "counts",
                            .kind = SL_ROUTING_COUNTS,
                            .experts = 12,
                            .k = 2,
                            .rows = 1,
                            .n_layers = 1,
                            .layer = &layer };

  assert_refused (one->routing, wide->routing, FALSE, "13 experts");
  assert_refused (one->routing, brief->routing, TRUE, "800 tokens");
  assert_refused (one->routing, &counts, TRUE, "only counts");
  assert_refused (&counts, one->routing, TRUE, "only counts");
  layer.number += 1000;
  assert_refused (one->routing, &counts, FALSE, "other layers");
  layer.number -= 1000;
  layer.mtp = 0; /* of another block, under the same number */
  assert_refused (one->routing, &counts, FALSE, "other layers");
  sl_dataset_free (one);
  sl_dataset_free (wide);
  sl_dataset_free (brief);
}

int
main (int argc, char **argv)
{
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/trace/synthetic", test_synthetic);
  g_test_add_func ("/trace/lab", test_lab);
  g_test_add_func ("/trace/compare", test_compare);
  g_test_add_func ("/trace/compare-counts", test_compare_counts);
  g_test_add_func ("/trace/compare-refused", test_compare_refused);
  return g_test_run ();
}
