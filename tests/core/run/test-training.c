/* SPDX-License-Identifier: MIT
 *
 * Loads that trainers log: event files as columns, good ones and each kind of bad one; what names mean; and the recordings
 * that come of them, value by value.  */
#include <glib/gstdio.h>
#include <math.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/crc32c.h"
#include "core/data/read/meaning/meaning.h"
#include "core/data/read/recording/open.h"
#include "core/data/routing/npz-write.h"
#include "tests/core/run/event-file.h"
#include "tests/support/folder.h"

enum { LAYERS = 3, EXPERTS = 4, STEPS = 10, TAGS = LAYERS * EXPERTS + 1 };

/* ---- files ---- */

static float
load_of (guint layer, guint expert, guint step)
{
  return (float) ((7 * layer + 3 * expert + 5 * step) % 23);
}

typedef struct
{
  char       *name[TAGS];
  const char *tag[TAGS]; /* those of a step */
  float       value[TAGS];
  guint       n;
} Tags;

/* All loads of step number `step` with the loss; `left_out` (layer × EXPERTS + expert) is not there. */
static void
fill (Tags *tags, guint step, int left_out)
{
  tags->n = 0;
  for (guint i = 0; i < TAGS; i++)
    {
      g_free (tags->name[i]);
      tags->name[i] = i + 1 < TAGS ? g_strdup_printf ("moe/layer_%u_expert_%u_load",
                                                      2 * (i / EXPERTS), i % EXPERTS)
                                   : g_strdup ("train/loss");
      if ((int) i == left_out)
        continue;
      tags->tag[tags->n] = tags->name[i];
      tags->value[tags->n++]
        = i + 1 < TAGS ? load_of (i / EXPERTS, i % EXPERTS, step) : 1.0f / (float) (step + 1);
    }
}

static void
clear (Tags *tags)
{
  for (guint i = 0; i < TAGS; i++)
    g_free (tags->name[i]);
}

/* Steps first … first + n - 1, each 100 further. */
static void
add_steps (GByteArray *file, double wall, guint first, guint n)
{
  Tags tags = { { NULL } };

  if (file->len == 0)
    event_file_add (file, wall, 0, NULL, NULL, 0); /* which says only when it began */
  for (guint s = first; s < first + n; s++)
    {
      fill (&tags, s, -1);
      event_file_add (file, wall, 100 * s, tags.tag, tags.value, tags.n);
    }
  clear (&tags);
}

static char *
make_folder (void)
{
  return g_dir_make_tmp ("sluice-training-XXXXXX", NULL);
}

static char *
write_file (const char *folder, const char *name, const void *bytes, gsize n)
{
  char            *path = g_build_filename (folder, name, NULL);
  g_autofree char *within = g_path_get_dirname (path);

  g_mkdir_with_parents (within, 0700);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  return path;
}

static SlRouting *
open_good (const char *path, const SlRoutingOptions *options)
{
  SlRouting *routing;
  SlStatus   status = sl_routing_open (path, options, &routing);

  if (!sl_ok (&status))
    {
      char text[1024];

      sl_status_text (&status, text, sizeof text);
      g_error ("%s", text);
    }
  return routing;
}

/* Of each layer the loads of steps first … */
static void
check_loads (const SlRouting *routing, guint first, gsize rows)
{
  g_assert_cmpint (routing->kind, ==, SL_ROUTING_COUNTS);
  g_assert_cmpuint (routing->n_layers, ==, LAYERS);
  g_assert_cmpuint (routing->experts, ==, EXPERTS);
  g_assert_cmpuint (routing->rows, ==, rows);
  g_assert_false (routing->shares);
  for (guint l = 0; l < LAYERS; l++)
    {
      g_assert_cmpint (routing->layer[l].number, ==, 2 * (int) l);
      for (gsize i = 0; i < rows * EXPERTS; i++)
        g_assert_cmpuint (routing->layer[l].counts[i], ==,
                          (guint64) load_of (l, i % EXPERTS, first + (guint) (i / EXPERTS)));
    }
  for (gsize row = 0; row < rows; row++)
    g_assert_true (routing->step[row] == 100.0 * ((double) first + (double) row));
}

