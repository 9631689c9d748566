/* SPDX-License-Identifier: MIT
 *
 * Lessons as data, and what holds at their steps; see lesson.h.  */
#include "core/run/lesson/lesson.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/run/lesson/own.h"

const char *const sl_lesson_controls[]
  = { "toggle", "step", "rewind", "sidebar", "export", "labs", "data", "menu", NULL };

const char *const sl_level_ids[] = { "", "what", "why", "how-much" };
const char *const sl_level_titles[] = { "", N_ ("What?"), N_ ("Why?"), N_ ("How much?") };

#define LESSONS "/org/sluice/Sluice/lessons/"

GFile *
sl_lesson_file (const char *name)
{
  g_autofree char *uri = NULL, *own = sl_own_lesson_find (name);

  if (own != NULL)
    return g_file_new_for_path (own);
  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".lesson"))
    return g_file_new_for_path (name);
  uri = g_strconcat ("resource://" LESSONS, name, ".lesson", NULL);
  return g_file_new_for_uri (uri);
}

static int
by_number (const void *a, const void *b)
{
  const char *const *first = a, *const *second = b;
  long               x = strtol (*first, NULL, 10), y = strtol (*second, NULL, 10);

  return x != y ? (x > y) - (x < y) : strcmp (*first, *second);
}

char **
sl_lesson_names (void)
{
  char **names = g_resources_enumerate_children (LESSONS, 0, NULL);

  if (names == NULL)
    return g_new0 (char *, 1);
  for (char **name = names; *name != NULL; name++)
    (*name)[strlen (*name) - strlen (".lesson")] = '\0';
  qsort (names, g_strv_length (names), sizeof *names, by_number);
  return names;
}

static void
free_setting (SlLessonSetting *setting)
{
  g_free (setting->id);
  g_free (setting->value);
  g_free (setting);
}

static void
free_kept (SlLessonKept *kept)
{
  g_free (kept->name);
  g_free (kept->formula);
  g_free (kept);
}

void
sl_question_clear (SlQuestion *question)
{
  g_free (question->prompt);
  g_strfreev (question->options);
  g_free (question->answer);
  g_free (question->unit);
  g_free (question->panel);
  *question = (SlQuestion) { .kind = SL_ASK_NOTHING };
}

static void
free_step (SlLessonStep *step)
{
  g_free (step->title);
  g_free (step->text);
  g_free (step->data);
  g_ptr_array_unref (step->settings);
  g_free (step->pointed);
  g_strfreev (step->show);
  g_strfreev (step->offer);
  g_strfreev (step->hides);
  g_strfreev (step->locks);
  sl_question_clear (&step->question);
  g_free (step->reveal);
  g_ptr_array_unref (step->keep);
  g_ptr_array_unref (step->holds);
  g_free (step);
}

SlLesson *
sl_lesson_new (const char *title, const char *summary)
{
  SlLesson *lesson = g_new0 (SlLesson, 1);

  lesson->title = g_strdup (title);
  lesson->summary = g_strdup (summary);
  lesson->author = g_strdup ("");
  lesson->goal = g_strdup ("");
  lesson->misconception = g_strdup ("");
  lesson->notes = g_strdup ("");
  lesson->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) free_step);
  return lesson;
}

void
sl_lesson_free (SlLesson *lesson)
{
  if (lesson == NULL)
    return;
  g_free (lesson->title);
  g_free (lesson->summary);
  g_free (lesson->author);
  g_free (lesson->goal);
  g_free (lesson->misconception);
  g_free (lesson->notes);
  g_free (lesson->folder);
  g_ptr_array_unref (lesson->steps);
  g_free (lesson);
}

SlLessonStep *
sl_lesson_add (SlLesson *lesson)
{
  SlLessonStep *step = g_new0 (SlLessonStep, 1);

  step->title = g_strdup ("");
  step->text = g_strdup ("");
  step->settings = g_ptr_array_new_with_free_func ((GDestroyNotify) free_setting);
  step->keep = g_ptr_array_new_with_free_func ((GDestroyNotify) free_kept);
  step->holds = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_claim_free);
  step->question.prompt = g_strdup ("");
  step->question.unit = g_strdup ("");
  step->question.tolerance = (double) NAN;
  g_ptr_array_add (lesson->steps, step);
  return step;
}

