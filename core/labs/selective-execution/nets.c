/* SPDX-License-Identifier: MIT
 *
 * Which network the settings of the lab `selective-execution` describe, or its data have.  */
#include "core/labs/selective-execution/draft.h"

static bool
matters (const SlSelectiveLab *s, unsigned param)
{
  return sl_param_matters (&s->base.settings, sl_selective_params, N_PARAMS, param);
}

SlStatus
sl_selective_plan (const SlSelectiveLab *s, SlSelectiveNet *net)
{
  const SlDataset *data = s->base.dataset;
  SlNodeDraft      d = { .s = s, .net = net };
  SlDagShape       input = { data->features, 1, 1 };
  unsigned         in;

  *net = (SlSelectiveNet) { 0 };
  d.pictures = sl_value_of (&s->base, P_MODULES) == MODULES_CONVOLUTIONAL && matters (s, P_MODULES);
  if (data->width > 0)
    input = (SlDagShape) { data->channels, data->height, data->width };
  if (data->network != NULL && !matters (s, P_LAMBDA))
    return sl_status_new (SL_EUNSUPPORTED, "architecture",
                          sl_message ("none with controllers, but a network in the data"),
                          sl_message ("high-low or another one, which the network replaces"));
  if (data->network != NULL)
    return sl_selective_plan_own (s, input, net);
  if (d.pictures && data->width == 0)
    return sl_status_new (SL_EUNSUPPORTED, "modules", sl_message ("data that are no pictures"),
                          sl_message ("dense modules for them"));
  d.node = (SlDagNode) { .name = SL_MARK ("in"), .kind = SL_DAG_INPUT, .shape = input };
  in = sl_draft_end (&d, 0.5);
  switch ((int) sl_value_of (&s->base, P_ARCHITECTURE))
    {
    case ARCHITECTURE_FIGURE_1_LEFT: sl_selective_plan_figure_1_left (&d, in); break;
    case ARCHITECTURE_FIGURE_1_RIGHT: sl_selective_plan_figure_1_right (&d, in); break;
    case ARCHITECTURE_HIGH_LOW: sl_selective_plan_high_low (&d, in, input); break;
    case ARCHITECTURE_HIERARCHY: sl_selective_plan_hierarchy (&d, in, input); break;
    case ARCHITECTURE_CASCADE: sl_selective_plan_cascade (&d, in, input); break;
    case ARCHITECTURE_CHAIN: sl_selective_plan_chain (&d, in, input); break;
    case ARCHITECTURE_EXITS: sl_selective_plan_exits (&d, in, input); break;
    case ARCHITECTURE_DEPTHS: sl_selective_plan_depths (&d, in, input); break;
    }
  return SL_SUCCESS;
}
