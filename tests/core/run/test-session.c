/* SPDX-License-Identifier: MIT
 *
 * The session with a real thread and a real main context, on a lab of random walks that costs
 * nothing and, for replays and data, on a registered one.  */
#include "core/run/session/session.h"

#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/base/spsc.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/base/error.h"
#include "core/run/files/table.h"
#include "core/run/headless/headless.h"
#include "core/train/gradcheck.h"
#include "core/train/trainer.h"
#include "tests/core/run/walk-lab.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

/* ---- helpers ---- */

static SlSettings
walk_settings (void)
{
  SlSettings settings;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  return settings;
}

static void
wait_for_state (SlSession *session, SlSessionState state)
{
  while (sl_session_state (session) != state || sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
}

/* Whether the session still has its timeout. */
static gboolean
is_busy (SlSession *session)
{
  return g_main_context_find_source_by_user_data (NULL, session) != NULL;
}

static void
wait_idle (SlSession *session)
{
  while (is_busy (session))
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_steps (SlSession *session, uint64_t steps)
{
  while (sl_session_info (session)->step < steps)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_flags (SlSession *session, unsigned n)
{
  while (sl_session_record (session)->n_flags < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
set_number (SlSession *session, const char *id, double number)
{
  SlValue value = { .n = 1, .v = { number } };
  GError *error = NULL;

  g_assert_true (sl_session_set (session, id, &value, &error));
  g_assert_no_error (error);
}

static const SlSeries *
channel (SlSession *session, const char *id)
{
  const SlRecord *record = sl_session_record (session);
  int             c = sl_layout_find (&record->layout, id);

  g_assert_cmpint (c, >=, 0);
  return &record->series[c];
}

static char *
csv (SlSession *session)
{
  return sl_table_csv (sl_session_record (session), 0.0, HUGE_VAL);
}

/* A run of the walk lab to its limit. */
static SlSession *
walk_to (const SlSettings *settings, uint64_t seed, uint64_t limit)
{
  SlSession *session = sl_session_new ();

  sl_session_set_limit (session, limit);
  sl_session_start (session, &sl_walk_lab, settings, NULL, seed, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  return session;
}

static void
count (SlSession *session, unsigned *counter)
{
  ++*counter;
}

/* ---- queues that there is no memory for ---- */

static bool no_memory;

SlStatus __real_sl_spsc_init (SlSpsc *ring, size_t capacity, size_t element);
SlStatus __wrap_sl_spsc_init (SlSpsc *ring, size_t capacity, size_t element);

SlStatus
__wrap_sl_spsc_init (SlSpsc *ring, size_t capacity, size_t element)
{
  return no_memory ? sl_status_no_memory ("queue") : __real_sl_spsc_init (ring, capacity, element);
}

/* ---- tests ---- */

/* A run that there is no memory for is refused in words; once there is some, the session trains. */
static void
test_no_memory (void)
{
  SlSettings settings = walk_settings ();
  g_autoptr (SlSession) session = sl_session_new ();

  no_memory = true;
  sl_session_set_limit (session, 50);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  while (sl_session_error (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_ENOMEM);
  g_assert_cmpint (sl_session_state (session), ==, SL_FAILED);
  no_memory = false;
  sl_session_clear_error (session);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 50);
}

/* A run that has nothing left to do is finished without a limit, and says why. */
static void
test_ends (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();
  char       text[SL_MESSAGE_SIZE];

  settings.value[WALK_END].v[0] = 20;
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  for (unsigned i = 0; i < 2; i++)
    {
      wait_for_state (session, SL_FINISHED);
      wait_idle (session);
      g_assert_cmpuint (sl_session_info (session)->step, ==, 20);
      sl_message_show (sl_session_info (session)->ended.packed, NULL, text, sizeof text);
      g_assert_cmpstr (text, ==, "home after 20 steps");
      sl_session_step (session); /* there is none */
    }

  /* Begun anew with another setting it goes on, as it went until its end. */
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_cmpuint (sl_session_generation (session), ==, 1);
  set_number (session, "burst", 3);
  while (sl_session_generation (session) == 1)
    g_main_context_iteration (NULL, TRUE);
  wait_for_state (session, SL_FINISHED);
  g_assert_null (sl_session_error (session));
  g_object_unref (session);
}

/* A lab that trains nothing has no gradient, ends without a window too, and takes no update more. */
static void
test_nothing_trained (void)
{
  SlPlan        plan = { .lab = &sl_walk_lab, .settings = walk_settings (), .seed = 1 };
  SlHeadlessRun run;
  SlGradcheck   check;
  SlStatus      status;
  SlSink        sink = { 0 };

  plan.changes = g_array_new (FALSE, FALSE, sizeof (SlPlannedChange));
  plan.settings.value[WALK_END].v[0] = 20;
  status = sl_headless_open (&run, &plan, NULL);
  g_assert_true (sl_ok (&status));
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (sl_trainer_steps (run.trainer), ==, 20);
  status = sl_gradcheck (sl_trainer_state (run.trainer), 1e-3, 0, &check);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  status = sl_trainer_step (run.trainer, &sink);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpuint (sl_trainer_steps (run.trainer), ==, 20);
  sl_headless_clear (&run);
  g_array_unref (plan.changes);
}

/* A run with a pace waits between updates, and a change of it is not waited for. */
static void
test_pace (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();

  settings.value[WALK_PACE].v[0] = 1e-3; /* an update in a thousand seconds */
  sl_session_set_limit (session, 500);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  wait_for_steps (session, 1);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 1);
  g_assert_cmpint (sl_session_state (session), ==, SL_RUNNING);
  set_number (session, "pace", 0);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 500);
  g_assert_true (sl_session_info (session)->ended.packed[0] == '\0');
  g_object_unref (session);
}

/* A slow run can be looked back on: its checkpoints come by the clock, not by the time that updates take. */
static void
test_slow_checkpoints (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();
  unsigned   n;

  settings.value[WALK_PACE].v[0] = 100.0;
  sl_session_set_limit (session, 100); /* a second */
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  sl_session_checkpoints (session, &n);
  g_assert_cmpuint (n, >=, 3);
  g_object_unref (session);
}

static void
test_trains (void)
{
  SlSettings      settings = walk_settings ();
  SlSession      *session = sl_session_new ();
  unsigned        restarted = 0, changed = 0;
  const SlSeries *place;

  g_assert_null (sl_session_lab (session));
  g_assert_null (sl_session_recipe (session));
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_signal_connect (session, "restarted", G_CALLBACK (count), &restarted);
  g_signal_connect (session, "changed", G_CALLBACK (count), &changed);
  sl_session_set_limit (session, 500);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 7, TRUE);
  g_assert_cmpint (sl_session_state (session), ==, SL_LOADING);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);

  g_assert_cmpuint (restarted, ==, 1);
  g_assert_cmpuint (changed, >, 0);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 500);
  g_assert_cmpfloat (sl_session_info (session)->progress.examples, ==, 500.0);
  g_assert_cmpfloat (sl_session_info (session)->seconds, >, 0.0);
  g_assert_cmpfloat (sl_session_info (session)->steps_per_second, >, 0.0);
  sl_assert_near (sl_session_info (session)->gflops,
                  4e-9 * sl_session_info (session)->steps_per_second, 1e-9, 0.0);
  g_assert_cmpuint (sl_session_seed (session), ==, 7);
  for (unsigned k = 1; k <= 2; k++)
    {
      place = channel (session, k == 1 ? "walks.place.1" : "walks.place.2");
      g_assert_cmpuint (place->n, ==, 500);
      for (unsigned i = 0; i < 500; i++)
        g_assert_cmpfloat (place->step[i], ==, i + 1.0);
    }

  /* A later limit lets it go on. */
  sl_session_run (session);
  wait_idle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_FINISHED);
  sl_session_set_limit (session, 600);
  wait_for_state (session, SL_PAUSED);
  sl_session_run (session);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, 600);
  g_assert_finalize_object (session);
}

