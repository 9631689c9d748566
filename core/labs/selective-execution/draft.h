/* SPDX-License-Identifier: MIT
 *
 * How the architectures of the lab `selective-execution` are put together: a node at a time, layer
 * behind layer, and then into the plan; only the files that do so include this.  */
#pragma once

#include "core/labs/selective-execution/lab.h"

/* A node that is being put together, and the net that it goes to. */
typedef struct
{
  const SlSelectiveLab *s;
  SlSelectiveNet       *net;
  SlDagNode             node;
  SlDagShape            shape;    /* behind the last layer so far */
  bool                  pictures; /* convolutional modules */
} SlNodeDraft;

/* A node that gets this shape.  `name` is borrowed. */
void sl_draft_begin (SlNodeDraft *d, const char *name, SlDagKind kind, SlDagShape in);
void sl_draft_layer (SlNodeDraft *d, SlDagLayer layer);
void sl_draft_dense (SlNodeDraft *d, size_t units, bool rectified);
void sl_draft_conv (SlNodeDraft *d, size_t channels, size_t stride);

/* Half the resolution, where there is one. */
void sl_draft_pool (SlNodeDraft *d);

/* Class scores through one hidden layer. */
void sl_draft_classify (SlNodeDraft *d, size_t hidden);

/* The node gets what the input and another one deliver, one behind the other, for dense layers. */
void sl_draft_see_both (SlNodeDraft *d, SlDagShape input, SlDagShape seen);

/* Puts the node into the net, `lane` of the way down the picture; returns its number. */
unsigned sl_draft_end (SlNodeDraft *d, double lane);

/* A parameter as a number of units. */
size_t sl_draft_units_of (const SlNodeDraft *d, unsigned param);

/* Whole nodes: a controller that looks at what a node of this shape delivers; the output; N1, which all
 * examples run, with what it delivers in `seen`; an answer by few units to what a node of this shape
 * delivers.  */
unsigned sl_draft_controller (SlNodeDraft *d, const char *name, unsigned from, SlDagShape seen,
                              size_t actions, double lane);
unsigned sl_draft_output (SlNodeDraft *d);
unsigned sl_draft_first_node (SlNodeDraft *d, unsigned in, SlDagShape input, SlDagShape *seen);
unsigned sl_draft_small_answer (SlNodeDraft *d, const char *name, unsigned from, SlDagShape seen,
                                double lane);

/* The architectures: everything between the input and the output, and that. */
void sl_selective_plan_figure_1_left (SlNodeDraft *d, unsigned in);
void sl_selective_plan_figure_1_right (SlNodeDraft *d, unsigned in);
void sl_selective_plan_high_low (SlNodeDraft *d, unsigned in, SlDagShape input);
void sl_selective_plan_cascade (SlNodeDraft *d, unsigned in, SlDagShape input);
void sl_selective_plan_exits (SlNodeDraft *d, unsigned in, SlDagShape input);
void sl_selective_plan_chain (SlNodeDraft *d, unsigned in, SlDagShape input);
void sl_selective_plan_hierarchy (SlNodeDraft *d, unsigned in, SlDagShape input);
void sl_selective_plan_depths (SlNodeDraft *d, unsigned in, SlDagShape input);