static gboolean
has_note (const SlFileReading *reading, const char *words)
{
  for (unsigned i = 0; i < reading->n_notes; i++)
    {
      char text[SL_MESSAGE_SIZE * 2];

      if (strstr (sl_message_show (reading->note[i].packed, NULL, text, sizeof text), words)
          != NULL)
        return TRUE;
    }
  return FALSE;
}

/* ---- the container ---- */

static const SlArray *
column (const SlArrays *arrays, const char *name)
{
  const SlArray *array = sl_arrays_find (arrays, name);

  g_assert_nonnull (array);
  return array;
}

static double
number (const SlArray *array, gsize i)
{
  double   value = NAN;
  SlStatus status = sl_array_reals (array, "a", i, 1, &value);

  g_assert_true (sl_ok (&status));
  return value;
}

/* Each tag has its own steps; a value that is not finite is one, too. */
static void
test_columns (void)
{
  static const char *const a[] = { "a", "b/c" }, *const b[] = { "b/c" };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *path = NULL;
  SlArrays         arrays;
  SlStatus         status;
  const SlArray   *first, *second, *steps;

  event_file_add (file, 1, 5, a, (const float[]) { 1.5f, NAN }, 2);
  event_file_add (file, 1, 7, b, (const float[]) { -2 }, 1);
  event_file_add (file, 1, 9, a, (const float[]) { 3, INFINITY }, 2);
  path = write_file (folder, "x", file->data, file->len);
  status = sl_arrays_open (&arrays, path, SL_CONTAINER_EVENTS, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (arrays.n, ==, 3);
  g_assert_cmpuint (arrays.rows, ==, 3);
  steps = column (&arrays, "step");
  first = column (&arrays, "a");
  second = column (&arrays, "b/c");
  for (gsize i = 0; i < 3; i++)
    g_assert_true (number (steps, i) == 5.0 + 2.0 * (double) i);
  g_assert_cmpuint (first->n, ==, 2);
  g_assert_cmpuint (first->record[0], ==, 0);
  g_assert_cmpuint (first->record[1], ==, 2);
  g_assert_true (number (first, 0) == 1.5 && number (first, 1) == 3.0);
  g_assert_cmpuint (second->n, ==, 3);
  g_assert_true (isnan (number (second, 0)) && number (second, 1) == -2.0
                 && isinf (number (second, 2)));
  sl_arrays_clear (&arrays);
  sl_remove_all (folder);
}

/* What a tag has twice at a step, or again after going back, is what it has last. */
static void
test_again (void)
{
  static const char *const a[] = { "a", "a" }, *const b[] = { "b" };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *path = NULL;
  SlArrays         arrays;
  SlStatus         status;

  event_file_add (file, 1, 1, a, (const float[]) { 1, 2 }, 2);
  event_file_add (file, 1, 3, a, (const float[]) { 3 }, 1);
  event_file_add (file, 1, 5, b, (const float[]) { 4 }, 1);
  event_file_add (file, 1, 2, a, (const float[]) { 5 }, 1);
  path = write_file (folder, "x", file->data, file->len);
  status = sl_arrays_open (&arrays, path, SL_CONTAINER_EVENTS, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (arrays.rows, ==, 3); /* 1, 2, 5 */
  g_assert_cmpuint (column (&arrays, "a")->n, ==, 2);
  g_assert_true (number (column (&arrays, "a"), 0) == 2 && number (column (&arrays, "a"), 1) == 5);
  g_assert_cmpuint (column (&arrays, "a")->record[1], ==, 1);
  g_assert_cmpuint (column (&arrays, "b")->record[0], ==, 2);
  sl_arrays_clear (&arrays);
  sl_remove_all (folder);
}

/* Cut at every byte, what is whole is there, and it is said if something is not. */
static void
test_cut (void)
{
  static const char *const tag[] = { "a" };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder ();
  guint            end[4];

  for (guint i = 0; i < 4; i++)
    {
      event_file_add (file, 1, i, tag, (const float[]) { (float) i }, 1);
      end[i] = file->len;
    }
  for (guint n = 0; n <= file->len; n++)
    {
      g_autofree char *path = write_file (folder, "a.tfevents.b", file->data, n);
      SlArrays         arrays;
      SlStatus         status = sl_arrays_open (&arrays, path, SL_CONTAINER_EVENTS, NULL);
      guint            whole = 0;

      while (whole < 4 && end[whole] <= n)
        whole++;
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (arrays.rows, ==, whole);
      g_assert_cmpuint (arrays.n_notes, ==, n > (whole > 0 ? end[whole - 1] : 0) ? 1 : 0);
      g_assert_cmpuint (arrays.n, ==, whole > 0 ? 2 : 1);
      for (guint i = 0; i < whole; i++)
        g_assert_true (number (column (&arrays, "a"), i) == i);
      sl_arrays_clear (&arrays);
    }
  sl_remove_all (folder);
}

/* Any byte that is wrong is noticed, and where its record begins is said. */
static void
test_damaged (void)
{
  static const char *const tag[] = { "a" };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder ();
  guint            second;

  event_file_add (file, 1, 1, tag, (const float[]) { 1 }, 1);
  second = file->len;
  event_file_add (file, 1, 2, tag, (const float[]) { 2 }, 1);
  for (guint i = 0; i < file->len; i++)
    {
      g_autofree char *path = NULL;
      SlArrays         arrays;
      SlStatus         status;

      file->data[i] ^= 1 << i % 8;
      path = write_file (folder, "a", file->data, file->len);
      file->data[i] ^= 1 << i % 8;
      status = sl_arrays_open (&arrays, path, SL_CONTAINER_EVENTS, NULL);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_cmpuint (status.position, ==, i < second ? 0 : second);
      sl_arrays_clear (&arrays);
    }
  sl_remove_all (folder);
}

/* Lengths that no file has, under right check sums: refused, or waited for in vain. */
static void
test_lengths (void)
{
  static const struct
  {
    guint64  length;
    gboolean refused;
  } cases[] = { { G_MAXUINT64, TRUE },
                { (guint64) 1 << 62, TRUE },
                { SL_EVENT_BYTES + 1u, TRUE },
                { SL_EVENT_BYTES, FALSE },
                { 1, FALSE } };
  g_autofree char *folder = make_folder ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint8           bytes[SL_EVENT_FRAME];
      guint32          sum;
      g_autofree char *path = NULL;
      SlArrays         arrays;
      SlStatus         status;

      memcpy (bytes, &cases[i].length, 8);
      sum = sl_crc32c_masked (bytes, 8);
      memcpy (bytes + 8, &sum, 4);
      path = write_file (folder, "a", bytes, sizeof bytes);
      status = sl_arrays_open (&arrays, path, SL_CONTAINER_EVENTS, NULL);
      g_assert_cmpint (status.code, ==, cases[i].refused ? SL_EFORMAT : SL_OK);
      g_assert_cmpuint (arrays.rows, ==, 0);
      sl_arrays_clear (&arrays);
    }
  sl_remove_all (folder);
}

/* The files of a folder follow one another by their times; where steps go back, later ones replace earlier ones.  A folder
 * around it is read as it; around two it is not.  */
static void
test_folders (void)
{
  g_autoptr (GByteArray) early = g_byte_array_new (), late = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *a = NULL, *b = NULL, *c = NULL;
  g_autofree char *run = g_build_filename (folder, "logs", "one", NULL);
  SlRouting       *routing;
  SlStatus         status = sl_routing_open (folder, &(SlRoutingOptions) { 0 }, &routing);

  g_assert_cmpint (status.code, ==, SL_EIO);
  g_assert_cmpint (sl_training_look (folder), ==, SL_TRAINING_NONE);
  add_steps (early, 10, 0, 6);
  add_steps (late, 20, 4, 4);
  a = write_file (run, "b.tfevents.1", early->data, early->len);
  b = write_file (run, "a.tfevents.2", late->data, late->len);
  for (guint i = 0; i < 2; i++)
    {
      routing = open_good (i == 0 ? run : folder, &(SlRoutingOptions) { 0 });
      check_loads (routing, 0, 8);
      g_assert_true (has_note (&routing->reading, "2 event files"));
      g_assert_true (has_note (&routing->reading, "go back"));
      sl_routing_free (routing);
      g_assert_cmpint (sl_training_look (i == 0 ? run : folder), ==, SL_TRAINING_MOST);
    }
  c = write_file (folder, "other/a.tfevents.3", late->data, late->len);
  status = sl_routing_open (folder, &(SlRoutingOptions) { 0 }, &routing);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  sl_remove_all (folder);
}

/* ---- names ---- */

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    int         layer, expert; /* -1: none */
  } names[] = {
    { "moe/layer_3_expert_7_load", 3, 7 },
    { "layer3/expert7/tokens", 3, 7 },
    { "moe.layers.3.experts.7.load", 3, 7 },
    { "layer_3/expert_7", 3, 7 },
    { "experts/7", -1, 7 },
    { "train/moe_layer_3/load_expert_7", 3, 7 },
    { "Layer 03 / Expert 007 / Count", 3, 7 },
    { "model.layers.12.mlp.experts.255.tokens_per_step", 12, 255 },
    { "moe/expert_7/layer_3/load", 3, 7 },
    { "router/l3_e7_frac", 3, 7 },
    { "block_3/expert_id_7/usage", 3, 7 },
    { "num_tokens/layer_3/expert_7", 3, 7 },
    { "run-17 - moe/layer_3_expert_7_load", 3, 7 },
    { "log_history.moe/layer_3_expert_7_load", 3, 7 },
    { "x/y/layer_3_expert_7", 3, 7 },
    { "layer_3/expert_7/grad_norm", -1, -1 },
    { "moe/layer_3_expert_7_bias", -1, -1 },
    { "moe/layer_3_expert_7_load_balancing_loss", -1, -1 },
    { "moe/layer_3_expert_7_something", -1, -1 },
    { "moe/layer_3_load", -1, -1 },
    { "moe/num_experts", -1, -1 },
    { "e7", -1, -1 },
    { "train/loss", -1, -1 },
    { "experts", -1, -1 },
    { "", -1, -1 },
  };
  SlTrainedName first, other;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gboolean is = sl_trained_name (names[i].name, &first);

      g_test_message ("%s", names[i].name);
      g_assert_true (is == (names[i].expert >= 0));
      if (!is)
        continue;
      g_assert_true (first.layered == (names[i].layer >= 0));
      g_assert_cmpuint (first.layer, ==, (guint64) MAX (names[i].layer, 0));
      g_assert_cmpuint (first.expert, ==, (guint64) names[i].expert);
    }
  g_assert_true (sl_trained_name ("a/layer_3_expert_7_load", &first));
  g_assert_true (sl_trained_name ("a/layer_30_expert_1_load", &other));
  g_assert_true (first.family == other.family);
  g_assert_true (sl_trained_name ("a/layer_3_expert_7_share", &other));
  g_assert_true (first.family != other.family);
  g_assert_true (sl_trained_name ("rank_1/a/layer_3_expert_7_load", &other));
  g_assert_true (first.family != other.family);
}

