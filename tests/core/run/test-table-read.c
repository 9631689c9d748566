/* SPDX-License-Identifier: MIT
 *
 * Exported runs that are not what they say: each mistake is refused with a sentence of its own, and what is just right
 * is read.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/error.h"
#include "core/run/files/table.h"

#define RUN(channels, snapshots, flags)                                                            \
  "{\"sluice-run\": 1, \"lab\": \"sign-estimator\", \"recipe\": null, \"channels\": [" channels    \
  "], \"snapshots\": [" snapshots "], \"flags\": [" flags "]}"
#define ERROR_CHANNEL(rest)                                                                        \
  "{\"id\": \"error.valid\", \"panel\": \"error\", \"trace\": \"valid\", \"instance\": 0, " rest "}"
#define SERIES ERROR_CHANNEL ("\"step\": [1, 2], \"value\": [0.5, 0.25]")
#define TILE(size, values, rest)                                                                   \
  "{\"panel\": \"filters\", \"step\": 1, \"curves\": [], " size ", \"values\": [" values "]" rest  \
  "}"
#define CURVE(rest)                                                                                \
  "{\"panel\": \"speed\", \"step\": 1, \"curves\": [{\"channel\": \"error.valid\", " rest "}]}"

static const struct
{
  const char *text, *says;
} bad[] = {
  { RUN (SERIES "," SERIES ", 5", "", ""), "no object" },
  { RUN (ERROR_CHANNEL ("\"step\": [1, 2]"), "", ""), "value: found no array" },
  { RUN (ERROR_CHANNEL ("\"value\": [1, 2]"), "", ""), "step: found no array" },
  { RUN (ERROR_CHANNEL ("\"step\": 1, \"value\": [1]"), "", ""), "step: found no array" },
  { RUN (ERROR_CHANNEL ("\"step\": [1, 2], \"value\": [1]"), "", ""), "different number" },
  { RUN (ERROR_CHANNEL ("\"step\": [2, 1], \"value\": [1, 1]"), "", ""), "does not follow" },
  { RUN (ERROR_CHANNEL ("\"step\": [1, 1e999], \"value\": [1, 1]"), "", ""), "does not follow" },
  { RUN (ERROR_CHANNEL ("\"from\": 3, \"to\": 2, \"step\": [], \"value\": []"), "", ""),
    "ends before it begins" },
  { RUN (ERROR_CHANNEL ("\"from\": 1, \"to\": 65536, \"step\": [], \"value\": []"), "", ""),
    "ends before it begins" },
  { RUN (ERROR_CHANNEL ("\"to\": 2, \"step\": [], \"value\": []"), "", ""),
    "ends before it begins" },
  { RUN ("{\"id\": \"a\", \"panel\": \"error\", \"trace\": \"nothing\", \"instance\": 0}", "", ""),
    "this lab does not have" },
  { RUN ("{\"id\": \"a\", \"panel\": \"error\", \"trace\": \"valid\", \"instance\": -1}", "", ""),
    "this lab does not have" },
  { RUN ("{\"id\": \"a\", \"panel\": \"error\", \"trace\": \"valid\", \"instance\": 0.5}", "", ""),
    "this lab does not have" },
  { RUN ("{\"id\": \"a\", \"panel\": \"error\", \"trace\": \"valid\", \"instance\": 321}", "", ""),
    "this lab does not have" },
  { RUN ("{\"id\": \"a\", \"panel\": \"error\", \"trace\": \"valid\"}", "", ""),
    "this lab does not have" },
  { RUN ("", "{\"panel\": \"filters\", \"step\": 1}", ""), "curves: found no array" },
  { RUN ("", "{\"panel\": \"filters\", \"step\": -1, \"curves\": []}", ""),
    "unknown panel or step" },
  { RUN ("", "{\"panel\": \"filters\", \"step\": 1e19, \"curves\": []}", ""),
    "unknown panel or step" },
  { RUN ("", "{\"panel\": \"filters\", \"curves\": []}", ""), "unknown panel or step" },
  { RUN ("", "{\"panel\": \"nothing\", \"step\": 1, \"curves\": []}", ""),
    "unknown panel or step" },
  { RUN ("", "7", ""), "no object" },
  { RUN (SERIES, CURVE ("\"x\": [1], \"y\": [1, 2]"), ""), "another length" },
  { RUN (SERIES, CURVE ("\"x\": [1], \"y\": 1"), ""), "y: found no array" },
  { RUN (SERIES, CURVE ("\"y\": [1]"), ""), "x: found no array" },
  { RUN (SERIES, CURVE ("\"x\": [1], \"y\": [1], \"spread\": []"), ""), "another length" },
  { RUN ("",
         "{\"panel\": \"speed\", \"step\": 1, \"curves\": [{\"channel\": \"a\", \"x\": [], \"y\": "
         "[]}]}",
         ""),
    "not listed" },
  { RUN ("", "{\"panel\": \"speed\", \"step\": 1, \"curves\": [5]}", ""), "no object" },
  { RUN ("", TILE ("\"tiles\": 1, \"rows\": 1, \"columns\": 2", "1", ""), ""), "another length" },
  { RUN ("", TILE ("\"tiles\": 1, \"rows\": 1", "1", ""), ""), "another length" },
  { RUN ("", TILE ("\"tiles\": 1, \"columns\": 1", "1", ""), ""), "another length" },
  { RUN ("", TILE ("\"tiles\": \"1\", \"rows\": 1, \"columns\": 1", "1", ""), ""),
    "another length" },
  { RUN ("", TILE ("\"tiles\": 1, \"rows\": 1, \"columns\": 1, \"depth\": 0", "", ""), ""),
    "another length" },
  { RUN ("", "{\"panel\": \"filters\", \"step\": 1, \"curves\": [], \"tiles\": 1}", ""),
    "values: found no array" },
  { RUN ("",
         TILE ("\"tiles\": 1, \"rows\": 1, \"columns\": 1", "1", ", \"plane\": [1, 2, 3, 4, 5]"),
         ""),
    "another length" },
  { RUN ("", TILE ("\"tiles\": 1, \"rows\": 1, \"columns\": 1", "1", ", \"row-names\": {}"), ""),
    "row-names: found no array" },
  { RUN ("", "", "{\"step\": -1, \"text\": \"a\"}"), "without a step" },
  { RUN ("", "", "{\"text\": \"a\"}"), "without a step" },
  { RUN ("", "", "1"), "no object" },
  { "{\"sluice-run\": 1, \"lab\": 5}", "a lab of this version" },
  { "{\"lab\": \"sign-estimator\"}", "sluice-run" },
  { "{\"sluice-run\": 1, \"lab\": \"sign-estimator\", \"recipe\": {}, \"channels\": [], "
    "\"snapshots\": [], \"flags\": []}",
    "sluice-recipe" },
};

static void
test_refused (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      SlRecord record;
      char    *recipe = NULL;

      g_assert_false (sl_table_read_json (bad[i].text, &record, &recipe, &error));
      g_assert_null (record.lab);
      g_assert_true (error->domain == SL_ERROR);
      if (strstr (error->message, bad[i].says) == NULL)
        g_error ("%s: \"%s\" does not say \"%s\"", bad[i].text, error->message, bad[i].says);
    }
}

static void
read_good (const char *text, SlRecord *record)
{
  GError *error = NULL;

  sl_table_read_json (text, record, NULL, &error);
  g_assert_no_error (error);
}

/* Gaps are null, a step may come twice, and what is left out is nothing. */
static void
test_read (void)
{
  SlRecord          record;
  const SlSnapshot *tile, *curve;

  read_good (RUN (ERROR_CHANNEL ("\"step\": [1, 1, 3], \"value\": [null, 0.5, -1e999]"), "",
                  "{\"step\": 0, \"text\": \"a\"}, {\"step\": 2}"),
             &record);
  g_assert_cmpuint (record.layout.n, ==, 1);
  g_assert_cmpstr (record.layout.channel[0].id, ==, "error.valid");
  g_assert_true (record.layout.channel[0].series);
  g_assert_cmpuint (record.layout.channel[0].from, ==, record.layout.channel[0].to);
  g_assert_cmpuint (record.series[0].n, ==, 3);
  g_assert_true (record.series[0].step[1] == 1 && record.series[0].step[2] == 3);
  g_assert_true (isnan (record.series[0].value[0]) && record.series[0].value[1] == 0.5);
  g_assert_true (record.series[0].value[2] == -HUGE_VAL);
  g_assert_cmpuint (record.n_flags, ==, 2);
  g_assert_cmpstr (record.flag[0].text, ==, "a");
  g_assert_cmpstr (record.flag[1].text, ==, "");
  sl_record_clear (&record);

  read_good (RUN (ERROR_CHANNEL ("\"from\": 2, \"to\": 9, \"step\": [], \"value\": []"), "", ""),
             &record);
  g_assert_true (record.layout.channel[0].from == 2 && record.layout.channel[0].to == 9);
  g_assert_cmpuint (record.series[0].n, ==, 0);
  sl_record_clear (&record);

  read_good (
    RUN ("",
         TILE ("\"tiles\": 1, \"rows\": 2, \"columns\": 1, \"lo\": -1, \"hi\": 2", "1, null",
               ", \"plane\": [1, 2, 3, 4], \"names\": [\"a\", \"\"], \"row-names\": [], "
               "\"mark\": 7, \"note\": \"so\""),
         ""),
    &record);
  tile = &record.snapshot[sl_lab_panel (record.lab, "filters")];
  g_assert_true (record.has_snapshot[sl_lab_panel (record.lab, "filters")]);
  g_assert_cmpuint (record.snapshot_version[sl_lab_panel (record.lab, "filters")], ==, 1);
  g_assert_true (tile->tiles == 1 && tile->rows == 2 && tile->columns == 1 && tile->depth == 1);
  g_assert_true (tile->data[0] == 1 && isnan (tile->data[1]));
  g_assert_true (tile->lo == -1 && tile->hi == 2 && tile->mark == 7);
  g_assert_true (tile->left == 1 && tile->right == 2 && tile->bottom == 3 && tile->top == 4);
  g_assert_cmpstr (tile->names, ==, "a\n\n");
  g_assert_cmpstr (tile->row_names, ==, "");
  sl_record_clear (&record);

  read_good (RUN (SERIES, CURVE ("\"x\": [1, 2], \"y\": [3, 4], \"spread\": [0.5, null]"), ""),
             &record);
  curve = &record.snapshot[sl_lab_panel (record.lab, "speed")];
  g_assert_cmpuint (curve->n_curves, ==, 1);
  g_assert_true (curve->curve[0].has_spread && curve->curve[0].n == 2);
  g_assert_true (curve->data[2] == 3 && curve->data[4] == 0.5 && isnan (curve->data[5]));
  g_assert_true (isnan (curve->mark));
  sl_record_clear (&record);
}

/* A note of two sentences is written as it was read. */
static void
test_note (void)
{
  g_autofree char *note = g_strnfill (300, 'n');
  g_autofree char *member = g_strdup_printf ("\"note\": \"%s\"", note);
  g_autofree char *text = g_strdup_printf (
    RUN ("", TILE ("\"tiles\": 1, \"rows\": 1, \"columns\": 1", "1", ", %s"), ""), member);
  g_autofree char *again = NULL;
  SlRecord         record;

  read_good (text, &record);
  again = sl_table_json (&record, NULL);
  g_assert_nonnull (strstr (again, member));
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-read/refused", test_refused);
  g_test_add_func ("/table-read/read", test_read);
  g_test_add_func ("/table-read/note", test_note);
  return g_test_run ();
}