static void
test_same_seed (void)
{
  SlSettings settings = walk_settings ();
  SlSession *a = walk_to (&settings, 3, 2000), *b = walk_to (&settings, 3, 2000),
            *c = walk_to (&settings, 4, 2000);
  char *text_a = csv (a), *text_b = csv (b), *text_c = csv (c);

  g_assert_cmpstr (text_a, ==, text_b);
  g_assert_cmpstr (text_a, !=, text_c);

  /* Rewinding is starting again. */
  sl_session_start (a, sl_session_lab (a), sl_session_settings (a), NULL, sl_session_seed (a),
                    TRUE);
  wait_for_state (a, SL_FINISHED);
  wait_idle (a);
  g_free (text_a);
  text_a = csv (a);
  g_assert_cmpstr (text_a, ==, text_b);
  g_assert_cmpuint (sl_session_generation (a), ==, 2);
  g_free (text_a);
  g_free (text_b);
  g_free (text_c);
  g_object_unref (a);
  g_object_unref (b);
  g_object_unref (c);
}

static void
test_pause_and_step (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();
  uint64_t   step;

  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, FALSE);
  wait_for_state (session, SL_PAUSED);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 1);

  sl_session_run (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_RUNNING);
  wait_for_steps (session, 100);
  sl_session_pause (session);
  wait_idle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  step = sl_session_info (session)->step;
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, step);

  for (unsigned i = 0; i < 5; i++)
    sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, step + 5);
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, step + 5);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);

  /* A run that is stopped keeps its record and can go on. */
  sl_session_run (session);
  wait_for_steps (session, step + 100);
  sl_session_stop (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_assert_false (is_busy (session));
  step = sl_session_info (session)->step;
  g_assert_cmpuint (channel (session, "walks.rate")->n, >=, step);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, sl_session_info (session)->step);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_assert_finalize_object (session);
}

/* The flag stands at the first update that used the new value, and that is what the samples
 * say.  */