/* ---- recordings ---- */

static void
test_events (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *path = NULL, *npz = NULL;
  SlRouting       *routing;
  uint8_t         *bytes;
  size_t           n;
  SlStatus         status;

  add_steps (file, 1, 1, STEPS);
  path = write_file (folder, "a.tfevents.b", file->data, file->len);
  g_assert_cmpint (sl_training_look (path), ==, SL_TRAINING_MOST);
  g_assert_true (sl_routing_likely (path));
  routing = open_good (path, &(SlRoutingOptions) { 0 });
  check_loads (routing, 1, STEPS);
  g_assert_true (has_note (&routing->reading, "train/loss"));
  g_assert_cmpuint (routing->reading.n_notes, ==, 1);

  /* Its steps are kept in a file of ours, and go with a part. */
  status = sl_routing_npz (routing, &bytes, &n);
  g_assert_true (sl_ok (&status));
  sl_routing_free (routing);
  npz = write_file (folder, "a.npz", bytes, n);
  free (bytes);
  for (guint i = 0; i < 2; i++)
    {
      routing = open_good (i == 0 ? path : npz, &(SlRoutingOptions) { .from = 2, .most = 5 });
      check_loads (routing, 3, 5);
      sl_routing_free (routing);
    }
  sl_remove_all (folder);
}

