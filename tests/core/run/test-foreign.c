/* SPDX-License-Identifier: MIT
 *
 * Runs of other programs: event files and tables, good ones and each kind of bad one.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/data/read/containers/crc32c.h"
#include "core/run/base/language.h"
#include "core/run/foreign/events.h"
#include "core/run/foreign/wide.h"
#include "tests/core/run/walk-lab.h"

/* RFC 3720, B.4, and the value that most implementations are checked with. */
static void
test_crc (void)
{
  guint8 zeros[32] = { 0 }, ones[32], rising[32];

  memset (ones, 0xff, sizeof ones);
  for (guint i = 0; i < 32; i++)
    rising[i] = (guint8) i;
  g_assert_cmphex (sl_crc32c (zeros, 32), ==, 0x8a9136aa);
  g_assert_cmphex (sl_crc32c (ones, 32), ==, 0x62a8ab43);
  g_assert_cmphex (sl_crc32c (rising, 32), ==, 0x46dd794e);
  g_assert_cmphex (sl_crc32c ((const guint8 *) "123456789", 9), ==, 0xe3069283);
}

static void
make_record (SlRecord *record)
{
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  status = sl_record_init (record, &sl_walk_lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  for (guint i = 1; i <= 300; i++)
    {
      g_assert_true (sl_series_append (&record->series[0], i, i == 200 ? NAN : i / 7.0));
      if (i % 3 == 0)
        g_assert_true (sl_series_append (&record->series[1], i, -1.0 / i));
    }
}

/* Feeds a file in pieces of `piece` bytes; returns the error as text, or NULL. */
static char *
feed (SlForeign *foreign, const guint8 *bytes, gsize n, gsize piece)
{
  SlStatus      status = SL_SUCCESS;
  SlEventReader reader;

  sl_foreign_init (foreign, "a");
  sl_event_reader_init (&reader, "a.file", sl_foreign_take, foreign);
  for (gsize at = 0; at < n && sl_ok (&status); at += piece)
    status = sl_event_reader_feed (&reader, bytes + at, MIN (piece, n - at));
  if (sl_ok (&status) && reader.n > 0)
    foreign->cut = reader.position;
  sl_event_reader_clear (&reader);
  return sl_ok (&status) ? NULL : sl_status_sentence (&status);
}

static void
check_curve (const SlForeign *foreign, const SlRecord *record, guint channel)
{
  const SlSeries       *series = &record->series[channel];
  const SlForeignCurve *curve = sl_foreign_find (foreign, record->layout.channel[channel].id);

  g_assert_nonnull (curve);
  g_assert_nonnull (strchr (curve->name, '/'));
  g_assert_cmpuint (curve->series.n, ==, series->n);
  for (gsize i = 0; i < series->n; i++)
    {
      float value = (float) series->value[i];

      g_assert_true (curve->series.step[i] == series->step[i]);
      g_assert_true (isnan (value) ? isnan (curve->series.value[i])
                                   : curve->series.value[i] == value);
    }
}

static void
test_round_trip (void)
{
  SlRecord record;
  gsize    n;

  make_record (&record);
  g_autoptr (GBytes) file = sl_events_write (&record, 1.7e9);
  const guint8 *bytes = g_bytes_get_data (file, &n);

  for (gsize piece = 1; piece <= n; piece = piece * 7 + 1)
    {
      SlForeign foreign;

      g_assert_null (feed (&foreign, bytes, n, piece));
      check_curve (&foreign, &record, 0);
      check_curve (&foreign, &record, 1);
      g_assert_cmpuint (foreign.curves->len, ==, 2);
      g_assert_null (sl_foreign_note (&foreign));
      sl_foreign_clear (&foreign);
    }
  sl_record_clear (&record);
}

/* The good part of a file that was cut anywhere is kept, and a note says so. */
static void
test_cut (void)
{
  SlRecord record;
  gsize    n;

  make_record (&record);
  g_autoptr (GBytes) file = sl_events_write (&record, 0);
  const guint8 *bytes = g_bytes_get_data (file, &n);

  for (gsize cut = n - 1; cut > n - 40; cut--)
    {
      SlForeign foreign;

      g_assert_null (feed (&foreign, bytes, cut, 4096));
      g_autofree char *note = sl_foreign_note (&foreign);

      g_assert_cmpuint (foreign.points, >=, 396);
      g_assert_true ((foreign.cut == G_MAXUINT64) == (note == NULL));
      sl_foreign_clear (&foreign);
    }
  sl_record_clear (&record);
}

/* Every byte of a file is under a check sum. */
static void
test_flipped (void)
{
  SlRecord record;
  gsize    n;

  make_record (&record);
  g_autoptr (GBytes) file = sl_events_write (&record, 0);
  const guint8      *written = g_bytes_get_data (file, &n);
  g_autofree guint8 *bytes = g_memdup2 (written, n);

  n = 400;
  for (gsize i = 0; i < n - 100; i++)
    {
      SlForeign        foreign;
      g_autofree char *error = NULL;

      bytes[i] ^= 0x10;
      error = feed (&foreign, bytes, n, n);
      bytes[i] ^= 0x10;
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error, "check sum"));
      g_assert_nonnull (strstr (error, "byte "));
      sl_foreign_clear (&foreign);
    }
  sl_record_clear (&record);
}

