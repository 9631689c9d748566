/* SPDX-License-Identifier: MIT
 *
 * Recordings of routing: small files of every format and what must come out of them, made by an
 * independent reader; the same damaged; and recordings of real models where they are at hand.  */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/open.h"
#include "core/data/read/recording/private.h"
#include "core/data/source/source.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/golden.h"

static JsonNode *golden;
static char     *folder;

static const char *const names[]
  = { "npy", "npz", "jsonl", "safetensors", "csv" }; /* how the golden files begin */

/* The file of a golden entry, named after its format. */
static char *
write_entry (const char *name, JsonObject *entry, gsize *size)
{
  g_autofree guchar *bytes
    = g_base64_decode (json_object_get_string_member (entry, "base64"), size);
  const char *ending = names[0];
  char       *path;

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (name, names[i]))
      ending = names[i];
  path = g_strdup_printf ("%s/%s.%s", folder, name, ending);
  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) *size, NULL));
  return path;
}

static SlRoutingOptions
options_of (JsonObject *entry)
{
  SlRoutingOptions options = { 0 };
  JsonObject      *said = json_object_has_member (entry, "options")
                            ? json_object_get_object_member (entry, "options")
                            : NULL;

  if (said != NULL && json_object_has_member (said, "k"))
    options.k = (unsigned) json_object_get_int_member (said, "k");
  if (said != NULL && json_object_has_member (said, "kind"))
    options.as = SL_ROUTING_AS_COUNTS;
  return options;
}

static void
assert_layers (const SlRouting *routing, JsonArray *layers)
{
  g_assert_cmpuint (routing->n_layers, ==, json_array_get_length (layers));
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      JsonNode        *node = json_array_get_element (layers, l);
      g_autofree char *expected = json_node_get_value_type (node) == G_TYPE_STRING
                                    ? json_node_dup_string (node)
                                    : g_strdup_printf ("%d", (int) json_node_get_int (node));
      char             text[64];

      g_assert_cmpstr (sl_routing_layer_name (&routing->layer[l], text, sizeof text), ==, expected);
    }
}

static void
assert_head (const SlRouting *routing, JsonObject *entry)
{
  static const char *const from[] = { "said", "file", "largest" };
  static const char *const order[] = { "ranked", "ascending", "listed" };

  assert_layers (routing, json_object_get_array_member (entry, "layers"));
  g_assert_cmpint (routing->experts, ==, json_object_get_int_member (entry, "experts"));
  g_assert_cmpint (routing->k, ==, json_object_get_int_member (entry, "k"));
  g_assert_cmpstr (from[routing->experts_from], ==,
                   json_object_get_string_member (entry, "experts_from"));
  if (routing->kind == SL_ROUTING_IDS)
    g_assert_cmpstr (order[routing->order], ==, json_object_get_string_member (entry, "order"));
}

static void
assert_ids (const SlRouting *routing, unsigned l, JsonArray *rows)
{
  size_t               tokens = json_array_get_length (rows);
  g_autofree uint16_t *ids = g_new (uint16_t, tokens * routing->k + 1);

  g_assert_cmpuint (routing->layer[l].tokens, ==, tokens);
  sl_routing_read (routing, l, true, 0, tokens, ids, NULL);
  for (size_t t = 0; t < tokens; t++)
    for (unsigned s = 0; s < routing->k; s++)
      {
        JsonArray *row = json_array_get_array_element (rows, (guint) t);
        uint16_t   id = ids[t * routing->k + s];

        g_assert_cmpint (id == SL_ROUTING_NONE ? -1 : id, ==, json_array_get_int_element (row, s));
      }
}

/* Passes are given as a number for each token. */
static void
assert_passes (const SlRoutingLayer *layer, JsonArray *expected)
{
  size_t t = 0;

  for (size_t p = 0; p < layer->n_passes; p++)
    for (size_t i = 0; i < layer->pass[p]; i++)
      g_assert_cmpint (json_array_get_int_element (expected, (guint) t++), ==, p);
  g_assert_cmpuint (t, ==, layer->tokens);
}

static void
assert_decode (const SlRoutingLayer *layer, JsonArray *expected)
{
  g_assert_nonnull (layer->decode);
  for (size_t t = 0; t < layer->tokens; t++)
    g_assert_cmpint (layer->decode[t], ==, json_array_get_boolean_element (expected, (guint) t));
}

static void
assert_counts (const SlRouting *routing, unsigned l, JsonArray *rows)
{
  g_assert_cmpuint (routing->rows, ==, json_array_get_length (rows));
  for (size_t r = 0; r < routing->rows; r++)
    for (unsigned i = 0; i < routing->experts; i++)
      g_assert_cmpint (
        (gint64) routing->layer[l].counts[r * routing->experts + i], ==,
        json_array_get_int_element (json_array_get_array_element (rows, (guint) r), i));
}

static void
assert_recording (const SlRouting *routing, JsonObject *entry)
{
  bool       ids = routing->kind == SL_ROUTING_IDS;
  JsonArray *rows;

  g_assert_cmpstr (ids ? "ids" : "counts", ==, json_object_get_string_member (entry, "kind"));
  assert_head (routing, entry);
  rows = json_object_get_array_member (entry, ids ? "ids" : "counts");
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      JsonArray *of = json_array_get_array_element (rows, l);

      if (!ids)
        {
          assert_counts (routing, l, of);
          continue;
        }
      assert_ids (routing, l, of);
      assert_passes (&routing->layer[l], json_array_get_array_element (
                                           json_object_get_array_member (entry, "passes"), l));
      if (json_object_has_member (entry, "decode"))
        assert_decode (&routing->layer[l], json_array_get_array_element (
                                             json_object_get_array_member (entry, "decode"), l));
    }
  g_assert_cmpuint (routing->reading.n_notes > 0, >=,
                    json_array_get_length (json_object_get_array_member (entry, "notes")) > 0);
}

static void
assert_refused (const SlStatus *status, const char *path)
{
  g_assert_false (sl_ok (status));
  g_assert_cmpstr (status->subject, ==, path);
  g_assert_cmpstr (sl_english (&status->found), !=, "");
  g_assert_cmpstr (sl_english (&status->expected), !=, "");
}

/* One of the golden files. */
static void
file_entry (const void *data)
{
  const char *name = data;
  JsonObject *entry = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (golden), "files"), name);
  gsize            size;
  g_autofree char *path = write_entry (name, entry, &size);
  SlRoutingOptions options = options_of (entry);
  SlRouting       *routing;
  SlStatus         status = sl_routing_open (path, &options, &routing);
  char             text[1024];

  /* Tokens come first in all of them, which so few cannot tell. */
  if (status.n_advice == 2 && g_str_equal (status.advice[0].option, "axes"))
    {
      g_strlcpy (options.axes, status.advice[0].value, sizeof options.axes);
      status = sl_routing_open (path, &options, &routing);
    }
  g_test_message ("%s", sl_status_text (&status, text, sizeof text));
  /* Columns first and sequences of a batch are read now. */
  if (g_str_equal (name, "npy-fortran") || g_str_equal (name, "npy-four-axes"))
    g_assert_nonnull (routing);
  else if (json_object_has_member (entry, "refused"))
    {
      g_assert_null (routing);
      assert_refused (&status, path);
    }
  else
    {
      g_assert_true (sl_ok (&status));
      assert_recording (routing, entry);
    }
  sl_routing_free (routing);
  g_remove (path);
}

