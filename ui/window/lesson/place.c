/* SPDX-License-Identifier: MIT
 *
 * The user's place in a lesson when the program ends, to which it returns at its next start.  */
#include "ui/lesson/bar.h"
#include "ui/window/lesson/private.h"

/* Parts of the place that cannot be restored are left out; without any, only the run is shown. */
void
sl_window_lesson_restore_place (SlWindow *self, const SlJson *place)
{
  Lesson         *lesson = sl_window_lesson (self);
  SlStage        *stage = sl_window_stage (self);
  const SlJson   *name = sl_json_member_of (place, "name", SL_JSON_TEXT);
  SlLessonPlayer *player = NULL;
  uint64_t        limit = 0;

  sl_stage_renew_lesson (stage);
  sl_stage_show_lesson (stage);
  if (sl_json_whole (sl_json_member (place, "limit"), G_MAXINT64, &limit))
    sl_session_set_limit (sl_stage_lesson (stage), limit);
  if (name != NULL)
    player = sl_window_lesson_load (self, name->text, NULL);
  if (player == NULL)
    return;
  sl_window_lesson_attach (self, player);
  lesson->player = player;
  if (sl_lesson_player_read_place (player, place))
    sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), player);
  else
    sl_window_lesson_end (self);
}

void
sl_window_lesson_write_place (SlWindow *self, SlJsonWriter *w)
{
  Lesson *lesson = sl_window_lesson (self);

  sl_json_add_whole (w, "limit", sl_session_info (sl_stage_lesson (sl_window_stage (self)))->limit);
  if (lesson->player == NULL)
    return;
  sl_json_add_text (w, "name", sl_window_lesson_name (self, lesson->player));
  sl_lesson_player_write_place (lesson->player, w);
}

void
sl_window_lesson_begin_step (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  if (player != NULL)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_stage_show_overview (sl_window_stage (self));
}
