/* SPDX-License-Identifier: MIT
 *
 * The stage: every place after every other one, with runs that train, are paused, have ended or are on their
 * way; that only what is shown trains, and goes on when it is shown again; and its end at any time.  */
#include "core/run/stage/stage.h"

#include "core/labs/registry.h"
#include "core/run/base/save.h"
#include "tests/support/store-place.h"
#include "tests/support/wait.h"

typedef enum { TRAINING, PAUSED, ENDED, LOADING, N_CONDITIONS } Condition;

typedef struct
{
  SlStage *stage;
  char    *folder, *figure; /* a file with a recipe */
  unsigned shown, state, progress, restarted;
  GString *order; /* of the signals since the last look, a letter each */
} Fixture;

static SlSettings
small (const SlLab *lab)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  if (sl_param_find (lab->params, lab->n_params, "hidden") >= 0)
    sl_settings_set (&settings, lab->params, lab->n_params, "hidden", "8-6");
  return settings;
}

static void
start (SlSession *session, const char *id)
{
  const SlLab *lab = sl_lab_find (id);
  SlSettings   settings = small (lab);

  sl_session_start (session, lab, &settings,
                    lab->data == SL_NEEDS_ROUTING ? NULL : "moons:points=100", 7, FALSE);
  WAIT (!sl_session_is_loading (session) && sl_session_lab (session) == lab);
}

/* ---- signals ---- */

static void
on_shown (Fixture *f)
{
  f->shown++;
  g_string_append_c (f->order, 'h');
}

static void
on_restarted (Fixture *f)
{
  f->restarted++;
  g_string_append_c (f->order, 'r');
}

static void
on_state (Fixture *f)
{
  f->state++;
  g_string_append_c (f->order, 's');
}

static void
on_progress (Fixture *f)
{
  f->progress++;
  g_string_append_c (f->order, 'p');
}

static void
on_leaving (Fixture *f)
{
  g_string_append_c (f->order, 'l');
}

static void
on_session (Fixture *f)
{
  g_string_append_c (f->order, 'n');
}

static void
make_stage (Fixture *f, gboolean run)
{
  g_autoptr (SlSession) own = sl_session_new ();

  sl_session_set_threads (own, 1);
  if (run)
    start (own, "sign-estimator");
  f->stage = sl_stage_new ();
  g_signal_connect_swapped (f->stage, "shown", G_CALLBACK (on_shown), f);
  g_signal_connect_swapped (f->stage, "restarted", G_CALLBACK (on_restarted), f);
  g_signal_connect_swapped (f->stage, "state", G_CALLBACK (on_state), f);
  g_signal_connect_swapped (f->stage, "progress", G_CALLBACK (on_progress), f);
  g_signal_connect_swapped (f->stage, "leaving", G_CALLBACK (on_leaving), f);
  g_signal_connect_swapped (f->stage, "notify::session", G_CALLBACK (on_session), f);
  sl_stage_set_own (f->stage, own);
}

static void
drop_stage (Fixture *f)
{
  g_signal_handlers_disconnect_by_data (f->stage, f);
  g_clear_object (&f->stage);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (SlSession) session = sl_session_new ();
  g_autofree char *recipe = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;

  f->order = g_string_new (NULL);
  f->folder = g_dir_make_tmp ("sluice-stage-XXXXXX", NULL);
  f->figure = g_build_filename (f->folder, "figure.json", NULL);
  start (session, "sign-estimator");
  recipe = sl_session_recipe (session);
  text = g_strdup_printf ("{\"recipe\": %s}", recipe);
  sl_save (f->figure, text, strlen (text), &error);
  g_assert_no_error (error);
  make_stage (f, data != NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (f->stage != NULL)
    drop_stage (f);
  sl_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->figure);
  g_string_free (f->order, TRUE);
}

/* ---- places ---- */

static gboolean
is_own_kind (SlShown shown)
{
  return shown == SL_SHOWN_NOTHING || shown == SL_SHOWN_LAB || shown == SL_SHOWN_STORED
         || shown == SL_SHOWN_RECORDING;
}

