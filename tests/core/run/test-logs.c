/* SPDX-License-Identifier: MIT
 *
 * Logs as people have them: folders of TensorBoard, scalars of all types, JSON of trainers, tables.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/run/files/kind/kind.h"
#include "core/run/foreign/events.h"
#include "core/run/foreign/folder.h"

/* A file of the cases, whose sources lie in tests/fixtures/files. */
static char *
fixture (const char *name)
{
  return g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests", "fixtures", "files", name, NULL);
}

static void
open_good (SlForeign *foreign, const char *path)
{
  g_autoptr (GError) error = NULL;

  sl_foreign_open (foreign, path, &error);
  g_assert_no_error (error);
}

static const SlSeries *
series_of (const SlForeign *foreign, const char *name)
{
  const SlForeignCurve *curve = sl_foreign_find (foreign, name);

  g_assert_nonnull (curve);
  return &curve->series;
}

/* A run that was restarted at step 40 is one run, whose later part replaces the earlier one. */
static void
test_folder (void)
{
  g_autofree char *folder = fixture ("16-tensorboard-folder/logs");
  gboolean         more;
  g_autoptr (GPtrArray) runs = sl_foreign_runs_in (folder, &more);
  const SlForeignRun *first, *second;
  g_autofree char    *said = NULL;
  SlForeign           foreign;
  const SlSeries     *loss;

  g_assert_cmpint (sl_file_kind (folder), ==, SL_FILE_EVENTS_FOLDER);
  g_assert_false (more);
  g_assert_cmpuint (runs->len, ==, 2);
  first = g_ptr_array_index (runs, 0);
  second = g_ptr_array_index (runs, 1);
  g_assert_cmpstr (first->title, ==, "run1");
  g_assert_cmpstr (second->title, ==, "run2/train");
  open_good (&foreign, first->path);
  g_assert_cmpstr (foreign.title, ==, "run1");
  g_assert_cmpuint (foreign.files, ==, 2);
  g_assert_true (foreign.rewound);
  loss = series_of (&foreign, "loss");
  g_assert_cmpuint (loss->n, ==, 100);
  for (guint i = 0; i < 100; i++)
    {
      g_assert_true (loss->step[i] == i);
      g_assert_cmpfloat_with_epsilon (loss->value[i], 5.0 / (i + 1) + (i < 40 ? 0 : 1), 1e-6);
    }
  said = sl_foreign_said (&foreign);
  g_assert_nonnull (strstr (said, "2 event files"));
  g_assert_nonnull (strstr (said, "replace"));
  sl_foreign_clear (&foreign);
  open_good (&foreign, second->path);
  loss = series_of (&foreign, "loss");
  g_assert_cmpuint (loss->n, ==, 60);
  g_assert_cmpfloat_with_epsilon (loss->value[59], 4.0 / 60, 1e-6);
  g_assert_false (foreign.rewound);
  sl_foreign_clear (&foreign);
}

/* An event file with one scalar "a" of a step. */
static void
write_event (const char *path, double time, guint8 step, float value)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint8 data[] = { 0x09, 0,    0, 0,    0, 0,   0,    0, 0, 0x10, step, 0x2a,
                    0x0a, 0x0a, 8, 0x0a, 1, 'a', 0x15, 0, 0, 0,    0 };

  memcpy (data + 1, &time, sizeof time);
  memcpy (data + sizeof data - sizeof value, &value, sizeof value);
  sl_events_frame (file, data, sizeof data);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
}

