/* SPDX-License-Identifier: MIT
 *
 * A step of a lesson on the overview: its three sliders and its four runs.  */
#include "ui/window/lesson/private.h"

enum { SEED = 1 };

/* Not the window's own, so that its sliders and runs are after the lesson what they were before. */
void
sl_window_lesson_show_group (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  if (lesson->group == NULL)
    {
      lesson->group = sl_group_new ();
      sl_group_set_store (lesson->group, sl_window_get_store (self));
      sl_group_start (lesson->group, NULL, SEED, FALSE);
    }
  sl_window_show_lent (self, lesson->group);
}

void
sl_window_lesson_drop_group (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  if (lesson->group == NULL)
    return;
  sl_window_end_lent (self);
  sl_group_ask_to_stop (lesson->group);
  g_clear_object (&lesson->group);
}

SlGroup *
sl_window_get_lesson_group (SlWindow *self)
{
  return sl_window_lesson (self)->group;
}

/* What the three sliders are called in a lesson. */
static const char *const headline_ids[SL_N_HEADLINES]
  = { [SL_HEADLINE_SPARSITY] = "s", [SL_HEADLINE_RANK] = "rank", [SL_HEADLINE_ACTIVE] = "k" };

SlHeadline
sl_window_lesson_headline (const char *id)
{
  for (SlHeadline r = SL_HEADLINE_NONE + 1; r < SL_N_HEADLINES; r++)
    if (g_str_equal (headline_ids[r], id))
      return r;
  return SL_HEADLINE_NONE;
}

/* Sets the sliders as all steps say since the last that names the start page. */
void
sl_window_lesson_set_headlines (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  const SlLesson *lesson = sl_lesson_player_get_lesson (player);
  unsigned        last = sl_lesson_player_get_number (player), first = last;

  while (first > 0 && !sl_lesson_step (lesson, first)->overview)
    first--;
  for (unsigned i = first; i <= last; i++)
    for (guint k = 0; k < sl_lesson_step (lesson, i)->settings->len; k++)
      {
        const SlLessonSetting *setting
          = g_ptr_array_index (sl_lesson_step (lesson, i)->settings, k);
        SlHeadline headline = sl_window_lesson_headline (setting->id);

        if (headline != SL_HEADLINE_NONE)
          sl_group_set_headline (sl_window_lesson (self)->group, headline,
                                 g_ascii_strtod (setting->value, NULL));
      }
}

/* The four runs wait for an answer as a single run does. */
void
sl_window_lesson_let_group_go (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  if (sl_lesson_player_get_step (player)->go == SL_GO_PAUSE || !sl_lesson_player_may_go_on (player))
    sl_group_pause (sl_window_lesson (self)->group);
  else
    sl_group_run (sl_window_lesson (self)->group);
}