/* One record around data that are written out; returns the error. */
static char *
feed_data (SlForeign *foreign, const char *data, gsize n)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();

  sl_events_frame (file, (const guint8 *) data, n);
  return feed (foreign, file->data, file->len, file->len);
}

static void
test_by_hand (void)
{
  static const struct
  {
    const char *data;
    gsize       n;
    double      step, value;
  } good[] = {
    /* step 5; tag "a", simple_value 1.5 */
    { "\x10\x05\x2a\x0a\x0a\x08\x0a\x01"
      "a\x15\0\0\xc0\x3f",
      14, 5, 1.5 },
    /* the summary before the step, of two bytes */
    { "\x2a\x0a\x0a\x08\x0a\x01"
      "a\x15\0\0\xc0\x3f\x10\xac\x02",
      15, 300, 1.5 },
    /* tensor: float_val packed */
    { "\x2a\x0f\x0a\x0d\x0a\x01"
      "a\x42\x08\x08\x01\x2a\x04\0\0\xc0\x3f",
      17, 0, 1.5 },
    /* tensor: float_val alone */
    { "\x2a\x0e\x0a\x0c\x0a\x01"
      "a\x42\x07\x08\x01\x2d\0\0\xc0\x3f",
      16, 0, 1.5 },
    /* tensor_content */
    { "\x2a\x0f\x0a\x0d\x0a\x01"
      "a\x42\x08\x08\x01\x22\x04\0\0\xc0\x3f",
      17, 0, 1.5 },
  };

  /* double_val packed and alone, and as content; and the newest field of a name counts. */
  static const struct
  {
    const char *data;
    gsize       n;
  } doubles[] = {
    { "\x2a\x13\x0a\x11\x0a\x01"
      "a\x42\x0c\x08\x02\x32\x08\0\0\0\0\0\0\xf8\x3f",
      21 },
    { "\x2a\x12\x0a\x10\x0a\x01"
      "a\x42\x0b\x08\x02\x31\0\0\0\0\0\0\xf8\x3f",
      20 },
    { "\x2a\x13\x0a\x11\x0a\x01"
      "a\x42\x0c\x08\x02\x22\x08\0\0\0\0\0\0\xf8\x3f",
      21 },
    { "\x2a\x0a\x0a\x08\x15\0\0\xc0\x3f\x0a\x01"
      "a",
      12 },
  };
  /* Nothing that is a curve: no tag, no value, two numbers, complex ones, a number and content. */
  static const struct
  {
    const char *data;
    gsize       n;
  } nothing[] = {
    { "\x2a\x07\x0a\x05\x15\0\0\xc0\x3f", 9 },
    { "\x2a\x05\x0a\x03\x0a\x01"
      "a",
      7 },
    { "\x2a\x13\x0a\x11\x0a\x01"
      "a\x42\x0c\x08\x01\x2a\x08\0\0\xc0\x3f\0\0\xc0\x3f",
      21 },
    { "\x2a\x0f\x0a\x0d\x0a\x01"
      "a\x42\x08\x08\x08\x22\x04\0\0\xc0\x3f",
      17 },
    { "\x2a\x14\x0a\x12\x0a\x01"
      "a\x42\x0d\x08\x01\x2d\0\0\xc0\x3f\x22\x04\0\0\xc0\x3f",
      22 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (doubles); i++)
    {
      SlForeign             foreign;
      g_autofree char      *error = feed_data (&foreign, doubles[i].data, doubles[i].n);
      const SlForeignCurve *curve = sl_foreign_find (&foreign, "a");

      g_assert_cmpstr (error, ==, NULL);
      g_assert_nonnull (curve);
      g_assert_true (curve->series.n == 1 && curve->series.value[0] == 1.5);
      sl_foreign_clear (&foreign);
    }
  for (guint i = 0; i < G_N_ELEMENTS (nothing); i++)
    {
      SlForeign        foreign;
      g_autofree char *error = feed_data (&foreign, nothing[i].data, nothing[i].n);

      g_assert_cmpstr (error, ==, NULL);
      g_assert_cmpuint (foreign.points, ==, 0);
      g_assert_cmpuint (foreign.curves->len, ==, 0);
      sl_foreign_clear (&foreign);
    }
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      SlForeign foreign;

      g_assert_null (feed_data (&foreign, good[i].data, good[i].n));
      const SlForeignCurve *curve = sl_foreign_find (&foreign, "a");

      g_assert_nonnull (curve);
      g_assert_true (curve->series.step[0] == good[i].step);
      g_assert_true (curve->series.value[0] == good[i].value);
      sl_foreign_clear (&foreign);
    }
}