/* Goes to a place from any other one; the own session has its run then. */
static void
reach (Fixture *f, SlShown place)
{
  SlStage *stage = f->stage;
  unsigned generation = sl_session_generation (sl_stage_own (stage));

  if (place == SL_SHOWN_OVERVIEW)
    sl_stage_end_lesson_group (stage);
  if (is_own_kind (place) || place == SL_SHOWN_PAIR || place == SL_SHOWN_LIST)
    sl_stage_show_own (stage);
  if (place == SL_SHOWN_STORED)
    sl_stage_open_figure (stage, f->figure);
  else if (place == SL_SHOWN_RECORDING)
    start (sl_stage_own (stage), "routing");
  else if (place != SL_SHOWN_NOTHING)
    start (sl_stage_own (stage), "sign-estimator");
  switch (place)
    {
    case SL_SHOWN_OVERVIEW: sl_stage_show_overview (stage); break;
    case SL_SHOWN_CLOSER: sl_stage_show_closer (stage, sl_lab_find ("experts")); break;
    case SL_SHOWN_LESSON: sl_stage_show_lesson (stage); break;
    case SL_SHOWN_LESSON_OVERVIEW: sl_stage_show_lesson_group (stage); break;
    case SL_SHOWN_PAIR: sl_stage_begin_pair (stage); break;
    case SL_SHOWN_LIST: sl_stage_show_list (stage); break;
    default: break;
    }
  WAIT (sl_stage_shown (stage) == place
        && (place != SL_SHOWN_STORED || sl_session_generation (sl_stage_own (stage)) > generation));
}

static void
go (Fixture *f, SlStageEvent event)
{
  SlStage *stage = f->stage;

  switch (event)
    {
    case SL_STAGE_OVERVIEW: sl_stage_show_overview (stage); break;
    case SL_STAGE_CLOSER: sl_stage_show_closer (stage, sl_lab_find ("experts")); break;
    case SL_STAGE_OWN: sl_stage_show_own (stage); break;
    case SL_STAGE_LESSON: sl_stage_show_lesson (stage); break;
    case SL_STAGE_LESSON_OVERVIEW: sl_stage_show_lesson_group (stage); break;
    case SL_STAGE_PAIR:
      if (sl_session_lab (sl_stage_session (stage)) != NULL)
        sl_stage_begin_pair (stage);
      else if (sl_stage_pair (stage) == NULL)
        sl_stage_restore_pair (stage, 1);
      break;
    case SL_STAGE_LIST: sl_stage_show_list (stage); break;
    case SL_STAGE_BACK: sl_stage_back (stage); break;
    case SL_STAGE_CHANGED:
      if (sl_session_lab (sl_stage_own (stage)) == NULL)
        break;
      sl_session_restart (sl_stage_own (stage), NULL, 8, FALSE);
      sl_session_settle (sl_stage_own (stage));
      WAIT (!sl_session_is_loading (sl_stage_own (stage)));
      break;
    default: g_assert_not_reached ();
    }
}

/* Brings the own session, where it has a run, into a condition. */
static void
condition (SlSession *own, Condition wanted)
{
  if (sl_session_lab (own) == NULL)
    return;
  switch (wanted)
    {
    case TRAINING: sl_session_run (own); break;
    case PAUSED: sl_session_pause (own); break;
    case ENDED:
      sl_session_set_limit (own, 1);
      sl_session_run (own);
      break;
    case LOADING: sl_session_restart (own, NULL, 9, TRUE); break;
    default: break;
    }
}

/* ---- what holds everywhere ---- */

typedef struct
{
  SlStage *stage;
  guint    wrong;
} Check;

/* What is not shown does not train, and nothing is to begin that would. */
static void
look_at (SlSession *session, gpointer data)
{
  Check   *check = data;
  SlStage *stage = check->stage;
  SlGroup *group = sl_stage_shown_group (stage);
  SlPair  *pair = sl_stage_pair (stage);
  gboolean shown = session == sl_stage_session (stage);

  if (sl_stage_shows_overview (stage))
    {
      shown = FALSE;
      for (unsigned i = 0; i < sl_group_size (group); i++)
        shown = shown || sl_group_session (group, i) == session;
    }
  for (unsigned i = 0; pair != NULL && i < SL_PAIR_RUNS; i++)
    shown = shown || sl_pair_session (pair, i) == session;
  check->wrong += !shown && sl_session_goes (session);
}

