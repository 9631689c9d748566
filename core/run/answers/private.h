/* SPDX-License-Identifier: MIT
 *
 * What writer and reader of answers share.  */
#pragma once

#include "core/run/answers/answers.h"

/* By SlAskKind, as files name them. */
extern const char *const sl_answer_kinds[];

SlAnswers *sl_answers_empty (void);
SlAnswer  *sl_answers_append (SlAnswers *answers);
