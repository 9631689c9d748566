/* SPDX-License-Identifier: MIT
 *
 * What runs can be asked for by name: what is found under a name, the values, their texts and their order.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/query/setting.h"
#include "tests/core/run/made-run.h"

/* A run that has something of everything. */
static SlStoreRun *
whole_run (void)
{
  SlStoreRun *run = made_run ("experts", "k=3 gate=noisy", 7.5, "a,b");

  run->created = 1795478400; /* 2026-11-24 00:00 */
  run->step = 1200;
  run->seed = 9;
  run->seconds = 2.5;
  run->threads = 4;
  run->pinned = TRUE;
  run->note = g_strdup ("look");
  run->sweep = "s1";
  g_free (run->name);
  run->name = g_strdup ("Mine");
  g_strlcpy (run->uuid, "12345678", sizeof run->uuid);
  made_figure (run, "outcome.executed", 20);
  made_figure (run, "outcome.expected", 21);
  made_figure (run, "outcome.timed", 22);
  made_figure (run, "test.parameters", 23);
  made_figure (run, "signs.recall.2", 0.25);
  return run;
}

static void
test_values (void)
{
  static const struct
  {
    const char *name;
    SlFieldKind kind;
    const char *text;
  } cases[] = {
    { "lab", SL_FIELD_TEXT, "experts" },
    { "name", SL_FIELD_TEXT, "Mine" },
    { "status", SL_FIELD_TEXT, "finished" },
    { "created", SL_FIELD_DATE, "2026-11-24T00:00:00" },
    { "step", SL_FIELD_NUMBER, "1200" },
    { "seed", SL_FIELD_NUMBER, "9" },
    { "seconds", SL_FIELD_NUMBER, "2.5" },
    { "data", SL_FIELD_TEXT, "moons:noise=0.2" },
    { "sweep", SL_FIELD_TEXT, "s1" },
    { "kernel", SL_FIELD_TEXT, "haswell" },
    { "threads", SL_FIELD_NUMBER, "4" },
    { "version", SL_FIELD_TEXT, "1" },
    { "pinned", SL_FIELD_TRUTH, "yes" },
    { "note", SL_FIELD_TEXT, "look" },
    { "tag", SL_FIELD_TAGS, "a,b" },
    { "id", SL_FIELD_TEXT, "12345678" },
    { "error", SL_FIELD_NUMBER, "7.5" },
    { "executed", SL_FIELD_NUMBER, "20" },
    { "expected", SL_FIELD_NUMBER, "21" },
    { "timed", SL_FIELD_NUMBER, "22" },
    { "parameters", SL_FIELD_NUMBER, "23" },
    { "k", SL_FIELD_NUMBER, "3" },
    { "set.k", SL_FIELD_NUMBER, "3" },
    { "gate", SL_FIELD_TEXT, "noisy" },
    { "signs.recall.2", SL_FIELD_NUMBER, "0.25" },
    { "rank", SL_FIELD_NOTHING, "" }, /* of another lab */
  };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  SlStoreRun *run = whole_run ();

  g_ptr_array_add (runs, run);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlField      field;
      SlFieldValue value;
      char         text[SL_FIELD_TEXT_SIZE];

      g_test_message ("%s", cases[i].name);
      g_assert_true (sl_field_find (cases[i].name, runs, &field));
      sl_field_read (&field, run, &value);
      g_assert_cmpint (value.kind, ==, cases[i].kind);
      g_assert_cmpstr (sl_field_text (&value, text), ==, cases[i].text);
    }
}

