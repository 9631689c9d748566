/* SPDX-License-Identifier: MIT
 *
 * Changes that can be taken back: their words, and that what was written is read again, without what makes no
 * sense.  */
#include "core/run/record/edits.h"

#include "tests/core/run/walk-lab.h"
#include "tests/support/english.h"

static const char name[] = "12345678-1234-4234-8234-123456789abc";

static SlEdit
edit_of (SlEditKind kind, const char *run)
{
  SlEdit edit = { .kind = kind, .step = 12, .ended = run != NULL };

  if (run != NULL)
    g_strlcpy (edit.run, run, sizeof edit.run);
  return edit;
}

static SlEdit
change_of (const char *id, double from, double to)
{
  SlEdit edit = edit_of (SL_EDIT_VALUE, NULL);

  edit.param = (unsigned) sl_param_find (sl_walk_lab.params, sl_walk_lab.n_params, id);
  edit.from = (SlValue) { 1, { from } };
  edit.to = (SlValue) { 1, { to } };
  return edit;
}

static void
assert_text (const SlEdit *edit, const char *expected)
{
  char text[SL_CHANGE_MARKER_TEXT];

  sl_edit_text (edit, &sl_walk_lab, text);
  g_assert_cmpstr (sl_english_text (text), ==, expected);
}

static void
test_words (void)
{
  SlEdit rate = change_of ("rate", 0.1, 0.25), anew = edit_of (SL_EDIT_ANEW, name);
  SlEdit seed = edit_of (SL_EDIT_SEED, name), data = edit_of (SL_EDIT_DATA, name);
  SlEdit opened = edit_of (SL_EDIT_OPENED, name), branch = edit_of (SL_EDIT_BRANCH, name);

  assert_text (&rate, "Rate 0.1 → 0.25");
  assert_text (&anew, "New run");
  assert_text (&seed, "New run with another seed");
  assert_text (&data, "New run on other data");
  assert_text (&opened, "Opened another run");
  assert_text (&branch, "Resumed from update 12");
}

static SlEdits
new_edits (void)
{
  return (SlEdits) { .undo = g_array_new (FALSE, FALSE, sizeof (SlEdit)),
                     .redo = g_array_new (FALSE, FALSE, sizeof (SlEdit)) };
}

static void
test_round_trip (void)
{
  SlEdits          edits = new_edits (), again;
  SlEdit           rate = change_of ("rate", 0.1, 0.25), diverge = change_of ("diverge", 0, 7);
  SlEdit           branch = edit_of (SL_EDIT_BRANCH, name);
  g_autofree char *text = NULL, *twice = NULL;

  diverge.ended = true; /* it began a run anew, and there is no store */
  g_array_append_val (edits.undo, rate);
  g_array_append_val (edits.undo, diverge);
  g_array_append_val (edits.redo, branch);
  text = sl_edits_write (&edits, &sl_walk_lab);
  sl_edits_read (text, &sl_walk_lab, &again);
  g_assert_cmpuint (again.undo->len, ==, 2);
  g_assert_cmpuint (again.redo->len, ==, 1);
  for (unsigned i = 0; i < 2; i++)
    {
      const SlEdit *got = &g_array_index (again.undo, SlEdit, i);
      const SlEdit *want = &g_array_index (edits.undo, SlEdit, i);

      g_assert_cmpint (got->kind, ==, SL_EDIT_VALUE);
      g_assert_cmpuint (got->param, ==, want->param);
      g_assert_cmpuint (got->step, ==, 12);
      g_assert_cmpint (got->ended, ==, want->ended);
      g_assert_cmpstr (got->run, ==, "");
      g_assert_true (sl_value_same (&got->from, &want->from));
      g_assert_true (sl_value_same (&got->to, &want->to));
    }
  g_assert_cmpint (g_array_index (again.redo, SlEdit, 0).kind, ==, SL_EDIT_BRANCH);
  g_assert_cmpstr (g_array_index (again.redo, SlEdit, 0).run, ==, name);
  g_assert_true (g_array_index (again.redo, SlEdit, 0).ended);
  twice = sl_edits_write (&again, &sl_walk_lab);
  g_assert_cmpstr (text, ==, twice);
  sl_edits_clear (&edits);
  sl_edits_clear (&again);
  g_assert_null (again.undo);
}