/* Each file shorter by every number of bytes: refused or a recording, never anything else. */
static void
cut_files (void)
{
  JsonObject *files = json_object_get_object_member (json_node_get_object (golden), "files");
  g_autoptr (GList) all = json_object_get_members (files);

  for (GList *each = all; each != NULL; each = each->next)
    {
      gsize            size;
      g_autofree char *path
        = write_entry (each->data, json_object_get_object_member (files, each->data), &size);
      g_autofree char *bytes = NULL;
      SlRoutingOptions options = { .k = 2 };

      g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
      for (gsize cut = 0; cut < size; cut += 1 + cut / 64)
        {
          SlRouting *routing;
          SlStatus   status;

          g_assert_true (g_file_set_contents (path, bytes, (gssize) cut, NULL));
          status = sl_routing_open (path, &options, &routing);
          g_assert_true (sl_ok (&status) == (routing != NULL));
          if (!sl_ok (&status))
            assert_refused (&status, path);
          sl_routing_free (routing);
        }
      g_remove (path);
    }
}

/* ---------------------------------------------------------------------- small files made here */

static SlStatus
open_text (const char *name, const char *text, SlRoutingOptions options, SlRouting **routing)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  SlStatus         status;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  status = sl_routing_open (path, &options, routing);
  g_remove (path);
  return status;
}

static void
assert_found (const SlStatus *status, const char *found, const char *expected)
{
  g_assert_false (sl_ok (status));
  g_assert_cmpstr (sl_english (&status->found), ==, found);
  g_assert_cmpstr (sl_english (&status->expected), ==, expected);
}

static void
refusals (void)
{
  SlRouting *routing;
  SlStatus   status;

  status = open_text ("a.jsonl", "{\"layer\": 4, \"token_idx\": 0, \"topk_ids\": [1, 1]}\n",
                      (SlRoutingOptions) { 0 }, &routing);
  assert_found (&status, "layer 4, token 0: expert 1 twice",
                "2 different ones (are these counts? as=loads)");
  status = open_text (
    "a.jsonl", "{\"num_experts\": 6}\n{\"layer\": 4, \"token_idx\": 0, \"topk_ids\": [1, 6]}\n",
    (SlRoutingOptions) { 0 }, &routing);
  assert_found (&status, "layer 4, token 0: expert 6", "one of 0 to 5");
  status = open_text ("a.jsonl", "{\"layer\": 0, \"topk_ids\": [1]}\n{\"topk_ids\": [1]}\n",
                      (SlRoutingOptions) { 0 }, &routing);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  status = open_text ("a.csv", "layer,token,e0\n1,0,x\n", (SlRoutingOptions) { 0 }, &routing);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  status
    = open_text ("a.csv", "layer,token,e0\n1,0,3\n", (SlRoutingOptions) { .from = 1 }, &routing);
  assert_found (&status, "nothing from 1 on", "fewer left out (from=)");
}

/* A further column of numbers says how often, whatever its name; words and row numbers without a name do not. */
static void
further_columns (void)
{
  static const struct
  {
    const char *text;
    guint64     counts[3];
  } cases[] = {
    { "layer,expert,count\n0,0,7\n0,1,97\n0,2,1\n", { 7, 97, 1 } },
    { "block,mtp_idx,layer,expert_id,count\ndecoder,,0,0,7\ndecoder,,0,2,3\n", { 7, 0, 3 } },
    { "times,layer,expert\n,0,0\n1e3,0,1\n2,0,2\n", { 0, 1000, 2 } },
    { "layer,expert,domain\n0,1,math\n0,1,code\n0,2,math\n", { 0, 2, 1 } },
    { ",layer,expert\n0,0,1\n1,0,1\n2,0,2\n", { 0, 2, 1 } },
    { "layer,expert,tokens,count\n0,0,9,5\n0,1,9,1\n0,2,9,3\n", { 5, 1, 3 } },
    { "freq,layer,count,expert\n.5,0,5,0\n.2,0,2,1\n.3,0,3,2\n", { 5, 2, 3 } },
    { "rank,layer,expert,count\n0,0,0,5\n0,0,2,1\n1,0,0,2\n", { 7, 0, 1 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlRouting *routing;
      SlStatus   status = open_text ("a.csv", cases[i].text, (SlRoutingOptions) { 0 }, &routing);

      g_assert_true (sl_ok (&status));
      g_assert_cmpmem (routing->layer[0].counts, 24, cases[i].counts, 24);
      sl_routing_free (routing);
    }
}

static bool
notes (const SlFileReading *reading, const char *part)
{
  for (unsigned i = 0; i < reading->n_notes; i++)
    if (strstr (reading->note[i].packed, part) != NULL)
      return true;
  return false;
}

/* A lone array is what the person says, under any name; without a word it is not taken for routing. */
static void
lone_array (void)
{
  static const int64_t numbers[] = { 3, 0, 1, 2, 2, 0, 0, 0 };

  for (int said = 0; said < 2; said++)
    {
      SlRoutingOptions options = { .as = said ? SL_ROUTING_AS_COUNTS : SL_ROUTING_AS_AUTO };
      SlArrays         arrays;
      SlArray         *array;
      SlRouting       *routing;
      SlStatus         status;

      sl_arrays_init (&arrays, "a.npz");
      status = sl_arrays_add (&arrays, "usage", 5, &array);
      g_assert_true (sl_ok (&status));
      array->type = SL_ARRAY_INTEGERS;
      array->size = 8;
      array->axes = 2;
      array->shape[0] = 2;
      array->shape[1] = 4;
      array->n = 8;
      status = sl_array_reserve (&arrays, array);
      g_assert_true (sl_ok (&status));
      memcpy (array->bytes, numbers, sizeof numbers);
      status = sl_routing_of_arrays (&arrays, &options, &routing);
      g_assert_true (sl_ok (&status) == said);
      if (!said)
        continue;
      g_assert_cmpuint (routing->n_layers, ==, 2);
      g_assert_cmpuint (routing->layer[1].counts[0], ==, 2);
      sl_routing_free (routing);
    }
}

/* What a table of pairs leaves open is said: columns that were not taken, pairs given twice, numbers from 1. */
static void
pairs_that_need_a_word (void)
{
  static const struct
  {
    const char *text, *note;
  } cases[] = {
    { "layer,expert,tokens,count\n0,0,9,5\n0,1,9,1\n", "left out" },
    { "layer,expert,count\n0,0,5\n0,1,1\n0,0,2\n", "more than once" },
    { "layer,expert,count\n0,1,5\n0,2,1\n1,1,5\n", "numbered from 1" },
  };
  SlRouting *routing;
  SlStatus   status;

  for (int sorted = 0; sorted < 2; sorted++)
    {
      status = open_text ("a.csv",
                          sorted ? "token,layer,expert\n0,0,4\n0,0,1\n1,0,2\n1,0,0\n"
                                 : "token,layer,expert\n0,0,4\n1,0,2\n0,0,1\n1,0,0\n",
                          (SlRoutingOptions) { 0 }, &routing);
      g_assert_true (sl_ok (&status));
      g_assert_true (notes (&routing->reading, "comes again") != sorted);
      sl_routing_free (routing);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      status = open_text ("a.csv", cases[i].text, (SlRoutingOptions) { 0 }, &routing);
      g_assert_true (sl_ok (&status));
      for (size_t k = 0; k < G_N_ELEMENTS (cases); k++)
        g_assert_true (notes (&routing->reading, cases[k].note) == (k == i));
      sl_routing_free (routing);
    }
  status
    = open_text ("a.jsonl", "{\"layer\":0,\"experts\":[3,0]}\n{\"layer\":1,\"experts\":[1,2]}\n",
                 (SlRoutingOptions) { .as = SL_ROUTING_AS_COUNTS }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->layer[0].counts[0], ==, 3);
  g_assert_cmpuint (routing->layer[1].counts[1], ==, 2);
  sl_routing_free (routing);
  status = open_text ("a.csv", "layer,expert,share\n0,0,25 %\n0,1,75 %\n", (SlRoutingOptions) { 0 },
                      &routing);
  assert_found (&status, "each layer and expert once, with words in share",
                "counts: numbers without a sign");
  g_assert_cmpuint (status.n_advice, ==, 1);
  status = open_text ("a.csv", "layer,expert,share\n0,0,25 %\n0,1,75 %\n",
                      (SlRoutingOptions) { .k = 1 }, &routing);
  g_assert_true (sl_ok (&status));
  sl_routing_free (routing);
}

/* Rows of pairs at training steps, in any order, are loads over training; numbers of other names are not steps. */
static void
steps_of_pairs (void)
{
  SlRouting *routing;
  SlStatus   status
    = open_text ("a.csv", "step,layer,expert,count\n200,0,0,3\n200,0,1,5\n100,0,0,4\n100,0,1,4\n",
                 (SlRoutingOptions) { 0 }, &routing);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->rows, ==, 2);
  g_assert_nonnull (routing->step);
  g_assert_cmpfloat (routing->step[0], ==, 100);
  g_assert_cmpfloat (routing->step[1], ==, 200);
  g_assert_cmpuint (routing->layer[0].counts[0], ==, 4);
  g_assert_cmpuint (routing->layer[0].counts[2], ==, 3);
  sl_routing_free (routing);
  status = open_text ("a.csv", "token,layer,expert,count\n2,0,0,3\n2,0,1,5\n1,0,0,4\n1,0,1,4\n",
                      (SlRoutingOptions) { 0 }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->rows, ==, 2);
  g_assert_null (routing->step);
  sl_routing_free (routing);
}

/* Routings of a token follow one another, with or without the number of their slot. */
static void
tokens_of_rows (void)
{
  SlRouting *routing;
  uint16_t   ids[4];
  SlStatus   status = open_text ("a.csv", "token,layer,expert\n0,0,4\n0,0,1\n1,0,2\n1,0,0\n",
                                 (SlRoutingOptions) { 0 }, &routing);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->k, ==, 2);
  g_assert_cmpuint (routing->layer[0].tokens, ==, 2);
  sl_routing_read (routing, 0, true, 0, 2, ids, NULL);
  g_assert_cmpmem (ids, sizeof ids, ((const uint16_t[]) { 4, 1, 2, 0 }), sizeof ids);
  sl_routing_free (routing);
}

