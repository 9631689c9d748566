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
#include "tests/core/run/made-run.h"

enum { RUNS = 4 };

/* Two of experts, one of a lab without k, and one of experts that was never measured. */
static GPtrArray *
make_runs (void)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);

  g_ptr_array_add (runs, made_run ("experts", "experts=8 k=2 gate=noisy", 10, "good,Übung"));
  g_ptr_array_add (runs, made_run ("experts", "experts=8 k=4 gate=balanced", 12, ""));
  g_ptr_array_add (runs, made_run ("sign-estimator", "", 5, "good"));
  g_ptr_array_add (runs, made_run ("experts", "experts=16 k=8 gate=noisy", NAN, ""));
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
    { "k != four", "1101" }, /* no number is that word */
    { "k = four", "0000" },
    { "gate > 1", "0000" },
    { "gate != 1", "1101" },
    { "seed contains 1", "1111" },
    { "created contains 11-24T00", "1000" },
    { "error contains \"\"", "1110" },
    { "note contains a", "0000" },
    { "note", "0000" },
    { "created = 2026-11-23T23:59", "0100" },
    { "created = 2026-11-23T23:59:58", "0000" },
    { "created >= 2026-11-25T00:00:00", "0010" },
    { "created != 2026-11-24", "0111" },
    { "error > 11.9999999999999999", "0000" }, /* 12, but for a last bit */
    { "error < 12.0000000000000001 and k = 4", "0000" },
    { "error <= 11.9999999999999999 and k = 4", "0100" },
    { "pinned = no", "1110" },
    { "pinned = true", "0001" },
    { "lab = experts and not not k = 2", "1000" },
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

/* How far two numbers may lie apart and be the same goes with their size. */
static void
test_sizes (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);

  g_ptr_array_add (runs, made_run ("experts", "", 1e15, ""));
  g_ptr_array_add (runs, made_run ("experts", "", 1e15 + 1e5, ""));
  g_ptr_array_add (runs, made_run ("experts", "", 1e-3, ""));
  g_ptr_array_add (runs, made_run ("experts", "", 1e-3 + 5e-13, ""));
  assert_passes (runs, "error = 1000000000000001", "1000");
  assert_passes (runs, "error = 1000000000100001", "0100");
  assert_passes (runs, "error > 1000000000000001", "0100");
  assert_passes (runs, "error = 0.001", "0010");
  assert_passes (runs, "error != 0.001", "1101");
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
  assert_refused ("gate = n", "character 8", "a value of gate");
  assert_refused ("lab < experts", "character 5", "=, !=");
  assert_refused ("(k = 1", "character 7", "\")\"");
  assert_refused ("k = 1)", "character 6", "its end");
  assert_refused ("k = \"1", "character 5", "quote");
  assert_refused ("k ! 1", "character 3", "!");
  assert_refused ("tag = übung and eror = 1", "character 17", "perhaps");
  assert_refused ("created = 2026-13-01", "character 11", "a date");
  assert_refused ("k = 1 and", "character 10", "a name");
  assert_refused ("k = 1 and or", "character 11", "a name");
  assert_refused ("k = 1 and contains", "character 11", "a name");
  assert_refused ("tag < good", "character 5", "=, !=");
  assert_refused ("error = low", "character 9", "a number");
  assert_refused ("pinned = perhaps", "character 10", "a number");
  assert_refused ("k = )", "character 5", "a value");
  assert_refused ("k = 1 gate", "character 7", "its end");
  assert_refused ("\xff", "too long a line, or no text", "");
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

/* At most so many; what begins with the word comes before what has it inside, and a value that is two words is
 * quoted.  */
