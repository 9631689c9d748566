/* SPDX-License-Identifier: MIT
 *
 * The panels of why an expert of a mixture is used, or is not.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/lab/mixture/setting.h"

/* Whether anything has been learned, else the panel's note says that nothing has: all logits are
 * equal then, and the tie goes to the first experts.  */
bool sl_mixture_has_learned (SlProbe *p);

/* Adds to the note what a person should know about these settings before reading anything into a
 * panel.  */
void sl_mixture_note_caveat (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting);

/* Fills SL_PANEL_MARGINS or SL_PANEL_MARGIN_VALUES for expert `expert`, from 0; one beyond the last
 * counts as that.  The last forward pass was without noise, over `n` examples.  `margin` (2, n) is room
 * to work in.  */
void sl_mixture_probe_margins (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting,
                               size_t expert, size_t n, sl_real *margin);
