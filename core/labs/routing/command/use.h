/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/labs/routing/report/trace.h"

/* Prints in a sentence each what the memory of the settings would hold and how few experts would do; of counts only the
 * latter.  SL_EIO, SL_ENOMEM.  */
SlStatus sl_cli_trace_use (const SlRouting *recording, gboolean warm_up,
                           const SlTraceSettings *settings);