/* A record with one value of a tag of `n` bytes. */
static GByteArray *
tagged (const char *tag, guint n)
{
  GByteArray  *data = g_byte_array_new ();
  const guint8 number[] = { 0x15, 0, 0, 0xc0, 0x3f };
  const guint  value = 3 + n + sizeof number, summary = 3 + value;
  const guint8 head[] = { 0x2a, (guint8) (summary | 0x80), (guint8) (summary >> 7),
                          0x0a, (guint8) (value | 0x80),   (guint8) (value >> 7),
                          0x0a, (guint8) (n | 0x80),       (guint8) (n >> 7) };

  g_byte_array_append (data, head, sizeof head);
  g_byte_array_append (data, (const guint8 *) tag, n);
  g_byte_array_append (data, number, sizeof number);
  return data;
}

/* Names are valid text without control characters, and not too long. */
static void
test_tags (void)
{
  g_autofree char *longest = g_strnfill (SL_FOREIGN_NAME_MAX + 1, 'x'), *wrong = NULL;
  g_autoptr (GByteArray) odd = tagged ("a\tb\xff", 4);
  g_autoptr (GByteArray) fits = tagged (longest, SL_FOREIGN_NAME_MAX);
  g_autoptr (GByteArray) longer = tagged (longest, SL_FOREIGN_NAME_MAX + 1);
  SlForeign foreign;

  g_assert_null (feed_data (&foreign, (const char *) odd->data, odd->len));
  g_assert_cmpuint (foreign.points, ==, 1);
  g_assert_nonnull (sl_foreign_find (&foreign, "a b\xef\xbf\xbd"));
  sl_foreign_clear (&foreign);
  g_assert_null (feed_data (&foreign, (const char *) fits->data, fits->len));
  g_assert_cmpuint (foreign.points, ==, 1);
  sl_foreign_clear (&foreign);
  wrong = feed_data (&foreign, (const char *) longer->data, longer->len);
  g_assert_nonnull (strstr (wrong, "no event"));
  sl_foreign_clear (&foreign);
}

static void
test_malformed (void)
{
  static const struct
  {
    const char *data;
    gsize       n;
  } bad[] = {
    { "\x10", 1 },                                              /* no varint */
    { "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 }, /* too long a one */
    { "\x09\0\0", 3 },                                          /* 3 of 8 bytes */
    { "\x2a\x05\x0a", 3 },                                      /* longer than what is left */
    { "\x2a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10 },         /* the same by far */
    { "\x02\x01", 2 },                                          /* field 0 */
    { "\x0b", 1 },                                              /* a group */
    { "\x2a\x02\x0a\x05", 4 }, /* a value longer than its summary */
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      SlForeign        foreign;
      g_autofree char *error = feed_data (&foreign, bad[i].data, bad[i].n);

      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error, "no event"));
      g_assert_cmpuint (foreign.points, ==, 0);
      sl_foreign_clear (&foreign);
    }
}