/* A file of a relative name lies beside the lesson, or below. */
static char *
find_data (const SlLesson *lesson, const char *spec)
{
  char             text[sizeof ((SlDataset *) NULL)->id];
  g_autofree char *folder = NULL;
  SlStatus         status;

  if (lesson->folder == NULL)
    return g_strdup (spec);
  folder = g_canonicalize_filename (lesson->folder, NULL);
  status = sl_source_locate_spec (spec, folder, text, sizeof text);
  return g_strdup (sl_ok (&status) ? text : spec);
}

unsigned
sl_lesson_speed (const SlLesson *lesson, unsigned step)
{
  for (unsigned i = step + 1; i-- > 0;)
    if (sl_lesson_step (lesson, i)->has_speed)
      return sl_lesson_step (lesson, i)->speed;
  return 0;
}

SlStatus
sl_lesson_state (const SlLesson *lesson, unsigned step, SlLessonState *state)
{
  const char *data = NULL;
  unsigned    first = step;

  *state = (SlLessonState) { .seed = 1 };
  for (unsigned i = 0; i <= step; i++)
    if (sl_lesson_step (lesson, i)->lab != NULL || sl_lesson_step (lesson, i)->overview)
      first = i;
  state->lab = sl_lesson_step (lesson, first)->lab;
  if (state->lab != NULL)
    sl_settings_default (&state->settings, state->lab->params, state->lab->n_params);
  for (unsigned i = 0; i <= step; i++)
    {
      const SlLessonStep *at = sl_lesson_step (lesson, i);

      if (at->has_seed)
        state->seed = at->seed;
      if (i >= first && at->data != NULL)
        data = at->data;
      for (guint k = 0; i >= first && state->lab != NULL && k < at->settings->len; k++)
        {
          const SlLessonSetting *setting = g_ptr_array_index (at->settings, k);
          SlStatus               status = sl_settings_set (&state->settings, state->lab->params,
                                                           state->lab->n_params, setting->id, setting->value);

          if (!sl_ok (&status))
            return status;
        }
    }
  if (state->lab != NULL)
    sl_settings_settle (&state->settings, state->lab->params, state->lab->n_params);
  if (state->lab != NULL && state->lab->data != SL_NEEDS_NOTHING)
    state->data
      = find_data (lesson, data != NULL ? data : sl_source_default_for (state->lab->data));
  return SL_SUCCESS;
}

/* The sample nearest to a place of a series. */
static double
series_at (const SlSeries *series, double at)
{
  size_t i;

  if (series->n == 0)
    return (double) NAN;
  if (isnan (at))
    return series->value[series->n - 1];
  i = sl_series_find (series, at);
  if (i == series->n || (i > 0 && at - series->step[i - 1] < series->step[i] - at))
    i--;
  return series->value[i];
}

static double
curve_at (const double *x, const double *y, size_t n, double at)
{
  size_t best = 0;

  if (isnan (at))
    return y[n - 1];
  for (size_t i = 1; i < n; i++)
    if (fabs (x[i] - at) < fabs (x[best] - at))
      best = i;
  return y[best];
}

/* The value of a channel in the last snapshot of its panel. */
static double
snapshot_at (const SlRecord *record, unsigned channel, double at)
{
  unsigned          panel = record->layout.channel[channel].panel;
  const SlSnapshot *snapshot = &record->snapshot[panel];

  for (unsigned i = 0; record->has_snapshot[panel] && i < snapshot->n_curves; i++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[i];
      const double          *data = snapshot->data + curve->offset;

      if (curve->channel != channel || curve->n == 0)
        continue;
      if (record->lab->panels[panel].kind != SL_BARS)
        return curve_at (data, data + curve->n, curve->n, at);
      if (isnan (at))
        return data[curve->n];
      return at >= 1.0 && at <= (double) curve->n ? data[curve->n + (size_t) at - 1] : (double) NAN;
    }
  return (double) NAN;
}

