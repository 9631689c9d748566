/* SPDX-License-Identifier: MIT
 *
 * Of the source "recordings".  */
#pragma once

#include "core/base/param.h"
#include "core/data/routing/draft.h"

/* What its settings say of a recording; without the model. */
SlRoutingOptions sl_recordings_options (const SlSettings *settings);