static void
test_long (void)
{
  guint8    frame[12] = { 0, 0, 0, 0, 1 };
  guint32   sum = sl_crc32c_masked (frame, 8);
  SlForeign foreign;

  for (guint i = 0; i < 4; i++)
    frame[8 + i] = (guint8) (sum >> 8 * i);
  g_autofree char *error = feed (&foreign, frame, sizeof frame, 12);

  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error, "4294967296"));
  sl_foreign_clear (&foreign);
}

/* Reads a table; returns the error. */
static char *
read_table (SlForeign *foreign, const char *table)
{
  g_autofree char *text = g_strdup (table);
  GError          *error = NULL;
  char            *sentence = NULL;

  sl_foreign_init (foreign, "t");
  if (!sl_foreign_read_table (foreign, "t.csv", text, strlen (text), &error))
    sentence = g_strdup (error->message);
  g_clear_error (&error);
  return sentence;
}

static void
test_tables (void)
{
  static const char *const tables[] = {
    "step,loss\n1,0.5\n4,0.25\n",           "\xef\xbb\xbfloss;note;step\r\n0.5;;1\r\n0.25;;4\r\n",
    "\"loss\"\tEpoch\n\"0.5\"\t1\n0.25\t4", "time,loss\n1,0.5\n\n2,\n4,0.25\n",
    "step,loss\n1,0.5\n4,7\n5,8\n4,0.25\n", "epoch,step,loss\n1,1,0.5\n1,4,0.25\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      SlForeign             foreign;
      g_autofree char      *error = read_table (&foreign, tables[i]);
      const SlForeignCurve *curve = sl_foreign_find (&foreign, "loss");

      g_assert_cmpstr (error, ==, NULL);
      g_assert_nonnull (curve);
      g_assert_cmpuint (curve->series.n, ==, 2);
      g_assert_true (curve->series.step[0] == 1 && curve->series.step[1] == 4);
      g_assert_true (curve->series.value[0] == 0.5 && curve->series.value[1] == 0.25);
      g_assert_true (foreign.rewound == (i == 4));
      sl_foreign_clear (&foreign);
    }
}