static SlShown
own_place (SlStage *stage)
{
  const SlLab *lab = sl_session_lab (sl_stage_own (stage));

  return lab == NULL ? SL_SHOWN_NOTHING
         : sl_stage_stored (stage, NULL) && sl_session_info (sl_stage_own (stage))->step == 0
             && sl_session_state (sl_stage_own (stage)) == SL_PAUSED
           ? SL_SHOWN_STORED
         : lab->data == SL_NEEDS_ROUTING ? SL_SHOWN_RECORDING
                                         : SL_SHOWN_LAB;
}

static SlShown
resolve (SlStage *stage, SlShown to)
{
  SlShown own = own_place (stage);

  if (to == SL_SHOWN_BEHIND)
    return own != SL_SHOWN_NOTHING || sl_session_is_loading (sl_stage_own (stage))
             ? own
             : SL_SHOWN_OVERVIEW;
  return to == SL_SHOWN_OWN ? own : to;
}

static void
check_place (Fixture *f, SlShown from, SlStageEvent event)
{
  SlStage *stage = f->stage;
  SlShown  to = sl_stage_next (from, event);
  Check    check = { stage, 0 };

  if (sl_stage_shown (stage) != resolve (stage, to))
    g_error ("from %d by %d: %d, not %d", (int) from, (int) event, (int) sl_stage_shown (stage),
             (int) resolve (stage, to));
  sl_stage_each (stage, look_at, &check);
  if (check.wrong > 0)
    g_error ("from %d by %d: %u train unseen", (int) from, (int) event, check.wrong);
  g_assert_cmpint (sl_stage_pair (stage) != NULL, ==, sl_stage_shown (stage) == SL_SHOWN_PAIR);
  g_assert_cmpint (sl_stage_behind (stage) != NULL, ==, sl_stage_shown (stage) == SL_SHOWN_PAIR);
  g_assert_true (!is_own_kind (sl_stage_shown (stage))
                 || sl_stage_session (stage) == sl_stage_own (stage));
}

/* ---- tests ---- */

/* What the table is to say, in other words: a place that is asked for is shown, whatever was shown before. */
static SlShown
rule (SlShown from, SlStageEvent event)
{
  static const SlShown asked[] = { [SL_STAGE_OVERVIEW] = SL_SHOWN_OVERVIEW,
                                   [SL_STAGE_CLOSER] = SL_SHOWN_CLOSER,
                                   [SL_STAGE_OWN] = SL_SHOWN_OWN,
                                   [SL_STAGE_LESSON] = SL_SHOWN_LESSON,
                                   [SL_STAGE_LESSON_OVERVIEW] = SL_SHOWN_LESSON_OVERVIEW,
                                   [SL_STAGE_PAIR] = SL_SHOWN_PAIR,
                                   [SL_STAGE_LIST] = SL_SHOWN_LIST };

  /* A lesson on the overview is not left for the overview. */
  if (event == SL_STAGE_OVERVIEW && from == SL_SHOWN_LESSON_OVERVIEW)
    return from;
  if (event < G_N_ELEMENTS (asked))
    return asked[event];
  if (event == SL_STAGE_BACK && (from == SL_SHOWN_PAIR || from == SL_SHOWN_LIST))
    return SL_SHOWN_BEHIND;
  if (event == SL_STAGE_BACK && (from == SL_SHOWN_CLOSER || from == SL_SHOWN_LESSON_OVERVIEW))
    return SL_SHOWN_OVERVIEW;
  return is_own_kind (from) ? SL_SHOWN_OWN : from;
}

