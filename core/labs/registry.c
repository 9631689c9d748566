/* SPDX-License-Identifier: MIT
 *
 * Every lab, one line each.  */
#include <string.h>

#include "core/labs/registry.h"

extern const SlLab sl_lab_sign_estimator;
extern const SlLab sl_lab_experts;
extern const SlLab sl_lab_experts_text;
extern const SlLab sl_lab_stochastic_gates;
extern const SlLab sl_lab_prefix_tree;
extern const SlLab sl_lab_gated_recurrence;
extern const SlLab sl_lab_capacity;
extern const SlLab sl_lab_selective_execution;
extern const SlLab sl_lab_style;
extern const SlLab sl_lab_routing;

const SlLab *const sl_labs[] = {
  &sl_lab_sign_estimator,
  &sl_lab_experts,
  &sl_lab_experts_text,
  &sl_lab_stochastic_gates,
  &sl_lab_prefix_tree,
  &sl_lab_gated_recurrence,
  &sl_lab_capacity,
  &sl_lab_selective_execution,
  &sl_lab_style,
  &sl_lab_routing,
  NULL,
};

const SlLab *
sl_lab_find (const char *id)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    if (strcmp ((*lab)->id, id) == 0)
      return *lab;
  return NULL;
}
