/* SPDX-License-Identifier: MIT
 *
 * What to type to have a run, or a sweep, again: a command for a POSIX shell, with what is as by
 * default left out.  */
#pragma once

#include "core/run/record/recipe.h"
#include "core/run/sweep/sweep.h"

/* A word in quotes, if the shell would see more in it than a word; free with g_free(). */
char *sl_command_word (const char *word);

/* "sluice-cli run LAB --data … --set id=value … --at STEP:id=value … --steps N --seed S
 * --threads T".  A run that has not made a step yet gets no --steps.  Free with g_free().  */
char *sl_command_line_run (const SlRecipe *recipe);

/* "sluice-cli sweep LAB --data … --set … --axis … --seeds … --steps …"; free with g_free(). */
char *sl_command_line_sweep (const SlSweep *sweep);
