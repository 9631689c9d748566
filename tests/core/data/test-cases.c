/* SPDX-License-Identifier: MIT
 *
 * Files as people have them, tests/fixtures/files: each gives the right value, or a sentence whose advice, taken
 * literally, leads to it.  */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"
#include "tests/support/golden.h"

static char *folder;

static char *
case_path (const char *name)
{
  return g_path_is_absolute (name) ? g_strdup (name)
                                   : g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests",
                                                       "fixtures", "files", name, NULL);
}

static const char *
sentence (const SlStatus *status)
{
  static char text[2048];

  return sl_status_text (status, text, sizeof text);
}

/* ---- opening as the advice says ---- */

/* Runs a line of Python in the folder of tests; FALSE where a module that it needs is missing. */
static gboolean
run_line (const char *line)
{
  const char *const arguments[] = { "/usr/bin/python3", "-c", line, NULL };
  g_autofree char  *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (!g_spawn_sync (folder, (char **) arguments, NULL, 0, NULL, NULL, NULL, &said, &status,
                     &error))
    {
      g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
      return FALSE;
    }
  if (status != 0 && strstr (said, "ModuleNotFoundError") != NULL)
    return FALSE;
  if (status != 0)
    g_error ("%s: %s", line, said);
  return TRUE;
}

/* Opens "FILE:options", and as long as it is refused again with the next option of the advice: the first one, or the
 * second where bit i of `second` is set at question i.  */
static SlDataset *
open_advised (const char *name, unsigned second, unsigned *asked)
{
  g_autofree char *path = case_path (name);
  g_autoptr (GString) spec = g_string_new (path);
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec->str, &dataset);

  for (*asked = 0; !sl_ok (&status) && *asked < 4; ++*asked)
    {
      unsigned        which = second >> *asked & 1;
      const SlAdvice *way = &status.advice[which];

      if (status.n_advice <= which || way->option[0] == '\0')
        g_error ("%s", sentence (&status));
      g_assert_nonnull (strstr (sentence (&status), way->value));
      g_string_append_printf (spec, "%c%s=%s", *asked == 0 ? ':' : ',', way->option, way->value);
      status = sl_source_open (spec->str, &dataset);
    }
  if (!sl_ok (&status))
    g_error ("%s: %s", spec->str, sentence (&status));
  g_assert_cmpuint (dataset->reading.n_notes, <=, SL_READING_NOTES);
  g_assert_cmpstr (sl_english (&dataset->reading.said), !=, "");
  return dataset;
}

/* ---- loads ---- */

static void
count_layer (const SlRouting *routing, unsigned l, uint64_t *count)
{
  const SlRoutingLayer *layer = &routing->layer[l];
  uint16_t              ids[SL_ROUTING_SLOTS];
  SlStatus              status;

  memset (count, 0, routing->experts * sizeof *count);
  for (size_t i = 0; layer->counts != NULL && i < routing->rows * routing->experts; i++)
    count[i % routing->experts] += layer->counts[i];
  for (size_t t = 0; t < sl_routing_tokens (routing, l, true); t++)
    {
      status = sl_routing_read (routing, l, true, t, 1, ids, NULL);
      g_assert_true (sl_ok (&status));
      for (unsigned s = 0; s < routing->k; s++)
        if (ids[s] != SL_ROUTING_NONE)
          count[ids[s]]++;
    }
}

/* The standard deviation of the loads of a layer over their mean, and how many are 0. */
static double
cv_of (const SlRouting *routing, unsigned l, unsigned *dead)
{
  g_autofree uint64_t *count = g_new (uint64_t, routing->experts);
  double               sum = 0, squares = 0, n = routing->experts;

  count_layer (routing, l, count);
  *dead = 0;
  for (unsigned i = 0; i < routing->experts; i++)
    {
      sum += (double) count[i];
      squares += (double) count[i] * (double) count[i];
      *dead += count[i] == 0;
    }
  return sqrt (squares / n - sum / n * (sum / n)) / (sum / n);
}

typedef struct
{
  const char *file;
  unsigned    asked, tokens; /* 0: loads alone */
  unsigned    layers, first, experts;
  double      cv[6];
  unsigned    dead[6];
} Loads;