static void
test_table (Fixture *f, gconstpointer data)
{
  for (SlShown from = SL_SHOWN_NOTHING; from < SL_N_SHOWN; from++)
    for (SlStageEvent event = 0; event < SL_N_STAGE_EVENTS; event++)
      g_assert_cmpint (sl_stage_next (from, event), ==, rule (from, event));
}

/* Every pair of the table; where the own session is shown, with its run in each condition. */
static void
test_walk (Fixture *f, gconstpointer data)
{
  Condition  wanted = (Condition) (GPOINTER_TO_INT (data) - 1);
  SlSession *own = sl_stage_own (f->stage);

  for (SlShown from = SL_SHOWN_OVERVIEW; from < SL_N_SHOWN; from++)
    for (SlStageEvent event = 0; event < SL_N_STAGE_EVENTS; event++)
      {
        gboolean shown = is_own_kind (from) || from == SL_SHOWN_LIST;

        if (wanted != PAUSED && (!shown || from == SL_SHOWN_STORED))
          continue;
        reach (f, from);
        if (shown && from != SL_SHOWN_STORED)
          condition (own, wanted);
        go (f, event);
        check_place (f, from, event);
        sl_session_set_limit (own, 0);
      }
}

/* From nothing, to which there is no way back. */
static void
test_nothing (Fixture *f, gconstpointer data)
{
  for (SlStageEvent event = 0; event < SL_N_STAGE_EVENTS; event++)
    {
      g_assert_cmpint (sl_stage_shown (f->stage), ==, SL_SHOWN_NOTHING);
      go (f, event);
      check_place (f, SL_SHOWN_NOTHING, event);
      drop_stage (f);
      make_stage (f, FALSE);
    }
}

/* A stage ends in any place, with runs that train, and with runs on their way where it is told to leave. */
static void
test_end (Fixture *f, gconstpointer data)
{
  for (SlShown place = SL_SHOWN_NOTHING; place < SL_N_SHOWN; place++)
    for (Condition wanted = TRAINING; wanted < N_CONDITIONS; wanted += LOADING)
      {
        drop_stage (f);
        make_stage (f, place != SL_SHOWN_NOTHING);
        reach (f, place);
        condition (sl_stage_own (f->stage), wanted);
        condition (sl_stage_session (f->stage), wanted);
        if (wanted == LOADING)
          sl_stage_leave (f->stage);
      }
}

/* One way through all of it: what was going on goes on when it is shown again. */
static void
test_way (Fixture *f, gconstpointer data)
{
  SlStage   *stage = f->stage;
  SlSession *own = sl_stage_own (stage);

  sl_stage_run (stage);
  WAIT (sl_session_state (own) == SL_RUNNING);
  sl_stage_show_overview (stage);
  g_assert_false (sl_session_goes (own));
  g_assert_true (sl_stage_goes (stage, own));
  sl_stage_show_own (stage);
  WAIT (sl_session_state (own) == SL_RUNNING);
  sl_stage_begin_pair (stage);
  g_assert_true (sl_stage_goes (stage, own) && !sl_session_goes (own));
  g_assert_true (sl_stage_behind (stage) == own);
  sl_stage_show_lesson (stage);
  g_assert_null (sl_stage_pair (stage));
  g_assert_true (sl_stage_goes (stage, own) && !sl_session_goes (own));
  start (sl_stage_lesson (stage), "sign-estimator");
  sl_stage_run (stage);
  sl_stage_show_list (stage);
  g_assert_cmpint (sl_stage_beneath (stage), ==, SL_SHOWN_LESSON);
  g_assert_true (sl_session_goes (sl_stage_lesson (stage)));
  sl_stage_back (stage);
  g_assert_cmpint (sl_stage_shown (stage), ==, SL_SHOWN_LESSON);
  sl_stage_open_figure (stage, f->figure);
  WAIT (sl_stage_shown (stage) == SL_SHOWN_STORED);
  g_assert_false (sl_session_goes (own));
  g_assert_false (sl_session_goes (sl_stage_lesson (stage)));
  sl_stage_run (stage);
  WAIT (sl_stage_shown (stage) == SL_SHOWN_LAB);
  sl_stage_choose_lab (stage, sl_lab_find ("routing"));
  WAIT (sl_stage_shown (stage) == SL_SHOWN_RECORDING);
  sl_stage_show_list (stage);
  sl_stage_back (stage);
  g_assert_cmpint (sl_stage_shown (stage), ==, SL_SHOWN_RECORDING);
  sl_stage_show_lesson (stage);
  WAIT (sl_session_state (sl_stage_lesson (stage)) == SL_RUNNING);
}

