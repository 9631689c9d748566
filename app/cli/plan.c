/* SPDX-License-Identifier: MIT
 *
 * See plan.h.  */
#include "app/cli/plan.h"

#include <math.h>
#include <string.h>

void
sl_plan_init (SlPlan *plan, const SlLab *lab)
{
  *plan = (SlPlan) { .lab = lab, .seed = 1 };
  sl_settings_default (&plan->settings, lab->params, lab->n_params);
  plan->changes = g_array_new (FALSE, FALSE, sizeof (SlPlannedChange));
}

void
sl_plan_clear (SlPlan *plan)
{
  g_clear_pointer (&plan->data, g_free);
  sl_stored_run_clear (&plan->stored);
  g_clear_object (&plan->store);
  g_clear_pointer (&plan->changes, g_array_unref);
}

/* Sets one parameter of `settings` from "id=value"; *param gets its index. */
static SlExit
set_from (SlSettings *settings, const SlLab *lab, const char *text, unsigned *param)
{
  const char *equals = strchr (text, '=');

  if (equals == NULL || equals == text)
    {
      sl_cli_report ("\"%s\" should look like id=value, for example %s=…", text, lab->params[0].id);
      return SL_EXIT_USAGE;
    }

  g_autofree char *id = g_strndup (text, (gsize) (equals - text));
  SlStatus         status = sl_settings_set (settings, lab->params, lab->n_params, id, equals + 1);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  *param = (unsigned) sl_param_find (lab->params, lab->n_params, id);
  return SL_EXIT_FINE;
}

SlExit
sl_plan_set (SlPlan *plan, const char *text)
{
  unsigned param;

  return set_from (&plan->settings, plan->lab, text, &param);
}

SlExit
sl_plan_change (SlPlan *plan, const char *text)
{
  SlPlannedChange change = { 0 };
  SlSettings      settings = plan->settings;
  SlExit          code;
  char           *end;

  change.when = g_ascii_strtod (text, &end);
  if (end != text && *end == 'e')
    {
      change.by_epoch = true;
      end++;
    }
  if (end == text || *end != ':' || !(change.when >= 0 && change.when < 1e15)
      || (!change.by_epoch && change.when != floor (change.when)))
    {
      sl_cli_report ("\"%s\" should look like STEP:id=value or EPOCHe:id=value, for example "
                     "2000:learning-rate=0.0001",
                     text);
      return SL_EXIT_USAGE;
    }
  code = set_from (&settings, plan->lab, end + 1, &change.param);
  if (code != SL_EXIT_FINE)
    return code;
  if (plan->lab->params[change.param].effect != SL_LIVE)
    {
      sl_cli_report ("%s needs new weights and cannot change during a run; use --set",
                     plan->lab->params[change.param].id);
      return SL_EXIT_USAGE;
    }
  change.value = settings.value[change.param];
  g_array_append_val (plan->changes, change);
  return SL_EXIT_FINE;
}
