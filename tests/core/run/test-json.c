/* SPDX-License-Identifier: MIT
 *
 * The writer of JSON in each of its styles, rows of tables, and the reader's errors.  */
#include "core/run/base/json.h"

#include <glib.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/base/number.h"
#include "core/run/files/csv.h"

/* Takes the writer's text. */
static void
assert_written (SlJsonWriter *w, gboolean line, const char *expected)
{
  g_autofree char *text = sl_json_writer_end (w, line);

  g_assert_cmpstr (text, ==, expected);
}

/* Lines inside lines go in by two blanks, and rows close behind the last one. */
static void
test_lines (void)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_number (&w, "a", 0.5);
  sl_json_open (&w, "rows", '[', SL_JSON_ROWS);
  sl_json_add_whole (&w, NULL, 2);
  sl_json_add_whole (&w, NULL, G_MAXUINT64);
  sl_json_close (&w);
  sl_json_open (&w, "inner", '{', SL_JSON_LINES);
  sl_json_add_text (&w, "none", NULL);
  sl_json_open (&w, "empty", '[', SL_JSON_LINES);
  sl_json_close (&w);
  sl_json_close (&w);
  sl_json_add_text (&w, "last", "\r\t");
  assert_written (&w, TRUE,
                  "{\n  \"a\": 0.5,\n  \"rows\": [\n    2,\n    18446744073709551615],\n"
                  "  \"inner\": {\n    \"none\": null,\n    \"empty\": [\n    ]\n  },\n"
                  "  \"last\": \"\\r\\t\"\n}\n");
}

static void
test_in_a_line (void)
{
  const double numbers[] = { 1, -2.5 };
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_truth (&w, "yes", TRUE);
  sl_json_add_truth (&w, "no", FALSE);
  sl_json_open (&w, "loose", '{', SL_JSON_LOOSE);
  sl_json_add_json (&w, "x", "[]");
  sl_json_add_whole (&w, "y", 0);
  sl_json_close (&w);
  sl_json_add_numbers (&w, "packed", numbers, 2, SL_JSON_PACKED);
  sl_json_add_numbers (&w, "none", NULL, 0, SL_JSON_PACKED);
  sl_json_break (&w);
  sl_json_add_whole (&w, "broken", 3);
  sl_json_add_whole (&w, "behind", 4);
  assert_written (&w, FALSE,
                  "{\"yes\": true, \"no\": false, \"loose\": { \"x\": [], \"y\": 0 }, "
                  "\"packed\": [1,-2.5], \"none\": [],\n \"broken\": 3, \"behind\": 4}");
}

/* A broken line of an object inside lines begins one blank behind theirs. */
static void
test_break_inside (void)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '[', SL_JSON_LINES);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_whole (&w, "a", 1);
  sl_json_break (&w);
  sl_json_add_whole (&w, "b", 2);
  assert_written (&w, FALSE, "[\n  {\"a\": 1,\n   \"b\": 2}\n]");
  sl_json_writer_init (&w);
  sl_json_add_whole (&w, NULL, 7);
  assert_written (&w, TRUE, "7\n");
}

/* Whole numbers have their digits up to 10^15, and what is no number a name. */
static void
test_numbers (void)
{
  static const struct
  {
    double      value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { -0.0, "-0" },
    { -3, "-3" },
    { 999999999999999.0, "999999999999999" },
    { -999999999999999.0, "-999999999999999" },
    { 1e15, "1e+15" },
    { 0.1, "0.1" },
    { 0.30000000000000004, "0.30000000000000004" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
    { NAN, "nan" },
  };
  char text[SL_NUMBER_SIZE];

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (sl_number_format (cases[i].value, text), ==, cases[i].text);

  g_autoptr (GString) json = g_string_new (NULL);

  sl_json_number (json, INFINITY);
  g_string_append_c (json, ' ');
  sl_json_number (json, 0);
  g_string_append_c (json, ' ');
  sl_json_string (json, " \x1f\x7f");
  g_assert_cmpstr (json->str, ==, "1e999 0 \" \\u001f\x7f\"");
}

/* A cell is in quotes where a reader would else see its end. */
static void
test_table (void)
{
  g_autoptr (GString) csv = g_string_new (NULL);

  sl_csv_text (csv, "plain text");
  sl_csv_number (csv, (double) NAN);
  sl_csv_number (csv, 0.5);
  sl_csv_whole (csv, G_MAXUINT64);
  sl_csv_end (csv);
  g_assert_cmpstr (csv->str, ==, "plain text,,0.5,18446744073709551615\n");
  g_string_truncate (csv, 0);
  sl_csv_text (csv, "a,b");
  sl_csv_text (csv, "say \"so\"");
  sl_csv_text (csv, "two\nlines");
  sl_csv_text (csv, "\r");
  sl_csv_text (csv, "");
  sl_csv_end (csv);
  g_assert_cmpstr (csv->str, ==, "\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"\r\",\n");
}

static void
assert_refused (const char *text, int code, const char *hint)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sl_json_parse_object (text, strlen (text), 100, "a file", &error));
  g_assert_error (error, SL_ERROR, code);
  if (strstr (error->message, hint) == NULL)
    g_error ("\"%s\" says nothing of \"%s\"", error->message, hint);
  g_assert_null (sl_json_parse_object (text, strlen (text), 100, "a file", NULL));
}

static void
test_objects_only (void)
{
  g_autoptr (SlJson) object = sl_json_parse_object ("{}", 2, 2, "a file", NULL);
  g_autoptr (SlJson) array = sl_json_parse ("[1]", 3, 3, "a file", NULL);

  g_assert_nonnull (object);
  g_assert_nonnull (array);
  g_assert_null (object->first);
  g_assert_cmpint (array->kind, ==, SL_JSON_ARRAY);
  assert_refused ("[1]", SL_EFORMAT, "a JSON object");
  assert_refused ("{", SL_EFORMAT, "a file");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/lines", test_lines);
  g_test_add_func ("/json/in-a-line", test_in_a_line);
  g_test_add_func ("/json/break-inside", test_break_inside);
  g_test_add_func ("/json/numbers", test_numbers);
  g_test_add_func ("/json/table", test_table);
  g_test_add_func ("/json/objects-only", test_objects_only);
  return g_test_run ();
}
