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

  /* Of a walk that is watched: */
  unsigned  moments; /* 0: it is not */
  unsigned  panel[SL_LESSON_LIST], n_panels;
  SlFrames *frames; /* of the step */
  uint64_t  began;  /* updates of the run at its beginning */
  SlStatus  kept_all;
} Walk;

/* Examples of pictures of one example. */
static const unsigned examples[] = { 0, 1, 2 };

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

/* ---- moments of a step ---- */

static void
show_panel (Walk *walk, unsigned panel)
{
  for (unsigned i = 0; i < walk->n_panels; i++)
    if (walk->panel[i] == panel)
      return;
  if (walk->n_panels < SL_LESSON_LIST)
    walk->panel[walk->n_panels++] = panel;
}

static void
show_panels (Walk *walk, const SlLessonStep *step)
{
  const SlLab *lab = walk->plan.lab;
  unsigned     front[SL_FRONT_PLOTS], n;

  walk->n_panels = 0;
  for (char **id = step->show; id != NULL && *id != NULL; id++)
    if (sl_lab_panel (lab, *id) >= 0)
      show_panel (walk, (unsigned) sl_lab_panel (lab, *id));
  if (step->show != NULL)
    return;
  n = sl_lab_front_plots (lab, &walk->now, walk->run.dataset, front);
  if (sl_lab_picture (lab) >= 0)
    show_panel (walk, (unsigned) sl_lab_picture (lab));
  for (unsigned i = 0; i < n; i++)
    show_panel (walk, front[i]);
}

static SlStatus
begin_moments (Walk *walk, const SlLessonStep *step)
{
  g_autofree bool *wanted = g_new0 (bool, walk->plan.lab->n_panels);

  show_panels (walk, step);
  for (unsigned i = 0; i < walk->n_panels; i++)
    wanted[walk->panel[i]] = true;
  walk->kept_all = SL_SUCCESS;
  walk->frames
    = sl_frames_new (walk->plan.lab, wanted, walk->moments, examples, G_N_ELEMENTS (examples));
  return walk->frames != NULL ? SL_SUCCESS
                              : sl_status_no_memory (SL_MARK ("the moments of the run"));
}

static bool
keep_moment (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Walk  *walk = data;
  double made = (double) (sl_trainer_steps (run->trainer) - walk->began);
  double whole = (double) (run->budget.steps - walk->began);

  walk->kept_all = sl_frames_offer (walk->frames, run->trainer, whole > 0.0 ? made / whole : 1.0);
  return sl_ok (&walk->kept_all);
}

static SlStatus
train_watched (Walk *walk, uint64_t updates)
{
  SlStatus status = updates > 0 ? sl_headless_train (&walk->run, keep_moment, walk) : SL_SUCCESS;

  if (!sl_ok (&walk->kept_all))
    return walk->kept_all;
  return sl_ok (&status) ? sl_frames_end (walk->frames, walk->run.trainer) : status;
}

/* ---- a step ---- */

static uint64_t
longest (const SlLesson *lesson)
{
  uint64_t most = 0;

  for (guint i = 0; i < lesson->steps->len; i++)
    if (sl_lesson_step (lesson, i)->go == SL_GO_UNTIL)
      most = MAX (most, sl_lesson_step (lesson, i)->updates);
  return most;
}

static uint64_t
updates_of (const Walk *walk, const SlLessonStep *step)
{
  gboolean last = step == sl_lesson_step (walk->lesson, walk->lesson->steps->len - 1);

  return step->go == SL_GO_UNTIL                              ? step->updates
         : step->go == SL_GO_RUN && last && walk->moments > 0 ? longest (walk->lesson)
                                                              : 0;
}

static SlStatus
take_step (Walk *walk, const SlLessonStep *step, const SlLessonState *state)
{
  SlStatus status = SL_SUCCESS;
  uint64_t updates = updates_of (walk, step);

  if (needs_new_run (walk, step, state))
    status = begin_run (walk, state);
  else
    change_live (walk, state);
  if (!sl_ok (&status))
    return status;
  walk->began = sl_trainer_steps (walk->run.trainer);
  walk->run.budget.steps = walk->began + updates;
  if (walk->moments > 0)
    {
      status = begin_moments (walk, step);
      return sl_ok (&status) ? train_watched (walk, updates) : status;
    }
  return updates > 0 ? sl_headless_train (&walk->run, NULL, NULL) : status;
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
add_run (const Walk *walk, SlLessonResult *result)
{
  result->record = &walk->run.record;
  if (walk->frames == NULL)
    return;
  result->recipe = &walk->run.recipe;
  result->panel = walk->panel;
  result->n_panels = walk->n_panels;
  result->frames = walk->frames;
  result->began = walk->began;
  result->ended = sl_trainer_steps (walk->run.trainer);
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
    add_run (walk, &result);
  result.named = find_value;
  result.values = walk;
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

static SlStatus
walk_step (Walk *walk, unsigned number, SlLessonTell tell, gpointer data)
{
  const SlLessonStep *step = sl_lesson_step (walk->lesson, number);
  SlLessonState       state;
  SlStatus            status = sl_lesson_state (walk->lesson, number, &state);

  if (sl_ok (&status) && state.lab != NULL)
    status = take_step (walk, step, &state);
  if (state.lab == NULL)
    end_run (walk);
  else if (sl_ok (&status))
    probe_shown (walk, step);
  if (sl_ok (&status))
    tell_step (walk, number, tell, data);
  g_clear_pointer (&walk->frames, sl_frames_free);
  g_free (state.data);
  return status;
}

static SlStatus
walk_through (Walk *walk, SlLessonTell tell, gpointer data)
{
  SlStatus status = SL_SUCCESS;
  unsigned threads = sl_blas_threads ();

  walk->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (unsigned i = 0; i < walk->lesson->steps->len && sl_ok (&status); i++)
    status = walk_step (walk, i, tell, data);
  end_run (walk);
  g_hash_table_unref (walk->kept);
  sl_blas_set_threads (threads);
  return status;
}

SlStatus
sl_lesson_walk (const SlLesson *lesson, unsigned turn, SlLessonTell tell, gpointer data)
{
  Walk walk = { .lesson = lesson, .turn = turn };

  return walk_through (&walk, tell, data);
}

SlStatus
sl_lesson_walk_watched (const SlLesson *lesson, unsigned moments, SlLessonTell tell, gpointer data)
{
  Walk walk = { .lesson = lesson, .moments = moments };

  return walk_through (&walk, tell, data);
}