static void
test_live_change (void)
{
  SlSettings      settings = walk_settings ();
  SlSession      *session = sl_session_new ();
  const SlRecord *record = sl_session_record (session);
  const SlSeries *rate;
  SlValue         rank = { .n = 1, .v = { 5 } };
  GError         *error = NULL;
  size_t          at;
  unsigned        flagged = 0;

  g_signal_connect (session, "flagged", G_CALLBACK (count), &flagged);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
  wait_for_steps (session, 50);
  set_number (session, "rate", 0.5);
  g_assert_cmpfloat (sl_session_settings (session)->value[WALK_RATE].v[0], ==, 0.5);
  wait_for_flags (session, 1);
  g_assert_cmpuint (flagged, ==, 1);
  g_assert_cmpstr (sl_english_text (record->flag[0].text), ==, "Rate 0.1 → 0.5");
  wait_for_steps (session, (uint64_t) record->flag[0].step + 10);
  sl_session_pause (session);
  wait_idle (session);
  rate = channel (session, "walks.rate");
  at = sl_series_find (rate, record->flag[0].step);
  g_assert_cmpuint (at, >, 0);
  g_assert_cmpfloat (rate->value[at - 1], ==, 0.1);
  g_assert_cmpfloat (rate->value[at], ==, 0.5);

  /* A list is brought to its length; the same value again is no change. */
  g_assert_true (sl_session_set (session, "rank", &rank, &error));
  wait_idle (session);
  set_number (session, "rank", 5);
  wait_idle (session);
  g_assert_cmpuint (record->n_flags, ==, 2);
  g_assert_cmpstr (sl_english_text (record->flag[1].text), ==, "Rank 50-35 → 5-5");
  g_assert_cmpuint (sl_session_settings (session)->value[WALK_RANK].n, ==, 2);

  /* Changes of one drag, seen in one drain but carried out one by one, are one flag. */
  for (unsigned i = 1; i <= 5; i++)
    {
      set_number (session, "rate", 0.5 + i);
      sl_session_score (session, SL_TEST);
    }
  set_number (session, "kind", 1);
  wait_idle (session);
  g_assert_cmpuint (record->n_flags, ==, 4);
  g_assert_cmpstr (sl_english_text (record->flag[2].text), ==, "Rate 0.5 → 5.5");
  g_assert_cmpstr (sl_english_text (record->flag[3].text), ==, "Kind Fair → Upwards only");

  /* Refusals. */
  rank.v[0] = 5000;
  g_assert_false (sl_session_set (session, "rank", &rank, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  g_assert_false (sl_session_set (session, "rnak", &rank, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  wait_idle (session);
  g_assert_cmpuint (record->n_flags, ==, 4);
  g_assert_finalize_object (session);
}

/* A parameter that was set just before the end is set, whether or not the thread had come to it. */
static void
test_set_before_the_end (void)
{
  SlSettings      settings = walk_settings ();
  SlSession      *session = sl_session_new ();
  const SlRecord *record = sl_session_record (session);

  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
  for (unsigned i = 0; i < 20; i++)
    {
      wait_for_steps (session, sl_session_info (session)->step + 50);
      /* One and the other, as values of one in quick succession are one change. */
      set_number (session, i % 2 == 0 ? "rate" : "kind", i % 2 == 0 ? 0.5 + i : (i / 2 + 1) % 2);
      sl_session_stop (session);
      g_assert_cmpuint (record->n_flags, ==, i + 1);
      sl_session_run (session);
    }
  g_assert_finalize_object (session);
}

/* More changes than the command ring holds, from a main thread that never waits: the last one
 * of each parameter counts.  */
static void
test_flood (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();

  settings.value[WALK_WORK].v[0] = 1e6; /* slow steps */
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
  wait_for_steps (session, 1);
  for (unsigned i = 1; i <= 3000; i++)
    {
      set_number (session, "rate", i);
      set_number (session, "kind", i % 2);
    }
  sl_session_pause (session);
  wait_idle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpfloat (sl_session_settings (session)->value[WALK_RATE].v[0], ==, 3000.0);
  g_assert_cmpfloat (channel (session, "walks.rate")->value[channel (session, "walks.rate")->n - 1],
                     ==, 3000.0);
  g_assert_no_error (sl_session_error (session));
  g_assert_finalize_object (session);
}

/* A parameter that needs new weights begins a new run on the same seed. */
static void
test_restart_parameter (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = walk_to (&settings, 11, 50);
  SlValue    layers = { .n = 3, .v = { 9, 9, 2 } };
  GError    *error = NULL;

  set_number (session, "rate", 2.0);
  wait_idle (session);
  g_assert_true (sl_session_set (session, "layers", &layers, &error));
  g_assert_true (sl_session_is_loading (session));
  /* While it loads: the old run is still there, and a live change reaches both. */
  g_assert_cmpuint (sl_session_generation (session), ==, 1);
  set_number (session, "rate", 3.0);
  wait_idle (session);
  g_assert_cmpuint (sl_session_generation (session), ==, 2);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_assert_cmpuint (sl_session_seed (session), ==, 11);
  g_assert_cmpuint (sl_session_settings (session)->value[WALK_RANK].n, ==, 3);
  g_assert_cmpuint (channel (session, "walks.place.3")->n, ==, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (channel (session, "walks.place.3")->n, ==, 1);
  g_assert_cmpfloat (channel (session, "walks.rate")->value[0], ==, 3.0);
  g_assert_finalize_object (session);
}

/* The last of several starts counts, however they fall into each other's loading. */
static void
test_last_start_counts (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();
  unsigned   restarted = 0;

  g_signal_connect (session, "restarted", G_CALLBACK (count), &restarted);
  for (uint64_t seed = 1; seed <= 20; seed++)
    sl_session_start (session, &sl_walk_lab, &settings, NULL, seed, FALSE);
  wait_idle (session);
  g_assert_cmpuint (restarted, ==, 1);
  g_assert_cmpuint (sl_session_seed (session), ==, 20);
  for (uint64_t seed = 21; seed <= 40; seed++)
    {
      sl_session_start (session, &sl_walk_lab, &settings, NULL, seed, TRUE);
      for (unsigned i = 0; i < seed % 4; i++)
        g_main_context_iteration (NULL, TRUE);
    }
  wait_for_state (session, SL_RUNNING);
  g_assert_cmpuint (sl_session_seed (session), ==, 40);
  g_assert_finalize_object (session);
}

/* A change that begins a new run comes when a run of another lab is on its way already, as at the end of a
 * drag: the lab that was asked for last is the one that comes.  */
static void
test_another_lab_on_its_way (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings = walk_settings (), others;
  SlSession   *session = sl_session_new ();
  unsigned     restarted = 0;

  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
  wait_for_steps (session, 10);
  g_signal_connect (session, "restarted", G_CALLBACK (count), &restarted);
  sl_settings_default (&others, lab->params, lab->n_params);
  sl_session_start (session, lab, &others, "moons:points=300", 1, FALSE);
  set_number (session, "work", 3);
  g_assert_cmpfloat (sl_session_settings (session)->value[WALK_WORK].v[0], ==, 0);
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (sl_session_lab (session) == lab);
  g_assert_cmpuint (restarted, ==, 1);
  g_assert_finalize_object (session);
}

static unsigned
threads_at (int niceness)
{
  GDir       *tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  unsigned    n = 0;

  while ((name = g_dir_read_name (tasks)) != NULL)
    n += getpriority (PRIO_PROCESS, (id_t) atoi (name)) == niceness;
  g_dir_close (tasks);
  return n;
}

/* What nobody looks at gives way, and what somebody looks at does not. */
/* Begun again while it is loaded, it has the parameter that was set last; whoever waits for it has it then, and
 * stopping after that loses nothing.  */
static void
test_loading_is_waited_for (void)
{
  SlSession   *session = sl_session_new ();
  const SlLab *lab = sl_lab_find ("sign-estimator");
  int          hidden = sl_param_find (lab->params, lab->n_params, "hidden");
  SlSettings   settings;
  SlValue      value;

  sl_settings_default (&settings, lab->params, lab->n_params);
  value = (SlValue) { .n = 2, .v = { 9, 7 } };
  sl_session_restart (session, NULL, 5, TRUE); /* nothing is there to be begun again */
  g_assert_false (sl_session_is_loading (session));
  sl_session_start (session, lab, &settings, "moons:points=300", 5, TRUE);
  g_assert_true (sl_session_goes (session));
  sl_session_pause (session);
  g_assert_false (sl_session_goes (session));
  g_assert_true (sl_session_set (session, "hidden", &value, NULL));
  sl_session_restart (session, NULL, 6, TRUE);
  g_assert_true (sl_session_goes (session));
  sl_session_settle (session);
  g_assert_false (sl_session_is_loading (session));
  g_assert_cmpint (sl_session_state (session), ==, SL_RUNNING);
  g_assert_cmpuint (sl_session_seed (session), ==, 6);
  g_assert_cmpstr (sl_session_spec (session), ==, "moons:points=300");
  g_assert_true (sl_value_same (&sl_session_settings (session)->value[hidden], &value));

  sl_session_stop (session);
  g_assert_false (sl_session_goes (session));
  sl_session_run (session);
  wait_for_steps (session, 3);
  sl_session_restart (session, "rings:points=300", 6, FALSE);
  sl_session_settle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_assert_cmpstr (sl_session_spec (session), ==, "rings:points=300");
  g_assert_cmpuint (sl_session_generation (session), ==, 2);
  g_object_unref (session);
}

static void
test_niceness (void)
{
  SlSettings settings = walk_settings ();
  int        ours = getpriority (PRIO_PROCESS, 0);

  if (ours >= SL_NICE_UNSEEN)
    {
      g_test_skip ("the test itself is nice");
      return;
    }
  for (int unseen = 0; unseen < 2; unseen++)
    {
      SlSession *session = sl_session_new ();

      if (unseen)
        sl_session_set_unseen (session);
      sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
      wait_for_steps (session, 10);
      g_assert_cmpuint (threads_at (SL_NICE_UNSEEN), ==, unseen);
      g_assert_finalize_object (session);
    }
}

/* The main thread does not look for a while; the trainer has to wait, and nothing is lost. */
static void
test_full_queue (void)
{
  enum { BURST = 3000 };
  SlSettings      settings = walk_settings ();
  SlSession      *session = sl_session_new ();
  const SlSeries *first, *second;

  settings.value[WALK_BURST].v[0] = BURST;
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 5, TRUE);
  wait_for_state (session, SL_RUNNING);
  while (sl_session_info (session)->waits == 0)
    {
      g_usleep (100000);
      g_main_context_iteration (NULL, TRUE);
    }
  sl_session_pause (session);
  wait_idle (session);
  first = channel (session, "walks.place.1");
  second = channel (session, "walks.place.2");
  g_assert_cmpuint (first->n, ==, BURST * sl_session_info (session)->step);
  g_assert_cmpuint (second->n, ==, first->n);
  for (size_t i = 0; i < first->n; i++)
    {
      g_assert_cmpfloat (first->step[i], ==, (double) (i / BURST) + 1.0);
      sl_assert_near (first->value[i] - first->value[i / BURST * BURST], (double) (i % BURST), 0.0,
                      1e-6);
    }
  g_assert_finalize_object (session);
}

/* Every moment is a moment to close the window. */
static void
test_dispose_anywhere (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "dispose");
  for (unsigned round = 0; round < 60; round++)
    {
      SlSession *session = sl_session_new ();
      SlSettings settings = walk_settings ();
      unsigned   acts = (unsigned) sl_rng_below (&rng, 12);

      settings.value[WALK_BURST].v[0] = round % 5 == 0 ? 5000 : 1;
      for (unsigned act = 0; act < acts; act++)
        {
          switch (sl_rng_below (&rng, 10))
            {
            case 0:
            case 1:
              sl_session_start (session, &sl_walk_lab, &settings, NULL, round, act % 3 > 0);
              break;
            case 2: sl_session_run (session); break;
            case 3: sl_session_pause (session); break;
            case 4: sl_session_step (session); break;
            case 5: sl_session_score (session, SL_VALID); break;
            case 6: sl_session_watch (session, WALK_PANEL_PLACES, act % 2 == 0); break;
            case 7: sl_session_rescue (session, act); break;
            case 8:
              if (sl_session_lab (session) != NULL)
                set_number (session, act % 2 == 0 ? "rate" : "work", act);
              break;
            case 9:
              if (act % 4 == 0)
                sl_session_stop (session);
              break;
            }
          for (uint64_t i = sl_rng_below (&rng, 4); i > 0 && is_busy (session); i--)
            g_main_context_iteration (NULL, i % 2 == 0);
        }
      g_assert_finalize_object (session);
    }
}

static void
drop (SlSession *session, SlSession **mine)
{
  g_clear_object (mine);
}

/* A handler may close the window, too. */
static void
test_dispose_in_handler (void)
{
  static const char *const names[] = { "restarted", "changed", "flagged" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlSettings settings = walk_settings ();
      SlSession *session = sl_session_new ();

      sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
      wait_for_state (session, SL_RUNNING);
      set_number (session, "rate", 9.0);
      /* What the old run still had to say goes with it, so the third signal would not come. */
      if (i < 2)
        sl_session_start (session, &sl_walk_lab, &settings, NULL, 2, TRUE);
      g_signal_connect (session, names[i], G_CALLBACK (drop), &session);
      while (session != NULL)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_diverges (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = sl_session_new ();
  char      *before, *after;
  SlSession *clean;

  settings.value[WALK_DIVERGE].v[0] = 300;
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 8, TRUE);
  wait_for_state (session, SL_DIVERGED);
  wait_idle (session);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_EDIVERGED);
  g_assert_nonnull (strstr (sl_session_error (session)->message, "step 300"));
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, 300);
  before = csv (session);

  /* It does not go on by itself or by running. */
  sl_session_run (session);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_DIVERGED);
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, 300);

  /* Back, and the same way forward again, bit for bit. */
  g_assert_true (sl_session_rescue (session, 200));
  wait_idle (session);
  g_assert_cmpint (sl_session_state (session), ==, SL_PAUSED);
  g_assert_no_error (sl_session_error (session));
  g_assert_cmpuint (sl_session_info (session)->step, <=, 200);
  g_assert_cmpuint (channel (session, "walks.rate")->n, ==, sl_session_info (session)->step);
  sl_session_run (session);
  wait_for_state (session, SL_DIVERGED);
  wait_idle (session);
  after = csv (session);
  g_assert_cmpstr (before, ==, after);
  g_free (before);
  g_free (after);

  /* The way out: back, and what diverges taken away; then it is as if nothing had been. */
  settings.value[WALK_DIVERGE].v[0] = 0;
  set_number (session, "diverge", 0);
  sl_session_set_limit (session, 400);
  wait_for_state (session, SL_PAUSED);
  sl_session_run (session);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  clean = walk_to (&settings, 8, 400);
  before = csv (clean);
  after = csv (session);
  g_assert_cmpstr (before, ==, after);
  g_free (before);
  g_free (after);
  g_object_unref (clean);
  g_assert_finalize_object (session);
}

