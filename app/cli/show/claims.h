/* SPDX-License-Identifier: MIT
 *
 * The claims of a lesson, checked by its runs.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/lesson/lesson.h"

/* Takes the lesson to its end with so many seeds and prints of each claim in how many of them it held, and between which
 * values.  SL_EXIT_EXPECTED when one held in fewer than the lesson says.  */
SlExit sl_cli_check_claims (const SlLesson *lesson, unsigned seeds);