/* Of this shape, whole numbers that are different in each row. */
static SlStatus
open_shape (unsigned axes, const unsigned *shape, SlRoutingOptions options, SlRouting **routing)
{
  g_autoptr (GString) file = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new ("(");
  g_autofree char *path = g_build_filename (folder, "shape.npy", NULL), *header = NULL;
  size_t           n = 1;
  SlStatus         status;

  for (unsigned a = 0; a < axes; a++)
    {
      g_string_append_printf (text, "%u, ", shape[a]);
      n *= shape[a];
    }
  header = g_strdup_printf ("{'descr': '|u1', 'fortran_order': False, 'shape': %s), }", text->str);
  g_string_append_len (file, "\x93NUMPY\1\0v\0", 10);
  g_string_append_printf (file, "%-117s\n", header);
  for (size_t i = 0; i < n; i++)
    g_string_append_c (file, (char) ((i + i / shape[axes - 1]) % shape[axes - 1]));
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  status = sl_routing_open (path, &options, routing);
  g_remove (path);
  return status;
}

/* Where both orders of the axes are possible and the numbers cannot tell, both are named and each is one option
 * away; few rows of many numbers are loads, and the other reading is said.  */
static void
two_readings (void)
{
  static const struct
  {
    unsigned      axes, shape[4];
    bool          asked;
    SlRoutingKind kind;
  } cases[] = {
    { 3, { 6, 200, 2 }, true, SL_ROUTING_IDS },   { 3, { 200, 6, 2 }, true, SL_ROUTING_IDS },
    { 3, { 600, 6, 2 }, false, SL_ROUTING_IDS },  { 2, { 5, 12 }, false, SL_ROUTING_COUNTS },
    { 2, { 200, 12 }, false, SL_ROUTING_IDS },    { 2, { 5, 2 }, false, SL_ROUTING_IDS },
    { 4, { 5, 40, 6, 2 }, true, SL_ROUTING_IDS }, { 4, { 600, 9, 6, 2 }, false, SL_ROUTING_IDS },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const unsigned *shape = cases[i].shape;
      SlRouting      *routing;
      SlStatus status = open_shape (cases[i].axes, shape, (SlRoutingOptions) { 0 }, &routing);

      g_assert_true (sl_ok (&status) != cases[i].asked);
      if (!cases[i].asked)
        g_assert_cmpint (routing->kind, ==, cases[i].kind);
      if (cases[i].kind == SL_ROUTING_COUNTS)
        g_assert_cmpstr (routing->reading.other[0].value, ==, "ids");
      sl_routing_free (routing);
      g_assert_cmpuint (status.n_advice, ==, cases[i].asked ? 2 : 0);
      for (unsigned a = 0; a < status.n_advice; a++)
        {
          SlRoutingOptions options = { 0 };
          SlStatus         again;

          g_assert_cmpstr (status.advice[a].option, ==, "axes");
          g_strlcpy (options.axes, status.advice[a].value, sizeof options.axes);
          again = open_shape (cases[i].axes, shape, options, &routing);
          g_assert_true (sl_ok (&again));
          g_assert_cmpuint (routing->n_layers, ==,
                            shape[strchr (options.axes, 'l') - options.axes]);
          sl_routing_free (routing);
        }
    }
}

/* Several arrays of expert numbers are not read by half. */
static void
several_arrays (void)
{
  static const char *const headers[] = {
    "{\"topk_ids\":{\"dtype\":\"U8\",\"shape\":[4,2],\"data_offsets\":[0,8]},"
    "\"layer_1\":{\"dtype\":\"U8\",\"shape\":[4,2],\"data_offsets\":[8,16]}}",
    "{\"topk_ids\":{\"dtype\":\"U8\",\"shape\":[4,2],\"data_offsets\":[0,8]},"
    "\"indices\":{\"dtype\":\"U8\",\"shape\":[4,2],\"data_offsets\":[8,16]}}",
    "{\"topk_ids\":{\"dtype\":\"U8\",\"shape\":[4,2],\"data_offsets\":[0,8]},"
    "\"positions\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[8,16]}}",
  };
  static const guint8 ids[16] = { 0, 1, 1, 2, 0, 2, 1, 0, 0, 1, 1, 2, 0, 2, 1, 0 };
  g_autofree char    *path = g_build_filename (folder, "several.safetensors", NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      uint64_t   size = GUINT64_TO_LE (strlen (headers[i]));
      SlRouting *routing;
      SlStatus   status;

      g_byte_array_append (bytes, (const guint8 *) &size, sizeof size);
      g_byte_array_append (bytes, (const guint8 *) headers[i], (guint) strlen (headers[i]));
      g_byte_array_append (bytes, ids, sizeof ids);
      g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
      status = sl_routing_open (path, &(SlRoutingOptions) { 0 }, &routing);
      g_assert_true (sl_ok (&status) == (i == 2));
      if (i == 2)
        sl_routing_free (routing);
      else
        g_assert_nonnull (strstr (sl_english (&status.found), "expert numbers twice"));
    }
  g_remove (path);
}

