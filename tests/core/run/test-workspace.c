/* SPDX-License-Identifier: MIT
 *
 * What another start of the program needs: changes that can be taken back, a look at the past, and what the
 * window showed.  */
#include "core/labs/registry.h"
#include "core/run/session/session.h"
#include "core/run/store/workspace.h"
#include "tests/support/store-place.h"

/* ---- changes as text ---- */

static SlEdits
new_edits (void)
{
  return (SlEdits) { g_array_new (FALSE, FALSE, sizeof (SlEdit)),
                     g_array_new (FALSE, FALSE, sizeof (SlEdit)) };
}

/* Each parameter from its lowest to its own value, and each kind of another run. */
static SlEdits
every_edit (const SlLab *lab)
{
  SlEdits edits = new_edits ();

  for (unsigned p = 0; p < lab->n_params; p++)
    {
      SlEdit     edit = { .param = p, .step = 7 * p, .ended = lab->params[p].effect == SL_RESTART };
      SlSettings settings;

      sl_settings_default (&settings, lab->params, lab->n_params);
      edit.from = edit.to = settings.value[p];
      edit.from.v[0] = lab->params[p].kind == SL_CHOICE ? 0.0 : lab->params[p].lo;
      if (edit.ended && p % 2 == 0)
        sl_store_new_uuid (edit.run);
      g_array_append_val (edits.undo, edit);
    }
  for (SlEditKind kind = SL_EDIT_VALUE + 1; kind < SL_N_EDIT_KINDS; kind++)
    {
      SlEdit edit = { .kind = kind, .step = 1000 + kind, .ended = true };

      sl_store_new_uuid (edit.run);
      g_array_append_val (edits.redo, edit);
    }
  return edits;
}

static void
assert_same (const GArray *a, const GArray *b)
{
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const SlEdit *x = &g_array_index (a, SlEdit, i), *y = &g_array_index (b, SlEdit, i);

      g_assert_cmpint (x->kind, ==, y->kind);
      g_assert_cmpuint (x->step, ==, y->step);
      g_assert_cmpint (x->ended, ==, y->ended);
      g_assert_cmpstr (x->run, ==, y->run);
      g_assert_cmpuint (x->param, ==, y->param);
      if (x->kind == SL_EDIT_VALUE)
        g_assert_true (sl_value_same (&x->from, &y->from) && sl_value_same (&x->to, &y->to));
    }
}

static void
test_text (void)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      SlEdits          edits = every_edit (sl_labs[i]), back;
      g_autofree char *json = sl_edits_write (&edits, sl_labs[i]);

      sl_edits_read (json, sl_labs[i], &back);
      assert_same (edits.undo, back.undo);
      assert_same (edits.redo, back.redo);
      sl_edits_clear (&back);
      sl_edits_clear (&edits);
    }
}

/* Of a damaged or newer text comes what makes sense. */
static void
test_damaged (void)
{
  static const char *const texts[]
    = { "",
        "[]",
        "{\"undo\": 3, \"redo\": {}}",
        "{\"undo\": [1, \"x\", {}, {\"kind\": \"other\", \"step\": 1}]}",
        "{\"undo\": [{\"kind\": \"seed\", \"step\": 1}, {\"kind\": \"seed\", \"step\": -1,"
        " \"run\": \"00000000-0000-4000-8000-000000000000\"}]}",
        "{\"undo\": [{\"kind\": \"value\", \"step\": 1, \"param\": \"no such\", \"from\": 1,"
        " \"to\": 2}, {\"kind\": \"value\", \"step\": 1, \"param\": \"learning-rate\","
        " \"from\": -1e99, \"to\": 0.1}, {\"kind\": \"seed\", \"step\": 1, \"run\": \"../..\"}]}" };

  for (unsigned i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      SlEdits edits;

      sl_edits_read (texts[i], sl_lab_find ("experts"), &edits);
      g_assert_cmpuint (edits.undo->len, ==, 0);
      g_assert_cmpuint (edits.redo->len, ==, 0);
      sl_edits_clear (&edits);
    }
}

static void
test_window (Place *place, gconstpointer unused)
{
  g_autofree char *text = NULL;

  g_assert_null (sl_store_workspace (place->store));
  sl_store_set_workspace (place->store, "{\"page\": 1}");
  sl_store_set_workspace (place->store, "{}");
  g_assert_finalize_object (place->store);
  open_store (place);
  text = sl_store_workspace (place->store);
  g_assert_cmpstr (text, ==, "{}");
}

/* ---- sessions, one after the other ---- */