/* How many changes are read of a list with this one in it. */
static guint
read_one (const char *object)
{
  g_autofree char *text = g_strdup_printf ("{\"undo\": [%s], \"redo\": []}", object);
  SlEdits          edits;
  guint            n;

  sl_edits_read (text, &sl_walk_lab, &edits);
  n = edits.undo->len;
  g_assert_cmpuint (edits.redo->len, ==, 0);
  sl_edits_clear (&edits);
  return n;
}

static void
test_left_out (void)
{
  static const char *const good[] = {
    "{\"kind\": \"value\", \"step\": 0, \"param\": \"rate\", \"from\": 1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"end\", \"from\": 1, \"to\": 2, \"run\": \"\"}",
    "{\"kind\": \"anew\", \"step\": 1, \"run\": \"12345678-1234-4234-8234-123456789abc\"}",
  };
  static const char *const bad[] = {
    "{\"kind\": \"value\", \"param\": \"rate\", \"from\": 1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": -1, \"param\": \"rate\", \"from\": 1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"pace of\", \"from\": 1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": 1, \"from\": 1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"rate\", \"from\": -1, \"to\": 2}",
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"rate\", \"from\": 1, \"to\": null}",
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"rate\", \"from\": 1}",
    /* A fixed parameter ends a run, a live one does not. */
    "{\"kind\": \"value\", \"step\": 1, \"param\": \"end\", \"from\": 1, \"to\": 2}",
    ("{\"kind\": \"value\", \"step\": 1, \"param\": \"rate\", \"from\": 1, \"to\": 2, "
     "\"run\": \"\"}"),
    "{\"kind\": \"anew\", \"step\": 1, \"run\": \"\"}",
    "{\"kind\": \"anew\", \"step\": 1, \"run\": \"12345678\"}",
    "{\"kind\": \"anew\", \"step\": 1}",
    "{\"kind\": \"other\", \"step\": 1, \"run\": \"12345678-1234-4234-8234-123456789abc\"}",
    "{\"step\": 1, \"run\": \"12345678-1234-4234-8234-123456789abc\"}",
    "5",
  };
  SlEdits edits;

  for (size_t i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_cmpuint (read_one (good[i]), ==, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      g_assert_cmpuint (read_one (bad[i]), ==, 0);
    }
  sl_edits_read ("[", &sl_walk_lab, &edits);
  g_assert_cmpuint (edits.undo->len + edits.redo->len, ==, 0);
  sl_edits_clear (&edits);
  sl_edits_read ("{\"undo\": 5}", &sl_walk_lab, &edits);
  g_assert_cmpuint (edits.undo->len + edits.redo->len, ==, 0);
  sl_edits_clear (&edits);
}

/* A file holds no more changes than a list. */
static void
test_most (void)
{
  SlEdits          edits = new_edits (), again;
  SlEdit           rate = change_of ("rate", 0.1, 0.25);
  g_autofree char *text = NULL;

  for (int i = 0; i <= SL_EDITS_MOST; i++)
    g_array_append_val (edits.undo, rate);
  text = sl_edits_write (&edits, &sl_walk_lab);
  sl_edits_read (text, &sl_walk_lab, &again);
  g_assert_cmpuint (again.undo->len, ==, SL_EDITS_MOST);
  sl_edits_clear (&edits);
  sl_edits_clear (&again);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edits/words", test_words);
  g_test_add_func ("/edits/round-trip", test_round_trip);
  g_test_add_func ("/edits/left-out", test_left_out);
  g_test_add_func ("/edits/most", test_most);
  return g_test_run ();
}