static void
append_members (GString *text, const Tags *tags, const char *open, const char *between,
                const char *close)
{
  g_string_append (text, open);
  for (guint i = 0; i < tags->n; i++)
    g_string_append_printf (text, "%s\"%s\": %g", i > 0 ? between : "", tags->tag[i],
                            (double) tags->value[i]);
  g_string_append (text, close);
}

/* The same loads as a table and as logs of trainers. */
static void
test_tables (void)
{
  g_autoptr (GString) csv = g_string_new (NULL), jsonl = g_string_new (NULL),
                      nested = g_string_new (NULL), state = g_string_new (NULL);
  g_autofree char         *folder = make_folder ();
  GString *const           text[] = { csv, jsonl, nested, state };
  static const char *const name[] = { "a.csv", "b.jsonl", "c.jsonl", "trainer_state.json" };
  Tags                     tags = { { NULL } };

  g_string_append (state, "{\"epoch\": 2, \"global_step\": 900, \"log_history\": [");
  for (guint s = 1; s <= STEPS; s++)
    {
      fill (&tags, s, -1);
      if (s == 1)
        for (guint i = 0; i <= tags.n; i++)
          g_string_append_printf (csv, "%s%s", i > 0 ? ",run - " : "Step",
                                  i > 0 ? tags.tag[i - 1] : "");
      g_string_append_printf (csv, "\n%u", 100 * s);
      for (guint i = 0; i < tags.n; i++)
        g_string_append_printf (csv, ",%g", (double) tags.value[i]);
      g_string_append_printf (jsonl, "{\"step\": %u, ", 100 * s);
      append_members (jsonl, &tags, "", ", ", "}\n");
      g_string_append_printf (nested, "{\"step\": %u, \"loss\": 1, \"moe\": ", 100 * s);
      append_members (nested, &tags, "{", ", ", "}}\n");
      g_string_append_printf (state, "%s{\"epoch\": 0.5, \"step\": %u, ", s > 1 ? ", " : "",
                              100 * s);
      append_members (state, &tags, "", ", ", "}");
    }
  g_string_append (state, ", {\"step\": 1000, \"train_runtime\": 3.5}]}");
  for (gsize i = 0; i < G_N_ELEMENTS (text); i++)
    {
      g_autofree char *path = write_file (folder, name[i], text[i]->str, text[i]->len);
      SlRouting       *routing = open_good (path, &(SlRoutingOptions) { 0 });

      g_test_message ("%s", name[i]);
      check_loads (routing, 1, STEPS);
      sl_routing_free (routing);
      g_assert_cmpint (sl_training_look (path), ==, SL_TRAINING_MOST);
    }
  clear (&tags);
  sl_remove_all (folder);
}

