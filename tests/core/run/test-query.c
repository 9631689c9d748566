/* SPDX-License-Identifier: MIT
 *
 * Lines that choose runs: which runs pass, where mistakes are, what completes them; groups and differences
 * across labs.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/query/group.h"
#include "core/run/query/query.h"

enum { RUNS = 4 };

static SlStoreRun *
make_run (const char *lab, const char *settings, double error, const char *tags)
{
  SlStoreRun *run = g_new0 (SlStoreRun, 1);
  SlStatus    status;

  run->lab = sl_lab_find (lab);
  g_assert_nonnull (run->lab);
  run->lab_id = g_strdup (lab);
  run->name = g_strdup ("");
  run->recipe = g_strdup ("");
  run->data = g_strdup ("moons:noise=0.2");
  run->kernel = g_strdup ("haswell");
  run->version = g_strdup ("1");
  run->problem = g_strdup ("");
  run->sweep = g_strdup ("");
  run->tags = g_strdup (tags);
  run->status = SL_RUN_FINISHED;
  run->seed = 1;
  run->figure = g_new (SlRunScore, 1);
  run->figure[0] = (SlRunScore) { g_intern_string ("outcome.error"), error };
  run->n_figures = 1;
  sl_settings_default (&run->settings, run->lab->params, run->lab->n_params);
  status = sl_settings_set_words (&run->settings, run->lab->params, run->lab->n_params, settings);
  g_assert_cmpint (status.code, ==, SL_OK);
  return run;
}

/* Two of experts, one of a lab without k, and one of experts that was never measured. */
static GPtrArray *
make_runs (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);

  g_ptr_array_add (runs, make_run ("experts", "experts=8 k=2 gate=noisy", 10, "good,Übung"));
  g_ptr_array_add (runs, make_run ("experts", "experts=8 k=4 gate=balanced", 12, ""));
  g_ptr_array_add (runs, make_run ("sign-estimator", "", 5, "good"));
  g_ptr_array_add (runs, make_run ("experts", "experts=16 k=8 gate=noisy", NAN, ""));
  ((SlStoreRun *) runs->pdata[0])->created = 1795478400; /* 2026-11-24 00:00 */
  ((SlStoreRun *) runs->pdata[1])->created = 1795478400 - 1;
  ((SlStoreRun *) runs->pdata[2])->created = 1795478400 + 86400;
  ((SlStoreRun *) runs->pdata[3])->status = SL_RUN_PAUSED;
  ((SlStoreRun *) runs->pdata[3])->pinned = TRUE;
  return runs;
}

/* "1010": which of the runs pass. */
static void
assert_passes (const GPtrArray *runs, const char *line, const char *expected)
{
  GError *error = NULL;
  g_autoptr (SlQuery) query = sl_query_new (line, runs, &error);
  char passes[RUNS + 1] = "";

  g_assert_no_error (error);
  for (guint i = 0; i < RUNS; i++)
    passes[i] = sl_query_passes (query, g_ptr_array_index (runs, i)) ? '1' : '0';
  g_test_message ("%s", line);
  g_assert_cmpstr (passes, ==, expected);
}

static void
test_passes (void)
{
  static const struct
  {
    const char *line, *passes;
  } cases[] = {
    { "", "1111" },
    { "   ", "1111" },
    { "lab = experts", "1101" },
    { "lab = Experts and k <= 4 and error < 12", "1000" },
    { "k <= 4", "1100" },
    { "k<4", "1000" },
    { "not k <= 4", "0011" },
    { "k != 4", "1001" },
    { "k = \"\"", "0010" },
    { "k != ''", "1101" },
    { "error = \"\"", "0001" },
    { "error > 1", "1110" },
    { "error >= 12", "0100" },
    { "error == 12 or error = 5", "0110" },
    { "k = 2 or k = 4 and error < 11", "1000" },
    { "(k = 2 or k = 4) and error < 13", "1100" },
    { "gate = noisy", "1001" },
    { "gate contains ANCE", "0100" },
    { "gate != noisy", "0100" },
    { "outcome.error < 11", "1010" },
    { "tag = good", "1010" },
    { "tag = übung", "1000" },
    { "tag contains oo", "1010" },
    { "tag = oo", "0000" },
    { "status = paused", "0001" },
    { "pinned and lab = experts", "0001" },
    { "not pinned and error > 1", "1110" },
    { "pinned = yes", "0001" },
    { "data = \"moons:noise=0.2\"", "1111" },
    { "created >= 2026-11-24 and created != \"\"", "1010" },
    { "created > 2026-11-24", "0010" },
    { "created <= 2026-11-24", "1101" },
    { "created = 2026-11-24", "1000" },
    { "created < 2026-11-24T00:00", "0101" },
    { "set.experts = 16", "0001" },
    { "good", "1010" },
    { "balanced", "0100" },
    { "GATE=balanced", "0100" },
    { "seed = 1 AND NOT (k = 2)", "0111" },
  };
  g_autoptr (GPtrArray) runs = make_runs ();

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_passes (runs, cases[i].line, cases[i].passes);
}

static void
assert_refused (const char *line, const char *part, const char *other)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  GError *error = NULL;

  g_assert_null (sl_query_new (line, runs, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, other));
  g_error_free (error);
}