static void
test_bad_tables (void)
{
  static const struct
  {
    const char *table, *says;
  } bad[] = {
    { "", "empty file" },
    { "1,2\n3,4\n", "first row of numbers" },
    { "step,loss\n0,1\n1,high\n", "line 3: found \"high\" in column 2 (loss)" },
    { "step,loss\n1,2\n,3\n", "line 3: found no step in column 1 (step)" },
    { "step,loss\ninf,3\n", "no step" },
    { "step,loss\n1,2,3\n", "more cells" },
    { "step,loss\n1,\"2\n", "quote" },
    { "step,loss\n1,\xff\n", "not UTF-8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      SlForeign        foreign;
      g_autofree char *error = read_table (&foreign, bad[i].table);

      g_assert_nonnull (error);
      if (strstr (error, bad[i].says) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error, bad[i].says);
      sl_foreign_clear (&foreign);
    }
}

/* Columns without a name, rows that end early, and too many columns. */
static void
test_wide_tables (void)
{
  g_autofree char *error = NULL, *most = NULL, *crowded = NULL, *named = NULL;
  g_autofree char *longest = g_strnfill (SL_FOREIGN_NAME_MAX, 'x');
  g_autofree char *fits = g_strconcat ("step,", longest, "\n1,2\n", NULL);
  g_autofree char *longer = g_strconcat ("step,x", longest, "\n1,2\n", NULL);
  g_autoptr (GString) many = g_string_new ("step");
  SlForeign foreign;

  error = read_table (&foreign, "step,,c\n1,2,3\n2,4\n");
  g_assert_cmpstr (error, ==, NULL);
  g_assert_cmpuint (foreign.points, ==, 3);
  g_assert_cmpuint (sl_foreign_find (&foreign, "column 2")->series.n, ==, 2);
  g_assert_cmpuint (sl_foreign_find (&foreign, "c")->series.n, ==, 1);
  sl_foreign_clear (&foreign);
  named = read_table (&foreign, fits);
  g_assert_cmpstr (named, ==, NULL);
  sl_foreign_clear (&foreign);
  g_free (named);
  named = read_table (&foreign, longer);
  g_assert_nonnull (strstr (named, "too long a name"));
  sl_foreign_clear (&foreign);
  for (guint i = 0; i < SL_FOREIGN_CURVES_MAX; i++)
    g_string_append_printf (many, ",%ua", i);
  g_string_append (many, "\n1,2\n");
  most = read_table (&foreign, many->str);
  g_assert_cmpstr (most, ==, NULL);
  g_assert_cmpuint (foreign.curves->len, ==, SL_FOREIGN_CURVES_MAX);
  sl_foreign_clear (&foreign);
  g_string_insert (many, 4, ",more");
  crowded = read_table (&foreign, many->str);
  g_assert_nonnull (strstr (crowded, "too many columns"));
  sl_foreign_clear (&foreign);
}

/* Names of the same curve, as programs write them. */
static void
test_find (void)
{
  static const char *const alike[] = { "loss/train", "loss.train", "loss/train" };
  static const char *const other[]
    = { "loss", "loss/", "loss/trai", "loss/trains", "los/train", "train" };
  SlForeign       foreign;
  SlForeignCurve *curve;

  sl_foreign_init (&foreign, "a");
  curve = sl_foreign_curve (&foreign, "loss/train");
  g_assert_true (sl_foreign_curve (&foreign, "loss/train") == curve);
  for (guint i = 0; i < G_N_ELEMENTS (alike); i++)
    g_assert_true (sl_foreign_find (&foreign, alike[i]) == curve);
  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    g_assert_null (sl_foreign_find (&foreign, other[i]));
  g_assert_true (sl_foreign_curve (&foreign, "loss.train") != curve);
  sl_foreign_clear (&foreign);
}

/* Steps that go back take with them what was there from that step on; and there are only so many curves. */
static void
test_crowded (void)
{
  SlForeign       foreign;
  SlForeignCurve *curve;

  sl_foreign_init (&foreign, "a");
  curve = sl_foreign_curve (&foreign, "c");
  for (guint i = 1; i <= 5; i++)
    g_assert_true (sl_foreign_add (&foreign, curve, i, i));
  g_assert_true (sl_foreign_add (&foreign, curve, 5, 6)); /* the same step twice goes not back */
  g_assert_false (foreign.rewound);
  g_assert_null (sl_foreign_note (&foreign));
  g_assert_true (sl_foreign_add (&foreign, curve, 3, 9));
  g_assert_true (foreign.rewound);
  g_assert_cmpuint (foreign.points, ==, 3);
  g_assert_cmpuint (curve->series.n, ==, 3);
  g_assert_true (curve->series.step[2] == 3 && curve->series.value[2] == 9);
  for (guint i = 1; i < SL_FOREIGN_CURVES_MAX; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      g_assert_nonnull (sl_foreign_curve (&foreign, name));
    }
  g_assert_false (foreign.crowded);
  g_assert_null (sl_foreign_curve (&foreign, "one more"));
  g_assert_true (foreign.crowded);
  g_assert_true (sl_foreign_curve (&foreign, "c") == curve);

  g_autofree char *note = sl_foreign_note (&foreign);

  g_assert_nonnull (strstr (note, "Steps go back"));
  g_assert_nonnull (strstr (note, "4096"));
  g_assert_cmpint (note[strlen (note) - 1], ==, '.');
  sl_foreign_clear (&foreign);
}

/* The name of the steps that all of some runs have. */
static void
test_steps (void)
{
  SlForeign  a, b, none;
  SlForeign *both[] = { &a, &b }, *one[] = { &a }, *mixed[] = { &a, &none };

  g_assert_null (read_table (&a, "Epoch,loss\n1,2\n"));
  g_assert_null (read_table (&b, "loss,epoch\n1,2\n"));
  sl_foreign_init (&none, "c");
  g_assert_cmpstr (sl_foreign_steps (one, 1), ==, "Epoch");
  g_assert_cmpstr (sl_foreign_steps (both, 2), ==, "Epoch");
  g_assert_cmpstr (sl_foreign_steps (mixed, 2), ==, "step");
  g_assert_cmpstr (sl_foreign_steps (NULL, 0), ==, "step");
  g_free (b.steps);
  b.steps = g_strdup ("update");
  g_assert_cmpstr (sl_foreign_steps (both, 2), ==, "step");
  sl_foreign_clear (&a);
  sl_foreign_clear (&b);
  sl_foreign_clear (&none);
}

/* What the wide table says can be read again. */
static void
test_wide (void)
{
  SlRecord  one, two;
  SlForeign foreign;

  make_record (&one);
  make_record (&two);
  sl_record_truncate (&two, 100);
  g_autofree char *csv
    = sl_wide_csv ((const SlRecord *[]) { &one, &two }, (const char *[]) { "first", "second" }, 2);
  g_autofree char      *error = read_table (&foreign, csv);
  g_autofree char      *name = g_strdup_printf ("second/%s", two.layout.channel[1].id);
  const SlForeignCurve *curve = sl_foreign_find (&foreign, name);

  g_assert_cmpstr (error, ==, NULL);
  g_assert_cmpuint (foreign.curves->len, ==, 6); /* of 4 channels each, one is a profile */
  g_assert_nonnull (curve);
  g_assert_cmpuint (curve->series.n, ==, 33);
  g_assert_true (curve->series.step[32] == 99 && curve->series.value[32] == -1.0 / 99);
  sl_foreign_clear (&foreign);
  sl_record_clear (&one);
  sl_record_clear (&two);
}

/* What a file looks like: a table of curves has a column called as steps are, whose numbers rise. */
static void
test_look (void)
{
  static const struct
  {
    const char   *text;
    SlForeignLook look;
  } files[] = {
    { "epoch,loss\n0,1\n1,0.5\n", SL_FOREIGN_TABLE },
    { "loss\tStep\n0.5\t10\n0.5\t20\n", SL_FOREIGN_TABLE },
    { "step,loss\n3,1\n2,0.5\n", SL_FOREIGN_NOT },
    { "step,loss\n3,1\n", SL_FOREIGN_NOT },
    { "step,loss\n0,high\n1,low\n", SL_FOREIGN_NOT },
    { "epoch\n0\n1\n", SL_FOREIGN_NOT },
    { "x,y,label\n0,1,0\n1,0.5,1\n", SL_FOREIGN_NOT },
    { "0,1\n1,0.5\n", SL_FOREIGN_NOT },
    { "{\"step\": 1}", SL_FOREIGN_NOT },
    { "{\"step\": 1, \"loss\": 2}", SL_FOREIGN_LOG },
    { "step,loss,species\n0,1,a\n1,2,b\n", SL_FOREIGN_NOT },
    { "", SL_FOREIGN_NOT },
  };
  g_autofree char *folder = g_dir_make_tmp ("sluice-look-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file.csv", NULL);
  g_autoptr (GString) much = g_string_new ("step,loss\n");

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_assert_true (g_file_set_contents (path, files[i].text, -1, NULL));
      if (sl_foreign_look (path) != files[i].look)
        g_error ("\"%s\" looks like %d", files[i].text, sl_foreign_look (path));
    }
  /* Much longer than what is looked at. */
  for (int i = 0; i < 100000; i++)
    g_string_append_printf (much, "%d,0.5\n", i);
  g_assert_true (g_file_set_contents (path, much->str, (gssize) much->len, NULL));
  g_assert_cmpint (sl_foreign_look (path), ==, SL_FOREIGN_TABLE);
  g_assert_cmpint (sl_foreign_look (folder), ==, SL_FOREIGN_NOT);
  g_remove (path);
  g_assert_cmpint (sl_foreign_look (path), ==, SL_FOREIGN_NOT);
  g_rmdir (folder);
}

