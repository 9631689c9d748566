/* SPDX-License-Identifier: MIT
 *
 * See command-line.h.  */
#include "core/run/sweep/command-line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/number.h"

char *
sl_command_word (const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "%+,-./:=@_";

  return *word != '\0' && word[strspn (word, plain)] == '\0' ? g_strdup (word)
                                                             : g_shell_quote (word);
}

static void
append_word (GString *command, const char *word)
{
  g_autofree char *quoted = sl_command_word (word);

  g_string_append_printf (command, " %s", quoted);
}

static void
append_option (GString *command, const char *option, const char *value)
{
  append_word (command, option);
  append_word (command, value);
}

/* "--set id=value" or "--at STEP:id=value". */
static void
append_value (GString *command, const char *option, const char *prefix, const SlParam *param,
              const SlValue *value)
{
  char             text[512];
  g_autofree char *word
    = g_strconcat (prefix, param->id, "=", sl_param_format (param, value, text, sizeof text), NULL);

  append_option (command, option, word);
}

/* The settings that are not what the others make of the defaults.  Lists that follow another one
 * are stretched by it, so they come after it.  */
static void
append_settings (GString *command, const SlLab *lab, const SlSettings *settings)
{
  SlSettings typed;

  sl_settings_default (&typed, lab->params, lab->n_params);
  for (int following = 0; following <= 1; following++)
    for (unsigned p = 0; p < lab->n_params; p++)
      {
        const SlParam *param = &lab->params[p];
        const SlValue *value = &settings->value[p];

        if ((param->each != NULL) != (following != 0) || sl_value_same (value, &typed.value[p]))
          continue;
        append_value (command, "--set", "", param, value);
        typed.value[p] = *value;
        sl_settings_settle (&typed, lab->params, lab->n_params);
      }
}

static void
append_limit (GString *command, const char *option, double limit)
{
  char number[SL_NUMBER_SIZE];

  if (limit > 0)
    append_option (command, option, sl_number_format (limit, number));
}

char *
sl_command_line_run (const SlRecipe *recipe)
{
  GString *command = g_string_new ("sluice-cli run");
  char     number[32];

  append_word (command, recipe->lab->id);
  if (recipe->lab->data != SL_NEEDS_NOTHING)
    append_option (command, "--data", recipe->data);
  append_settings (command, recipe->lab, &recipe->settings);
  for (guint i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);

      snprintf (number, sizeof number, "%" PRIu64 ":", change->step);
      append_value (command, "--at", number, &recipe->lab->params[change->param], &change->value);
    }
  append_limit (command, "--steps", (double) recipe->step);
  snprintf (number, sizeof number, "%" PRIu64, recipe->seed);
  append_option (command, "--seed", number);
  append_limit (command, "--threads", recipe->threads);
  return g_string_free (command, FALSE);
}

char *
sl_command_line_sweep (const SlSweep *sweep)
{
  GString         *command = g_string_new ("sluice-cli sweep");
  g_autofree char *seeds = sl_sweep_seeds_text (sweep);

  append_word (command, sweep->lab->id);
  for (unsigned i = 0; i < sl_sweep_n_data (sweep) && sweep->data != NULL; i++)
    append_option (command, "--data", sl_sweep_data (sweep, i));
  append_settings (command, sweep->lab, &sweep->settings);
  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      g_autofree char *axis = sl_sweep_axis_text (sweep, a);

      append_option (command, "--axis", axis);
    }
  if (sweep->how != SL_SWEEP_GRID)
    {
      g_autofree char *draw = g_strdup_printf ("%" PRIu64, sweep->draw);

      append_option (command, "--how", sl_sweep_how_id (sweep->how));
      append_limit (command, "--sample", sweep->points);
      append_option (command, "--sample-seed", draw);
    }
  append_option (command, "--seeds", seeds);
  append_limit (command, "--steps", (double) sweep->budget.steps);
  append_limit (command, "--epochs", sweep->budget.epochs);
  append_limit (command, "--seconds", sweep->budget.seconds);
  append_limit (command, "--patience", sweep->budget.patience);
  return g_string_free (command, FALSE);
}