static void
test_mistakes (void)
{
  g_autoptr (GString) deep = g_string_new (NULL), many = g_string_new ("k = 1"), much;

  much = g_string_new ("k = 1");
  assert_refused ("eror < 12", "character 1", "perhaps error");
  assert_refused ("k <= 4 and eror < 12", "character 12", "perhaps error");
  assert_refused ("k <= ", "character 6", "a value");
  assert_refused ("k <= four", "character 6", "a number");
  assert_refused ("gate = noisey", "character 8", "perhaps noisy");
  assert_refused ("lab < experts", "character 5", "=, !=");
  assert_refused ("(k = 1", "character 7", "\")\"");
  assert_refused ("k = 1)", "character 6", "its end");
  assert_refused ("k = \"1", "character 5", "quote");
  assert_refused ("k ! 1", "character 3", "!");
  assert_refused ("tag = übung and eror = 1", "character 17", "perhaps");
  assert_refused ("created = 2026-13-01", "character 11", "a date");
  assert_refused ("k = 1 and", "character 10", "a name");
  for (int i = 0; i < SL_QUERY_DEPTH + 1; i++)
    g_string_append_c (deep, '(');
  assert_refused (deep->str, "too many parentheses", "");
  for (int i = 0; i < SL_QUERY_TESTS; i++)
    g_string_append (many, " or k = 1");
  assert_refused (many->str, "too many conditions", "");
  while (much->len <= SL_QUERY_BYTES)
    g_string_append (much, "          ");
  assert_refused (much->str, "too long", "");
}

static void
assert_completes (const char *line, const char *first, size_t at)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  size_t from;
  g_autoptr (GPtrArray) found = sl_query_complete (line, strlen (line), runs, 8, &from);

  g_test_message ("%s", line);
  g_assert_cmpuint (from, ==, at);
  if (first == NULL)
    g_assert_cmpuint (found->len, ==, 0);
  else
    {
      g_assert_cmpuint (found->len, >, 0);
      g_assert_cmpuint (found->len, <=, 8);
      g_assert_cmpstr (g_ptr_array_index (found, 0), ==, first);
    }
}

static void
test_completes (void)
{
  assert_completes ("", "lab", 0);
  assert_completes ("la", "lab", 0);
  assert_completes ("lab = ex", "experts", 6);
  assert_completes ("lab = experts an", "and", 14);
  assert_completes ("lab = experts and sta", "status", 18);
  assert_completes ("(status = fin", "finished", 10);
  assert_completes ("tag = g", "good", 6);
  assert_completes ("gate = bal", "balanced", 7);
  assert_completes ("outcome.e", "outcome.error", 0);
  assert_completes ("nothing-like-it", NULL, 0);
}

static void
test_groups (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  unsigned       group[RUNS];
  SlField        field;
  char           text[SL_FIELD_TEXT_SIZE];
  const char    *values[] = { "2", "4", "8", "" };
  const unsigned expected[] = { 0, 1, 3, 2 };
  g_autoptr (GArray) groups = NULL;

  g_assert_true (sl_field_find ("k", runs, &field));
  groups = sl_run_groups (runs, &field, group);
  g_assert_cmpuint (groups->len, ==, 4);
  for (guint g = 0; g < groups->len; g++)
    {
      const SlRunGroup *one = &g_array_index (groups, SlRunGroup, g);

      g_assert_cmpstr (sl_field_text (&one->value, text), ==, values[g]);
      g_assert_cmpuint (one->n, ==, 1);
    }
  for (guint i = 0; i < RUNS; i++)
    g_assert_cmpuint (group[i], ==, expected[i]);
  g_assert_cmpfloat (g_array_index (groups, SlRunGroup, 3).error.mean, ==, 5);
  g_assert_cmpuint (g_array_index (groups, SlRunGroup, 2).error.n, ==, 0);
  g_clear_pointer (&groups, g_array_unref);
  g_assert_true (sl_field_find ("gate", runs, &field));
  groups = sl_run_groups (runs, &field, group);
  g_assert_cmpuint (groups->len, ==, 3);
  g_assert_cmpuint (group[0], ==, group[3]);
  g_assert_cmpuint (g_array_index (groups, SlRunGroup, group[0]).n, ==, 2);
  g_assert_cmpuint (group[2], ==, 2);
}

static gboolean
has (const GPtrArray *names, const char *name)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) names, name, g_str_equal, NULL);
}

static void
test_differences (void)
{
  g_autoptr (GPtrArray) runs = make_runs (), names = sl_run_differences (runs), fewer = NULL;

  g_assert_true (has (names, "lab") && has (names, "k") && has (names, "gate"));
  g_assert_false (has (names, "data") || has (names, "seed"));
  g_assert_false (has (names, "rank") || has (names, "refresh"));
  g_ptr_array_remove_index (runs, 2);
  fewer = sl_run_differences (runs);
  g_assert_cmpuint (fewer->len, ==, 3);
  g_assert_true (has (fewer, "k") && has (fewer, "gate") && has (fewer, "experts"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/passes", test_passes);
  g_test_add_func ("/query/mistakes", test_mistakes);
  g_test_add_func ("/query/completes", test_completes);
  g_test_add_func ("/query/groups", test_groups);
  g_test_add_func ("/query/differences", test_differences);
  return g_test_run ();
}
