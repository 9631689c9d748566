/* SPDX-License-Identifier: MIT
 *
 * Limits of a run that were typed where there is no run to limit.  */
#pragma once

#include "app/cli/plan.h"

/* The first of --steps, --epochs, --seconds and --patience that was typed, as it is written; NULL: none.  Static. */
const char *sl_limit_typed (const SlPlanOptions *options);
