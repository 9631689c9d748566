/* SPDX-License-Identifier: MIT
 *
 * A lesson as one self-contained web page, for a class without an installation: each step with its text and plots, each
 * question before what was recorded, marks, and the answers as the file that the window saves.  The answers are in the
 * page, compressed.  What the page does is in resources/page/steps.js.  */
#pragma once

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

/* The page, with texts in the user's language and plots in English.  Trains the lesson's runs on the calling thread.
 * NULL with a sentence.  */
GBytes *sl_page_lesson (const SlLesson *lesson, GError **error);

G_END_DECLS