#define SAME_CV                                                                                    \
  {                                                                                                \
    1.4057026712644463, 1.4230249470757708, 1.2847567863218314, 1.1163332835672328,                \
      1.3862178760930766, 1.5559562975867929                                                       \
  }
#define SAME_DEAD                                                                                  \
  {                                                                                                \
    3, 5, 5, 2, 3, 6                                                                               \
  }
#define SAVED_CV                                                                                   \
  {                                                                                                \
    2.1134331226348877, 1.5779733657836914, 1.9868568181991577, 1.2955307960510254,                \
      1.9249933958053589, 1.8039401769638062                                                       \
  }
#define SAVED_DEAD                                                                                 \
  {                                                                                                \
    4, 7, 4, 4, 8, 4                                                                               \
  }

static const Loads loads[] = {
  { "01-router-logits-layers-first/stack0.npy", 1, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "01-router-logits-layers-first/stack1.npy", 1, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "01-router-logits-layers-first/named.npz", 1, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "01-router-logits-layers-first/ids0.npy", 0, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "02-savez-star-layers/ids.npz", 0, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "02-savez-star-layers/logits.npz", 1, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "03-load-matrix-layers-x-experts/counts.npy", 0, 0, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "03-load-matrix-layers-x-experts/eplb.json", 0, 0, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "03-load-matrix-layers-x-experts/counts-distinct.npy",
    0,
    0,
    5,
    0,
    12,
    { 0.5615882397523331, 0.8410656536028767, 0.5646131391055959, 0.47778286578396123,
      0.589876911633939 },
    { 0 } },
  { "04-csv-layer-expert-count/load.csv", 0, 0, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "04-csv-layer-expert-count/megatron-frequencies.csv", 0, 0, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "04-csv-layer-expert-count/wide.csv", 0, 0, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "05-sglang-routed-experts/generate.json", 1, 200, 6, 0, 16, SAME_CV, SAME_DEAD },
  { "07-bfloat16-npy/v2.npy",
    1,
    200,
    6,
    0,
    16,
    { 1.4267445461609447, 1.4230249470757708, 1.2792185114357906, 1.1148990985734988,
      1.3862178760930766, 1.5559562975867929 },
    SAME_DEAD },
  { "08-imatrix-gguf/imatrix.gguf",
    0,
    0,
    4,
    0,
    32,
    { 1.7815283842221157, 1.3341087629598458, 1.5297269371892634, 1.1044123154420182 },
    { 2, 1, 7, 1 } },
  { "09-trtllm-expert-statistic",
    0,
    0,
    3,
    3,
    16,
    { 2.4372085162255814, 1.267854902852649, 1.0481475474617112 },
    { 0 } },
  { "23-torch-save/expert_distribution_recorder.pt", 0, 0, 6, 0, 16, SAVED_CV, SAVED_DEAD },
  { "23-torch-save/router_logits.pt", 1, 200, 6, 0, 16, SAVED_CV, SAVED_DEAD },
  /* The same in half precision, where some scores are equal. */
  { "23-torch-save/outputs.pt",
    1,
    200,
    6,
    0,
    16,
    { 2.113433225820016, 1.57797338380595, 1.9868568141665366, 1.300692123448128,
      1.9249935064825545, 1.8049930747789589 },
    SAVED_DEAD },
  { "23-torch-save/legacy.pth", 1, 200, 6, 0, 16, SAVED_CV, SAVED_DEAD },
  { "23-torch-save/topk_ids.pt", 0, 200, 6, 0, 16, SAVED_CV, SAVED_DEAD },
  { "25-jsonl-shapes-in-use/layer-counts.jsonl",
    0,
    0,
    4,
    0,
    16,
    { 0.7655832796978908, 0.6128777105647844, 0.5222028737589125, 0.7296186696174743 },
    { 0 } },
  { "25-jsonl-shapes-in-use/selected.jsonl",
    0,
    100,
    4,
    0,
    16,
    { 0.24819347291981714, 0.27568097504180444, 0.2529822128134704, 0.24657656011875903 },
    { 0 } },
};

