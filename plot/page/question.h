/* SPDX-License-Identifier: MIT
 *
 * The question of a step on the page of a lesson.  */
#pragma once

#include "core/run/lesson/walk.h"
#include "plot/page/json.h"

/* "question": how it is asked, and what is told afterwards. */
void sl_page_question (SlPage *page, const SlQuestion *question, const SlLessonResult *result);
