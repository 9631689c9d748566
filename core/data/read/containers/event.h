/* SPDX-License-Identifier: MIT
 *
 * Event files of TensorBoard, record by record: TFRecord frames (length, its check sum, data, their check sum; numbers
 * lowest byte first) around messages of protobuf, tensorflow.Event.  Read are the fields step (2) and summary (5), and
 * of its values tag (1), simple_value (2) and, where it is one number of any real type, tensor (8).  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum {
  SL_EVENT_FRAME = 12,        /* bytes before the data of a record */
  SL_EVENT_BYTES = 256 << 20, /* of the data of a record, at most */
  SL_EVENT_TAG = 1024,        /* of a tag, at most */
};

typedef struct
{
  const char *tag; /* (length) bytes as they are in the file, more than 0 */
  size_t      length;
  double      step, value;
  bool        number; /* false: the tag has something else than one number here */
} SlEventScalar;

/* Takes what a tag has at a step; false: no more can be taken. */
typedef bool SlEventTake (void *of, const SlEventScalar *scalar);

/* Reads a file as it comes. */
typedef struct
{
  const char  *subject; /* borrowed; for failures */
  SlEventTake *take;
  void        *of;
  uint8_t     *pending; /* (n) of the file, from `position` on */
  size_t       n, room;
  uint64_t     position;
} SlEventReader;

void sl_event_reader_init (SlEventReader *reader, const char *subject, SlEventTake *take, void *of);
void sl_event_reader_clear (SlEventReader *reader);

/* Takes the next bytes of the file.  What is pending at the end is a last record that is cut off.  SL_EFORMAT, SL_ENOMEM
 * with the byte at which the wrong record begins; nothing may follow then.  */
SlStatus sl_event_reader_feed (SlEventReader *reader, const void *bytes, size_t n);

/* Reads a file, or no more than about `most` > 0 bytes of it; *cut is the byte at which an unfinished last record begins,
 * or UINT64_MAX.  Also SL_EIO.  */
SlStatus sl_events_read (const char *path, size_t most, SlEventTake *take, void *of, uint64_t *cut);

/* The record at the beginning of `bytes` has a length with the right check sum. */
bool sl_events_are_events (const uint8_t *bytes, size_t n);

/* The time of the first record, in seconds since 1970; not-a-number where it is not whole or has none. */
double sl_events_began (const uint8_t *bytes, size_t n);