/* A load that is missing beside others is 0; a step without any load of a layer is left out; and so is the last step while
 * it has fewer loads than the one before.  */
static void
test_missing (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *path = NULL;
  Tags             tags = { { NULL } };
  SlRouting       *routing;

  add_steps (file, 1, 0, 2);
  fill (&tags, 2, EXPERTS + 1);
  event_file_add (file, 1, 200, tags.tag, tags.value, tags.n);
  fill (&tags, 3, -1);
  event_file_add (file, 1, 300, tags.tag + EXPERTS, tags.value + EXPERTS, TAGS - EXPERTS);
  add_steps (file, 1, 4, 1);
  fill (&tags, 5, -1);
  event_file_add (file, 1, 500, tags.tag, tags.value, TAGS - 2);
  clear (&tags);
  path = write_file (folder, "a.tfevents.b", file->data, file->len);
  routing = open_good (path, &(SlRoutingOptions) { 0 });
  g_assert_cmpuint (routing->rows, ==, 4);
  g_assert_true (routing->step[2] == 200 && routing->step[3] == 400);
  for (guint l = 0; l < LAYERS; l++)
    for (guint e = 0; e < EXPERTS; e++)
      {
        guint64 value = l == 1 && e == 1 ? 0 : (guint64) load_of (l, e, 2);

        g_assert_cmpuint (routing->layer[l].counts[2 * EXPERTS + e], ==, value);
        g_assert_cmpuint (routing->layer[l].counts[3 * EXPERTS + e], ==,
                          (guint64) load_of (l, e, 4));
      }
  g_assert_true (has_note (&routing->reading, "missing loads, which count as 0: 1"));
  g_assert_true (has_note (&routing->reading, "left out: 1 steps without"));
  g_assert_true (has_note (&routing->reading, "step 500"));
  sl_routing_free (routing);
  sl_remove_all (folder);
}

