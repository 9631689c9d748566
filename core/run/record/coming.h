/* SPDX-License-Identifier: MIT
 *
 * When a panel that has no values yet will have some.  */
#pragma once

#include "core/run/record/record.h"

/* Updates between two reports, and between two evaluations, from now on. */
void sl_record_schedule (SlRecord *record, const SlSettings *settings);

/* The last update of which there is a value; 0: there is none. */
double sl_record_step (const SlRecord *record);

/* The update after which a panel of curves without values may have some; 0: at the first, or after a time;
 * not-a-number: with these settings it has none.  */
double sl_record_next (const SlRecord *record, unsigned panel);

/* The same as a sentence. */
SlMessage sl_record_coming (const SlRecord *record, unsigned panel);