/* Changes made after the checkpoint are taken back with everything else. */
static void
test_rescue_takes_changes_back (void)
{
  SlSettings settings = walk_settings ();
  SlSession *session = walk_to (&settings, 2, 60);

  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 0);
  set_number (session, "rate", 4.0);
  sl_session_set_limit (session, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1);
  g_assert_cmpfloat (sl_session_record (session)->flag[0].step, ==, 61.0);
  g_assert_true (sl_session_rescue (session, 31));
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, <=, 31);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 0);
  g_assert_cmpfloat (sl_session_settings (session)->value[WALK_RATE].v[0], ==, 0.1);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpfloat (channel (session, "walks.rate")->value[channel (session, "walks.rate")->n - 1],
                     ==, 0.1);
  g_assert_finalize_object (session);
}

static void
test_bad_data (void)
{
  SlSettings   settings = walk_settings (), plane;
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSession   *session = sl_session_new ();
  uint64_t     step;

  g_assert_nonnull (lab);
  sl_settings_default (&plane, lab->params, lab->n_params);

  /* Nothing ran before: it failed, and the next start is a fresh one. */
  sl_session_start (session, lab, &plane, "/nowhere/train-images", 1, TRUE);
  wait_for_state (session, SL_FAILED);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_EIO);
  g_assert_null (sl_session_lab (session));

  /* Something runs: it goes on, untouched. */
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, TRUE);
  wait_for_state (session, SL_RUNNING);
  g_assert_no_error (sl_session_error (session));
  sl_session_start (session, lab, &plane, "/nowhere/train-images", 1, TRUE);
  while (sl_session_error (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_EIO);
  g_assert_cmpint (sl_session_state (session), ==, SL_RUNNING);
  g_assert_true (sl_session_lab (session) == &sl_walk_lab);
  g_assert_cmpuint (sl_session_generation (session), ==, 1);
  step = sl_session_info (session)->step;
  wait_for_steps (session, step + 100);
  sl_session_clear_error (session);
  g_assert_no_error (sl_session_error (session));

  /* The same for settings that the lab refuses. */
  set_number (session, "layers", 13);
  while (sl_session_error (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_EINVAL);
  g_assert_cmpfloat (sl_session_settings (session)->value[WALK_LAYERS].v[0], ==, 8.0);
  step = sl_session_info (session)->step;
  wait_for_steps (session, step + 100);
  g_assert_finalize_object (session);
}

static void
test_watch (void)
{
  SlSettings      settings = walk_settings ();
  SlSession      *session = walk_to (&settings, 6, 40);
  const SlRecord *record = sl_session_record (session);

  g_assert_false (record->has_snapshot[WALK_PANEL_PLACES]);
  sl_session_watch (session, WALK_PANEL_PLACES, TRUE);
  wait_idle (session);
  g_assert_true (record->has_snapshot[WALK_PANEL_PLACES]);
  g_assert_cmpuint (record->snapshot[WALK_PANEL_PLACES].step, ==, 40);
  sl_assert_near (record->snapshot[WALK_PANEL_PLACES].data[2],
                  channel (session, "walks.place.1")->value[39], 0.0, 0.0);

  /* The picture follows single steps, and running ones. */
  sl_session_set_limit (session, 0);
  sl_session_step (session);
  wait_idle (session);
  g_assert_cmpuint (record->snapshot[WALK_PANEL_PLACES].step, ==, 41);
  sl_session_run (session);
  while (record->snapshot_version[WALK_PANEL_PLACES] < 5)
    g_main_context_iteration (NULL, TRUE);
  sl_session_pause (session);
  wait_idle (session);
  g_assert_cmpuint (record->snapshot[WALK_PANEL_PLACES].step, ==, sl_session_info (session)->step);
  g_assert_finalize_object (session);
}

enum { SLOW_PANELS = 12 };

static SlStatus (*walk_step) (SlLabState *state, SlSink *sink);
static SlProbePanel walk_probe;

/* Keeps the processor busy for a while, as an update or a probe does. */
static void
work_for (double seconds)
{
  double end = sl_clock_wall () + seconds;

  while (sl_clock_wall () < end)
    ;
}

static SlStatus
slow_step (SlLabState *state, SlSink *sink)
{
  work_for (0.001);
  return walk_step (state, sink);
}

static void
slow_probe (SlProbe *probe)
{
  work_for (0.004);
  walk_probe (probe);
}

/* At the 600th update of a run whose pictures each take as long as four. */
static gboolean
no_picture_is_old (const SlLab *lab)
{
  SlSettings      settings = walk_settings ();
  SlSession      *session = sl_session_new ();
  const SlRecord *record;
  gboolean        fresh = TRUE;

  sl_session_start (session, lab, &settings, NULL, 1, TRUE);
  wait_for_steps (session, 1);
  for (unsigned p = 0; p < SLOW_PANELS; p++)
    sl_session_watch (session, p, TRUE);
  wait_for_steps (session, 600);
  record = sl_session_record (session);
  for (unsigned p = WALK_PANEL_PLACES; p < SLOW_PANELS; p++)
    {
      g_assert_true (record->has_snapshot[p]);
      if (8 * record->snapshot[p].step < sl_session_info (session)->step)
        fresh = FALSE;
    }
  g_assert_finalize_object (session);
  return fresh;
}

/* Of many pictures, none stays that of the first update.  A machine that stalls in the middle of one spoils
 * a try, as the pause after a picture is as long as the picture took; it does not spoil three.  */
static void
test_many_pictures (void)
{
  static SlLab lab;
  SlPanel      panels[SLOW_PANELS];
  SlProbePanel probes[SLOW_PANELS] = { NULL };
  char         id[SLOW_PANELS][16];
  unsigned     tries = 1;

  lab = sl_walk_lab;
  walk_step = lab.step;
  walk_probe = lab.probes[WALK_PANEL_PLACES];
  for (unsigned p = 0; p < SLOW_PANELS; p++)
    {
      panels[p] = lab.panels[MIN (p, (unsigned) WALK_PANEL_PLACES)];
      g_snprintf (id[p], sizeof id[p], "panel-%u", p);
      panels[p].id = id[p];
      probes[p] = p >= WALK_PANEL_PLACES ? slow_probe : NULL;
    }
  lab.panels = panels;
  lab.n_panels = SLOW_PANELS;
  lab.probes = probes;
  lab.step = slow_step;
  while (tries <= 3 && !no_picture_is_old (&lab))
    tries++;
  g_assert_cmpuint (tries, <=, 3);
}

/* The picture of one example is made anew at once, running or not, and the next run shows the same example. */
static void
test_example (void)
{
  const SlLab    *lab = sl_lab_find ("experts");
  unsigned        panel = (unsigned) sl_lab_panel (lab, "alive");
  SlSession      *session = sl_session_new ();
  const SlRecord *record;
  SlSettings      settings;
  uint64_t        data;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, "moons", 1, FALSE);
  wait_idle (session);
  record = sl_session_record (session);
  sl_session_watch (session, panel, TRUE);
  wait_idle (session);
  g_assert_true (record->has_snapshot[panel]);
  g_assert_nonnull (strchr (record->snapshot[panel].row_names, '1'));
  g_assert_cmpuint (sl_session_example (session), ==, 0);
  sl_session_set_example (session, 6);
  wait_idle (session);
  g_assert_nonnull (strchr (record->snapshot[panel].row_names, '7'));
  sl_session_restart (session, NULL, 2, FALSE);
  wait_idle (session);
  record = sl_session_record (session);
  g_assert_nonnull (strchr (record->snapshot[panel].row_names, '7'));
  g_assert_cmpuint (sl_session_example (session), ==, 6);
  /* Curves of a run are told apart by their data. */
  data = record->data;
  g_assert_cmpuint (data, !=, 0);
  sl_session_start (session, lab, &settings, "moons", 3, FALSE);
  wait_idle (session);
  g_assert_cmpuint (sl_session_record (session)->data, ==, data);
  sl_session_start (session, lab, &settings, "spirals", 3, FALSE);
  wait_idle (session);
  g_assert_cmpuint (sl_session_record (session)->data, !=, data);
  g_assert_finalize_object (session);
}

