/* SPDX-License-Identifier: MIT
 *
 * See limits.h.  */
#include "app/cli/limits.h"

const char *
sl_limit_typed (const SlPlanOptions *options)
{
  GOptionContext *context = g_option_context_new (NULL);
  SlPlanOptions   blank = { 0 };

  sl_plan_options_add (&blank, context); /* what they are before anything is typed */
  g_option_context_free (context);
  if (options->steps != blank.steps)
    return "--steps";
  if (options->epochs != blank.epochs)
    return "--epochs";
  if (options->seconds != blank.seconds)
    return "--seconds";
  return options->patience != blank.patience ? "--patience" : NULL;
}