/* A run of the overview waits behind a pair as the others do. */
static void
test_closer (Fixture *f, gconstpointer data)
{
  SlStage   *stage = f->stage;
  SlSession *closer;

  sl_stage_show_closer (stage, sl_lab_find ("experts"));
  closer = sl_stage_session (stage);
  g_assert_true (sl_stage_is_closer (stage, closer));
  WAIT (sl_session_state (closer) == SL_RUNNING);
  sl_stage_begin_pair (stage);
  g_assert_false (sl_session_goes (closer));
  sl_stage_back (stage);
  g_assert_true (sl_stage_session (stage) == closer);
  WAIT (sl_session_state (closer) == SL_RUNNING);
  sl_stage_back (stage);
  g_assert_cmpint (sl_stage_shown (stage), ==, SL_SHOWN_OVERVIEW);
  g_assert_true (sl_stage_is_running (stage));
}

/* Each change of place says the same signals, in this order, and each new run. */
static void
test_signals (Fixture *f, gconstpointer data)
{
  SlSession *own = sl_stage_own (f->stage);
  unsigned   generation = sl_session_generation (own);

  g_string_truncate (f->order, 0);
  sl_stage_show_lesson (f->stage);
  g_assert_cmpstr (f->order->str, ==, "lnhsp");
  g_string_truncate (f->order, 0);
  sl_stage_show_lesson (f->stage);
  g_assert_cmpstr (f->order->str, ==, "");
  sl_stage_show_own (f->stage);
  g_string_truncate (f->order, 0);
  sl_stage_show_list (f->stage);
  g_assert_cmpstr (f->order->str, ==, "lhsp");
  sl_stage_back (f->stage);
  g_string_truncate (f->order, 0);
  f->restarted = 0;
  sl_stage_rewind (f->stage);
  WAIT (sl_session_generation (own) != generation && f->restarted > 0);
  g_assert_nonnull (strstr (f->order->str, "lrsp"));
}

/* A stored run ends where it ended, and what was the limit before is it again. */
static void
test_limit (Fixture *f, gconstpointer data)
{
  SlSession  *own = sl_stage_own (f->stage);
  SlStoredEnd end;

  sl_session_set_limit (own, 77);
  sl_stage_open_figure (f->stage, f->figure);
  WAIT (sl_stage_shown (f->stage) == SL_SHOWN_STORED);
  g_assert_true (sl_stage_stored (f->stage, &end));
  g_assert_cmpuint (end.limit, ==, 0);
  g_assert_false (end.has_curves);
  sl_stage_rewind (f->stage);
  WAIT (!sl_stage_stored (f->stage, NULL));
  g_assert_cmpint (sl_stage_shown (f->stage), ==, SL_SHOWN_LAB);
  g_assert_cmpuint (sl_session_info (own)->limit, ==, 77);
}

