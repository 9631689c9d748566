/* SPDX-License-Identifier: MIT */
#include "core/run/cost/background.h"

#include "core/run/base/cpu.h"
#include "core/run/cost/model.h"

enum { NICENESS = 10 };

int
sl_cost_child (void)
{
  g_autoptr (SlCostModel) model = NULL;

  sl_cpu_be_nice (NICENESS);
  model = sl_cost_model_measure (NULL);
  return sl_cost_model_is_steady (model) && sl_cost_model_save (model, NULL) ? 0 : 1;
}

GSubprocess *
sl_cost_start_child (GError **error)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", error);

  if (self == NULL)
    return NULL;
  return g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                           error, self, SL_COST_CHILD, NULL);
}
