/* SPDX-License-Identifier: MIT
 *
 * The user's place in a lesson, as JSON, for the next start of the program.  */
#include "ui/lesson/player-private.h"

/* ---- writing ---- */

static void
write_guess (SlJsonWriter *w, unsigned step, const SlGuess *guess)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "step", step);
  sl_json_add_truth (w, "skipped", guess->skipped);
  sl_json_add_whole (w, "option", guess->option);
  sl_json_add_number (w, "number", guess->number);
  sl_json_add_numbers (w, "sketch", guess->sketch, SL_SKETCH_POINTS, SL_JSON_PACKED);
  sl_json_close (w);
}

static void
write_kept (SlLessonPlayer *self, SlJsonWriter *w)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->kept), (GCompareFunc) strcmp);

  sl_json_open (w, "kept", '{', SL_JSON_TIGHT);
  for (const GList *l = names; l != NULL; l = l->next)
    sl_json_add_number (w, l->data, *(const double *) g_hash_table_lookup (self->kept, l->data));
  sl_json_close (w);
}

void
sl_lesson_player_write_progress (SlLessonPlayer *self, SlJsonWriter *w)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self) && w != NULL);
  sl_json_add_whole (w, "step", self->number);
  sl_json_add_whole (w, "person", self->person);
  write_kept (self, w);
}

void
sl_lesson_player_write_place (SlLessonPlayer *self, SlJsonWriter *w)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self) && w != NULL);
  sl_lesson_player_write_progress (self, w);
  sl_json_add_truth (w, "renewed", self->renewed);
  sl_json_add_whole (w, "until", self->until);
  sl_json_open (w, "guesses", '[', SL_JSON_LINES);
  for (unsigned i = 0; i < self->lesson->steps->len; i++)
    if (self->guess[i].answered)
      write_guess (w, i, &self->guess[i]);
  sl_json_close (w);
}

/* ---- reading ---- */

static double
number_of (const SlJson *object, const char *key)
{
  const SlJson *number = sl_json_member_of (object, key, SL_JSON_NUMBER);

  return number != NULL ? number->number : 0.0;
}

static gboolean
truth_of (const SlJson *object, const char *key)
{
  const SlJson *truth = sl_json_member_of (object, key, SL_JSON_TRUTH);

  return truth != NULL && truth->number != 0.0;
}

static void
read_guess (SlLessonPlayer *self, const SlJson *object)
{
  const SlJson *sketch = sl_json_member_of (object, "sketch", SL_JSON_ARRAY);
  const SlJson *point = sketch != NULL ? sketch->first : NULL;
  SlGuess       guess = { .answered = TRUE, .number = number_of (object, "number") };
  uint64_t      step = UINT64_MAX, option = 0;

  sl_json_whole (sl_json_member (object, "step"), SL_LESSON_STEPS, &step);
  sl_json_whole (sl_json_member (object, "option"), UINT_MAX, &option);
  if (step >= self->lesson->steps->len)
    return;
  guess.skipped = truth_of (object, "skipped");
  guess.option = (unsigned) option;
  for (unsigned i = 0; i < SL_SKETCH_POINTS && point != NULL; i++, point = point->next)
    guess.sketch[i] = point->kind == SL_JSON_NUMBER ? point->number : 0.0;
  self->guess[step] = guess;
}

static void
read_kept (SlLessonPlayer *self, const SlJson *kept)
{
  for (const SlJson *value = kept != NULL ? kept->first : NULL; value != NULL; value = value->next)
    if (value->kind == SL_JSON_NUMBER)
      g_hash_table_insert (self->kept, g_strdup (value->key),
                           g_memdup2 (&value->number, sizeof value->number));
}

gboolean
sl_lesson_player_read_progress (SlLessonPlayer *self, const SlJson *progress)
{
  uint64_t step = UINT64_MAX;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self) && progress != NULL, FALSE);
  sl_json_whole (sl_json_member (progress, "step"), SL_LESSON_STEPS, &step);
  if (step >= self->lesson->steps->len)
    return FALSE;
  self->number = (unsigned) step;
  sl_json_whole (sl_json_member (progress, "person"), G_MAXUINT32, &self->person);
  read_kept (self, sl_json_member_of (progress, "kept", SL_JSON_OBJECT));
  return TRUE;
}

gboolean
sl_lesson_player_read_place (SlLessonPlayer *self, const SlJson *place)
{
  const SlJson *guesses;
  SlLessonState state;
  SlStatus      status;
  unsigned      before = self->number;

  if (!sl_lesson_player_read_progress (self, place))
    return FALSE;
  status = sl_lesson_state (self->lesson, self->number, &state);
  g_free (state.data);
  if (!sl_ok (&status) || state.lab == NULL)
    {
      self->number = before;
      return FALSE;
    }
  self->lab = state.lab;
  self->renewed = truth_of (place, "renewed");
  self->generation = sl_session_generation (self->session);
  sl_json_whole (sl_json_member (place, "until"), G_MAXINT64, &self->until);
  guesses = sl_json_member_of (place, "guesses", SL_JSON_ARRAY);
  for (const SlJson *guess = guesses != NULL ? guesses->first : NULL; guess != NULL;
       guess = guess->next)
    read_guess (self, guess);
  g_signal_emit_by_name (self, "moved");
  return TRUE;
}