static void
test_loads (gconstpointer data)
{
  const Loads     *want = data;
  unsigned         asked;
  SlDataset       *dataset = open_advised (want->file, 0, &asked);
  const SlRouting *routing = dataset->routing;

  g_assert_nonnull (routing);
  g_assert_cmpuint (asked, ==, want->asked);
  g_assert_cmpuint (routing->n_layers, ==, want->layers);
  g_assert_cmpuint (routing->experts, ==, want->experts);
  g_assert_cmpint (routing->kind, ==, want->tokens > 0 ? SL_ROUTING_IDS : SL_ROUTING_COUNTS);
  for (unsigned l = 0; l < want->layers; l++)
    {
      unsigned dead;

      sl_assert_near (cv_of (routing, l, &dead), want->cv[l], 1e-6, 0);
      g_assert_cmpuint (dead, ==, want->dead[l]);
      g_assert_cmpint (routing->layer[l].number, ==, (int) (want->first + l));
      g_assert_cmpuint (sl_routing_tokens (routing, l, true), ==, want->tokens);
    }
  sl_dataset_free (dataset);
}

/* Every count, of files that come with theirs. */
static void
test_counts (void)
{
  static const struct
  {
    const char *file, *expected, *of;
  } cases[] = {
    { "01-router-logits-layers-first/stack1.npy", "01-router-logits-layers-first/expected.json",
      "" },
    { "08-imatrix-gguf/imatrix.gguf", "08-imatrix-gguf/expected.json", "" },
    { "09-trtllm-expert-statistic", "09-trtllm-expert-statistic/expected.txt", "" },
    { "23-torch-save/legacy.pth", "23-torch-save/expected.json", "counts" },
    { "23-torch-save/expert_distribution_recorder.pt", "23-torch-save/expected.json", "counts" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = case_path (cases[i].expected);
      g_autoptr (JsonNode) root = sl_golden_load (path);
      unsigned         asked;
      SlDataset       *dataset = open_advised (cases[i].file, 0, &asked);
      const SlRouting *routing = dataset->routing;

      for (unsigned l = 0; l < routing->n_layers; l++)
        {
          g_autofree uint64_t *count = g_new (uint64_t, routing->experts);
          g_autofree char     *number = g_strdup_printf ("%d", routing->layer[l].number);
          JsonArray           *want;

          if (JSON_NODE_HOLDS_ARRAY (root))
            want = json_object_get_array_member (
              json_array_get_object_element (json_node_get_array (root), l), "counts");
          else if (cases[i].of[0] != '\0')
            want = json_array_get_array_element (
              json_object_get_array_member (json_node_get_object (root), "counts"), l);
          else
            want = json_object_get_array_member (
              json_object_get_object_member (json_node_get_object (root), number), "counts");
          count_layer (routing, l, count);
          g_assert_cmpuint (json_array_get_length (want), ==, routing->experts);
          for (unsigned e = 0; e < routing->experts; e++)
            g_assert_cmpint ((gint64) count[e], ==, json_array_get_int_element (want, e));
        }
      sl_dataset_free (dataset);
    }
}

/* ---- tokens ---- */

static void
same_tokens (const SlRouting *one, size_t from, const SlRouting *other, size_t at, size_t n)
{
  uint16_t a[SL_ROUTING_SLOTS], b[SL_ROUTING_SLOTS];

  g_assert_cmpuint (one->k, ==, other->k);
  g_assert_cmpuint (one->n_layers, ==, other->n_layers);
  for (unsigned l = 0; l < one->n_layers; l++)
    for (size_t t = 0; t < n; t++)
      {
        sl_routing_read (one, l, true, from + t, 1, a, NULL);
        sl_routing_read (other, l, true, at + t, 1, b, NULL);
        for (unsigned s = 0; s < one->k; s++)
          g_assert_cmpuint (a[s], ==, b[s]);
      }
}

/* Answers of servers have the tokens of the arrays, in their order and with their slots; the prompt goes first. */
static void
test_answers (void)
{
  unsigned   asked;
  SlDataset *ids = open_advised ("01-router-logits-layers-first/ids0.npy", 0, &asked);
  SlDataset *scores = open_advised ("01-router-logits-layers-first/stack0.npy", 0, &asked);
  SlDataset *lists = open_advised ("06-lightllm-and-vllm-lists/vllm-lists.json", 0, &asked);
  SlDataset *prompt = open_advised ("06-lightllm-and-vllm-lists/vllm-prompt.json", 0, &asked);
  SlDataset *bare = open_advised ("05-sglang-routed-experts/generate.json", 0, &asked);

  g_assert_cmpuint (sl_routing_tokens (lists->routing, 0, true), ==, 20);
  g_assert_cmpuint (sl_routing_tokens (prompt->routing, 0, true), ==, 40);
  same_tokens (ids->routing, 0, scores->routing, 0, 200);
  same_tokens (ids->routing, 0, bare->routing, 0, 200);
  same_tokens (ids->routing, 0, lists->routing, 0, 20);
  same_tokens (ids->routing, 0, prompt->routing, 0, 20);
  same_tokens (ids->routing, 0, prompt->routing, 20, 20);
  sl_dataset_free (ids);
  sl_dataset_free (scores);
  sl_dataset_free (lists);
  sl_dataset_free (prompt);
  sl_dataset_free (bare);
}

static char *
write_text (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* LightLLM puts layers or tokens first, by its version: an answer in either order is the same recording. */
static void
test_lightllm (void)
{
  unsigned         asked;
  SlDataset       *ids = open_advised ("01-router-logits-layers-first/ids0.npy", 0, &asked);
  const SlRouting *r = ids->routing;

  for (unsigned layers_first = 0; layers_first < 2; layers_first++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autofree char *data = NULL, *json = NULL, *path = NULL;
      SlDataset       *answer;
      size_t           tokens = 200, outer = layers_first ? r->n_layers : tokens;

      for (size_t i = 0; i < tokens * r->n_layers; i++)
        {
          size_t   inner = tokens * r->n_layers / outer;
          size_t   layer = layers_first ? i / inner : i % inner;
          size_t   token = layers_first ? i % inner : i / inner;
          uint16_t row[SL_ROUTING_SLOTS];

          sl_routing_read (r, (unsigned) layer, true, token, 1, row, NULL);
          for (unsigned s = 0; s < r->k; s++)
            g_byte_array_append (bytes, &(guint8) { (guint8) row[s] }, 1);
        }
      data = g_base64_encode (bytes->data, bytes->len);
      json = g_strdup_printf ("{\"generated_text\": [\"x\"], \"count_output_tokens\": 9, "
                              "\"routed_experts\": {\"shape\": [%zu, %zu, %u], "
                              "\"dtype\": \"int8\", \"data\": \"%s\"}}",
                              outer, tokens * r->n_layers / outer, r->k, data);
      path = write_text ("lightllm.json", json);
      answer = open_advised (path, 0, &asked);
      g_assert_cmpuint (asked, ==, 0);
      same_tokens (r, 0, answer->routing, 0, tokens);
      sl_dataset_free (answer);
    }
  sl_dataset_free (ids);
}

static void
test_prompt_first (void)
{
  g_autofree char *path = write_text (
    "p.json", "{\"prompt_routed_experts\": [[[5, 1], [2, 3]], [[7, 6], [4, 0]]], "
              "\"choices\": [{\"index\": 0, \"routed_experts\": [[[3, 2], [1, 7]]]}]}");
  static const uint16_t want[3][2][2]
    = { { { 5, 1 }, { 2, 3 } }, { { 7, 6 }, { 4, 0 } }, { { 3, 2 }, { 1, 7 } } };
  unsigned   asked;
  SlDataset *dataset = open_advised (path, 0, &asked);
  uint16_t   ids[SL_ROUTING_SLOTS];

  g_assert_cmpuint (sl_routing_tokens (dataset->routing, 0, true), ==, 3);
  for (unsigned t = 0; t < 3; t++)
    for (unsigned l = 0; l < 2; l++)
      {
        sl_routing_read (dataset->routing, l, true, t, 1, ids, NULL);
        g_assert_cmpuint (ids[0], ==, want[t][l][0]);
        g_assert_cmpuint (ids[1], ==, want[t][l][1]);
      }
  sl_dataset_free (dataset);
}

/* ---- examples ---- */

static size_t
count_of (const SlDataset *data)
{
  return data->n[SL_TRAIN] + data->n[SL_VALID] + data->n[SL_TEST];
}

static void
test_collections (void)
{
  static const char *const titles[] = { "cats", "dogs" };
  static const unsigned    of_class[26]
    = { 12, 8, 5, 7, 8, 10, 9, 4, 6, 7, 11, 6, 6, 14, 7, 7, 9, 6, 10, 5, 8, 7, 7, 7, 9, 5 };
  static const char *const files[]
    = { "21-idx-variants/labels-int32", "21-idx-variants/letters-1-to-26" };
  unsigned   asked;
  SlDataset *data;

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    {
      unsigned have[26] = { 0 };
      uint64_t sum = 0;

      data = open_advised (files[i], 0, &asked);
      g_assert_cmpuint (asked, ==, 0);
      g_assert_cmpuint (count_of (data), ==, 400);
      g_assert_cmpuint (data->n[SL_TEST], ==, 200);
      g_assert_cmpuint (data->width, ==, 8);
      g_assert_cmpuint (data->height, ==, 8);
      g_assert_cmpuint (data->classes, ==, 26);
      g_assert_cmpstr (data->class_title[0], ==, "1");
      g_assert_cmpstr (data->class_title[25], ==, "26");
      g_assert_nonnull (data->bytes);
      for (size_t e = 0; e < 400; e++)
        have[data->label[e]]++;
      for (size_t e = 0; e < 400u * 64; e++)
        sum += data->bytes[e];
      for (unsigned c = 0; c < 26; c++)
        g_assert_cmpuint (have[c], ==, 2 * of_class[c]);
      g_assert_cmpuint (sum, ==, 2 * 1626083);
      sl_dataset_free (data);
    }
  data = open_advised ("22-other-collections/image-folder", 0, &asked);
  g_assert_cmpuint (count_of (data), ==, 16);
  g_assert_cmpuint (data->width, ==, 16);
  g_assert_cmpuint (data->channels, ==, 3);
  g_assert_cmpuint (data->classes, ==, 2);
  for (unsigned c = 0; c < 2; c++)
    g_assert_cmpstr (data->class_title[c], ==, titles[c]);
  sl_dataset_free (data);
}

/* X and y of an archive, and a table, with their numbers as they are. */
static void
test_values (void)
{
  g_autofree char *digits = case_path ("22-other-collections/digits.npz");
  g_autofree char *table = case_path ("12-decimal-comma/excel-de.csv");
  g_autofree char *plain = g_strconcat (digits, ":standardise=no", NULL);
  g_autofree char *comma = g_strconcat (table, ":standardise=no", NULL);
  unsigned         asked, found = 0;
  double           sum = 0;
  SlDataset       *data = open_advised (plain, 0, &asked);

  g_assert_cmpuint (count_of (data), ==, 200);
  g_assert_cmpuint (data->features, ==, 64);
  g_assert_cmpuint (data->classes, ==, 26);
  g_assert_cmpstr (data->class_title[5], ==, "6");
  for (size_t i = 0; i < 200u * 64; i++)
    sum += (double) data->values[i];
  sl_assert_near (sum, 1626083, 1e-9, 0);
  for (size_t e = 0; e < 200; e++)
    found += data->values[64 * e] == 216 && data->values[64 * e + 1] == 162
             && data->values[64 * e + 2] == 130 && data->label[e] == 5;
  g_assert_cmpuint (found, ==, 1);
  sl_dataset_free (data);

  data = open_advised (comma, 0, &asked);
  g_assert_cmpstr (data->feature_title[0], ==, "Länge");
  for (size_t e = found = 0; e < 120; e++)
    found += fabs ((double) data->values[3 * e] - 1.39) < 1e-6
             && fabs ((double) data->values[3 * e + 1] + 0.14) < 1e-6
             && fabs ((double) data->values[3 * e + 2] - 0.10) < 1e-6 && data->label[e] == 1;
  g_assert_cmpuint (found, ==, 1);
  sl_dataset_free (data);
}

/* ---- what is refused ---- */

static void
test_refused (void)
{
  static const char *const cases[][2] = {
    { "24-downloads-as-they-come/lfs-ids.npy", "git lfs pull" },
    { "24-downloads-as-they-come/html-train.csv", "web page" },
    { "23-torch-save/not-a-tensor.pt", "posix.system" },
    { "hostile/x.png", "picture" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = case_path (cases[i][0]);
      SlDataset       *dataset = (SlDataset *) &path;
      SlStatus         status = sl_source_open (path, &dataset);

      g_assert_null (dataset);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_nonnull (strstr (sentence (&status), cases[i][1]));
    }
}

/* The other reading of a file is one option away, and is another one. */
static void
test_other_readings (void)
{
  static const struct
  {
    const char *file;
    unsigned    layers, tokens;
  } cases[] = { { "01-router-logits-layers-first/ids0.npy", 200, 6 },
                { "23-torch-save/topk_ids.pt", 200, 6 },
                { "03-load-matrix-layers-x-experts/counts-distinct.npy", 1, 5 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      unsigned              asked;
      SlDataset            *taken = open_advised (cases[i].file, 0, &asked), *turned;
      const SlOtherReading *other = &taken->routing->reading.other[0];
      g_autofree char      *path = case_path (cases[i].file);
      g_autofree char      *spec = g_strdup_printf ("%s:%s=%s", path, other->option, other->value);

      g_assert_cmpuint (taken->routing->reading.n_others, ==, 1);
      turned = open_advised (spec, 0, &asked);
      g_assert_cmpuint (asked, ==, 0);
      g_assert_cmpuint (turned->routing->n_layers, ==, cases[i].layers);
      g_assert_cmpuint (sl_routing_tokens (turned->routing, 0, true), ==, cases[i].tokens);
      sl_dataset_free (taken);
      sl_dataset_free (turned);
    }
}

/* Both answers to the question of the class open the file. */
static void
test_second_answer (void)
{
  unsigned   asked, ones = 0;
  SlDataset *first = open_advised ("10-class-first-no-heading/spect-like.csv", 0, &asked);
  SlDataset *last = open_advised ("10-class-first-no-heading/spect-like.csv", 1, &asked);

  g_assert_cmpuint (asked, ==, 1);
  g_assert_cmpuint (first->features, ==, 22);
  g_assert_cmpuint (last->features, ==, 22);
  g_assert_true (first->hash != last->hash);
  for (size_t i = 0; i < count_of (first); i++)
    ones += first->label[i];
  g_assert_cmpuint (ones, ==, 144);
  sl_dataset_free (first);
  sl_dataset_free (last);
}

/* ---- lines of Python ---- */

/* A file that Python makes and that is refused with a line; the line runs behind `before`, where the variables stand
 * that a person has, and what it writes opens.  */
typedef struct
{
  const char *name, *make, *spec, *before, *written;
  size_t      examples; /* 0: a recording */
  unsigned    tokens;
} Line;

#define NUMPY "import numpy as np; r=np.random.default_rng(1); "
#define TABLE                                                                                      \
  "t='x,y,label\\n'+''.join('%d.5,%d,%s\\n'%(i*i%7,i*3%5,'ab'[i%2]) for i in range(20)); "

static const Line lines[] = {
  { "tar",
    TABLE "import tarfile,io; b=t.encode(); a=tarfile.open('t.tar.gz','w:gz'); "
          "m=tarfile.TarInfo('t.csv'); m.size=len(b); a.addfile(m,io.BytesIO(b)); a.close()",
    "t.tar.gz", "", "t.tar.gz.files/t.csv", 20, 0 },
  { "zip", TABLE "import zipfile; zipfile.ZipFile('t.zip','w').writestr('t.csv',t)", "t.zip", "",
    "t.zip.files/t.csv", 20, 0 },
  { "bzip2", TABLE "import bz2; bz2.open('t.csv.bz2','wt').write(t)", "t.csv.bz2", "",
    "t.csv.bz2.out", 20, 0 },
  { "xz", TABLE "import lzma; lzma.open('t.csv.xz','wt').write(t)", "t.csv.xz", "", "t.csv.xz.out",
    20, 0 },
  { "parquet",
    "import pandas; pandas.DataFrame({'x':range(20),'label':[1,2]*10}).to_parquet('t.pq')", "t.pq",
    "", "t.pq.csv", 20, 0 },
  { "matlab",
    NUMPY "import scipy.io as s; s.savemat('t.mat',{'X':r.random((20,3)),'y':np.arange(20)%2})",
    "t.mat", "", "t.mat.npz", 20, 0 },
  { "thousands",
    "import pandas; open('t.csv','w').write('x;label\\n'+'\"1.234,5\";a\\n\"2.345,5\";b\\n'*10)",
    "t.csv", "", "plain.csv", 20, 0 },
  { "objects",
    NUMPY "a=np.empty(64,object); a[:]=[list(v) for v in r.random((64,8))]; np.save('a.npy',a)",
    "a.npy", NUMPY "a=np.load('a.npy',allow_pickle=True); ", "numbers.npy", 0, 64 },
  { "float8", NUMPY "np.save('a.npy',r.integers(0,250,(64,8)).astype('u1').view('V1'))", "a.npy",
    NUMPY "a=r.random((64,8)); ", "float32.npy", 0, 64 },
  { "no examples", NUMPY "np.savez('a.npz',u=r.random((20,3)),v=r.random((4,4,4)))", "a.npz",
    NUMPY "examples=r.random((20,3)); classes=np.arange(20)%3; ", "data.npz", 20, 0 },
  { "several", NUMPY "np.savez('a.npz',ids=np.tile([1,2],(40,1)),indices=np.tile([3,2],(40,1)))",
    "a.npz", NUMPY "v=np.load('a.npz'); arrays=[v[k] for k in v]; ", "trace.npz", 0, 40 },
  { "fractions", NUMPY "np.save('a.npy',np.argsort(r.random((64,8)))[:,:2]+0.0)", "a.npy:as=ids",
    NUMPY "ids=np.load('a.npy'); ", "ids.npy", 0, 64 },
  { "pickle", NUMPY "import torch; torch.save({'f':print},'a.pt')", "a.pt",
    "import torch; tensor=torch.arange(16).reshape(8,2); ", "tensors.pt:as=ids", 0, 8 },
};

static void
test_line (gconstpointer data)
{
  const Line      *line = data;
  g_autofree char *spec = g_build_filename (folder, line->spec, NULL);
  g_autofree char *written = g_build_filename (folder, line->written, NULL);
  g_autofree char *command = NULL;
  SlDataset       *dataset;
  SlStatus         status;
  unsigned         asked;

  if (!run_line (line->make))
    {
      g_test_skip ("Python lacks a module that makes the file");
      return;
    }
  status = sl_source_open (spec, &dataset);
  g_assert_null (dataset);
  g_assert_cmpuint (status.n_advice, >=, 1);
  g_assert_cmpstr (status.advice[0].line, !=, "");
  g_assert_nonnull (strstr (sentence (&status), status.advice[0].line));
  command = g_strconcat (line->before, status.advice[0].line, NULL);
  if (!run_line (command))
    {
      g_test_skip ("Python lacks a module that the line names");
      return;
    }
  dataset = open_advised (written, 0, &asked);
  if (line->examples > 0)
    g_assert_cmpuint (count_of (dataset), ==, line->examples);
  else
    g_assert_cmpuint (sl_routing_tokens (dataset->routing, 0, true), ==, line->tokens);
  sl_dataset_free (dataset);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  folder = g_dir_make_tmp ("sluice-cases-XXXXXX", NULL);
  g_assert_nonnull (folder);
  for (size_t i = 0; i < G_N_ELEMENTS (loads); i++)
    {
      g_autofree char *name = g_strconcat ("/cases/loads/", loads[i].file, NULL);

      g_test_add_data_func (name, &loads[i], test_loads);
    }
  g_test_add_func ("/cases/counts", test_counts);
  g_test_add_func ("/cases/answers", test_answers);
  g_test_add_func ("/cases/lightllm", test_lightllm);
  g_test_add_func ("/cases/prompt-first", test_prompt_first);
  g_test_add_func ("/cases/collections", test_collections);
  g_test_add_func ("/cases/values", test_values);
  g_test_add_func ("/cases/refused", test_refused);
  g_test_add_func ("/cases/other-readings", test_other_readings);
  g_test_add_func ("/cases/second-answer", test_second_answer);
  for (size_t i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *name = g_strconcat ("/cases/line/", lines[i].name, NULL);

      g_test_add_data_func (name, &lines[i], test_line);
    }
  result = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return result;
}
