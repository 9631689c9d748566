/* SPDX-License-Identifier: MIT
 *
 * See walk.h.  */
#include "core/run/lesson/walk.h"

#include <math.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "core/run/headless/headless.h"
#include "core/run/lesson/formula.h"

typedef struct
{
  const SlLesson *lesson;
  uint64_t        turn;
  GHashTable     *kept;
  SlPlan          plan;
  SlHeadlessRun   run; /* of `plan`, while that has a lab */
  SlSettings      now; /* of the run */
  double          answer;
} Walk;

static void
end_run (Walk *walk)
{
  if (walk->plan.lab == NULL)
    return;
  sl_headless_clear (&walk->run);
  sl_plan_clear (&walk->plan);
  walk->plan.lab = NULL;
}

static SlStatus
begin_run (Walk *walk, const SlLessonState *state)
{
  end_run (walk);
  sl_plan_init (&walk->plan, state->lab);
  walk->plan.settings = walk->now = state->settings;
  walk->plan.data = g_strdup (state->data);
  walk->plan.seed = state->seed + walk->turn;
  walk->plan.threads = SL_LESSON_THREADS;
  return sl_headless_open (&walk->run, &walk->plan, NULL);
}

static gboolean
needs_new_run (const Walk *walk, const SlLessonStep *step, const SlLessonState *state)
{
  if (step->restart || walk->plan.lab != state->lab || walk->plan.seed != state->seed + walk->turn
      || g_strcmp0 (walk->plan.data, state->data) != 0)
    return TRUE;
  for (unsigned i = 0; i < state->lab->n_params; i++)
    if (state->lab->params[i].effect == SL_RESTART
        && !sl_value_same (&walk->now.value[i], &state->settings.value[i]))
      return TRUE;
  return FALSE;
}

static void
change_live (Walk *walk, const SlLessonState *state)
{
  SlPlannedChange change = { .when = (double) sl_trainer_steps (walk->run.trainer) };

  for (change.param = 0; change.param < state->lab->n_params; change.param++)
    if (!sl_value_same (&walk->now.value[change.param], &state->settings.value[change.param]))
      {
        change.value = walk->now.value[change.param] = state->settings.value[change.param];
        g_array_append_val (walk->run.waiting, change);
      }
}

static SlStatus
take_step (Walk *walk, const SlLessonStep *step, const SlLessonState *state)
{
  SlStatus status = SL_SUCCESS;

  if (needs_new_run (walk, step, state))
    status = begin_run (walk, state);
  else
    change_live (walk, state);
  if (!sl_ok (&status) || step->go != SL_GO_UNTIL)
    return status;
  walk->run.budget.steps = sl_trainer_steps (walk->run.trainer) + step->updates;
  return sl_headless_train (&walk->run, NULL, NULL);
}

static void
probe (Walk *walk, unsigned panel)
{
  const SlClock  *clock = walk->plan.lab->clock;
  const SlLayout *layout = &walk->run.record.layout;
  int             timed = clock != NULL ? sl_layout_find (layout, clock->channel) : -1;

  if (timed >= 0 && layout->channel[timed].panel == panel)
    sl_headless_time (&walk->run, NULL, NULL);
  sl_headless_probe (&walk->run, panel, NULL, NULL);
}

/* Fills the costly panels that the step shows. */
static void
probe_shown (Walk *walk, const SlLessonStep *step)
{
  const SlLab *lab = walk->plan.lab;

  for (char **id = step->show; id != NULL && *id != NULL; id++)
    {
      int panel = sl_lab_panel (lab, *id);

      if (panel >= 0 && !sl_panel_is_series (lab->panels[panel].kind))
        probe (walk, (unsigned) panel);
    }
}

/* ---- what was measured ---- */