/* A file of `n` tokens of one layer, of which the first `same` have the route 3, 1 in both orders. */
static SlRouting *
open_made (unsigned n, unsigned same, unsigned other)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SlRouting *routing;
  SlStatus   status;

  for (unsigned t = 0; t < n; t++)
    g_string_append_printf (
      text, "{\"layer\": 0, \"token_idx\": %u, \"topk_ids\": [%u, %u], \"req_id\": \"r%u\"}\n", t,
      t < same ? 1 + 2 * (t % 2) : t % other, t < same ? 3 - 2 * (t % 2) : other + t % 5, t / 10);
  status = open_text ("made.jsonl", text->str, (SlRoutingOptions) { 0 }, &routing);
  g_assert_true (sl_ok (&status));
  return routing;
}

static void
warm_up_rule (void)
{
  SlRouting *routing = open_made (300, 100, 7);
  uint16_t   ids[2];

  g_assert_cmpuint (routing->layer[0].n_warm_up, ==, 1);
  g_assert_cmpuint (routing->layer[0].warm_up[0].first, ==, 0);
  g_assert_cmpuint (routing->layer[0].warm_up[0].tokens, ==, 100);
  g_assert_cmpuint (sl_routing_tokens (routing, 0, false), ==, 200);
  g_assert_cmpuint (sl_routing_place (routing, 0, false, 0), ==, 100);
  sl_routing_read (routing, 0, false, 199, 1, ids, NULL);
  g_assert_cmpuint (ids[0], ==, 299 % 7);
  g_assert_cmpuint (routing->layer[0].request[299], ==, 29);
  sl_routing_free (routing);

  /* 63 tokens are no run, and where there is nothing else all are kept. */
  routing = open_made (300, 63, 7);
  g_assert_cmpuint (routing->layer[0].n_warm_up, ==, 0);
  sl_routing_free (routing);
  routing = open_made (300, 300, 7);
  g_assert_cmpuint (routing->layer[0].n_warm_up, ==, 0);
  sl_routing_free (routing);
}

/* Tokens without an expert are nothing to hold a run against. */
static void
only_route (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SlRouting *routing;
  SlStatus   status;

  for (unsigned t = 0; t < 300; t++)
    g_string_append_printf (text, "{\"layer\": 0, \"token_idx\": %u, \"topk_ids\": [%s]}\n", t,
                            t % 100 == 99 ? "" : "3, 1");
  status = open_text ("made.jsonl", text->str, (SlRoutingOptions) { 0 }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->layer[0].tokens, ==, 300);
  g_assert_cmpuint (routing->layer[0].warm_up_tokens, ==, 0);
  sl_routing_free (routing);
}

/* A line of a token may have its experts in every layer; a word beside them is no other reading. */
static void
token_lines (void)
{
  for (unsigned i = 0; i < 2; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      SlRouting *routing;
      SlStatus   status;

      for (unsigned t = 0; t < 3; t++)
        {
          g_string_append_c (text, '{');
          if (i == 0)
            g_string_append_printf (text, "\"token_idx\": %u, ", t);
          else
            g_string_append_printf (text, "\"token\": \"w%u\", ", t);
          g_string_append_printf (text, "\"experts\": [[%u, 7], [%u, 0]]}\n", t, t + 1);
        }
      status = open_text ("made.jsonl", text->str, (SlRoutingOptions) { 0 }, &routing);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (routing->n_layers, ==, 2);
      g_assert_cmpuint (routing->layer[1].tokens, ==, 3);
      g_assert_cmpmem (routing->layer[0].ids, 6, ((const guint8[]) { 0, 7, 1, 7, 2, 7 }), 6);
      g_assert_cmpmem (routing->layer[1].ids, 6, ((const guint8[]) { 1, 0, 2, 0, 3, 0 }), 6);
      sl_routing_free (routing);
    }
}

/* The same routing from other files is the same recording. */
static void
same_hash (void)
{
  JsonObject       *files = json_object_get_object_member (json_node_get_object (golden), "files");
  const char *const same[]
    = { "npy-u1", "npy-i2", "npy-big-endian", "npz-deflated", "npz-layers-first" };
  uint64_t hash[G_N_ELEMENTS (same)];

  for (size_t i = 0; i < G_N_ELEMENTS (same); i++)
    {
      gsize            size;
      g_autofree char *path
        = write_entry (same[i], json_object_get_object_member (files, same[i]), &size);
      SlRouting *routing;
      bool       layers_first = g_str_equal (same[i], "npz-layers-first");
      SlStatus   status = sl_routing_open (
          path, layers_first ? &(SlRoutingOptions) { 0 } : &(SlRoutingOptions) { .axes = "tlk" },
          &routing);

      g_assert_true (sl_ok (&status));
      hash[i] = routing->hash;
      g_assert_cmpuint (hash[i], ==, hash[0]);
      sl_routing_free (routing);
      g_remove (path);
    }
}

static void
parts (void)
{
  SlRouting *routing;
  SlStatus   status = open_text ("a.csv", "layer,token,e0\n1,0,3\n1,1,4\n1,2,5\n1,0,6\n1,1,7\n",
                                 (SlRoutingOptions) { .from = 1, .most = 3, .decode = 1 }, &routing);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->layer[0].tokens, ==, 3);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 2);
  g_assert_cmpuint (routing->layer[0].pass[0], ==, 2);
  g_assert_cmpuint (routing->layer[0].pass[1], ==, 1);
  g_assert_cmpuint (((const uint8_t *) routing->layer[0].ids)[0], ==, 4);
  g_assert_cmpuint (routing->layer[0].decode[1], ==, 0);
  g_assert_cmpuint (routing->layer[0].decode[2], ==, 1);
  sl_routing_free (routing);
}

/* An array of NumPy of bytes, (tokens, 2, 2), in base 64. */
static char *
encode_order (const char *type, const char *columns_first, unsigned tokens, const guint8 *ids,
              gsize size)
{
  g_autofree char *header = g_strdup_printf (
    "{'descr': '%s', 'fortran_order': %s, 'shape': (%u, 2, 2), }", type, columns_first, tokens);
  g_autoptr (GString) text = g_string_new_len ("\x93NUMPY\1\0v\0", 10);

  g_string_append_printf (text, "%-117s\n", header);
  g_string_append_len (text, (const char *) ids, (gssize) size);
  return g_base64_encode ((const guint8 *) text->str, text->len);
}

static char *
encode_array (const char *type, unsigned tokens, const guint8 *ids, gsize size)
{
  return encode_order (type, "False", tokens, ids, size);
}

static SlStatus
open_answers (const char *format, const char *a, const char *b, SlRouting **routing)
{
  g_auto (GStrv) parts = g_strsplit (format, "@", 3);
  g_autofree char *text = g_strconcat (parts[0], a, parts[1], b, parts[2], NULL);

  return open_text ("answers.json", text, (SlRoutingOptions) { 0 }, routing);
}

