/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/run/trace/trace.h"

/* Prints what a recording is, and a line of numbers for each of its layers. */
SlStatus sl_cli_trace_table (const SlRouting *recording, gboolean warm_up,
                             const SlTraceSettings *settings);