/* The time in a file counts, not its name; one without a record is last and says nothing. */
static void
test_order (void)
{
  static const struct
  {
    const char *name;
    double      time;
    guint8      step;
  } files[] = { { "z.tfevents.1.h", 100, 1 },
                { "events.out.tfevents.9.h", 200, 3 },
                { "events.out.tfevents.10.h", 300, 2 } };
  g_autofree char *folder = g_dir_make_tmp ("sluice-logs-XXXXXX", NULL);
  g_autofree char *deep = g_build_filename (folder, "a", "b", NULL);
  g_autofree char *empty = g_build_filename (deep, "events.out.tfevents.0.h", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *a = g_path_get_dirname (deep);
  g_autoptr (GPtrArray) runs = NULL;
  SlForeign       foreign;
  const SlSeries *series;

  g_assert_cmpint (g_mkdir_with_parents (deep, 0700), ==, 0);
  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (deep, files[i].name, NULL);

      write_event (path, files[i].time, files[i].step, (float) i);
    }
  g_assert_cmpint (symlink (folder, link), ==, 0);
  runs = sl_foreign_runs_in (folder, NULL);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (((SlForeignRun *) g_ptr_array_index (runs, 0))->title, ==, "a/b");
  open_good (&foreign, deep);
  series = series_of (&foreign, "a");
  g_assert_cmpuint (series->n, ==, 2);
  g_assert_true (series->step[0] == 1 && series->value[0] == 0);
  g_assert_true (series->step[1] == 2 && series->value[1] == 2);
  sl_foreign_clear (&foreign);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (deep, files[i].name, NULL);

      g_unlink (path);
    }
  g_unlink (empty);
  g_unlink (link);
  g_rmdir (deep);
  g_rmdir (a);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_types (void)
{
  g_autofree char *path = fixture ("17-tensorboard-half-int/events.out.tfevents.1.h");
  static const struct
  {
    const char *name;
    double      part;
  } curves[] = { { "f32", 1e-7 }, { "half", 1e-3 }, { "bf16", 8e-3 } };
  static const char *const whole[] = { "int64", "int32" };
  SlForeign                foreign;

  open_good (&foreign, path);
  g_assert_cmpuint (foreign.curves->len, ==, 5);
  for (guint c = 0; c < G_N_ELEMENTS (curves); c++)
    {
      const SlSeries *series = series_of (&foreign, curves[c].name);

      g_assert_cmpuint (series->n, ==, 20);
      for (guint i = 0; i < 20; i++)
        g_assert_cmpfloat_with_epsilon (series->value[i], 1.0 / (i + 1), curves[c].part / (i + 1));
    }
  for (guint c = 0; c < G_N_ELEMENTS (whole); c++)
    {
      const SlSeries *series = series_of (&foreign, whole[c]);

      for (guint i = 0; i < 20; i++)
        g_assert_true (series->step[i] == i && series->value[i] == 10 * i);
    }
  sl_foreign_clear (&foreign);
}

/* A tensor as the value of the tag "a": its head, and elements in a field or as contents. */
static void
test_elements (void)
{
  static const struct
  {
    const char *tensor;
    gsize       n;
    double      value; /* not-a-number: left out */
  } tensors[] = {
    { "\x08\x13\x6a\x02\x80\x78", 6, 1.0 },   /* half_val, packed: 0x3c00 */
    { "\x08\x13\x68\x80\x88\x03", 6, -4.0 },  /* the same alone: 0xc400 */
    { "\x08\x0e\x6a\x02\xa0\x7f", 6, 1.25 },  /* bfloat16 in half_val: 0x3fa0 */
    { "\x08\x0e\x22\x02\xa0\xbf", 6, -1.25 }, /* as contents */
    { "\x08\x03\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13, -1.0 }, /* int_val of -1 */
    { "\x08\x03\x22\x04\xfe\xff\xff\xff", 8, -2.0 },
    { "\x08\x04\x38\xff\x01", 5, 255.0 },
    { "\x08\x04\x22\x01\xff", 5, 255.0 },
    { "\x08\x06\x22\x01\xff", 5, -1.0 },
    { "\x08\x05\x22\x02\x00\x80", 6, -32768.0 },
    { "\x08\x11\x22\x02\x00\x80", 6, 32768.0 },
    { "\x08\x09\x50\x2a", 4, 42.0 },
    { "\x08\x09\x22\x08\xff\xff\xff\xff\xff\xff\xff\xff", 12, -1.0 },
    { "\x08\x09\x22\x08\0\0\0\0\0\0\0\x80", 12, -9223372036854775808.0 },
    { "\x08\x0a\x58\x01", 4, 1.0 },
    { "\x08\x16\x80\x01\x07", 5, 7.0 },
    { "\x08\x17\x22\x08\0\0\0\0\0\0\0\x80", 12, 9223372036854775808.0 },
    { "\x08\x13\x12\x04\x12\x02\x08\x01\x6a\x02\x80\x78", 12, 1.0 },          /* shape [1] */
    { "\x08\x13\x12\x04\x12\x02\x08\x03\x6a\x02\x80\x78", 12, (double) NAN }, /* shape [3] */
    { "\x08\x13\x6a\x04\x80\x78\x80\x78", 8, (double) NAN },                  /* two */
    { "\x08\x08\x22\x08\0\0\0\0\0\0\0\0", 12, (double) NAN },                 /* complex */
    { "\x08\x07\x42\x01x", 5, (double) NAN },                                 /* text */
  };

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GByteArray) data = g_byte_array_new ();
      guint8    n = (guint8) tensors[i].n;
      guint8    head[] = { 0x2a, (guint8) (n + 7), 0x0a, (guint8) (n + 5), 0x0a, 1, 'a', 0x42, n };
      SlForeign foreign;
      SlEventReader reader;
      double        value = tensors[i].value;
      SlStatus      status;

      g_byte_array_append (data, head, sizeof head);
      g_byte_array_append (data, (const guint8 *) tensors[i].tensor, n);
      sl_events_frame (file, data->data, data->len);
      sl_foreign_init (&foreign, "a");
      sl_event_reader_init (&reader, "a", sl_foreign_take, &foreign);
      status = sl_event_reader_feed (&reader, file->data, file->len);
      g_test_message ("%u", i);
      g_assert_true (sl_ok (&status));
      if (isnan (value))
        {
          g_assert_cmpuint (foreign.points, ==, 0);
          g_assert_cmpuint (foreign.left_out->len, ==, 1);
          g_assert_cmpstr (g_ptr_array_index (foreign.left_out, 0), ==, "a");
        }
      else
        g_assert_true (series_of (&foreign, "a")->value[0] == value);
      sl_event_reader_clear (&reader);
      sl_foreign_clear (&foreign);
    }
}