/* Answers of a server: each choice is a request, in any of the forms that are saved. */
static void
answers (void)
{
  static const char *const forms[] = {
    ("{\"id\": \"x\", \"choices\": [{\"routed_experts\": \"@\", \"text\": \"]}\"}, "
     "{\"routed_experts\": \"@\"}], \"usage\": {\"total\": 3}}"),
    "[{\"choices\":[{\"routed_experts\":\"@\"}]},\n {\"choices\":[{\"routed_experts\":\"@\"}]}]\n",
    "{\"choices\":[{\"routed_experts\":\"@\"}]}\n{\"choices\":[{\"routed_experts\":\"@\"}]}\n",
  };
  static const guint8 first[] = { 3, 1, 0, 2, 2, 3, 1, 0 }, second[] = { 4, 1, 2, 3 };
  g_autofree char    *a = encode_array ("|u1", 2, first, sizeof first);
  g_autofree char    *b = encode_array ("|i1", 1, second, sizeof second);
  SlRouting          *routing;
  SlStatus            status;

  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      status = open_answers (forms[i], a, b, &routing);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (routing->n_layers, ==, 2);
      g_assert_cmpuint (routing->k, ==, 2);
      g_assert_cmpuint (routing->experts, ==, 5);
      g_assert_cmpuint (routing->layer[1].tokens, ==, 3);
      g_assert_cmpmem (routing->layer[0].ids, 6, ((const guint8[]) { 3, 1, 2, 3, 4, 1 }), 6);
      g_assert_cmpmem (routing->layer[1].ids, 6, ((const guint8[]) { 0, 2, 1, 0, 2, 3 }), 6);
      g_assert_cmpmem (routing->layer[1].request, 12, ((const guint32[]) { 0, 0, 1 }), 12);
      sl_routing_free (routing);
    }
}

static void
bad_answers (void)
{
  static const char one[] = "{\"choices\": [{\"routed_experts\": \"@\"}, {\"routed_experts\": @}]}";
  static const guint8 ids[16] = { 3, 1, 0, 2 };
  g_autofree char    *a = encode_array ("|u1", 1, ids, 4);
  g_autofree char    *cut = encode_array ("|u1", 1, ids, 3);
  g_autofree char    *real = encode_array ("<f4", 1, ids, sizeof ids);
  g_autofree char    *text = g_strconcat ("\"", cut, "\"", NULL);
  g_autofree char    *kind = g_strconcat ("\"", real, "\"", NULL);
  g_autofree char    *columns = encode_order ("|u1", "True", 1, ids, 4);
  g_autofree char    *turned = g_strconcat ("\"", columns, "\"", NULL);
  SlRouting          *routing;
  SlStatus            status = open_answers (one, a, "null", &routing);

  g_assert_true (sl_ok (&status));
  sl_routing_free (routing);
  for (size_t i = 0; i < 6; i++)
    {
      const char *const bad[] = { text, "\"AAAA*\"", "\"AAAA\"", kind, "7, 8", turned };

      status = open_answers (one, a, bad[i], &routing);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_cmpstr (sl_english (&status.expected), !=, "");
    }
  status = open_answers ("{\"choices\": [{\"routed_experts\": null}]}@@", "", "", &routing);
  assert_found (&status, "no routed_experts with tokens",
                "answers of a server with --enable-return-routed-experts");
}

/* A .safetensors file of counts of `copies` copies, one row and one layer, and where they lead. */
static SlStatus
open_copies (const int64_t *leads, unsigned copies, SlRouting **routing)
{
  g_autofree char *path = g_build_filename (folder, "copies.safetensors", NULL);
  g_autofree char *header = g_strdup_printf (
    "{\"logical_count\":{\"dtype\":\"I64\",\"shape\":[1,1,%u],\"data_offsets\":[0,%u]},"
    "\"physical_to_logical_map\":{\"dtype\":\"I64\",\"shape\":[1,%u],"
    "\"data_offsets\":[%u,%u]}}",
    copies, 8 * copies, copies, 8 * copies, 16 * copies);
  guint64  length = GUINT64_TO_LE (strlen (header));
  GString *text = g_string_new_len ((const char *) &length, sizeof length);
  SlStatus status;

  g_string_append (text, header);
  for (unsigned i = 0; i < copies; i++)
    g_string_append_len (text, (const char *) &(guint64) { GUINT64_TO_LE (i + 1) }, 8);
  for (unsigned i = 0; i < copies; i++)
    g_string_append_len (text, (const char *) &(gint64) { GINT64_TO_LE (leads[i]) }, 8);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_string_free (text, TRUE);
  status = sl_routing_open (path, &(SlRoutingOptions) { 0 }, routing);
  g_remove (path);
  return status;
}

/* Copies are added up where they lead, and never lead anywhere else. */
static void
copies (void)
{
  static const int64_t wild[] = { -1, 4096, INT64_MAX, INT64_MIN };
  SlRouting           *routing;
  SlStatus             status = open_copies ((const int64_t[]) { 1, 0, 1 }, 3, &routing);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->experts, ==, 2);
  g_assert_cmpuint (routing->layer[0].counts[0], ==, 2);
  g_assert_cmpuint (routing->layer[0].counts[1], ==, 1 + 3);
  sl_routing_free (routing);
  for (size_t i = 0; i < G_N_ELEMENTS (wild); i++)
    {
      g_autofree char *found
        = g_strdup_printf ("physical_to_logical_map: %" G_GINT64_FORMAT, wild[i]);

      status = open_copies ((const int64_t[]) { 1, wild[i], 1 }, 3, &routing);
      assert_found (&status, found, "one of 0 to 4095");
    }
}

