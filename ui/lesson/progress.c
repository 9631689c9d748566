/* SPDX-License-Identifier: MIT
 *
 * The preference has a line for each lesson: its name, a blank, and as JSON `done`, `step` and `kept`.  */
#include "ui/lesson/progress.h"

#include <string.h>

#define LESSONS "lessons"

enum { TEXT_BYTES = 1 << 14 };

static SlJson *
read_line (SlPrefs *prefs, const char *name)
{
  g_autofree char *line = sl_prefs_get_line (prefs, LESSONS, name);

  return line != NULL ? sl_json_parse_object (line, strlen (line), TEXT_BYTES, LESSONS, NULL)
                      : NULL;
}

SlLessonProgress
sl_lesson_progress (SlPrefs *prefs, const char *name)
{
  g_autoptr (SlJson) json = read_line (prefs, name);
  const SlJson    *done = json != NULL ? sl_json_member_of (json, "done", SL_JSON_TRUTH) : NULL;
  uint64_t         step = 0;
  SlLessonProgress progress = { .done = done != NULL && done->number != 0.0 };

  if (json != NULL && sl_json_whole (sl_json_member (json, "step"), SL_LESSON_STEPS - 1, &step))
    progress.step = (unsigned) step;
  return progress;
}

void
sl_lesson_progress_keep (SlPrefs *prefs, const char *name, SlLessonPlayer *player, gboolean over)
{
  gboolean         done = over || sl_lesson_progress (prefs, name).done;
  g_autofree char *line = NULL;
  SlJsonWriter     w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_truth (&w, "done", done);
  if (!over)
    sl_lesson_player_write_progress (player, &w);
  line = sl_json_writer_end (&w, FALSE);
  sl_prefs_set_line (prefs, LESSONS, name, line);
}

void
sl_lesson_progress_put_back (SlPrefs *prefs, const char *name, SlLessonPlayer *player)
{
  g_autoptr (SlJson) json = read_line (prefs, name);

  if (json != NULL)
    sl_lesson_player_read_progress (player, json);
}
