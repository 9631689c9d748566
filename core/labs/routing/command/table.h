/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/labs/routing/report/trace.h"

/* Prints what a recording is, and a line of numbers for each of its layers (n_layers). */
void sl_cli_trace_table (const SlRouting *recording, gboolean warm_up,
                         const SlTraceSettings *settings, const SlTraceLine *line);

/* Prints how the loads of two recordings differ, a line for each layer that both have. */
SlStatus sl_cli_trace_comparison (const SlRouting *a, const SlRouting *b, gboolean warm_up,
                                  gboolean paired);
