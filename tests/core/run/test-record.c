/* SPDX-License-Identifier: MIT
 *
 * Records, tables and recipes: what goes out comes back to the last bit, and nothing that
 * comes from outside can do harm.  */
#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "core/labs/registry.h"
#include "core/run/base/error.h"
#include "core/run/base/number.h"
#include "core/run/base/save.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"
#include "core/run/record/recipe-json.h"
#include "core/run/record/recipe.h"
#include "core/train/trainer.h"
#include "tests/core/run/walk-lab.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static const SlLab *
real_lab (void)
{
  return sl_lab_find ("sign-estimator");
}

static SlSettings
real_settings (void)
{
  SlSettings settings;

  sl_settings_default (&settings, real_lab ()->params, real_lab ()->n_params);
  return settings;
}

/* ---- numbers ---- */

static void
test_numbers (void)
{
  static const double numbers[] = { 0.0,
                                    1.0,
                                    -2.5,
                                    0.1,
                                    1.0 / 3.0,
                                    1e-5,
                                    5e-324,
                                    1.7976931348623157e308,
                                    123456789012345680.0,
                                    1e22,
                                    0.30000000000000004,
                                    -1e-300 };
  char                text[SL_NUMBER_SIZE];
  GString            *json = g_string_new (NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_assert_cmpfloat (g_ascii_strtod (sl_number_format (numbers[i], text), NULL), ==, numbers[i]);
  g_assert_cmpstr (sl_number_format (0.1, text), ==, "0.1");
  g_assert_cmpstr (sl_number_format (1000000.0, text), ==, "1000000");

  sl_json_number (json, (double) NAN);
  g_string_append_c (json, ' ');
  sl_json_number (json, -HUGE_VAL);
  g_string_append_c (json, ' ');
  sl_json_number (json, -0.0);
  g_string_append_c (json, ' ');
  sl_json_string (json, "a\"b\\c\n\x01→");
  g_assert_cmpstr (json->str, ==, "null -1e999 -0.0 \"a\\\"b\\\\c\\n\\u0001→\"");
  g_string_free (json, TRUE);
}

/* ---- records and tables ---- */

static void
take (SlRecord *record, uint64_t step, uint32_t channel, double value)
{
  SlSample sample
    = { .step = step, .value = value, .channel = channel, .generation = record->generation };

  g_assert_true (sl_record_take (record, &sample));
}

static void
make_walk_record (SlRecord *record)
{
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  status = sl_record_init (record, &sl_walk_lab, &settings, 3);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (record->layout.n, ==, 4);
}

static void
test_record (void)
{
  SlRecord record;
  SlSample old = { .step = 9, .value = 1.0, .channel = 0, .generation = 2 };

  make_walk_record (&record);
  for (unsigned i = 1; i <= 10; i++)
    take (&record, i, 0, i);
  g_assert_true (sl_record_take (&record, &old));
  old.generation = 3;
  old.channel = 99;
  g_assert_true (sl_record_take (&record, &old));
  g_assert_cmpuint (record.series[0].n, ==, 10);
  for (unsigned i = 0; i < 40; i++)
    g_assert_true (sl_record_mark (&record, i, "a change"));
  g_assert_cmpuint (record.flag[39].number, ==, 40);
  sl_record_truncate (&record, 5.0);
  g_assert_cmpuint (record.series[0].n, ==, 5);
  g_assert_cmpuint (record.n_flags, ==, 6);
  g_assert_true (sl_record_mark (&record, 7.0, "another"));
  g_assert_cmpuint (record.flag[6].number, ==, 7);
  sl_record_clear (&record);
  g_assert_null (record.lab);
}

static void
test_flag_text (void)
{
  const SlParam *params = sl_walk_lab.params;
  SlValue        lists[2] = { { .n = 2, .v = { 50, 35 } }, { .n = 2, .v = { 5, 5 } } };
  SlValue        numbers[2] = { { .n = 1, .v = { 1.0 / 3.0 } }, { .n = 1, .v = { 1 } } };
  SlValue        longest = { .n = SL_LIST_MAX };
  char           text[SL_CHANGE_MARKER_TEXT], english[SL_CHANGE_MARKER_ENGLISH];

  g_assert_cmpstr (
    sl_english_text (sl_change_marker_text (&params[WALK_RANK], &lists[0], &lists[1], text)), ==,
    "Rank 50-35 → 5-5");
  g_assert_cmpstr (
    sl_english_text (sl_change_marker_text (&params[WALK_RATE], &numbers[0], &numbers[1], text)),
    ==, "Rate 0.3333 → 1");
  for (unsigned i = 0; i < SL_LIST_MAX; i++)
    longest.v[i] = 1000;
  /* Long enough to end inside the arrow, wherever that is. */
  for (unsigned n = 1; n <= SL_LIST_MAX; n++)
    {
      longest.n = n;
      for (unsigned digits = 0; digits < 4; digits++)
        {
          longest.v[0] = (double[]) { 1, 10, 100, 1000 }[digits];
          sl_change_marker_text (&params[WALK_RANK], &longest, &longest, text);
          sl_message_show (text, NULL, english, sizeof english);
          g_assert_true (g_utf8_validate (english, -1, NULL));
          g_assert_cmpuint (strlen (english), <, SL_CHANGE_MARKER_ENGLISH);
        }
    }
  g_assert_cmpuint (strlen (english), >, 80);
}

/* A run without a thread, into a record. */
static void
test_record_sink (void)
{
  SlRecord     record;
  SlRecordSink sink;
  SlSettings   settings;
  SlTrainer   *trainer;
  SlStatus     status;

  make_walk_record (&record);
  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  status = sl_trainer_new (&trainer, &sl_walk_lab, &settings, NULL, 1);
  g_assert_true (sl_ok (&status));
  sl_record_sink_init (&sink, &record);
  for (unsigned i = 0; i < 25; i++)
    {
      status = sl_trainer_step (trainer, &sink.sink);
      g_assert_true (sl_ok (&status));
    }
  status = sl_trainer_probe (trainer, WALK_PANEL_PLACES, &sink.sink);
  g_assert_true (sl_ok (&status));
  g_assert_false (sink.failed);
  g_assert_cmpuint (record.series[0].n, ==, 25);
  g_assert_true (record.has_snapshot[WALK_PANEL_PLACES]);
  g_assert_cmpuint (record.snapshot[WALK_PANEL_PLACES].step, ==, 25);
  g_assert_cmpfloat (record.snapshot[WALK_PANEL_PLACES].data[2], ==, record.series[0].value[24]);
  sl_record_sink_clear (&sink);
  sl_trainer_free (trainer);
  sl_record_clear (&record);
}

static void
assert_text (char *got, const char *want)
{
  g_assert_cmpstr (got, ==, want);
  g_free (got);
}

static void
test_csv (void)
{
  SlRecord   record;
  SlSnapshot snapshot = { 0 };
  double    *x;

  make_walk_record (&record);
  assert_text (sl_table_csv (&record, 0.0, HUGE_VAL),
               "step,walks.place.1,walks.place.2,walks.rate\n");
  take (&record, 1, 0, 0.1);
  take (&record, 2, 0, (double) NAN);
  take (&record, 2, 1, -1e-5);
  take (&record, 4, 2, HUGE_VAL);
  take (&record, 5, 0, 1.0);
  take (&record, 5, 0, 2.0); /* twice in one step: the last one counts */
  take (&record, 5, 2, 1.0 / 3.0);
  assert_text (sl_table_csv (&record, 0.0, HUGE_VAL),
               "step,walks.place.1,walks.place.2,walks.rate\n"
               "1,0.1,,\n"
               "2,,-1e-05,\n"
               "4,,,inf\n"
               "5,2,,0.33333333333333331\n");
  assert_text (sl_table_csv (&record, 2.0, 4.0), "step,walks.place.1,walks.place.2,walks.rate\n"
                                                 "2,,-1e-05,\n"
                                                 "4,,,inf\n");
  assert_text (sl_table_panel_csv (&record, WALK_PANEL_PLACES, 0, 9), "curve,x,y,spread\n");

  snapshot.generation = 3;
  snapshot.panel = WALK_PANEL_PLACES;
  x = sl_snapshot_curve (&snapshot, record.layout.first[WALK_PANEL_PLACES][0], 2, true);
  memcpy (x, (double[]) { 1, 2, 0.5, (double) NAN, 0.25, 0.125 }, 6 * sizeof *x);
  g_assert_true (sl_record_show (&record, &snapshot));
  assert_text (sl_table_panel_csv (&record, WALK_PANEL_PLACES, 0, 9), "curve,x,y,spread\n"
                                                                      "places.places,1,0.5,0.25\n"
                                                                      "places.places,2,,0.125\n");
  sl_snapshot_clear (&snapshot);
  sl_record_clear (&record);
}

/* Reads what NumPy would: the description, and the numbers behind it. */
static const double *
read_npy (GBytes *bytes, const char *descr, const char *shape)
{
  gsize         size;
  const guint8 *file = g_bytes_get_data (bytes, &size);
  gsize         header = file[8] + 256u * file[9];
  char         *text, *want;

  g_assert_cmpmem (file, 8, "\x93NUMPY\1\0", 8);
  g_assert_cmpuint ((10 + header) % 64, ==, 0);
  g_assert_cmpuint (size, >=, 10 + header);
  g_assert_cmpint (file[10 + header - 1], ==, '\n');
  text = g_strstrip (g_strndup ((const char *) file + 10, header));
  want = g_strdup_printf ("{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
  g_assert_cmpstr (text, ==, want);
  g_free (text);
  g_free (want);
  return (const double *) (const void *) (file + 10 + header);
}

static void
test_npy (void)
{
  static const char all[] = "[('step', '<f8'), ('walks.place.1', '<f8'), ('walks.place.2', '<f8'), "
                            "('walks.rate', '<f8')]";
  SlRecord          record;
  GBytes           *bytes;
  const double     *number;

  make_walk_record (&record);
  bytes = sl_table_npy (&record, 0.0, HUGE_VAL);
  read_npy (bytes, all, "(0,)");
  g_bytes_unref (bytes);
  take (&record, 1, 0, 0.1);
  take (&record, 4, 2, -HUGE_VAL);
  take (&record, 5, 1, 1.0 / 3.0);
  take (&record, 9, 1, 7.0);

  bytes = sl_table_npy (&record, 1.0, 5.0);
  number = read_npy (bytes, all, "(3,)");
  g_assert_cmpuint (g_bytes_get_size (bytes) % 64, ==, 3 * 4 * sizeof (double) % 64);
  g_assert_true (number[0] == 1.0 && number[1] == 0.1 && isnan (number[2]) && isnan (number[3]));
  g_assert_true (number[4] == 4.0 && isnan (number[5]) && number[7] == -HUGE_VAL);
  g_assert_true (number[8] == 5.0 && isnan (number[9]) && number[10] == 1.0 / 3.0);
  g_bytes_unref (bytes);

  g_assert_null (sl_table_panel_npy (&record, WALK_PANEL_PLACES, 0, 9)); /* a profile */
  sl_record_clear (&record);
}

/* Bars and matrices, on a lab that has every kind of panel. */
static void
test_panel_csv (void)
{
  static const char *const categories[] = { "one", "two, or more", NULL };
  static const SlTrace     traces[] = { { .id = "t", .title = "t" }, { 0 } };
  static const SlPanel     panels[] = {
        { .id = "bars", .kind = SL_BARS, .categories = categories, .traces = traces },
        { .id = "map", .kind = SL_HEATMAP },
  };
  static const SlLab lab = { .id = "kinds", .panels = panels, .n_panels = 2 };
  SlSettings         settings = { 0 };
  SlSnapshot         bars = { .panel = 0 }, map = { .panel = 1 };
  SlRecord           record;
  GBytes            *npy;
  const double      *number;
  SlStatus           status = sl_record_init (&record, &lab, &settings, 0);

  g_assert_true (sl_ok (&status));
  memcpy (sl_snapshot_curve (&bars, 0, 2, false), (double[]) { 0, 1, 7, 8 }, 4 * sizeof (double));
  memcpy (sl_snapshot_matrix (&map, 2, 1, 3), (double[]) { 1, 2, 3, 4, 5, 6 }, 6 * sizeof (double));
  g_assert_true (sl_record_show (&record, &bars));
  g_assert_true (sl_record_show (&record, &map));
  assert_text (sl_table_panel_csv (&record, 0, 0, 0), "curve,category,x,y,spread\n"
                                                      "bars.t,one,0,7,\n"
                                                      "bars.t,\"two, or more\",1,8,\n");
  assert_text (sl_table_panel_csv (&record, 1, 0, 0), "tile,row,0,1,2\n0,0,1,2,3\n1,0,4,5,6\n");
  npy = sl_table_panel_npy (&record, 1, 0, 0);
  number = read_npy (npy, "'<f8'", "(2, 1, 3)");
  g_assert_cmpmem (number, 6 * sizeof *number, map.data, 6 * sizeof *number);
  g_bytes_unref (npy);
  /* Columns that have names are called by them. */
  g_strlcpy (map.names, "bag\n\"a\", b\nshoe\n", sizeof map.names);
  g_assert_true (sl_record_show (&record, &map));
  assert_text (sl_table_panel_csv (&record, 1, 0, 0),
               "tile,row,bag,\"\"\"a\"\", b\",shoe\n0,0,1,2,3\n1,0,4,5,6\n");
  /* So are rows. */
  map.names[0] = '\0';
  sl_snapshot_row_name (&map, "layer 3");
  g_assert_true (sl_record_show (&record, &map));
  assert_text (sl_table_panel_csv (&record, 1, 0, 0),
               "tile,row,0,1,2\n0,layer 3,1,2,3\n1,layer 3,4,5,6\n");
  sl_snapshot_clear (&bars);
  sl_snapshot_clear (&map);
  sl_record_clear (&record);
}

/* A record of a registered lab with something in every place. */
static void
make_real_record (SlRecord *record)
{
  SlSettings settings = real_settings ();
  SlStatus   status = sl_record_init (record, real_lab (), &settings, 0);

  g_assert_true (sl_ok (&status));
  for (unsigned c = 0; c < record->layout.n; c++)
    for (unsigned i = 1; record->layout.channel[c].series && i <= 20 + c; i++)
      take (record, i * (1 + c % 3), c,
            i % 7 == 0    ? (double) NAN
            : i % 11 == 0 ? -HUGE_VAL
                          : sin (i + c) / 3);
  for (unsigned p = 0; p < real_lab ()->n_panels; p++)
    {
      SlSnapshot snapshot = { .panel = p, .step = 10 + p, .mark = p % 2 ? (double) NAN : 3.5 };
      double    *x;

      if (real_lab ()->panels[p].kind == SL_SERIES)
        continue;
      snapshot.note = sl_message ("note \"%u\"", p);
      if (real_lab ()->panels[p].kind == SL_HEATMAP || real_lab ()->panels[p].kind == SL_IMAGE)
        {
          x = sl_snapshot_matrix (&snapshot, 2, 3, 4);
          for (unsigned i = 0; i < 24; i++)
            x[i] = cos (i);
          snapshot.lo = -1.0;
          snapshot.hi = 1.0;
          snapshot.right = 2.5;
          snapshot.top = -0.125;
          g_strlcpy (snapshot.names, "T-shirt/top\n\n\"Größe\"\n7\n", sizeof snapshot.names);
          sl_snapshot_row_name (&snapshot, "3");
          sl_snapshot_row_name (&snapshot, "mtp 0, \"1\"");
        }
      else
        for (unsigned k = 0; k < 2; k++)
          {
            x = sl_snapshot_curve (&snapshot, record->layout.first[p][0], 5 + k, k == 1);
            for (unsigned i = 0; i < (5 + k) * (2 + k); i++)
              x[i] = i == 8 ? (double) NAN : 1.0 / (i + 1);
          }
      g_assert_true (sl_record_show (record, &snapshot));
      sl_snapshot_clear (&snapshot);
    }
  g_assert_true (sl_record_mark (record, 12.0, "Rank 50-35 → 5-5"));
}

static char *
real_recipe_text (void)
{
  SlSettings settings = real_settings ();
  SlRecipe   recipe;
  SlChange   change = { .step = 100 };
  char      *text;
  int        rank = sl_param_find (real_lab ()->params, real_lab ()->n_params, "rank");

  sl_recipe_init (&recipe, real_lab (), &settings, NULL, G_MAXUINT64);
  g_strlcpy (recipe.data, "/home/märy/\"x\".csv:label=last", sizeof recipe.data);
  recipe.data_hash = 0xfedcba9876543210u;
  recipe.step = 12345678901u;
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  change.param = (unsigned) rank;
  change.value = settings.value[rank];
  change.value.v[0] = 5;
  g_array_append_val (recipe.changes, change);
  change.step = 101;
  g_array_append_val (recipe.changes, change);
  text = sl_recipe_write (&recipe);
  sl_recipe_clear (&recipe);
  return text;
}

static void
test_json (void)
{
  char    *recipe = real_recipe_text (), *recipe_back, *text, *again;
  SlRecord record, back;
  GError  *error = NULL;

  make_real_record (&record);
  text = sl_table_json (&record, recipe);
  g_assert_true (sl_table_read_json (text, &back, &recipe_back, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (recipe_back, ==, recipe);
  g_assert_cmpuint (back.layout.n, ==, record.layout.n);
  g_assert_cmpmem (back.layout.channel, sizeof back.layout.channel, record.layout.channel,
                   sizeof record.layout.channel);
  g_assert_cmpuint (back.n_flags, ==, 1);
  for (unsigned p = 0; p < real_lab ()->n_panels; p++)
    {
      const SlSnapshot *want = &record.snapshot[p], *got = &back.snapshot[p];

      g_assert_cmpstr (got->names, ==, want->names);
      g_assert_cmpstr (got->row_names, ==, want->row_names);
      g_assert_true (got->left == want->left && got->right == want->right
                     && got->bottom == want->bottom && got->top == want->top);
    }
  again = sl_table_json (&back, recipe_back);
  g_assert_cmpstr (again, ==, text);
  g_free (again);
  again = sl_table_csv (&back, 0.0, HUGE_VAL);
  assert_text (sl_table_csv (&record, 0.0, HUGE_VAL), again);
  g_free (again);
  g_free (text);
  g_free (recipe_back);
  sl_record_clear (&back);

  text = sl_table_json (&record, NULL);
  g_assert_true (sl_table_read_json (text, &back, &recipe_back, &error));
  g_assert_null (recipe_back);
  g_free (text);
  g_free (recipe);
  sl_record_clear (&back);
  sl_record_clear (&record);
}

/* Channels of ranges of elements come back as such. */
static void
test_ranges (void)
{
  const SlLab     *lab = sl_lab_find ("experts");
  SlSettings       settings;
  SlRecord         record, back;
  GError          *error = NULL;
  g_autofree char *text = NULL;
  SlStatus         status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set (&settings, lab->params, lab->n_params, "experts", "100");
  g_assert_true (sl_ok (&status));
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  g_assert_cmpint (sl_layout_find (&record.layout, "usage.load.99-100"), >=, 0);
  text = sl_table_json (&record, NULL);
  g_assert_true (sl_table_read_json (text, &back, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (back.layout.channel, sizeof back.layout.channel, record.layout.channel,
                   sizeof record.layout.channel);
  sl_record_clear (&record);
  sl_record_clear (&back);

  memmove (strstr (text, "\"to\": 100") + 6, "9  ", 3);
  g_assert_false (sl_table_read_json (text, &back, NULL, &error));
  g_assert_nonnull (strstr (error->message, "ends before it begins"));
  g_clear_error (&error);
}

static void
refuse_json (const char *text)
{
  SlRecord record;
  GError  *error = NULL;

  g_assert_false (sl_table_read_json (text, &record, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == SL_ERROR);
  g_clear_error (&error);
}

static void
test_bad_json (void)
{
#define RUN "{\"sluice-run\":1,\"lab\":\"sign-estimator\",\"recipe\":null,"
  SlRecord record;
  char    *text, many[SL_SNAPSHOT_NAMES];

  memset (many, 'x', sizeof many - 1);
  many[sizeof many - 1] = '\0';
  refuse_json ("");
  refuse_json ("[]");
  refuse_json ("{}");
  refuse_json ("{\"sluice-run\":1,\"lab\":\"nothing\"}");
  refuse_json (RUN "\"channels\":[]}");
  refuse_json (RUN "\"channels\":{},\"snapshots\":[],\"flags\":[]}");
  refuse_json (RUN "\"channels\":[1],\"snapshots\":[],\"flags\":[]}");
  refuse_json (RUN "\"channels\":[{\"panel\":\"x\"}],\"snapshots\":[],\"flags\":[]}");
  refuse_json (
    RUN "\"channels\":[],\"snapshots\":[{\"panel\":\"x\",\"step\":1,\"curves\":[]}],\"flags\":[]}");
  refuse_json (RUN "\"channels\":[],\"snapshots\":[],\"flags\":[{}]}");
#define TILE                                                                                       \
  RUN "\"channels\":[],\"flags\":[],\"snapshots\":[{\"panel\":\"filters\",\"step\":1,"             \
      "\"curves\":[],\"tiles\":1,\"rows\":1,\"columns\":1,\"values\":[1]"
  refuse_json (TILE ",\"names\":7}]}");
  refuse_json (TILE ",\"names\":[\"a\",7]}]}");
  refuse_json (TILE ",\"names\":[\"a\\nb\"]}]}");
  refuse_json (TILE ",\"plane\":[1,2,3]}]}");
  refuse_json (TILE ",\"depth\":2}]}");
  refuse_json (TILE ",\"depth\":3}]}");
  g_assert_true (sl_table_read_json (RUN "\"channels\":[],\"flags\":[],\"snapshots\":[{\"panel\":"
                                         "\"filters\",\"step\":1,\"curves\":[],\"tiles\":1,"
                                         "\"depth\":3,\"rows\":1,\"columns\":1,"
                                         "\"values\":[0.5,0.25,1]}]}",
                                     &record, NULL, NULL));
  g_assert_cmpuint (record.snapshot[sl_lab_panel (record.lab, "filters")].depth, ==, 3);
  g_assert_true (record.snapshot[sl_lab_panel (record.lab, "filters")].data[2] == 1.0);
  sl_record_clear (&record);
  text = g_strconcat (TILE ",\"names\":[\"", many, "\"]}]}", NULL);
  refuse_json (text);
  g_free (text);
  g_assert_true (sl_table_read_json (TILE ",\"names\":[\"a\"]}]}", &record, NULL, NULL));
  sl_record_clear (&record);
#undef TILE
#undef RUN

  /* Cut anywhere, it is refused and nothing is left behind. */
  make_real_record (&record);
  text = sl_table_json (&record, NULL);
  for (size_t n = strlen (text) - 2; n > 40; n = n * 7 / 8)
    {
      text[n] = '\0';
      refuse_json (text);
    }
  g_free (text);
  sl_record_clear (&record);
}

/* Saves more than the process may write, which ends it in the middle. */
static void
save_and_die (const char *path)
{
  static const struct rlimit few = { 4096, 4096 }, none = { 0, 0 };
  static char                much[16384];
  pid_t                      child = fork ();
  int                        state;

  if (child == 0)
    {
      signal (SIGXFSZ, SIG_DFL);
      setrlimit (RLIMIT_CORE, &none);
      setrlimit (RLIMIT_FSIZE, &few);
      sl_save (path, much, sizeof much, NULL);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &state, 0), ==, child);
  g_assert_true (WIFSIGNALED (state));
}

/* A program that is killed while it writes leaves what was there, and nothing else. */
static void
test_killed (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL), *back = NULL;
  g_autoptr (GDir) dir = NULL;

  save_and_die (path);
  g_assert_true (sl_save (path, "abc", 3, NULL));
  save_and_die (path);
  g_assert_true (g_file_get_contents (path, &back, NULL, NULL));
  g_assert_cmpstr (back, ==, "abc");
  dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "table.csv");
  g_assert_null (g_dir_read_name (dir));
  g_unlink (path);
  g_rmdir (folder);
}

/* Any name that the file system takes can be saved under; one that it does not is refused for that. */
static void
test_long_name (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL),
                  *long_name = g_strnfill (256, 'n');
  g_autofree char *path = g_build_filename (folder, long_name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (sl_save (path, "abc", 3, &error));
  g_assert_nonnull (strstr (error->message, g_strerror (ENAMETOOLONG)));
  path[strlen (path) - 1] = '\0';
  for (unsigned i = 0; i < 2; i++)
    g_assert_true (sl_save (path, "abc", 3, NULL));
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_save (void)
{
  char   *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  char   *path = g_build_filename (folder, "table.csv", NULL), *back;
  char   *nowhere = g_build_filename (folder, "none", "table.csv", NULL);
  gsize   length;
  GError *error = NULL;
  GDir   *dir;

  for (unsigned i = 0; i < 2; i++)
    {
      g_assert_true (sl_save (path, i == 0 ? "abc" : "de", i == 0 ? 3 : 2, &error));
      g_assert_true (g_file_get_contents (path, &back, &length, NULL));
      g_assert_cmpmem (back, length, i == 0 ? "abc" : "de", i == 0 ? 3 : 2);
      g_free (back);
    }
  g_assert_false (sl_save (nowhere, "abc", 3, &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_clear_error (&error);
  g_assert_false (sl_save (folder, "abc", 3, &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_clear_error (&error);

  /* A device stays one. */
  g_assert_true (sl_save ("/dev/null", "abc", 3, &error));
  g_assert_false (g_file_test ("/dev/null", G_FILE_TEST_IS_REGULAR));

  g_unlink (path);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_null (g_dir_read_name (dir)); /* nothing half written */
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
  g_free (path);
  g_free (nowhere);
}

/* ---- recipes ---- */

static void
test_recipe (void)
{
  char    *text = real_recipe_text (), *again;
  SlRecipe recipe;
  GError  *error = NULL;

  g_assert_true (sl_recipe_read (text, &recipe, &error));
  g_assert_no_error (error);
  g_assert_true (recipe.lab == real_lab ());
  g_assert_cmpuint (recipe.seed, ==, G_MAXUINT64);
  g_assert_cmpuint (recipe.data_hash, ==, 0xfedcba9876543210u);
  g_assert_cmpuint (recipe.step, ==, 12345678901u);
  g_assert_cmpstr (recipe.data, ==, "/home/märy/\"x\".csv:label=last");
  g_assert_cmpuint (recipe.changes->len, ==, 2);
  again = sl_recipe_write (&recipe);
  g_assert_cmpstr (again, ==, text);
  g_free (again);
  sl_recipe_clear (&recipe);
  g_free (text);
}

/* What is found in a file of this text. */
static char *
recipe_in (const char *text, GError **error)
{
  g_autofree char *path = NULL;
  char            *found;
  int              file = g_file_open_tmp ("sluice-recipe-XXXXXX.json", &path, error);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_file_set_contents (path, text, -1, error);
  g_assert_no_error (*error);
  found = sl_recipe_find (path, error);
  g_remove (path);
  return found;
}

/* A setting of an earlier version is left out and named; what the others say is read. */
static void
test_recipe_gone (void)
{
  const SlLab *lab = sl_lab_find ("gated-recurrence");
  SlSettings   settings;
  SlRecipe     recipe, back;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *older = NULL, *words = NULL;
  g_auto (GStrv) parts = NULL;
  int units = sl_param_find (lab->params, lab->n_params, "units");

  sl_settings_default (&settings, lab->params, lab->n_params);
  settings.value[units].v[0] = 96;
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  text = sl_recipe_write (&recipe);
  sl_recipe_clear (&recipe);
  parts = g_strsplit (text, "\"units\"", 2);
  older = g_strjoinv ("\"epsilon\": \"0.001\", \"follow\": \"0.1\", \"units\"", parts);
  g_assert_cmpstr (older, !=, text);

  g_assert_true (sl_recipe_read (older, &back, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (back.settings.value[units].v[0], ==, 96);
  g_assert_cmpstr (back.gone, ==, "epsilon, follow");
  words = sl_recipe_gone_text (&back);
  g_assert_nonnull (strstr (words, "epsilon, follow"));
  sl_recipe_clear (&back);

  /* Also inside the export of a run. */
  for (unsigned last = 0; last < 2; last++)
    {
      g_autofree char *run
        = g_strdup_printf ("{ \"recipe\" : %s%s }\n", older, last ? "" : ", \"scores\": {}");
      g_autofree char *found = recipe_in (run, &error);

      g_assert_no_error (error);
      g_assert_true (sl_recipe_read (found, &back, &error));
      g_assert_cmpstr (back.gone, ==, "epsilon, follow");
      sl_recipe_clear (&back);
    }

  g_assert_true (sl_recipe_read (text, &back, &error));
  g_assert_null (back.gone);
  g_assert_null (sl_recipe_gone_text (&back));
  sl_recipe_clear (&back);
}

/* Every real value that a slider can give survives. */
static void
test_recipe_numbers (void)
{
  static const double rates[] = { 1e-5, 0.1 + 0.2, 1.0 / 3.0 * 1e-2, 0.0031622776601683795 };
  SlSettings          settings = real_settings ();
  int rate = sl_param_find (real_lab ()->params, real_lab ()->n_params, "learning-rate");

  g_assert_cmpint (rate, >=, 0);
  for (unsigned i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      SlRecipe recipe, back;
      GError  *error = NULL;
      char    *text;

      settings.value[rate].v[0] = rates[i];
      sl_recipe_init (&recipe, real_lab (), &settings, NULL, 1);
      text = sl_recipe_write (&recipe);
      g_assert_true (sl_recipe_read (text, &back, &error));
      g_assert_cmpfloat (back.settings.value[rate].v[0], ==, rates[i]);
      g_assert_cmpmem (&back.settings, sizeof back.settings, &settings, sizeof settings);
      g_free (text);
      sl_recipe_clear (&back);
    }
}

/* The text with `from` exchanged for `to` is refused, and the sentence names `subject`. */
static void
refuse_recipe (const char *from, const char *to, const char *subject)
{
  char    *text = real_recipe_text ();
  char   **parts = g_strsplit (text, from, 2);
  char    *changed = g_strjoinv (to, parts);
  SlRecipe recipe;
  GError  *error = NULL;

  g_assert_cmpstr (changed, !=, text);
  g_assert_false (sl_recipe_read (changed, &recipe, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == SL_ERROR);
  if (strstr (error->message, subject) == NULL)
    g_error ("\"%s\" does not speak of %s", error->message, subject);
  g_clear_error (&error);
  g_strfreev (parts);
  g_free (changed);
  g_free (text);
}

static void
test_bad_recipe (void)
{
  refuse_recipe ("{", "[", "recipe");
  refuse_recipe ("\"sluice-recipe\"", "\"other\"", "sluice-recipe");
  refuse_recipe ("\"sign-estimator\"", "\"no-such-lab\"", "no-such-lab");
  refuse_recipe ("\"sign-estimator\"", "7", "lab");
  refuse_recipe ("\"learning-rate\": ", "\"learning-rte\": ", "learning-rte");
  refuse_recipe ("\"learning-rate\": ", "\"learning-rate\": -", "learning-rate");
  refuse_recipe ("\"learning-rate\": ", "\"learning-rate\": null, \"x\": ", "learning-rate");
  refuse_recipe ("\"rank\": [", "\"rank\": [\"a\", ", "rank");
  refuse_recipe ("\"seed\": \"", "\"seed\": \"9", "seed"); /* past 64 bits */
  refuse_recipe ("\"data-hash\": \"", "\"data-hash\": \"x", "data-hash");
  refuse_recipe ("\"step\": 1", "\"step\": -1", "step");
  refuse_recipe ("\"step\": 101, \"param\": \"rank\"", "\"step\": 99, \"param\": \"rank\"",
                 "changes");
  refuse_recipe ("101, \"param\": \"rank\"", "101, \"param\": \"hidden\"", "hidden");
  refuse_recipe ("101, \"param\": \"rank\"", "101, \"param\": \"rnk\"", "rnk");
  refuse_recipe ("\"changes\"", "\"changs\"", "changes");
}

/* ---- recipes in files ---- */

static void
put_word (GByteArray *to, guint32 word)
{
  guint32 big = GUINT32_TO_BE (word);

  g_byte_array_append (to, (guint8 *) &big, 4);
}

static void
put_chunk (GByteArray *png, const char *kind, const guint8 *data, guint n)
{
  guint start = png->len + 4;

  put_word (png, n);
  g_byte_array_append (png, (const guint8 *) kind, 4);
  g_byte_array_append (png, data, n);
  put_word (png, (guint32) crc32 (0, png->data + start, n + 4));
}

static GByteArray *
make_png (const char *recipe, gboolean compressed)
{
  static const guint8 head[13] = { 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0 };
  GByteArray         *png = g_byte_array_new (), *text = g_byte_array_new ();
  uLongf              n = compressBound (strlen (recipe));
  guint8             *packed = g_malloc (n);

  g_assert_cmpint (compress (packed, &n, (const Bytef *) recipe, strlen (recipe)), ==, Z_OK);
  g_byte_array_append (text, (const guint8 *) "sluice-recipe", 14);
  g_byte_array_append (text, (const guint8 *) (compressed ? "\1\0" : "\0\0"), 2);
  g_byte_array_append (text, (const guint8 *) "\0\0", 2);
  g_byte_array_append (text, compressed ? packed : (const guint8 *) recipe,
                       compressed ? (guint) n : (guint) strlen (recipe));
  g_byte_array_append (png, (const guint8 *) "\x89PNG\r\n\x1a\n", 8);
  put_chunk (png, "IHDR", head, 13);
  put_chunk (png, "iTXt", (const guint8 *) "Title\0\0\0\0\0a figure", 18);
  put_chunk (png, "iTXt", text->data, text->len);
  put_chunk (png, "IEND", NULL, 0);
  g_byte_array_unref (text);
  g_free (packed);
  return png;
}

static GByteArray *
make_text (const char *format, const char *recipe)
{
  GByteArray *file = g_byte_array_new ();
  char      **parts = g_strsplit (format, "@", 2);
  char       *text = g_strconcat (parts[0], recipe, parts[1], NULL);

  g_byte_array_append (file, (const guint8 *) text, (guint) strlen (text));
  g_strfreev (parts);
  g_free (text);
  return file;
}

/* Blocks of what a block of a GIF holds, and the empty one at their end. */
static void
put_gif_blocks (GByteArray *gif, const char *text, gsize n)
{
  for (gsize at = 0; at < n; at += 255)
    {
      guint8 length = (guint8) MIN (n - at, 255);

      g_byte_array_append (gif, &length, 1);
      g_byte_array_append (gif, (const guint8 *) text + at, length);
    }
  g_byte_array_append (gif, (const guint8 *) "", 1);
}

/* A GIF with two tables of colours, whose comments come behind other extensions and an image. */
static GByteArray *
make_gif (const char *tagged)
{
  static const guint8 head[] = "GIF89a\2\0\2\0\x80\0\0"
                               "abcdef",
                      image[] = ",\0\0\0\0\2\0\2\0\x80"
                                "ghijkl\2";
  GByteArray *gif = g_byte_array_new ();

  g_byte_array_append (gif, head, sizeof head - 1);
  g_byte_array_append (gif, (const guint8 *) "!\xff", 2);
  put_gif_blocks (gif, "NETSCAPE2.0", 11);
  g_byte_array_append (gif, image, sizeof image - 1);
  put_gif_blocks (gif, "!\xfe;,", 4);
  g_byte_array_append (gif, (const guint8 *) "!\xfe", 2);
  put_gif_blocks (gif, "Sluice", 6);
  g_byte_array_append (gif, (const guint8 *) "!\xfe", 2);
  put_gif_blocks (gif, tagged, strlen (tagged));
  g_byte_array_append (gif, (const guint8 *) ";", 1);
  return gif;
}

/* A PDF whose objects lie in a compressed stream, as newer writers make them. */
static GByteArray *
make_packed_pdf (const char *tagged)
{
  GByteArray *pdf = g_byte_array_new ();
  char       *objects = g_strdup_printf ("1 0 << /Keywords (%s) >>", tagged);
  uLongf      n = compressBound (strlen (objects));
  guint8     *packed = g_malloc (n);

  g_assert_cmpint (compress (packed, &n, (const Bytef *) objects, strlen (objects)), ==, Z_OK);
  g_byte_array_append (pdf, (const guint8 *) "%PDF-1.5\nstream\nplain\nendstream\nstream\r\n", 40);
  g_byte_array_append (pdf, packed, (guint) n);
  g_byte_array_append (pdf, (const guint8 *) "\nendstream\n%%EOF\n", 17);
  g_free (packed);
  g_free (objects);
  return pdf;
}

/* A PDF with so many streams of 8 MiB of zeros, packed a thousandfold, before that of the recipe. */
static GByteArray *
make_bomb_pdf (const char *tagged, unsigned bombs)
{
  enum { ZEROS = 8 << 20 };
  GByteArray        *pdf = g_byte_array_new (), *rest = make_packed_pdf (tagged);
  uLongf             n = compressBound (ZEROS);
  g_autofree guint8 *packed = g_malloc (n), *zeros = g_malloc0 (ZEROS);

  g_assert_cmpint (compress (packed, &n, zeros, ZEROS), ==, Z_OK);
  g_byte_array_append (pdf, (const guint8 *) "%PDF-1.5\n", 9);
  for (unsigned i = 0; i < bombs; i++)
    {
      g_byte_array_append (pdf, (const guint8 *) "stream\n", 7);
      g_byte_array_append (pdf, packed, (guint) n);
    }
  g_byte_array_append (pdf, rest->data, rest->len);
  g_byte_array_unref (rest);
  return pdf;
}

/* A PNG with so many texts of 8 MiB of zeros under the keyword of a recipe, cut off so that none of them is one,
 * before that of the recipe.  */
static GByteArray *
make_bomb_png (const char *recipe, unsigned bombs)
{
  enum { AFTER_HEADER = 33, ZEROS = 8 << 20 };
  static const char keyword[] = "sluice-recipe\0\1\0\0";
  g_autoptr (GByteArray) rest = make_png (recipe, TRUE), text = g_byte_array_new ();
  GByteArray        *png = g_byte_array_new ();
  uLongf             n = compressBound (ZEROS);
  g_autofree guint8 *packed = g_malloc (n), *zeros = g_malloc0 (ZEROS);

  g_assert_cmpint (compress (packed, &n, zeros, ZEROS), ==, Z_OK);
  g_byte_array_append (text, (const guint8 *) keyword, sizeof keyword);
  g_byte_array_append (text, packed, (guint) n - 4);
  g_byte_array_append (png, rest->data, AFTER_HEADER);
  for (unsigned i = 0; i < bombs; i++)
    put_chunk (png, "iTXt", text->data, text->len);
  g_byte_array_append (png, rest->data + AFTER_HEADER, rest->len - AFTER_HEADER);
  return png;
}

static char *
find_in (const char *path, const GByteArray *file, guint n, GError **error)
{
  FILE *to;

  g_unlink (path); /* writing over a file makes some file systems wait for the disk */
  to = g_fopen (path, "w");
  g_assert_nonnull (to);
  g_assert_cmpuint (fwrite (file->data, 1, n, to), ==, n);
  g_assert_cmpint (fclose (to), ==, 0);
  return sl_recipe_find (path, error);
}

/* All streams of a file share a budget of 16 MiB: what comes after that much is not read. */
static void
check_bombs (const GByteArray *one, const GByteArray *many, const char *recipe)
{
  g_autofree char *path = NULL, *found = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("sluice-XXXXXX", &path, NULL);

  close (fd);
  found = find_in (path, one, one->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, recipe);
  g_assert_null (find_in (path, many, many->len, &error));
  g_assert_error (error, SL_ERROR, SL_EFORMAT);
  g_unlink (path);
}

static void
test_bomb (void)
{
  g_autofree char *recipe = real_recipe_text ();
  g_autofree char *base64 = g_base64_encode ((guchar *) recipe, strlen (recipe));
  g_autofree char *tagged = g_strconcat ("sluice-recipe:", base64, NULL);
  g_autoptr (GByteArray) pdf = make_bomb_pdf (tagged, 1), pdfs = make_bomb_pdf (tagged, 3);
  g_autoptr (GByteArray) png = make_bomb_png (recipe, 1), pngs = make_bomb_png (recipe, 3);

  check_bombs (pdf, pdfs, recipe);
  check_bombs (png, pngs, recipe);
}

/* The recipe is found; and cut or damaged anywhere, the file does no harm. */
static void
check_find (GByteArray *file, const char *recipe)
{
  char   *path, *found;
  GError *error = NULL;
  int     fd = g_file_open_tmp ("sluice-XXXXXX", &path, NULL);

  close (fd);
  found = find_in (path, file, file->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, recipe);
  g_free (found);
  for (guint n = 0; n < file->len; n += 1 + file->len / 200)
    {
      guint8 kept = file->data[n];

      found = find_in (path, file, n, &error);
      g_assert_true ((found != NULL) != (error != NULL));
      g_clear_error (&error);
      g_free (found);
      file->data[n] = 0xff;
      found = find_in (path, file, file->len, &error);
      g_assert_true ((found != NULL) != (error != NULL));
      g_clear_error (&error);
      g_free (found);
      file->data[n] = kept;
    }
  g_unlink (path);
  g_free (path);
  g_byte_array_unref (file);
}

static void
test_find (void)
{
  char    *recipe = real_recipe_text (), *escaped, *base64, *tagged, *lines, *document;
  SlRecord record;
  GError  *error = NULL;

  check_find (make_png (recipe, FALSE), recipe);
  check_find (make_png (recipe, TRUE), recipe);
  escaped = g_markup_escape_text (recipe, -1);
  check_find (make_text ("<?xml version=\"1.0\"?>\n<svg><metadata>other</metadata><g>"
                         "<metadata id=\"sluice-recipe\">@</metadata></g></svg>",
                         escaped),
              recipe);
  check_find (
    make_text ("\xef\xbb\xbf <svg><metadata id='sluice-recipe'><![CDATA[@]]></metadata></svg>",
               recipe),
    recipe);
  base64 = g_base64_encode ((guchar *) recipe, strlen (recipe));
  tagged = g_strconcat ("sluice-recipe:", base64, NULL);
  check_find (make_text ("%PDF-1.5\n1 0 obj\n<< /Keywords (@)\n >>\nendobj\n", tagged), recipe);
  check_find (make_packed_pdf (tagged), recipe);
  check_find (make_gif (tagged), recipe);
  lines = g_strdup_printf ("%.64s\r\n  %% sluice-recipe: %s", base64, base64 + 64);
  check_find (make_text ("% Loss\n% sluice-recipe: @\n\\begin{tikzpicture}\n", lines), recipe);
  check_find (make_text ("\\documentclass{article}\n% sluice-recipe: @\n", base64), recipe);
  check_find (make_text ("@", recipe), recipe);
  make_real_record (&record);
  document = sl_table_json (&record, recipe);
  check_find (make_text ("@", document), recipe);

  g_assert_null (sl_recipe_find ("/nowhere/figure.png", &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  g_clear_error (&error);
  sl_record_clear (&record);
  g_free (recipe);
  g_free (escaped);
  g_free (base64);
  g_free (tagged);
  g_free (lines);
  g_free (document);
}

/* Text that nests without end, or that nobody would read, is refused in a sentence. */
static void
test_hostile_json (void)
{
  static const char *const nests[] = { "[", "{\"a\":", "{" };
  g_autofree char         *zeros = g_malloc0 (32 << 20);
  g_autoptr (GError) too_large = NULL;
  SlRecord record;
  SlRecipe recipe;

  for (unsigned i = 0; i < G_N_ELEMENTS (nests); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GError) first = NULL, second = NULL;

      for (unsigned k = 0; k < 75000; k++)
        g_string_append (text, nests[i]);
      g_assert_false (sl_table_read_json (text->str, &record, NULL, &first));
      g_assert_error (first, SL_ERROR, SL_EFORMAT);
      g_assert_false (sl_recipe_read (text->str, &recipe, &second));
      g_assert_error (second, SL_ERROR, SL_EFORMAT);
    }
  memset (zeros, ' ', (32 << 20) - 1);
  g_assert_false (sl_recipe_read (zeros, &recipe, &too_large));
  g_assert_nonnull (strstr (too_large->message, "MiB"));
}

/* Lists through JSON and back: whole numbers, and those that a dash could not keep apart. */
static void
test_lists (void)
{
  static const SlParam params[] = {
    { .id = "widths", .kind = SL_LIST, .lo = 1, .hi = 1000, .step = 1, .list = "8" },
    { .id = "theta", .kind = SL_LIST, .lo = -2, .hi = 2, .step = 0.01, .list = "0" },
    { .id = "shift", .kind = SL_LIST, .lo = -8, .hi = 8, .step = 1, .list = "0" },
  };
  static const char *const words[] = { "300-200-100", "-0.5/0/0.25/-1e-09", "-8/3/-1" };

  for (unsigned i = 0; i < G_N_ELEMENTS (params); i++)
    {
      SlValue          value, back;
      SlJsonWriter     w;
      g_autofree char *json = NULL, *text = NULL;
      g_autoptr (GError) error = NULL;
      SlJson  *read;
      SlStatus status;

      status = sl_param_parse (&params[i], words[i], &value);
      g_assert_true (sl_ok (&status));
      sl_json_writer_init (&w);
      sl_json_open (&w, NULL, '{', SL_JSON_LINES);
      sl_json_add_value (&w, params[i].id, &params[i], &value);
      sl_json_close (&w);
      json = sl_json_writer_end (&w, TRUE);
      read = sl_json_parse_object (json, strlen (json), 1000, "lists", &error);
      g_assert_no_error (error);
      text = sl_json_value_text (sl_json_member_of (read, params[i].id, SL_JSON_ARRAY), &params[i]);
      status = sl_param_parse (&params[i], text, &back);
      g_assert_true (sl_ok (&status));
      g_assert_true (sl_value_same (&value, &back));
      sl_json_free (read);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/lists", test_lists);
  g_test_add_func ("/record/numbers", test_numbers);
  g_test_add_func ("/record/record", test_record);
  g_test_add_func ("/record/flag-text", test_flag_text);
  g_test_add_func ("/record/sink", test_record_sink);
  g_test_add_func ("/record/csv", test_csv);
  g_test_add_func ("/record/npy", test_npy);
  g_test_add_func ("/record/panel-csv", test_panel_csv);
  g_test_add_func ("/record/json", test_json);
  g_test_add_func ("/record/ranges", test_ranges);
  g_test_add_func ("/record/bad-json", test_bad_json);
  g_test_add_func ("/record/save", test_save);
  g_test_add_func ("/record/killed", test_killed);
  g_test_add_func ("/record/long-name", test_long_name);
  g_test_add_func ("/recipe/round-trip", test_recipe);
  g_test_add_func ("/recipe/numbers", test_recipe_numbers);
  g_test_add_func ("/recipe/gone", test_recipe_gone);
  g_test_add_func ("/recipe/bad", test_bad_recipe);
  g_test_add_func ("/recipe/find", test_find);
  g_test_add_func ("/recipe/bomb", test_bomb);
  g_test_add_func ("/recipe/hostile-json", test_hostile_json);
  return g_test_run ();
}