static void
wait_idle (SlSession *session)
{
  while (sl_session_is_loading (session)
         || g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static SlSession *
begin (Place *place)
{
  SlSession   *session = sl_session_new ();
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_set (&settings, lab->params, lab->n_params, "hidden", "12-8");
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, 200);
  sl_session_start (session, lab, &settings, "moons:points=300", 5, TRUE);
  while (sl_session_state (session) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  wait_idle (session);
  return session;
}

static void
set (SlSession *session, const char *id, double value)
{
  g_autoptr (GError) error = NULL;

  sl_session_set (session, id, &(SlValue) { .n = 1, .v = { value } }, &error);
  g_assert_no_error (error);
  wait_idle (session);
}

/* Another session, as after another start of the program. */
static SlSession *
again (Place *place, SlSession *session)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (session));
  SlSession       *next = sl_session_new ();
  SlStoredRun      run;
  g_autoptr (GError) error = NULL;

  g_assert_finalize_object (session);
  sl_store_flush (place->store, NULL);
  sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  sl_session_set_store (next, place->store);
  sl_session_resume (next, &run, FALSE);
  wait_idle (next);
  g_assert_cmpstr (sl_session_uuid (next), ==, uuid);
  return next;
}

static double
rate_of (SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);

  return sl_session_settings (session)
    ->value[sl_param_find (lab->params, lab->n_params, "learning-rate")]
    .v[0];
}

/* A change of a run that rests is there with its mark, and is taken back once. */
static void
test_changed (Place *place, gconstpointer unused)
{
  SlSession *session = begin (place);
  double     rate = rate_of (session);
  char       text[SL_CHANGE_MARKER_TEXT];

  set (session, "learning-rate", 0.5 * rate);
  session = again (place, session);
  g_assert_cmpfloat (rate_of (session), ==, 0.5 * rate);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1);
  g_assert_cmpuint (sl_session_edits (session)->undo->len, ==, 1);
  g_assert_true (sl_session_undo (session, FALSE, text));
  wait_idle (session);
  g_assert_cmpfloat (rate_of (session), ==, rate);
  g_assert_false (sl_session_can_undo (session));
  session = again (place, session);
  g_assert_cmpfloat (rate_of (session), ==, rate);
  g_assert_true (sl_session_can_redo (session));
  sl_session_set_limit (session, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 201);
  g_assert_cmpuint (sl_session_edits (session)->redo->len, ==, 1);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 2);
  g_assert_finalize_object (session);
}

/* The past that was shown is shown, and what came after it is not lost. */
static void
test_visited (Place *place, gconstpointer unused)
{
  SlSession       *session = begin (place);
  g_autofree char *uuid = g_strdup (sl_session_uuid (session));

  for (unsigned i = 0; i < 2; i++)
    {
      g_assert_true (sl_session_visit (session, 0));
      wait_idle (session);
      session = again (place, session);
      g_assert_true (sl_session_is_visiting (session));
      g_assert_cmpuint (sl_session_info (session)->step, ==, 0);
      g_assert_cmpuint (sl_session_present (session), ==, 200);
      if (i > 0)
        break;
      sl_session_visit (session, UINT64_MAX);
      wait_idle (session);
      session = again (place, session);
      g_assert_false (sl_session_is_visiting (session));
      g_assert_cmpuint (sl_session_info (session)->step, ==, 200);
    }
  sl_session_set_limit (session, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 1);
  session = again (place, session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  g_assert_cmpint (g_array_index (sl_session_edits (session)->undo, SlEdit, 0).kind, ==,
                   SL_EDIT_BRANCH);
  g_assert_finalize_object (session);
}

/* A run that was removed for good is nothing to go back to. */
static void
test_removed (Place *place, gconstpointer unused)
{
  SlSession       *session = begin (place);
  g_autofree char *uuid = g_strdup (sl_session_uuid (session));

  sl_session_set_limit (session, 0);
  sl_session_start (session, sl_session_lab (session), sl_session_settings (session), NULL, 6,
                    FALSE);
  wait_idle (session);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  session = again (place, session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  sl_store_set_deleted (place->store, uuid, TRUE);
  session = again (place, session);
  g_assert_false (sl_session_can_undo (session));
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workspace/text", test_text);
  g_test_add_func ("/workspace/damaged", test_damaged);
  g_test_add ("/workspace/window", Place, NULL, set_up_place, test_window, tear_down_place);
  g_test_add ("/workspace/changed", Place, NULL, set_up_place, test_changed, tear_down_place);
  g_test_add ("/workspace/visited", Place, NULL, set_up_place, test_visited, tear_down_place);
  g_test_add ("/workspace/removed", Place, NULL, set_up_place, test_removed, tear_down_place);
  return g_test_run ();
}