/* A list of several is a text, of one a number; a switch is yes or no. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *lab, *settings, *name;
    SlFieldKind kind;
    const char *text;
  } cases[] = {
    { "sign-estimator", "hidden=12-8 rank=3-2", "rank", SL_FIELD_TEXT, "3-2" },
    { "sign-estimator", "hidden=12 rank=3", "rank", SL_FIELD_NUMBER, "3" },
    { "experts", "noise=yes", "noise", SL_FIELD_TRUTH, "yes" },
    { "experts", "noise=no", "noise", SL_FIELD_TRUTH, "no" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SlStoreRun) run = made_run (cases[i].lab, cases[i].settings, 1, "");
      SlField      field;
      SlFieldValue value;
      char         text[SL_FIELD_TEXT_SIZE];

      g_assert_true (sl_field_find (cases[i].name, NULL, &field));
      sl_field_read (&field, run, &value);
      g_assert_cmpint (value.kind, ==, cases[i].kind);
      g_assert_cmpstr (sl_field_text (&value, text), ==, cases[i].text);
    }
}

/* Nothing is nothing, not an empty text or a number. */
static void
test_nothing (void)
{
  static const char *const names[] = { "name",  "sweep",    "note",     "tag",   "id",
                                       "error", "executed", "expected", "timed", "parameters" };
  g_autoptr (SlStoreRun) run = made_run ("experts", "", NAN, "");
  SlFieldValue value;
  SlField      field;
  char         text[SL_FIELD_TEXT_SIZE];

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (sl_field_find (names[i], NULL, &field));
      sl_field_read (&field, run, &value);
      g_assert_cmpint (value.kind, ==, SL_FIELD_NOTHING);
      g_assert_cmpstr (sl_field_text (&value, text), ==, "");
    }
  /* Not pinned is an answer. */
  g_assert_true (sl_field_find ("pinned", NULL, &field));
  sl_field_read (&field, run, &value);
  g_assert_cmpint (value.kind, ==, SL_FIELD_TRUTH);
  g_assert_cmpstr (sl_field_text (&value, text), ==, "no");
  /* A figure that only other runs have, and a time that no calendar has. */
  g_assert_false (sl_field_find ("nobody.has.this", NULL, &field));
  g_assert_cmpint (field.fact, ==, -1);
  value = (SlFieldValue) { .kind = SL_FIELD_DATE, .number = 1e12 };
  g_assert_cmpstr (sl_field_text (&value, text), ==, "");
}

/* A figure is found where one of the runs has it. */
static void
test_figures (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  SlFieldValue value;
  SlField      field;

  g_ptr_array_add (runs, made_run ("experts", "", 1, ""));
  g_ptr_array_add (runs, made_run ("experts", "", 2, ""));
  made_figure (runs->pdata[1], "late.figure", 5);
  g_assert_true (sl_field_find ("late.figure", runs, &field));
  g_assert_cmpstr (field.id, ==, "late.figure");
  g_assert_cmpint (field.kind, ==, SL_FIELD_NUMBER);
  g_assert_null (sl_field_param (&field));
  sl_field_read (&field, runs->pdata[0], &value);
  g_assert_cmpint (value.kind, ==, SL_FIELD_NOTHING);
  sl_field_read (&field, runs->pdata[1], &value);
  g_assert_cmpfloat (value.number, ==, 5);
  g_assert_false (sl_field_find ("late.figure", NULL, &field));
}

static void
assert_order (SlFieldValue a, SlFieldValue b, int sign)
{
  int order = sl_field_compare (&a, &b), back = sl_field_compare (&b, &a);

  g_assert_cmpint ((order > 0) - (order < 0), ==, sign);
  g_assert_cmpint ((back > 0) - (back < 0), ==, -sign);
}

static void
test_order (void)
{
  SlFieldValue one = { .kind = SL_FIELD_NUMBER, .number = 1 };
  SlFieldValue two = { .kind = SL_FIELD_NUMBER, .number = 2 };
  SlFieldValue yes = { .kind = SL_FIELD_TRUTH, .number = 1 };
  SlFieldValue a = { .kind = SL_FIELD_TEXT, .text = "a" },
               b = { .kind = SL_FIELD_TAGS, .text = "b" };
  SlFieldValue nothing = { .kind = SL_FIELD_NOTHING, .number = 5 };
  SlFieldValue none = { .kind = SL_FIELD_NOTHING };

  assert_order (one, two, -1);
  assert_order (one, yes, 0);
  assert_order (a, b, -1);
  assert_order (a, a, 0);
  assert_order (two, a, -1);
  assert_order (a, nothing, -1);
  assert_order (two, nothing, -1);
  assert_order (none, nothing, 0);
}

static guint
count (const GPtrArray *texts, const char *text)
{
  guint n = 0;

  for (guint i = 0; i < texts->len; i++)
    n += strcmp (g_ptr_array_index (texts, i), text) == 0;
  return n;
}