static void
test_completes_some (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  size_t from;
  g_autoptr (GPtrArray) two = sl_query_complete ("", 0, runs, 2, &from);
  g_autoptr (GPtrArray) se = sl_query_complete ("se", 2, runs, 100, &from);
  g_autoptr (GPtrArray) signs = sl_query_complete ("k ", 2, runs, 100, &from);
  g_autoptr (GPtrArray) early = sl_query_complete ("lab = experts", 3, runs, 100, &from);
  g_autoptr (GPtrArray) whole = sl_query_complete ("status = paused", 15, runs, 100, &from);
  g_autoptr (GPtrArray) nothing = sl_query_complete ("nobody = ", 9, runs, 100, &from), tag = NULL;
  guint inside = 0;

  g_assert_cmpuint (two->len, ==, 2);
  g_assert_cmpuint (from, ==, 9);
  g_assert_cmpstr (g_ptr_array_index (se, 0), ==, "seed");
  g_assert_cmpstr (g_ptr_array_index (se, 1), ==, "seconds");
  for (guint i = 0; i < se->len; i++)
    {
      const char *text = g_ptr_array_index (se, i);

      g_assert_nonnull (strstr (text, "se"));
      g_assert_true (inside == 0 || !g_str_has_prefix (text, "se"));
      inside += !g_str_has_prefix (text, "se");
    }
  g_assert_cmpuint (inside, >, 0);
  g_assert_cmpuint (signs->len, ==, 7);
  g_assert_cmpstr (g_ptr_array_index (signs, 6), ==, "contains");
  g_assert_cmpuint (nothing->len, ==, 0);
  g_assert_cmpuint (whole->len, ==, 0);
  g_assert_false (g_ptr_array_find_with_equal_func (early, "lab", g_str_equal, NULL));
  g_free (((SlStoreRun *) runs->pdata[3])->tags);
  ((SlStoreRun *) runs->pdata[3])->tags = g_strdup ("two words");
  tag = sl_query_complete ("tag = two", 9, runs, 100, &from);
  g_assert_cmpuint (tag->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (tag, 0), ==, "\"two words\"");
}

/* Days that have names. */
static void
test_days (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  double now = (double) g_get_real_time () / G_USEC_PER_SEC;

  for (guint i = 0; i < RUNS; i++)
    ((SlStoreRun *) runs->pdata[i])->created = now - 86400.0 * (i == 3 ? 7 : i);
  assert_passes (runs, "created < yesterday and created < today", "0011");
  assert_passes (runs, "created >= yesterday", "1100");
  assert_passes (runs, "created = yesterday", "0100");
  assert_passes (runs, "created = Today", "1000");
}

/* Words alone are looked for as they stand, in name, lab, settings, data, status, tags and note. */
static void
test_words (void)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) runs = make_runs ();
  g_autoptr (SlQuery) words = sl_query_new ("  Moons:Noise ", runs, &error);
  g_autoptr (SlQuery) grammar = sl_query_new ("k=4", runs, &error);
  SlStoreRun *run = g_ptr_array_index (runs, 3);

  g_assert_no_error (error);
  g_assert_cmpstr (sl_query_words (words), ==, "moons:noise");
  g_assert_cmpstr (sl_query_words (grammar), ==, NULL);
  assert_passes (runs, "moons:noise", "1111");
  assert_passes (runs, "paused", "0001");
  run->note = g_strdup ("look AGAIN");
  assert_passes (runs, "look again", "0001");
  g_free (run->name);
  run->name = g_strdup ("my first");
  assert_passes (runs, "My First", "0001");
  sl_query_free (NULL);
}