static void
test_trainer_state (void)
{
  g_autofree char *path = fixture ("19-trainer-logs/trainer_state.json"), *said = NULL;
  SlForeign        foreign;
  const SlSeries  *loss;

  g_assert_cmpint (sl_file_kind (path), ==, SL_FILE_LOG);
  open_good (&foreign, path);
  loss = series_of (&foreign, "loss");
  g_assert_cmpuint (loss->n, ==, 29);
  for (guint i = 0; i < 29; i++)
    {
      g_assert_true (loss->step[i] == 10 * (i + 1));
      g_assert_cmpfloat_with_epsilon (loss->value[i], 3.0 / (i + 2), 1e-12);
    }
  g_assert_cmpuint (series_of (&foreign, "eval_loss")->n, ==, 1);
  g_assert_true (series_of (&foreign, "eval_loss")->step[0] == 100);
  said = sl_foreign_said (&foreign);
  g_assert_nonnull (strstr (said, "“step”"));
  sl_foreign_clear (&foreign);
}

static char *
read_log (SlForeign *foreign, const char *text)
{
  GError *error = NULL;
  char   *sentence = NULL;

  sl_foreign_init (foreign, "t");
  if (!sl_foreign_read_log (foreign, "t", text, strlen (text), &error))
    sentence = g_strdup (error->message);
  g_clear_error (&error);
  return sentence;
}