/* Of a plain array larger than memory may have, a part can be read; the rest is a hole in the file. */
static void
part_of_many (void)
{
  static const guint8 ids[] = { 3, 1, 0, 2, 2, 3, 1, 0, 7, 1, 2, 3 };
  g_autofree char    *path = g_build_filename (folder, "many.npy", NULL);
  FILE               *file = g_fopen (path, "wb");
  SlRouting          *routing;
  SlStatus            status;

  g_assert_nonnull (file);
  fwrite ("\x93NUMPY\1\0v\0", 1, 10, file);
  fprintf (file, "%-117s\n",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (200000000, 2, 2), }");
  fseeko (file, 128 + 4L * 150000000, SEEK_SET);
  fwrite (ids, 1, sizeof ids, file);
  fseeko (file, 128 + 4L * 200000000 - 1, SEEK_SET);
  fputc (0, file);
  fclose (file);
  status = sl_routing_open (
    path, &(SlRoutingOptions) { .as = SL_ROUTING_AS_IDS, .from = 150000000, .most = 3 }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->layer[0].tokens, ==, 3);
  g_assert_cmpmem (routing->layer[0].ids, 6, ((const guint8[]) { 3, 1, 2, 3, 7, 1 }), 6);
  g_assert_cmpmem (routing->layer[1].ids, 6, ((const guint8[]) { 0, 2, 1, 0, 2, 3 }), 6);
  g_assert_cmpuint (routing->experts, ==, 8);
  sl_routing_free (routing);

  /* All of it is counted, and zeros are no routing. */
  status = sl_routing_open (path, &(SlRoutingOptions) { .as = SL_ROUTING_AS_IDS }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpint (routing->kind, ==, SL_ROUTING_COUNTS);
  g_assert_cmpuint (routing->experts, ==, 8);
  g_assert_cmpuint (routing->k, ==, 2);
  g_assert_cmpuint (routing->rows, ==, 1); /* all other windows have nothing */
  g_assert_cmpmem (routing->layer[0].counts, 64, ((const guint64[]) { 0, 2, 1, 2, 0, 0, 0, 1 }),
                   64);
  g_assert_cmpmem (routing->layer[1].counts, 64, ((const guint64[]) { 2, 1, 2, 1, 0, 0, 0, 0 }),
                   64);
  sl_routing_free (routing);
  status = sl_routing_open (path, &(SlRoutingOptions) { .as = SL_ROUTING_AS_IDS, .experts = 7 },
                            &routing);
  g_assert_true (sl_ok (&status)); /* of an expert that computes nothing */
  g_assert_cmpuint (routing->experts, ==, 7);
  g_assert_cmpuint (routing->layer[0].zero, ==, 1);
  g_assert_cmpuint (routing->layer[1].zero, ==, 0);
  g_assert_cmpmem (routing->layer[0].counts, 56, ((const guint64[]) { 0, 2, 1, 2, 0, 0, 0 }), 56);
  sl_routing_free (routing);
  g_remove (path);
}

/* What is counted in one pass, of any type and any number of slots, is what is there number by number; the
 * same where something else than different experts comes now and then.  */
static void
put_number (const SlArray *array, size_t i, int64_t value)
{
  for (unsigned b = 0; b < array->size; b++)
    array->bytes[i * array->size + (array->big ? array->size - 1 - b : b)]
      = (uint8_t) ((uint64_t) value >> 8 * b);
}

static SlStatus
count_many (const SlArray *ids, uint64_t tokens, unsigned layers, unsigned k, SlRoutingDraft *draft)
{
  SlArray         array = *ids;
  SlMeant         meant = { .array = &array, .axes = "tlk" };
  SlRecordingFile file = { .arrays = { .path = "many" }, .draft = draft };
  SlStatus        status = SL_SUCCESS;

  array.axes = 3;
  array.shape[0] = tokens;
  array.shape[1] = layers;
  array.shape[2] = k;

  sl_routing_draft_init (draft, "many", &(SlRoutingOptions) { 0 });
  for (unsigned l = 0; l < layers && sl_ok (&status); l++)
    {
      SlRoutingDraftLayer *layer;

      status = sl_routing_draft_layer (draft, (int) l, -1, &layer);
    }
  return sl_ok (&status) ? sl_recording_count (&file, &meant) : status;
}

static void
count_as (const SlArray *type, unsigned k, bool odd)
{
  enum { TOKENS = 9000, LAYERS = 3, EXPERTS = 100 };

  SlArray            ids = *type;
  SlRoutingDraft     draft;
  g_autofree guint8 *bytes = g_malloc0 ((gsize) TOKENS * LAYERS * k * ids.size);
  guint64            truth[LAYERS][EXPERTS] = { { 0 } };
  SlStatus           status;

  ids.bytes = bytes;
  ids.n = (uint64_t) TOKENS * LAYERS * k;
  for (size_t row = 0; row < (size_t) TOKENS * LAYERS; row++)
    for (unsigned s = 0; s < k; s++)
      {
        bool    empty = k > 1 && row % 7 == 0 && row > TOKENS; /* some parts have none */
        int64_t id = (int64_t) ((row * row / 11 + 13 * s) % EXPERTS);

        if (odd && ids.type == SL_ARRAY_INTEGERS && row % 400 == 1 && s == k - 1)
          id = -1;
        put_number (&ids, row * k + s, empty ? 0 : id);
        if (!empty && id >= 0)
          truth[row % LAYERS][id]++;
      }
  status = count_many (&ids, TOKENS, LAYERS, k, &draft);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (draft.experts, ==, EXPERTS);
  for (unsigned l = 0; l < LAYERS; l++)
    for (unsigned i = 0; i < EXPERTS; i++)
      {
        guint64 sum = 0;

        for (size_t row = 0; row < draft.rows; row++)
          sum += draft.layer[l].counts[row * EXPERTS + i];
        g_assert_cmpuint (sum, ==, truth[l][i]);
      }
  sl_routing_draft_clear (&draft);

  /* Twice in a row, and zeros beside other numbers. */
  for (unsigned part = 0; part < 2 && k > 2; part++)
    {
      size_t           row = 5001 * LAYERS + 2;
      g_autofree char *found
        = g_strdup_printf ("layer 2, token 5001: expert %d twice", part == 0 ? 7 : 0);
      g_autofree char *expected
        = g_strdup_printf ("%u different ones (are these counts? as=loads)", k);

      put_number (&ids, row * k, 0);
      put_number (&ids, row * k + 1, part == 0 ? 7 : 0);
      put_number (&ids, row * k + 2, 7);
      status = count_many (&ids, TOKENS, LAYERS, k, &draft);
      assert_found (&status, found, expected);
      sl_routing_draft_clear (&draft);
    }
}

/* Wherever the two are among a row's numbers, in whichever row. */
static void
many_twice (void)
{
  enum { TOKENS = 200, SLOTS = 8 };

  guint8  bytes[TOKENS * SLOTS];
  SlArray ids
    = { .type = SL_ARRAY_NATURALS, .size = 1, .bytes = bytes, .n = (uint64_t) TOKENS * SLOTS };
  SlStatus status;

  for (unsigned i = 0; i < TOKENS * SLOTS; i++)
    bytes[i] = (guint8) (i % SLOTS + 20 * (i / SLOTS % 10));
  for (unsigned a = 0; a < SLOTS; a++)
    for (unsigned b = 0; b < SLOTS; b++)
      {
        size_t           row = 17 * a + b;
        guint8          *id = bytes + row * SLOTS, before = id[b];
        SlRoutingDraft   draft;
        g_autofree char *found
          = g_strdup_printf ("layer 0, token %zu: expert %u twice", row, (unsigned) id[a]);

        id[b] = id[a];
        status = count_many (&ids, TOKENS, 1, SLOTS, &draft);
        id[b] = before;
        if (a == b)
          g_assert_true (sl_ok (&status));
        else
          assert_found (&status, found, "8 different ones (are these counts? as=loads)");
        sl_routing_draft_clear (&draft);
      }
}

static void
many_of_any_type (void)
{
  static const unsigned slots[] = { 1, 2, 3, 4, 6, 7, 8 };
  static const SlArray  types[] = { { .type = SL_ARRAY_NATURALS, .size = 1 },
                                    { .type = SL_ARRAY_INTEGERS, .size = 1 },
                                    { .type = SL_ARRAY_NATURALS, .size = 2 },
                                    { .type = SL_ARRAY_INTEGERS, .size = 2 },
                                    { .type = SL_ARRAY_NATURALS, .size = 2, .big = true },
                                    { .type = SL_ARRAY_INTEGERS, .size = 4 },
                                    { .type = SL_ARRAY_NATURALS, .size = 8 },
                                    { .type = SL_ARRAY_INTEGERS, .size = 8, .big = true } };

  /* Every number of slots with the types of one byte, every type with a third of them; only what can be negative
   * has odd ones. */
  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (size_t i = 0; i < G_N_ELEMENTS (slots); i++)
      for (unsigned odd = 0; odd < (types[t].type == SL_ARRAY_INTEGERS ? 2 : 1); odd++)
        if (t < 2 || i % 3 == t % 3)
          count_as (&types[t], slots[i], odd == 1);
}

/* Files of ranks in one folder. */
static void
add_line (GString *text, int step, int a, int b)
{
  g_string_append_printf (
    text, "{\"step\": %d, \"layer\": 1, \"top_indices\": [[%d, 9], [%d, 8]]}\n", step, a, b);
}

static void
ranks (void)
{
  static const unsigned firsts[] = { 0, 1, 4, 5, 2, 3, 6, 7 };
  g_autofree char      *a = g_build_filename (folder, "router_trace_rank2.jsonl", NULL);
  g_autofree char      *b = g_build_filename (folder, "router_trace_rank10.jsonl", NULL);
  g_autofree char      *c = g_build_filename (folder, "router_trace_rank11.jsonl", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  SlRouting *routing;
  SlStatus   status;

  add_line (text, 0, 0, 1);
  add_line (text, 1, 2, 3);
  g_file_set_contents (a, text->str, -1, NULL);
  g_string_truncate (text, 0);
  add_line (text, 0, 4, 5);
  add_line (text, 1, 6, 7);
  g_file_set_contents (b, text->str, -1, NULL);
  g_file_set_contents (c, text->str, -1, NULL);
  g_assert_true (sl_routing_likely (folder));
  status = sl_routing_open (folder, &(SlRoutingOptions) { 0 }, &routing);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (routing->layer[0].tokens, ==, 8);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 2);
  g_assert_cmpuint (routing->layer[0].pass[0], ==, 4);
  for (unsigned t = 0; t < 8; t++)
    g_assert_cmpuint (((const uint8_t *) routing->layer[0].ids)[2 * t], ==, firsts[t]);
  g_assert_cmpuint (routing->reading.n_notes, ==, 1);
  sl_routing_free (routing);

  g_string_truncate (text, 0);
  add_line (text, 0, 4, 5);
  g_file_set_contents (c, text->str, -1, NULL);
  status = sl_routing_open (folder, &(SlRoutingOptions) { 0 }, &routing);
  assert_found (&status, "router_trace_rank2.jsonl and router_trace_rank11.jsonl, which differ",
                "ranks of one recording");
  g_remove (a);
  g_remove (b);
  g_remove (c);
  g_assert_false (sl_routing_likely (folder));
}

/* The file as the first one of the source of recordings, and the made-up router. */
static void
sources (void)
{
  g_autofree char *path = g_build_filename (folder, "a.csv", NULL);
  g_autofree char *spec = g_strconcat (path, ":experts=12", NULL);
  SlDataset       *dataset, *again;
  SlStatus         status;

  g_file_set_contents (path, "layer,token,e0\n1,0,3\n1,1,4\n", -1, NULL);
  status = sl_source_open (spec, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_true (sl_dataset_kind (dataset) == SL_NEEDS_ROUTING);
  g_assert_cmpuint (dataset->routing->experts, ==, 12);
  status = sl_source_open (dataset->id, &again);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (again->id, ==, dataset->id);
  g_assert_cmpuint (again->hash, ==, dataset->hash);
  sl_dataset_free (again);
  sl_dataset_free (dataset);
  g_remove (path);

  status = sl_source_open ("router:experts=8,k=2,layers=2,tokens=300,warm-up=90,skew=0", &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->routing->layer[1].tokens, ==, 390);
  g_assert_cmpuint (dataset->routing->layer[1].warm_up_tokens, >=, 90);
  g_assert_cmpint (dataset->routing->order, ==, SL_ROUTING_RANKED);
  sl_dataset_free (dataset);
  status = sl_source_open ("router:experts=4,k=8", &dataset);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
}

/* A column called "layer" alone makes no recording of a labelled table. */
static void
tables (void)
{
  static const char *const recordings[] = { "layer,token,e0\n1,0,3\n", "layer,expert\n0,5\n",
                                            "# n_expert=8\nlayer_id,expert_ids\n3,5 4\n" };
  static const char *const ordinary[]
    = { "layer,width,label\n1,0.5,0\n2,0.25,1\n", "0,5\n1,4\n", "x,y,layer\n1,2,0\n2,1,1\n",
        "layer,depth,class\n# e0\n1,2,0\n" };
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  const SlSource  *source;
  SlSettings       settings;
  SlStatus         status;

  for (size_t i = 0; i < G_N_ELEMENTS (recordings); i++)
    {
      g_file_set_contents (path, recordings[i], -1, NULL);
      g_assert_true (sl_routing_likely (path));
      g_remove (path);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (ordinary); i++)
    {
      g_file_set_contents (path, ordinary[i], -1, NULL);
      g_assert_false (sl_routing_likely (path));
      status = sl_source_parse (path, &source, &settings, NULL);
      g_assert_true (sl_ok (&status));
      g_assert_null (source);
      g_remove (path);
    }
}

static void
write_tensor (const char *path, const char *name)
{
  g_autofree char *json
    = g_strdup_printf ("{\"%s\":{\"dtype\":\"I32\",\"shape\":[1,1],\"data_offsets\":[0,4]}}", name);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  uint64_t size = GUINT64_TO_LE (strlen (json));

  g_byte_array_append (bytes, (const guint8 *) &size, sizeof size);
  g_byte_array_append (bytes, (const guint8 *) json, (guint) strlen (json));
  g_byte_array_append (bytes, (const guint8[4]) { 0 }, 4);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

/* The weights of a network are no recording, though they are written in the same way. */
static void
tensors (void)
{
  g_autofree char *path = g_build_filename (folder, "numbers.safetensors", NULL);

  write_tensor (path, "topk_ids");
  g_assert_true (sl_routing_likely (path));
  write_tensor (path, "conv1_1.weight");
  g_assert_false (sl_routing_likely (path));
  g_remove (path);
}

/* What a recording has beside its experts. */
static void
facts (void)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open ("router:layers=3,tokens=100,warm-up=0", &dataset);

  g_assert_true (sl_ok (&status));
  g_assert_true (sl_dataset_has (dataset, "data.tokens data.gates data.layers>2"));
  g_assert_false (sl_dataset_has (dataset, "data.layers>3"));
  g_assert_false (sl_dataset_has (dataset, "data.scores"));
  g_assert_false (sl_dataset_has (dataset, "data.phases"));
  g_assert_false (sl_dataset_has (dataset, "data.other"));
  sl_dataset_free (dataset);
}

/* A router without preference is as uneven as chance: E CV² = (n - k) ÷ routings. */
static void
floor_of_chance (void)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (
      "router:experts=32,k=4,layers=64,tokens=1000,warm-up=0,skew=0,link=0.5", &dataset);
  double sum = 0;

  g_assert_true (sl_ok (&status));
  for (unsigned l = 0; l < 64; l++)
    {
      const uint8_t *ids = dataset->routing->layer[l].ids;
      double         load[32] = { 0 };

      for (unsigned i = 0; i < 4000; i++)
        load[ids[i]]++;
      for (unsigned i = 0; i < 32; i++)
        sum += (load[i] / 125 - 1) * (load[i] / 125 - 1) / 32 / 64;
    }
  sl_assert_near (sum, 28.0 / 4000, 0.15, 0);
  sl_dataset_free (dataset);
}

/* ------------------------------------------------------------------- recordings of real models */

static char *
shared (const char *name)
{
  const char *base = g_getenv ("SLUICE_SHARED_DATA"), *source = g_getenv ("SLUICE_SOURCE");
  char       *path = base != NULL ? g_build_filename (base, "routing", name, NULL)
                                  : g_build_filename (source != NULL ? source : ".", "..", "shared",
                                                "data", "routing", name, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_test_skip ("the folder of real data is not here");
  g_free (path);
  return NULL;
}

static void
add_loads (const SlRouting *routing, unsigned l, bool warm_up, uint64_t *load)
{
  size_t               tokens = sl_routing_tokens (routing, l, warm_up);
  g_autofree uint16_t *ids = g_new (uint16_t, tokens * routing->k + 1);

  sl_routing_read (routing, l, warm_up, 0, tokens, ids, NULL);
  for (size_t i = 0; i < tokens * routing->k; i++)
    if (ids[i] != SL_ROUTING_NONE)
      load[ids[i]]++;
}

static void
assert_loads (const SlRouting *routing, JsonObject *expected, bool warm_up)
{
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      g_autofree uint64_t *load = g_new0 (uint64_t, routing->experts);
      char                 name[64];
      JsonArray           *of = json_object_get_array_member (
                  expected, sl_routing_layer_name (&routing->layer[l], name, sizeof name));

      if (routing->kind == SL_ROUTING_IDS)
        add_loads (routing, l, warm_up, load);
      for (size_t i = 0; i < routing->rows * routing->experts; i++)
        load[i % routing->experts] += routing->layer[l].counts[i];
      for (unsigned i = 0; i < routing->experts; i++)
        g_assert_cmpint ((gint64) load[i], ==, json_array_get_int_element (of, i));
    }
}

static void
assert_warm_up (const SlRouting *routing, JsonObject *expected)
{
  JsonArray *runs = json_object_get_array_member (expected, "runs");

  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      const SlRoutingLayer *layer = &routing->layer[l];
      JsonArray            *of = json_array_get_array_element (runs, l);

      g_assert_cmpuint (layer->n_warm_up, ==, json_array_get_length (of));
      for (size_t i = 0; i < layer->n_warm_up; i++)
        {
          JsonArray *run = json_array_get_array_element (of, (guint) i);

          g_assert_cmpint (layer->warm_up[i].first, ==, json_array_get_int_element (run, 0));
          g_assert_cmpint (layer->warm_up[i].tokens, ==, json_array_get_int_element (run, 1));
        }
      g_assert_cmpint (
        layer->warm_up_tokens, ==,
        json_array_get_int_element (json_object_get_array_member (expected, "left_out"), l));
    }
}

