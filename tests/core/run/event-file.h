/* SPDX-License-Identifier: MIT
 *
 * Event files for tests, made from the description of the format.  */
#pragma once

#include <string.h>

#include "core/run/foreign/events.h"

static inline void
event_varint (GByteArray *to, guint64 value)
{
  do
    {
      guint8 byte = (guint8) ((value & 0x7f) | (value >= 0x80 ? 0x80 : 0));

      g_byte_array_append (to, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static inline void
event_bytes (GByteArray *to, guint8 key, const void *bytes, gsize n)
{
  g_byte_array_append (to, &key, 1);
  event_varint (to, n);
  g_byte_array_append (to, bytes, (guint) n);
}

/* Appends the record of a step with these tags. */
static inline void
event_file_add (GByteArray *file, double wall, guint64 step, const char *const *tag,
                const float *value, guint n)
{
  g_autoptr (GByteArray) event = g_byte_array_new ();
  g_autoptr (GByteArray) summary = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) one = g_byte_array_new ();

      event_bytes (one, 1 << 3 | 2, tag[i], strlen (tag[i]));
      g_byte_array_append (one, (const guint8 *) "\x15", 1); /* simple_value */
      g_byte_array_append (one, (const guint8 *) &value[i], 4);
      event_bytes (summary, 1 << 3 | 2, one->data, one->len);
    }
  g_byte_array_append (event, (const guint8 *) "\x09", 1); /* wall_time */
  g_byte_array_append (event, (const guint8 *) &wall, 8);
  g_byte_array_append (event, (const guint8 *) "\x10", 1); /* step */
  event_varint (event, step);
  event_bytes (event, 5 << 3 | 2, summary->data, summary->len);
  sl_events_frame (file, event->data, event->len);
}
