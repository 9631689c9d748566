/* SPDX-License-Identifier: MIT
 *
 * Event files of TensorBoard: TFRecord frames (length, its check sum, data, their check sum; numbers
 * lowest byte first) around messages of protobuf, tensorflow.Event.  Read are the fields step (2) and
 * summary (5), and of its values tag (1), simple_value (2) and, where it is one number of any real type,
 * tensor (8).  Tags of anything else are left out by name.  */
#pragma once

#include "core/run/foreign/foreign.h"
#include "core/run/record/record.h"

enum {
  SL_EVENT_FRAME = 12,        /* bytes before the data of a record */
  SL_EVENT_BYTES = 256 << 20, /* of the data of a record, at most */
};

/* Reads a file as it comes. */
typedef struct
{
  SlForeign  *foreign; /* borrowed */
  const char *subject; /* borrowed; for errors */
  GByteArray *pending; /* of the file, from `position` on */
  guint64     position;
} SlEventReader;

void sl_event_reader_init (SlEventReader *reader, SlForeign *foreign, const char *subject);
void sl_event_reader_clear (SlEventReader *reader);

/* Takes the next bytes of the file.  FALSE with a sentence that has the byte at which the wrong record
 * begins; nothing may follow then.  */
gboolean sl_event_reader_feed (SlEventReader *reader, const void *bytes, gsize n, GError **error);

/* At the end of the file: says in the run whether the last record is cut off. */
void sl_event_reader_end (SlEventReader *reader);

/* The record at the beginning of `bytes` has a length with the right check sum. */
gboolean sl_events_are_events (const guint8 *bytes, gsize n);

/* The time of the first record, in seconds since 1970; not-a-number where it is not whole or has none. */
double sl_events_began (const guint8 *bytes, gsize n);

/* Puts a frame around data and appends it. */
void sl_events_frame (GByteArray *file, const guint8 *data, gsize n);

/* All series of a record: an event per step, with a value for every channel that has a sample,
 * not-a-number too.  The tag is the id of the channel with '/' behind its panel; values have 24
 * bits.  `wall` is the time of all of them, in seconds since 1970.  The same record gives the same
 * bytes.  */
GBytes *sl_events_write (const SlRecord *record, double wall);