/* The window's way to run a lab and the command line's, watched or not, write the same table. */
static void
test_like_a_run_without_a_thread (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSession   *session = sl_session_new ();
  SlSettings   settings;
  SlDataset   *dataset;
  SlTrainer   *trainer;
  SlRecord     record;
  SlRecordSink sink;
  SlStatus     status;
  char        *got, *want;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set (&settings, lab->params, lab->n_params, "hidden", "12-8");
  g_assert_true (sl_ok (&status));
  status = sl_source_open ("moons:points=300", &dataset);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_new (&trainer, lab, &settings, dataset, 5);
  g_assert_true (sl_ok (&status));
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  sl_record_sink_init (&sink, &record);
  for (int i = 0; i < 333; i++)
    {
      status = sl_trainer_step (trainer, &sink.sink);
      g_assert_true (sl_ok (&status));
    }
  want = sl_table_csv (&record, 0, HUGE_VAL);

  sl_session_set_limit (session, 333);
  sl_session_start (session, lab, &settings, "moons:points=300", 5, TRUE);
  wait_for_steps (session, 1);
  for (unsigned p = 0; p < lab->n_panels; p++)
    sl_session_watch (session, p, TRUE);
  for (unsigned side = 40; side < 60; side++)
    sl_session_set_view (session, &(SlMapView) { .side = side, .patient = side % 2 == 0 });
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  got = csv (session);
  g_assert_cmpuint (strlen (want), >, 1000);
  g_assert_cmpstr (got, ==, want);

  g_free (got);
  g_free (want);
  g_object_unref (session);
  sl_record_sink_clear (&sink);
  sl_record_clear (&record);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* A run with changes on the way, from its recipe as text, in another session. */
static void
test_replay (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;
  SlSession   *session = sl_session_new (), *again = sl_session_new ();
  SlRecipe     recipe;
  GError      *error = NULL;
  char        *text, *want, *got;

  sl_settings_default (&settings, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].kind == SL_LIST && lab->params[p].each == NULL)
      settings.value[p] = (SlValue) { .n = 2, .v = { 12, 8 } };
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_session_set_limit (session, 150);
  sl_session_start (session, lab, &settings, "moons:points=300", 5, TRUE);
  wait_for_state (session, SL_FINISHED);

  /* One change at a known step, one while it runs. */
  set_number (session, "learning-rate", 0.01);
  sl_session_set_limit (session, 0);
  sl_session_run (session);
  wait_for_steps (session, 200);
  set_number (session, "learning-rate", 0.002);
  wait_for_flags (session, 1);
  wait_for_steps (session, 400);
  sl_session_set_limit (session, sl_session_info (session)->step + 500);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_no_error (sl_session_error (session));
  want = csv (session);

  text = sl_session_recipe (session);
  g_assert_true (sl_recipe_read (text, &recipe, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (recipe.step, ==, sl_session_info (session)->step);
  g_assert_cmpuint (recipe.changes->len, ==, 2);
  sl_session_set_limit (again, recipe.step);
  sl_session_replay (again, &recipe, TRUE);
  wait_for_state (again, SL_FINISHED);
  wait_idle (again);
  got = csv (again);
  g_assert_cmpstr (got, ==, want);
  g_free (got);
  got = sl_session_recipe (again);
  g_assert_cmpstr (got, ==, text);
  g_free (got);
  g_free (text);
  g_free (want);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
  g_assert_finalize_object (again);
}

/* ---- the clock ---- */

/* A change takes the figure away at once, and another one is there soon, also of a run that rests. */
static void
test_clock (void)
{
  SlSession     *session = sl_session_new ();
  const SlLab   *lab = sl_lab_find ("experts");
  SlSettings     settings;
  const SlTimes *times;
  SlValue        four = { .n = 1, .v = { 4 } };
  double         due;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, "digits:images=300", 1, FALSE);
  wait_for_state (session, SL_PAUSED);
  times = &sl_session_record (session)->times;
  due = sl_clock_wall () + 0.3;
  g_assert_cmpuint (times->batch, ==, 0);
  while (times->batch == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (sl_clock_wall (), >, due - 0.1);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 0);
  g_assert_true (sl_session_set (session, "k", &four, NULL));
  while (times->batch > 0)
    g_main_context_iteration (NULL, TRUE);
  while (times->batch == 0)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/clock", test_clock);
  sl_blas_set_threads (1);
  g_test_add_func ("/session/no-memory", test_no_memory);
  g_test_add_func ("/session/trains", test_trains);
  g_test_add_func ("/session/ends", test_ends);
  g_test_add_func ("/session/pace", test_pace);
  g_test_add_func ("/session/slow-checkpoints", test_slow_checkpoints);
  g_test_add_func ("/session/nothing-trained", test_nothing_trained);
  g_test_add_func ("/session/same-seed", test_same_seed);
  g_test_add_func ("/session/pause-and-step", test_pause_and_step);
  g_test_add_func ("/session/live-change", test_live_change);
  g_test_add_func ("/session/set-before-the-end", test_set_before_the_end);
  g_test_add_func ("/session/flood", test_flood);
  g_test_add_func ("/session/restart-parameter", test_restart_parameter);
  g_test_add_func ("/session/last-start-counts", test_last_start_counts);
  g_test_add_func ("/session/another-lab-on-its-way", test_another_lab_on_its_way);
  g_test_add_func ("/session/loading-is-waited-for", test_loading_is_waited_for);
  g_test_add_func ("/session/niceness", test_niceness);
  g_test_add_func ("/session/full-queue", test_full_queue);
  g_test_add_func ("/session/dispose-anywhere", test_dispose_anywhere);
  g_test_add_func ("/session/dispose-in-handler", test_dispose_in_handler);
  g_test_add_func ("/session/diverges", test_diverges);
  g_test_add_func ("/session/rescue-takes-changes-back", test_rescue_takes_changes_back);
  g_test_add_func ("/session/bad-data", test_bad_data);
  g_test_add_func ("/session/watch", test_watch);
  g_test_add_func ("/session/many-pictures", test_many_pictures);
  g_test_add_func ("/session/example", test_example);
  g_test_add_func ("/session/like-a-run-without-a-thread", test_like_a_run_without_a_thread);
  g_test_add_func ("/session/replay", test_replay);
  return g_test_run ();
}
