/* SPDX-License-Identifier: MIT
 *
 * How far the user came in each of the program's own lessons, kept in the preferences.  */
#pragma once

#include "ui/kit/prefs.h"
#include "ui/lesson/player.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean done; /* taken to its end at least once */
  unsigned step; /* that it was left at, from 0; 0: it is to begin at its beginning */
} SlLessonProgress;

/* All zero for a lesson that was never begun. */
SlLessonProgress sl_lesson_progress (SlPrefs *prefs, const char *name);

/* The lesson is at the player's step; or `over`, behind its last one. */
void sl_lesson_progress_keep (SlPrefs *prefs, const char *name, SlLessonPlayer *player,
                              gboolean over);

/* Brings a player to the step that the lesson was left at, for sl_lesson_player_go(), with what was kept of
 * the steps before; to the first one where nothing is known.  */
void sl_lesson_progress_put_back (SlPrefs *prefs, const char *name, SlLessonPlayer *player);

G_END_DECLS