/* Σ of the gates of a token, on average over those that count. */
static void
assert_gates (const SlRouting *routing, JsonObject *expected)
{
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      size_t               tokens = sl_routing_tokens (routing, l, false), n = tokens * routing->k;
      g_autofree uint16_t *ids = g_new (uint16_t, n);
      g_autofree float    *gates = g_new (float, n);
      char                 name[64];
      double               sum = 0;

      sl_routing_layer_name (&routing->layer[l], name, sizeof name);
      if (!json_object_has_member (expected, name))
        continue;
      g_assert_nonnull (routing->layer[l].gates);
      sl_routing_read (routing, l, false, 0, tokens, ids, gates);
      for (size_t i = 0; i < n; i++)
        sum += gates[i];
      sl_assert_near (sum / (double) tokens, json_object_get_double_member (expected, name), 0,
                      1e-6);
    }
}

static void
assert_phases (const SlRouting *routing, JsonObject *expected)
{
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      char   name[64];
      gint64 decoded = 0;

      sl_routing_layer_name (&routing->layer[l], name, sizeof name);
      if (!json_object_has_member (expected, name))
        continue;
      for (size_t t = 0; t < sl_routing_tokens (routing, l, false); t++)
        decoded += routing->layer[l].decode[sl_routing_place (routing, l, false, t)];
      g_assert_cmpint (
        decoded, ==, json_array_get_int_element (json_object_get_array_member (expected, name), 1));
    }
}