/* A costly panel that no step shows is filled when a formula uses it. */
static double
read_channel (Walk *walk, const char *name, double at)
{
  const SlRecord *record = &walk->run.record;
  double          value;
  int             channel;

  if (walk->plan.lab == NULL || !sl_lesson_channel (record, name, at, &value))
    return (double) NAN;
  channel = sl_layout_find (&record->layout, name);
  if (!isnan (value) || record->layout.channel[channel].series)
    return value;
  probe (walk, record->layout.channel[channel].panel);
  sl_lesson_channel (record, name, at, &value);
  return value;
}

static gboolean
find_value (const char *name, double at, double *value, gpointer data)
{
  Walk         *walk = data;
  const double *kept = g_hash_table_lookup (walk->kept, name);

  *value = g_str_equal (name, "answer")                               ? walk->answer
           : g_str_equal (name, "guess") || g_str_equal (name, "off") ? (double) NAN
           : kept != NULL                                             ? *kept
                          : read_channel (walk, name, at);
  return TRUE;
}

static void
keep (Walk *walk, const SlLessonStep *step)
{
  for (guint i = 0; i < step->keep->len; i++)
    {
      const SlLessonKept *kept = g_ptr_array_index (step->keep, i);
      double              value;

      if (sl_formula_value (kept->formula, find_value, walk, &value, NULL))
        g_hash_table_insert (walk->kept, g_strdup (kept->name), g_memdup2 (&value, sizeof value));
    }
}

static void
check_claims (Walk *walk, const SlLessonStep *step, GArray *results)
{
  for (guint i = 0; i < step->holds->len; i++)
    {
      SlClaimResult result = { .claim = g_ptr_array_index (step->holds, i) };

      result.holds = sl_claim_holds (result.claim, find_value, walk, &result.left, &result.right);
      g_array_append_val (results, result);
    }
}

static void
tell_step (Walk *walk, unsigned number, SlLessonTell tell, gpointer data)
{
  const SlLessonStep *step = sl_lesson_step (walk->lesson, number);
  SlLessonResult      result = { .number = number };

  result.claims = g_array_new (FALSE, FALSE, sizeof (SlClaimResult));

  walk->answer = (double) NAN;
  if (step->question.kind == SL_ASK_NUMBER || step->question.kind == SL_ASK_CURVE)
    sl_formula_value (step->question.answer, find_value, walk, &walk->answer, NULL);
  if (walk->plan.lab != NULL)
    result.record = &walk->run.record;
  result.answer = walk->answer;
  result.text = sl_formula_fill (sl_words (step->text), find_value, walk, NULL);
  if (step->reveal != NULL)
    result.reveal = sl_formula_fill (sl_words (step->reveal), find_value, walk, NULL);
  if (step->question.kind != SL_ASK_NOTHING)
    result.prompt = sl_formula_fill (sl_words (step->question.prompt), find_value, walk, NULL);
  keep (walk, step);
  check_claims (walk, step, result.claims);
  tell (&result, data);
  g_array_unref (result.claims);
  g_free (result.prompt);
  g_free (result.text);
  g_free (result.reveal);
}

SlStatus
sl_lesson_walk (const SlLesson *lesson, unsigned turn, SlLessonTell tell, gpointer data)
{
  Walk     walk = { .lesson = lesson, .turn = turn };
  SlStatus status = SL_SUCCESS;
  unsigned threads = sl_blas_threads ();

  walk.kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (unsigned i = 0; i < lesson->steps->len && sl_ok (&status); i++)
    {
      const SlLessonStep *step = sl_lesson_step (lesson, i);
      SlLessonState       state;

      status = sl_lesson_state (lesson, i, &state);
      if (sl_ok (&status) && state.lab != NULL)
        status = take_step (&walk, step, &state);
      if (state.lab == NULL)
        end_run (&walk);
      else if (sl_ok (&status))
        probe_shown (&walk, step);
      if (sl_ok (&status))
        tell_step (&walk, i, tell, data);
      g_free (state.data);
    }
  end_run (&walk);
  g_hash_table_unref (walk.kept);
  sl_blas_set_threads (threads);
  return status;
}