static void
test_filter (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  GError     *error = NULL;
  const char *second = ((SlStoreRun *) runs->pdata[1])->lab_id;

  g_assert_true (sl_query_filter (NULL, runs, &error));
  g_assert_cmpuint (runs->len, ==, 4);
  g_assert_false (sl_query_filter ("eror = 1", runs, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpuint (runs->len, ==, 4);
  g_assert_true (sl_query_filter ("k >= 4", runs, &error));
  g_assert_cmpuint (runs->len, ==, 2);
  g_assert_true (((SlStoreRun *) runs->pdata[0])->lab_id == second);
  g_assert_true (sl_query_filter ("k = 3", runs, &error));
  g_assert_cmpuint (runs->len, ==, 0);
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

/* Means of error, cost and time over the runs of a group that have them. */
static void
test_means (void)
{
  g_autoptr (GPtrArray) runs = make_runs ();
  unsigned group[RUNS];
  SlField  field;
  g_autoptr (GArray) groups = NULL;
  const SlRunGroup *experts;

  made_figure (runs->pdata[0], "outcome.executed", 20);
  made_figure (runs->pdata[1], "outcome.executed", 30);
  made_figure (runs->pdata[3], "outcome.executed", 70);
  made_figure (runs->pdata[1], "outcome.timed", 55);
  g_assert_true (sl_field_find ("lab", runs, &field));
  groups = sl_run_groups (runs, &field, group);
  g_assert_cmpuint (groups->len, ==, 2);
  experts = &g_array_index (groups, SlRunGroup, 0);
  g_assert_cmpstr (experts->value.text, ==, "experts");
  g_assert_cmpuint (experts->n, ==, 3);
  g_assert_cmpuint (experts->error.n, ==, 2);
  g_assert_cmpfloat (experts->error.mean, ==, 11);
  g_assert_cmpuint (experts->executed.n, ==, 3);
  g_assert_cmpfloat (experts->executed.mean, ==, 40);
  g_assert_cmpuint (experts->timed.n, ==, 1);
  g_assert_cmpfloat (experts->timed.mean, ==, 55);
  g_assert_cmpuint (g_array_index (groups, SlRunGroup, 1).executed.n, ==, 0);
  g_clear_pointer (&groups, g_array_unref);
  g_ptr_array_set_size (runs, 0);
  groups = sl_run_groups (runs, &field, group);
  g_assert_cmpuint (groups->len, ==, 0);
}

/* A mean error is of test examples or of validation examples, and says how many runs have none of its kind. */
static void
test_means_of_one_kind (void)
{
  /* Of three runs: their errors (0: none), then the mean, of what, and how many are left out. */
  static const struct
  {
    double   test[3], valid[3], mean;
    bool     validation;
    unsigned left_out;
  } cases[] = {
    { { 1, 2, 3 }, { 40, 50, 60 }, 2, false, 0 }, { { 1, 0, 3 }, { 40, 50, 60 }, 50, true, 0 },
    { { 1, 0, 3 }, { 40, 0, 60 }, 2, false, 1 },  { { 0, 0, 0 }, { 40, 0, 60 }, 50, true, 1 },
    { { 0, 0, 3 }, { 40, 50, 0 }, 45, true, 1 },  { { 0, 0, 0 }, { 0, 0, 0 }, NAN, false, 3 },
  };

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (GPtrArray) runs
        = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
      g_autoptr (GArray) groups = NULL;
      const SlRunGroup *one;
      unsigned          group[3];
      SlField           field;

      for (int i = 0; i < 3; i++)
        {
          SlStoreRun *run
            = made_run ("experts", "", cases[c].test[i] > 0 ? cases[c].test[i] : NAN, "");

          if (cases[c].valid[i] > 0)
            made_figure (run, i == 0 ? "valid.error" : run->lab->valid, cases[c].valid[i]);
          g_ptr_array_add (runs, run);
        }
      g_assert_true (sl_field_find ("lab", runs, &field));
      groups = sl_run_groups (runs, &field, group);
      one = &g_array_index (groups, SlRunGroup, 0);
      g_assert_true (one->error.mean == cases[c].mean
                     || (isnan (one->error.mean) && isnan (cases[c].mean)));
      g_assert_true (one->validation == cases[c].validation);
      g_assert_cmpuint (one->left_out, ==, cases[c].left_out);
      g_assert_cmpuint (one->error.n + one->left_out, ==, 3);
    }
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

/* Data and seeds differ too, and a setting that has the name of something else is told from it. */
static void
test_more_differences (void)
{
  g_autoptr (GPtrArray) runs = make_runs (), none = g_ptr_array_new (), names = NULL,
                        nothing = NULL;
  g_autoptr (GPtrArray) same = g_ptr_array_new (), alike = NULL;
  SlStoreRun *run = g_ptr_array_index (runs, 3);

  run->data = "spirals";
  run->seed = 2;
  names = sl_run_differences (runs);
  g_assert_cmpstr (g_ptr_array_index (names, 0), ==, "lab");
  g_assert_cmpstr (g_ptr_array_index (names, 1), ==, "data");
  g_assert_cmpstr (g_ptr_array_index (names, names->len - 1), ==, "seed");
  nothing = sl_run_differences (none);
  g_assert_cmpuint (nothing->len, ==, 0);
  g_ptr_array_add (same, run);
  g_ptr_array_add (same, run);
  alike = sl_run_differences (same);
  g_assert_cmpuint (alike->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/passes", test_passes);
  g_test_add_func ("/query/sizes", test_sizes);
  g_test_add_func ("/query/mistakes", test_mistakes);
  g_test_add_func ("/query/completes", test_completes);
  g_test_add_func ("/query/completes-some", test_completes_some);
  g_test_add_func ("/query/days", test_days);
  g_test_add_func ("/query/words", test_words);
  g_test_add_func ("/query/filter", test_filter);
  g_test_add_func ("/query/groups", test_groups);
  g_test_add_func ("/query/means", test_means);
  g_test_add_func ("/query/means-of-one-kind", test_means_of_one_kind);
  g_test_add_func ("/query/differences", test_differences);
  g_test_add_func ("/query/more-differences", test_more_differences);
  return g_test_run ();
}