static void
test_logs (void)
{
  static const struct
  {
    const char *text;
    gboolean    is;
    gsize       no_step;
  } logs[] = {
    { "{\"step\":1,\"loss\":0.5}\n{\"step\":4,\"loss\":0.25}\n", TRUE, 0 },
    { "\n{\"loss\":0.5,\"epoch\":1}\r\n\r\n{\"epoch\":4,\"loss\":0.25}", TRUE, 0 },
    { "[{\"global_step\":1,\"loss\":0.5},\n{\"global_step\":4,\"loss\":0.25}]", TRUE, 0 },
    { "{\"a\":null,\"log_history\":[{\"step\":1,\"loss\":0.5},{\"eval\":3},"
      "{\"step\":4,\"loss\":0.25}]}",
      TRUE, 1 },
    { "{\"step\":1,\"loss\":0.5,\"note\":\"NaN, \\\"Infinity\"}\n{\"step\":4,\"loss\":0.25}\n{\"st",
      TRUE, 0 },
    { "{\"step\":1,\"loss\":0.5,\"epoch\":0}\n{\"epoch\":1}\n{\"step\":4,\"loss\":0.25}", TRUE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (logs); i++)
    {
      SlForeign        foreign;
      g_autofree char *error = read_log (&foreign, logs[i].text);
      const SlSeries  *loss;

      g_assert_cmpstr (error, ==, NULL);
      loss = series_of (&foreign, "loss");
      g_assert_cmpuint (loss->n, ==, 2);
      g_assert_true (loss->step[0] == 1 && loss->step[1] == 4);
      g_assert_true (loss->value[0] == 0.5 && loss->value[1] == 0.25);
      g_assert_cmpuint (foreign.no_step, ==, logs[i].no_step);
      g_assert_true ((foreign.cut == G_MAXUINT64) == (i != 4));
      g_assert_cmpuint (foreign.left_out->len, ==, i == 4);
      g_assert_cmpint (sl_foreign_is_log (logs[i].text, strlen (logs[i].text)), ==, logs[i].is);
      sl_foreign_clear (&foreign);
    }
}

/* What Python writes for numbers that JSON has not, and objects within. */
static void
test_python (void)
{
  SlForeign        foreign;
  g_autofree char *error
    = read_log (&foreign, "{\"step\":1,\"loss\":2,\"train\":{\"a\\tb\":{\"c\":7}},\"x\":null}\n"
                          "{\"step\":2,\"note\":\"\\\"\",\"loss\":NaN}\n{\"step\":3,\"loss\":-"
                          "Infinity}\n{\"step\":4,\"loss\":null}");
  const SlSeries *loss;

  g_assert_cmpstr (error, ==, NULL);
  loss = series_of (&foreign, "loss");
  g_assert_cmpuint (loss->n, ==, 4);
  g_assert_true (loss->value[0] == 2 && isnan (loss->value[1]) && loss->value[2] == -HUGE_VAL
                 && isnan (loss->value[3]));
  g_assert_true (series_of (&foreign, "train/a b/c")->value[0] == 7);
  g_assert_cmpuint (foreign.curves->len, ==, 2);
  sl_foreign_clear (&foreign);
}

/* Nothing is taken for a log that is a recording, a document or nothing; what is damaged says where. */
static void
test_no_logs (void)
{
  static const char *const others[] = { "",
                                        "{",
                                        "[",
                                        "[]",
                                        "{}",
                                        "[1,2]",
                                        "step,loss\n1,2\n",
                                        "{\"step\":1}",
                                        "{\"step\":1,\"tokens\":7,\"topk_ids\":[1,2]}",
                                        "{\"step\":1,\"layer\":0,\"expert\":2,\"count\":3}",
                                        "{\"step\":1,\"loads\":{\"0\":[1,2]}}",
                                        "{\"step\":1,\"a\":2,\"b\":{\"layer\":0}}",
                                        "{\"loss\":1}\n{\"loss\":2}",
                                        "{\"sluice-style\":1}" };
  static const char *const bad[][2] = { { "{\"step\":1,\"loss\":2}\n3\n", "line 2" },
                                        { "{\"step\":1,\"loss\":2}\n{\"step\":}\n", "line 2" },
                                        { "{\"log_history\":[\n{\"step\":]}", "line 2" } };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (sl_foreign_is_log (others[i], strlen (others[i])));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      SlForeign        foreign;
      g_autofree char *error = read_log (&foreign, bad[i][0]);

      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error, bad[i][1]));
      sl_foreign_clear (&foreign);
    }
}

/* Columns of words are named and left out; two columns of one name are two curves. */
static void
test_words (void)
{
  char             text[] = "time,step,phase,loss,loss\n10:00,1,train,0.5,7\n10:01,2,eval,0.25,8\n";
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  SlForeign        foreign;

  g_assert_true (sl_foreign_is_table (copy, strlen (copy)));
  sl_foreign_init (&foreign, "t");
  g_assert_true (sl_foreign_read_table (&foreign, "t", text, strlen (text), &error));
  g_assert_cmpuint (foreign.curves->len, ==, 2);
  g_assert_true (series_of (&foreign, "loss")->value[1] == 0.25);
  g_assert_true (series_of (&foreign, "loss (column 5)")->value[1] == 8);
  note = sl_foreign_note (&foreign);
  g_assert_nonnull (strstr (note, "time, phase"));
  sl_foreign_clear (&foreign);
}

/* What is no curve at all says what it is. */
static void
test_impostors (void)
{
  static const char *const files[][2]
    = { { "24-downloads-as-they-come/lfs-ids.npy", "Git LFS" },
        { "24-downloads-as-they-come/html-train.csv", "web page" } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = fixture (files[i][0]);
      g_autoptr (GError) error = NULL;
      SlForeign foreign;

      g_assert_false (sl_foreign_open (&foreign, path, &error));
      g_assert_nonnull (strstr (error->message, files[i][1]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/logs/folder", test_folder);
  g_test_add_func ("/logs/order", test_order);
  g_test_add_func ("/logs/types", test_types);
  g_test_add_func ("/logs/elements", test_elements);
  g_test_add_func ("/logs/trainer-state", test_trainer_state);
  g_test_add_func ("/logs/logs", test_logs);
  g_test_add_func ("/logs/python", test_python);
  g_test_add_func ("/logs/no-logs", test_no_logs);
  g_test_add_func ("/logs/words", test_words);
  g_test_add_func ("/logs/impostors", test_impostors);
  return g_test_run ();
}