/* Every name once: facts, settings of all labs, figures of these runs. */
static void
test_names (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  g_autoptr (GPtrArray) names = NULL, without = sl_field_names (NULL);

  g_ptr_array_add (runs, whole_run ());
  g_ptr_array_add (runs, whole_run ());
  names = sl_field_names (runs);
  g_assert_cmpuint (names->len, ==, without->len + 6);
  g_assert_cmpstr (g_ptr_array_index (names, 0), ==, "lab");
  g_assert_cmpstr (g_ptr_array_index (names, names->len - 1), ==, "signs.recall.2");
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpuint (count (names, g_ptr_array_index (names, i)), ==, 1);
  g_assert_cmpuint (count (without, "k") + count (without, "rank"), ==, 2);
}

static void
assert_texts (const char *name, const GPtrArray *runs, const char *const *expected)
{
  SlField field;
  g_autoptr (GPtrArray) texts = NULL;

  g_assert_true (sl_field_find (name, runs, &field));
  texts = sl_field_values (&field, runs);
  g_assert_cmpuint (texts->len, ==, g_strv_length ((char **) expected));
  for (guint i = 0; i < texts->len; i++)
    g_assert_cmpstr (g_ptr_array_index (texts, i), ==, expected[i]);
}

static void
test_texts (void)
{
  static const char *const days[] = { "today", "yesterday", NULL }, *const truth[]
                                                                    = { "yes", "no", NULL };
  static const char *const tags[] = { "a", "b", "c", NULL }, *const none[] = { NULL };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  g_autoptr (GPtrArray) labs = NULL, statuses = NULL, gates = NULL;
  SlField field;

  g_ptr_array_add (runs, made_run ("experts", "", 1, "a,b"));
  g_ptr_array_add (runs, made_run ("experts", "", 1, "b,c"));
  assert_texts ("created", runs, days);
  assert_texts ("pinned", runs, truth);
  assert_texts ("tag", runs, tags);
  assert_texts ("tag", NULL, none);
  assert_texts ("k", runs, none);
  g_assert_true (sl_field_find ("lab", runs, &field));
  labs = sl_field_values (&field, runs);
  g_assert_cmpstr (g_ptr_array_index (labs, 0), ==, sl_labs[0]->id);
  g_assert_cmpuint (count (labs, "experts"), ==, 1);
  g_assert_true (sl_field_find ("status", runs, &field));
  statuses = sl_field_values (&field, runs);
  g_assert_cmpuint (statuses->len, ==, SL_N_RUN_STATUSES);
  g_assert_true (sl_field_find ("gate", runs, &field));
  gates = sl_field_values (&field, runs);
  g_assert_cmpuint (count (gates, "noisy"), ==, 1);
  g_assert_cmpstr (sl_field_param (&field)->id, ==, "gate");
}

static void
assert_settings (SlStoreRun *run, const char *expected)
{
  g_autofree char *text = sl_run_settings_text (run, NULL, ", ", " ");

  g_assert_cmpstr (text, ==, expected);
}

/* What is not as usual, and of a sweep also what most sweeps vary. */
static void
test_settings (void)
{
  g_autoptr (SlStoreRun) usual = made_run ("experts", "", 1, "");
  g_autoptr (SlStoreRun) other = made_run ("experts", "k=3 batch=17", 1, "");
  g_autofree char *swept = NULL;

  assert_settings (usual, "");
  assert_settings (other, "k 3, batch 17");
  usual->sweep = "s";
  swept = sl_run_settings_text (usual, NULL, " ", "=");
  g_assert_true (g_str_has_prefix (swept, "k="));
  other->lab = NULL;
  assert_settings (other, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/field/values", test_values);
  g_test_add_func ("/field/kinds", test_kinds);
  g_test_add_func ("/field/nothing", test_nothing);
  g_test_add_func ("/field/figures", test_figures);
  g_test_add_func ("/field/order", test_order);
  g_test_add_func ("/field/names", test_names);
  g_test_add_func ("/field/texts", test_texts);
  g_test_add_func ("/field/settings", test_settings);
  return g_test_run ();
}
