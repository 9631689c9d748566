/* SPDX-License-Identifier: MIT */
#include "core/run/headless/plan.h"

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
  g_clear_pointer (&plan->uuid, g_free);
  g_clear_pointer (&plan->sweep, g_free);
  sl_stored_run_clear (&plan->stored);
  g_clear_object (&plan->store);
  g_clear_pointer (&plan->changes, g_array_unref);
}

void
sl_plan_recipe (SlPlan *plan, const SlRecipe *recipe, unsigned first)
{
  plan->lab = recipe->lab;
  plan->settings = recipe->settings;
  plan->seed = recipe->seed;
  plan->threads = recipe->threads;
  g_free (plan->data);
  plan->data = recipe->data[0] != '\0' ? g_strdup (recipe->data) : NULL;
  g_array_set_size (plan->changes, 0);
  for (guint i = first; recipe->changes != NULL && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);
      SlPlannedChange planned
        = { .when = (double) change->step, .param = change->param, .value = change->value };

      g_array_append_val (plan->changes, planned);
    }
}