/* Shares say nothing of chance; less than half of the tags is a recording only where that is said. */
static void
test_shares (void)
{
  static const char *const tag[] = { "experts/0", "experts/1", "a", "b", "c" };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *folder = make_folder (), *path = NULL;
  SlRouting       *routing;
  SlStatus         status;

  for (guint s = 1; s <= 3; s++)
    event_file_add (file, 1, s, tag, (const float[]) { 0.25f, 0.75f, 1, 2, 3 }, G_N_ELEMENTS (tag));
  path = write_file (folder, "a.tfevents.b", file->data, file->len);
  g_assert_cmpint (sl_training_look (path), ==, SL_TRAINING_SOME);
  g_assert_false (sl_routing_likely (path));
  status = sl_routing_open (path, &(SlRoutingOptions) { 0 }, &routing);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  routing = open_good (path, &(SlRoutingOptions) { .as = SL_ROUTING_AS_COUNTS });
  g_assert_true (routing->shares);
  g_assert_cmpuint (routing->n_layers, ==, 1);
  g_assert_cmpuint (routing->rows, ==, 3);
  for (guint row = 0; row < 3; row++)
    g_assert_true (fabs (3.0 * (double) routing->layer[0].counts[2 * row]
                         - (double) routing->layer[0].counts[2 * row + 1])
                   < 4.0);
  sl_routing_free (routing);
  sl_remove_all (folder);
}

/* Of two families the larger is read, of two rows of the same step the last one. */
static void
test_families (void)
{
  static const char text[] = "step,x/expert_0_share,x/expert_1_share,x/expert_0_tokens,x/"
                             "expert_1_tokens,x/expert_2_tokens\n"
                             "1,0.5,0.5,1,2,3\n"
                             "2,0.5,0.5,4,5,6\n"
                             "2,0.5,0.5,7,8,9\n";
  g_autofree char  *folder = make_folder ();
  g_autofree char  *path = write_file (folder, "a.csv", text, strlen (text));
  SlRouting        *routing = open_good (path, &(SlRoutingOptions) { 0 });

  g_assert_false (routing->shares);
  g_assert_cmpuint (routing->experts, ==, 3);
  g_assert_cmpuint (routing->rows, ==, 2);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (routing->layer[0].counts[i], ==, 1 + i);
      g_assert_cmpuint (routing->layer[0].counts[3 + i], ==, 7 + i);
    }
  g_assert_true (has_note (&routing->reading, "x/expert_0_share"));
  sl_routing_free (routing);
  sl_remove_all (folder);
}

/* What is refused, with the tag that is to blame. */
static void
test_refused (void)
{
  static const struct
  {
    const char *tag[2];
    float       value[2];
  } cases[] = {
    { { "layer_0_expert_0_load", "layer_0_expert_1_load" }, { 1, -1 } },
    { { "layer_0_expert_0_load", "layer_0_expert_4096_load" }, { 1, 1 } },
    { { "layer_0_expert_0_load", "layer_4294967295_expert_1_load" }, { 1, 1 } },
  };
  g_autofree char *folder = make_folder ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autofree char *path = NULL;
      SlRouting       *routing;
      SlStatus         status;
      char             text[1024];

      event_file_add (file, 1, 1, cases[i].tag, cases[i].value, 2);
      path = write_file (folder, "a.tfevents.b", file->data, file->len);
      status = sl_routing_open (path, &(SlRoutingOptions) { 0 }, &routing);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_null (routing);
      sl_status_text (&status, text, sizeof text);
      g_assert_nonnull (strstr (text, cases[i].tag[1]));
    }
  sl_remove_all (folder);
}

int
main (int argc, char **argv)
{
  sl_remember_only ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training/columns", test_columns);
  g_test_add_func ("/training/again", test_again);
  g_test_add_func ("/training/cut", test_cut);
  g_test_add_func ("/training/damaged", test_damaged);
  g_test_add_func ("/training/lengths", test_lengths);
  g_test_add_func ("/training/folders", test_folders);
  g_test_add_func ("/training/names", test_names);
  g_test_add_func ("/training/events", test_events);
  g_test_add_func ("/training/tables", test_tables);
  g_test_add_func ("/training/missing", test_missing);
  g_test_add_func ("/training/shares", test_shares);
  g_test_add_func ("/training/families", test_families);
  g_test_add_func ("/training/refused", test_refused);
  return g_test_run ();
}