/* A lab that is chosen again has its run of before, with a store; both are shown where they are. */
static void
test_labs (Fixture *f, gconstpointer data)
{
  Place            place;
  SlStage         *stage = f->stage;
  SlSession       *own = sl_stage_own (stage);
  g_autofree char *uuid = NULL;

  choose_place (&place);
  open_store (&place);
  sl_stage_set_store (stage, place.store);
  sl_stage_set_going_on (stage, TRUE);
  sl_stage_run (stage);
  WAIT (sl_session_info (own)->step > 10);
  uuid = g_strdup (sl_session_uuid (own));
  sl_stage_choose_lab (stage, sl_lab_find ("prefix-tree"));
  WAIT (sl_session_lab (own) == sl_lab_find ("prefix-tree") && sl_session_info (own)->step > 0);
  sl_stage_choose_lab (stage, sl_lab_find ("sign-estimator"));
  WAIT (sl_session_lab (own) == sl_lab_find ("sign-estimator") && !sl_session_is_loading (own));
  g_assert_cmpstr (sl_session_uuid (own), ==, uuid);
  g_assert_cmpuint (sl_session_info (own)->step, >, 10);
  WAIT (sl_session_state (own) == SL_RUNNING);
  sl_stage_show_overview (stage);
  sl_stage_resume (stage, uuid, TRUE);
  WAIT (sl_stage_shown (stage) == SL_SHOWN_LAB);
  drop_stage (f);
  WAIT (G_OBJECT (place.store)->ref_count == 1);
  tear_down_place (&place, NULL);
}

static gboolean
offers_experts (const SlLab *lab, gpointer unused)
{
  return lab == sl_lab_find ("experts");
}

static void
count (unsigned *locked)
{
  (*locked)++;
}

/* A lab that is not offered is reached in no way; the runs that are there stay, and lessons are free. */
static void
test_locked (Fixture *f, gconstpointer data)
{
  SlStage     *stage = f->stage;
  const SlLab *tree = sl_lab_find ("prefix-tree");
  SlSettings   settings = small (tree);
  SlSession   *own = sl_stage_own (stage);
  unsigned     locked = 0, generation = sl_session_generation (own);

  g_signal_connect_swapped (stage, "locked", G_CALLBACK (count), &locked);
  sl_stage_set_offers (stage, offers_experts, NULL);
  sl_stage_choose_lab (stage, tree);
  g_assert_cmpuint (locked, ==, 1);
  sl_stage_begin (stage, tree, &settings, "moons:points=100", 1);
  g_assert_cmpuint (locked, ==, 2);
  g_assert_false (sl_stage_show_closer (stage, sl_lab_find ("sign-estimator")));
  g_assert_cmpuint (locked, ==, 3);
  sl_stage_open_figure (stage, f->figure); /* of the sign estimator */
  WAIT (locked == 4);
  g_assert_cmpint (sl_stage_shown (stage), ==, SL_SHOWN_LAB);
  g_assert_cmpuint (sl_session_generation (own), ==, generation);
  sl_stage_show_lesson (stage);
  g_assert_cmpint (sl_stage_shown (stage), ==, SL_SHOWN_LESSON);
  sl_stage_choose_lab (stage, sl_lab_find ("experts"));
  WAIT (sl_session_lab (own) == sl_lab_find ("experts"));
  g_assert_true (sl_stage_show_closer (stage, sl_lab_find ("experts")));
  g_assert_cmpuint (locked, ==, 4);
  g_signal_handlers_disconnect_by_data (stage, &locked);
}

int
main (int argc, char **argv)
{
  static const char *const names[N_CONDITIONS]
    = { "/stage/walk/training", "/stage/walk/paused", "/stage/walk/ended", "/stage/walk/loading" };

  /* Without pictures that may be installed, the runs of the overview are on digits, which are there at once. */
  g_setenv ("HOME", "/nonexistent", TRUE);
  g_setenv ("XDG_DATA_HOME", "/nonexistent", TRUE);
  g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < N_CONDITIONS; i++)
    g_test_add (names[i], Fixture, GINT_TO_POINTER (i + 1), set_up, test_walk, tear_down);
  g_test_add ("/stage/table", Fixture, NULL, set_up, test_table, tear_down);
  g_test_add ("/stage/nothing", Fixture, NULL, set_up, test_nothing, tear_down);
#define ADD(name, run) g_test_add (name, Fixture, "run", set_up, run, tear_down)
  ADD ("/stage/end", test_end);
  ADD ("/stage/way", test_way);
  ADD ("/stage/closer", test_closer);
  ADD ("/stage/signals", test_signals);
  ADD ("/stage/limit", test_limit);
  ADD ("/stage/labs", test_labs);
  ADD ("/stage/locked", test_locked);
#undef ADD
  return g_test_run ();
}
