/* SPDX-License-Identifier: MIT
 *
 * Event files of TensorBoard (core/data/read/containers/event.h) as curves: taken, and written.  Tags of anything but
 * numbers are left out by name.  */
#pragma once

#include "core/data/read/containers/event.h"
#include "core/run/foreign/foreign.h"
#include "core/run/record/record.h"

/* An SlEventTake, of an SlForeign. */
bool sl_foreign_take (void *foreign, const SlEventScalar *scalar);

/* Puts a frame around data and appends it. */
void sl_events_frame (GByteArray *file, const guint8 *data, gsize n);

/* All series of a record: an event per step, with a value for every channel that has a sample,
 * not-a-number too.  The tag is the id of the channel with '/' behind its panel; values have 24
 * bits.  `wall` is the time of all of them, in seconds since 1970.  The same record gives the same
 * bytes.  */
GBytes *sl_events_write (const SlRecord *record, double wall);