static void
fixture (const void *data)
{
  g_autofree char *path = shared (data);
  JsonObject      *entry, *settings;
  SlRoutingOptions options = { 0 };
  SlRouting       *routing;
  SlStatus         status;

  if (path == NULL)
    return;
  entry = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (golden), "fixtures"), data);
  settings = json_object_get_object_member (entry, "settings");
  if (json_object_has_member (settings, "k"))
    options.k = (unsigned) json_object_get_int_member (settings, "k");
  if (json_object_has_member (settings, "decode"))
    options.decode = (size_t) json_object_get_int_member (settings, "decode");
  status = sl_routing_open (path, &options, &routing);
  g_assert_true (sl_ok (&status));
  if (routing->kind == SL_ROUTING_COUNTS)
    {
      assert_head (routing, entry);
      assert_loads (routing, json_object_get_object_member (entry, "load"), true);
    }
  else
    {
      JsonObject *with = json_object_get_object_member (entry, "with");
      JsonObject *without = json_object_get_object_member (entry, "without");

      assert_head (routing, with);
      assert_warm_up (routing, json_object_get_object_member (entry, "warm_up"));
      assert_loads (routing, json_object_get_object_member (with, "load"), true);
      assert_loads (routing, json_object_get_object_member (without, "load"), false);
      assert_gates (routing, json_object_get_object_member (without, "gates"));
      assert_phases (routing, json_object_get_object_member (entry, "phases"));
    }
  sl_routing_free (routing);
}

static void
add_entries (const char *member, const char *prefix, GTestDataFunc test)
{
  JsonObject *entries = json_object_get_object_member (json_node_get_object (golden), member);
  g_autoptr (GList) all = json_object_get_members (entries);

  for (GList *each = all; each != NULL; each = each->next)
    {
      g_autofree char *path = g_strconcat (prefix, each->data, NULL);

      g_test_add_data_func (path, each->data, test);
    }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  golden = sl_golden_load (argv[1]);
  folder = g_dir_make_tmp ("sluice-routing-XXXXXX", NULL);
  add_entries ("files", "/recording/file/", file_entry);
  add_entries ("fixtures", "/recording/fixture/", fixture);
  g_test_add_func ("/recording/cut", cut_files);
  g_test_add_func ("/recording/refusals", refusals);
  g_test_add_func ("/recording/further-columns", further_columns);
  g_test_add_func ("/recording/pairs-that-need-a-word", pairs_that_need_a_word);
  g_test_add_func ("/recording/lone-array", lone_array);
  g_test_add_func ("/recording/steps-of-pairs", steps_of_pairs);
  g_test_add_func ("/recording/tokens-of-rows", tokens_of_rows);
  g_test_add_func ("/recording/two-readings", two_readings);
  g_test_add_func ("/recording/several-arrays", several_arrays);
  g_test_add_func ("/recording/warm-up", warm_up_rule);
  g_test_add_func ("/recording/hash", same_hash);
  g_test_add_func ("/recording/parts", parts);
  g_test_add_func ("/recording/answers", answers);
  g_test_add_func ("/recording/bad-answers", bad_answers);
  g_test_add_func ("/recording/only-route", only_route);
  g_test_add_func ("/recording/token-lines", token_lines);
  g_test_add_func ("/recording/part-of-many", part_of_many);
  g_test_add_func ("/recording/many-of-any-type", many_of_any_type);
  g_test_add_func ("/recording/many-twice", many_twice);
  g_test_add_func ("/recording/copies", copies);
  g_test_add_func ("/recording/ranks", ranks);
  g_test_add_func ("/recording/sources", sources);
  g_test_add_func ("/recording/tables", tables);
  g_test_add_func ("/recording/tensors", tensors);
  g_test_add_func ("/recording/facts", facts);
  g_test_add_func ("/recording/floor", floor_of_chance);
  result = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  json_node_unref (golden);
  return result;
}