gboolean
sl_lesson_channel (const SlRecord *record, const char *id, double at, double *value)
{
  int channel = record->lab != NULL ? sl_layout_find (&record->layout, id) : -1;

  *value = (double) NAN;
  if (channel < 0)
    return FALSE;
  *value = record->layout.channel[channel].series ? series_at (&record->series[channel], at)
                                                  : snapshot_at (record, (unsigned) channel, at);
  return TRUE;
}

double
sl_lesson_place (const SlQuestion *question, unsigned i)
{
  return question->from
         + (question->to - question->from) * (double) i / (double) (SL_SKETCH_POINTS - 1);
}

/* The drawn curve between its places. */
static double
sketch_at (const SlQuestion *question, const double *sketch, double x)
{
  double   t = (x - question->from) / (question->to - question->from) * (SL_SKETCH_POINTS - 1);
  unsigned i = (unsigned) CLAMP (t, 0.0, SL_SKETCH_POINTS - 2.0);

  return sketch[i] + (sketch[i + 1] - sketch[i]) * (t - i);
}

typedef void (*Take) (const SlQuestion *question, const double *x, const double *y, size_t n,
                      void *data);

/* What was measured for a curve, along x. */
static void
for_measured (const SlQuestion *question, const SlRecord *record, Take take, void *data)
{
  int      channel = record->lab != NULL ? sl_layout_find (&record->layout, question->answer) : -1;
  unsigned panel;

  if (channel < 0)
    return;
  panel = record->layout.channel[channel].panel;
  if (record->layout.channel[channel].series)
    take (question, record->series[channel].step, record->series[channel].value,
          record->series[channel].n, data);
  else if (record->has_snapshot[panel])
    for (unsigned i = 0; i < record->snapshot[panel].n_curves; i++)
      {
        const SlSnapshotCurve *curve = &record->snapshot[panel].curve[i];
        const double          *at = record->snapshot[panel].data + curve->offset;

        if (curve->channel == (unsigned) channel)
          take (question, at, at + curve->n, curve->n, data);
      }
}

static void
add_measured (const SlQuestion *question, const double *x, const double *y, size_t n, void *data)
{
  for (size_t i = 0; i < n; i++)
    if (x[i] >= question->from && x[i] <= question->to && isfinite (y[i]))
      {
        g_array_append_val ((GArray *) data, x[i]);
        g_array_append_val ((GArray *) data, y[i]);
      }
}

GArray *
sl_lesson_measured (const SlQuestion *question, const SlRecord *record)
{
  GArray *measured = g_array_new (FALSE, FALSE, sizeof (double));

  for_measured (question, record, add_measured, measured);
  return measured;
}

double
sl_lesson_distance (const SlQuestion *question, const double sketch[SL_SKETCH_POINTS],
                    const SlRecord *record)
{
  g_autoptr (GArray) measured = sl_lesson_measured (question, record);
  const double *pair = (const double *) (const void *) measured->data;
  double        sum = 0.0;

  for (guint i = 0; i < measured->len; i += 2)
    sum += fabs (pair[i + 1] - sketch_at (question, sketch, pair[i]));
  return measured->len > 0 ? sum / (measured->len / 2) : (double) NAN;
}

static void
read_curve (const SlQuestion *question, const double *x, const double *y, size_t n, void *data)
{
  double *curve = data;
  size_t  next = 0; /* the first measurement not before a place */

  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      double at = sl_lesson_place (question, i), between;

      while (next < n && x[next] < at)
        next++;
      if (next == n || (next == 0 && x[0] > at))
        continue;
      between = x[next] > at ? (at - x[next - 1]) / (x[next] - x[next - 1]) : 1.0;
      curve[i] = between < 1.0 ? y[next - 1] + between * (y[next] - y[next - 1]) : y[next];
    }
}

void
sl_lesson_curve (const SlQuestion *question, const SlRecord *record, double curve[SL_SKETCH_POINTS])
{
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    curve[i] = (double) NAN;
  for_measured (question, record, read_curve, curve);
}
