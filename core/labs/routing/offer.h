/* SPDX-License-Identifier: MIT
 *
 * What is said of the warm-up of a recording.  */
#pragma once

#include "core/data/routing/routing.h"
#include "core/lab/lab.h"

/* How many tokens of a layer it has and where they went, or SL_NO_MESSAGE where there is none. */
SlMessage sl_routing_warm_up_words (const SlRouting *routing, unsigned layer);

/* As SlLab.offer and SlLab.caption. */
SlOffer   sl_routing_offer (const SlDataset *dataset, const SlSettings *settings);
SlMessage sl_routing_caption (const SlSettings *settings);
