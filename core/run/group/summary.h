/* SPDX-License-Identifier: MIT
 *
 * How a lab appears among others, from its descriptor's headline: the settings that make it
 * small, and the sentence to read beside its plot.  */
#pragma once

#include "core/run/record/record.h"

/* Defaults with the headline's settings over them.  SL_EINVAL as sl_settings_set(). */
SlStatus sl_summary_settings (const SlLab *lab, SlSettings *settings);

/* Fills in the figures of `words`: the lab's own, or a translation of them.  A value that is not
 * there yet, and a channel that this run does not have, is "…".  Cut, between letters, to `size`.
 * Returns `text`.  */
const char *sl_summary_text (const SlRecord *record, const char *words, char *text, size_t size);

/* The newest value of a channel, not-a-number before there is one or where `id` is NULL. */
double sl_summary_value (const SlRecord *record, const char *id);

/* Whether a trace of the headline's panel is shown at first. */
bool sl_summary_shows (const SlLab *lab, const char *trace);