static void
test_open (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-foreign-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "events.out.tfevents.1.host", NULL);
  g_autofree char *title = g_path_get_basename (folder);
  g_autoptr (GError) error = NULL;
  SlForeign foreign;
  SlRecord  record;

  make_record (&record);
  g_autoptr (GBytes) file = sl_events_write (&record, 0);

  g_assert_true (g_file_set_contents (path, g_bytes_get_data (file, NULL),
                                      (gssize) g_bytes_get_size (file), NULL));
  g_assert_true (sl_foreign_open (&foreign, path, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (foreign.title, ==, title);
  check_curve (&foreign, &record, 0);
  sl_foreign_clear (&foreign);
  g_assert_cmpint (sl_foreign_look (path), ==, SL_FOREIGN_EVENTS);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_false (sl_foreign_open (&foreign, path, &error));
  g_clear_error (&error);
  g_assert_false (sl_foreign_open (&foreign, folder, &error));
  g_remove (path);
  g_rmdir (folder);
  sl_record_clear (&record);
}

/* An exported run of ours, and a table; neither, and nothing. */
static void
test_open_text (void)
{
  static const char run[]
    = "{\"sluice-run\": 1, \"lab\": \"sign-estimator\", \"recipe\": null, \"channels\": ["
      "{\"id\": \"error.valid\", \"panel\": \"error\", \"trace\": \"valid\", \"instance\": 0, "
      "\"step\": [1, 2], \"value\": [0.5, null]}, {\"id\": \"error.test\", \"panel\": \"error\", "
      "\"trace\": \"valid\", \"instance\": 1, \"step\": [], \"value\": []}], "
      "\"snapshots\": [], \"flags\": []}";
  static const char *const refused[][2] = {
    { "{\"sluice-run\": 1}", "lab" },
    { "step,loss\n", "no curve" },
    { "1,2\n", "first row of numbers" },
  };
  g_autofree char *folder = g_dir_make_tmp ("sluice-foreign-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.file", NULL),
                  *blanks = g_strconcat (" \n", run, NULL);
  g_autoptr (GError) error = NULL;
  SlForeign foreign;

  for (int i = 0; i < 2; i++)
    {
      g_assert_true (g_file_set_contents (path, i == 0 ? run : blanks, -1, NULL));
      g_assert_true (sl_foreign_open (&foreign, path, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (foreign.title, ==, "a.file");
      g_assert_cmpuint (foreign.curves->len, ==, 1);
      g_assert_cmpuint (foreign.points, ==, 2);
      g_assert_true (sl_foreign_find (&foreign, "error.valid")->series.value[0] == 0.5);
      sl_foreign_clear (&foreign);
    }
  g_assert_true (g_file_set_contents (path, "step,loss\n3,0.5\n", -1, NULL));
  g_assert_true (sl_foreign_open (&foreign, path, &error));
  g_assert_cmpuint (foreign.points, ==, 1);
  sl_foreign_clear (&foreign);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_true (g_file_set_contents (path, refused[i][0], -1, NULL));
      g_assert_false (sl_foreign_open (&foreign, path, &error));
      if (strstr (error->message, refused[i][1]) == NULL)
        g_error ("%s: %s", refused[i][0], error->message);
      g_clear_error (&error);
    }
  g_remove (path);
  g_assert_false (sl_foreign_open (&foreign, path, &error));
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/foreign/crc", test_crc);
  g_test_add_func ("/foreign/round-trip", test_round_trip);
  g_test_add_func ("/foreign/cut", test_cut);
  g_test_add_func ("/foreign/flipped", test_flipped);
  g_test_add_func ("/foreign/by-hand", test_by_hand);
  g_test_add_func ("/foreign/tags", test_tags);
  g_test_add_func ("/foreign/malformed", test_malformed);
  g_test_add_func ("/foreign/long", test_long);
  g_test_add_func ("/foreign/tables", test_tables);
  g_test_add_func ("/foreign/bad-tables", test_bad_tables);
  g_test_add_func ("/foreign/wide-tables", test_wide_tables);
  g_test_add_func ("/foreign/find", test_find);
  g_test_add_func ("/foreign/crowded", test_crowded);
  g_test_add_func ("/foreign/steps", test_steps);
  g_test_add_func ("/foreign/wide", test_wide);
  g_test_add_func ("/foreign/look", test_look);
  g_test_add_func ("/foreign/open", test_open);
  g_test_add_func ("/foreign/open-text", test_open_text);
  return g_test_run ();
}
