/* SPDX-License-Identifier: MIT
 *
 * Runs that were only looked at leave nothing, in a store that does without them; everything else stays.  */
#include "core/labs/registry.h"
#include "core/run/session/session.h"
#include "tests/support/store-place.h"

static const char own_data[] = "spirals"; /* with all options as they are at first */

enum { FEW = 20, MANY = 220 }; /* updates: fewer than make a run, and more */

static const SlLab *
lab (void)
{
  return sl_lab_find ("stochastic-gates");
}

static void
finish (SlSession *session, uint64_t limit)
{
  sl_session_set_limit (session, limit);
  sl_session_run (session);
  while (sl_session_info (session)->step != limit || sl_session_state (session) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
}

/* Trains the lab under its defaults, but for a learning rate that is not 0, and gives the run's name. */
static SlSession *
begin (SlStore *store, const char *data, double rate, uint64_t updates, char uuid[SL_UUID])
{
  SlSession *session = sl_session_new ();
  SlSettings settings;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  if (rate > 0)
    settings.value[sl_param_find (lab ()->params, lab ()->n_params, "learning-rate")].v[0] = rate;
  sl_session_set_store (session, store);
  sl_session_start (session, lab (), &settings, data, 1, FALSE);
  finish (session, updates);
  g_strlcpy (uuid, sl_session_uuid (session), SL_UUID);
  return session;
}

static gboolean
is_listed (SlStore *store, const char *uuid)
{
  g_autoptr (GPtrArray) runs = NULL;

  g_assert_true (sl_store_flush (store, NULL));
  runs = sl_store_list (store, NULL, FALSE, NULL);
  for (guint i = 0; i < runs->len; i++)
    if (strcmp (((SlStoreRun *) runs->pdata[i])->uuid, uuid) == 0)
      return TRUE;
  return FALSE;
}

static void
test_close (Place *place, gconstpointer unused)
{
  static const struct
  {
    const char *data;
    double      rate; /* 0: the lab's */
    uint64_t    updates;
    gboolean    drops, pinned, listed;
  } cases[] = {
    { NULL, 0, FEW, TRUE, FALSE, FALSE },     { NULL, 0, FEW, FALSE, FALSE, TRUE },
    { NULL, 0, FEW, TRUE, TRUE, TRUE },       { NULL, 0, MANY, TRUE, FALSE, TRUE },
    { NULL, 0.0123, FEW, TRUE, FALSE, TRUE }, { "moons:points=300", 0, FEW, TRUE, FALSE, TRUE },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlSession *session;
      char       uuid[SL_UUID];

      g_test_message ("case %zu", i);
      sl_store_set_drops_looks (place->store, cases[i].drops);
      session = begin (place->store, cases[i].data != NULL ? cases[i].data : own_data,
                       cases[i].rate, cases[i].updates, uuid);
      g_assert_true (is_listed (place->store, uuid));
      sl_store_set_pinned (place->store, uuid, cases[i].pinned);
      g_assert_finalize_object (session);
      g_assert_true (is_listed (place->store, uuid) == cases[i].listed);
    }
}

/* A setting that was changed on the way makes it a run. */
static void
test_changed (Place *place, gconstpointer unused)
{
  SlSession *session;
  SlValue    rate = { .n = 1, .v = { 0.02 } };
  char       uuid[SL_UUID];

  sl_store_set_drops_looks (place->store, TRUE);
  session = begin (place->store, own_data, 0, FEW, uuid);
  g_assert_true (sl_session_set (session, "learning-rate", &rate, NULL));
  finish (session, 2 * FEW);
  g_assert_finalize_object (session);
  g_assert_true (is_listed (place->store, uuid));
}

/* It can be gone back to while nothing was tidied, as what it was. */
static void
test_back (Place *place, gconstpointer unused)
{
  SlSession  *session;
  SlSettings  settings;
  SlStoredRun run;
  char        uuid[SL_UUID];

  sl_store_set_drops_looks (place->store, TRUE);
  session = begin (place->store, own_data, 0, FEW, uuid);
  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  sl_session_start (session, lab (), &settings, own_data, 2, FALSE);
  finish (session, FEW);
  while (is_listed (place->store, uuid))
    g_main_context_iteration (NULL, FALSE);
  for (uint64_t updates = 2 * FEW; updates <= MANY; updates += MANY - 2 * FEW)
    {
      g_assert_true (sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, NULL));
      g_assert_true (run.deleted);
      sl_session_resume (session, &run, FALSE);
      while (sl_session_is_loading (session))
        g_main_context_iteration (NULL, TRUE);
      finish (session, updates);
      g_assert_true (is_listed (place->store, uuid));
      sl_session_set_store (session, NULL);
      g_assert_true (is_listed (place->store, uuid) == (updates == MANY));
      sl_session_set_store (session, place->store);
    }
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add (name, Place, NULL, set_up_place, test, tear_down_place)
  ADD ("/look/close", test_close);
  ADD ("/look/changed", test_changed);
  ADD ("/look/back", test_back);
  return g_test_run ();
}
