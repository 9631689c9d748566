/* SPDX-License-Identifier: MIT
 *
 * Event files, written.  */
#include <string.h>

#include "core/data/read/containers/crc32c.h"
#include "core/run/files/table-rows.h"
#include "core/run/foreign/events.h"

/* Keys of protobuf: the number of the field times 8, and how it is written. */
enum {
  EVENT_WALL_TIME = 1 << 3 | 1,
  EVENT_STEP = 2 << 3,
  EVENT_FILE_VERSION = 3 << 3 | 2,
  EVENT_SUMMARY = 5 << 3 | 2,
  SUMMARY_VALUE = 1 << 3 | 2,
  VALUE_TAG = 1 << 3 | 2,
  VALUE_SIMPLE = 2 << 3 | 5,
};

static void
put_fixed (GByteArray *to, guint64 bits, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    g_byte_array_append (to, &(guint8) { (guint8) (bits >> 8 * i) }, 1);
}

static void
put_varint (GByteArray *to, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    put_fixed (to, value | 0x80, 1);
  put_fixed (to, value, 1);
}

static void
put_bytes (GByteArray *to, unsigned key, const void *bytes, gsize n)
{
  put_varint (to, key);
  put_varint (to, n);
  g_byte_array_append (to, bytes, (guint) n);
}

static void
begin_event (GByteArray *event, double wall)
{
  guint64 bits;

  g_byte_array_set_size (event, 0);
  memcpy (&bits, &wall, sizeof bits);
  put_varint (event, EVENT_WALL_TIME);
  put_fixed (event, bits, 8);
}

void
sl_events_frame (GByteArray *file, const guint8 *data, gsize n)
{
  guint start = file->len;

  put_fixed (file, n, 8);
  put_fixed (file, sl_crc32c_masked (file->data + start, 8), 4);
  g_byte_array_append (file, data, (guint) n);
  put_fixed (file, sl_crc32c_masked (data, n), 4);
}

static void
put_value (GByteArray *summary, GByteArray *scratch, const char *id, float value)
{
  g_autofree char *tag = g_strdup (id);
  char            *dot = strchr (tag, '.');
  guint32          bits;

  if (dot != NULL)
    *dot = '/';
  memcpy (&bits, &value, sizeof bits);
  g_byte_array_set_size (scratch, 0);
  put_bytes (scratch, VALUE_TAG, tag, strlen (tag));
  put_varint (scratch, VALUE_SIMPLE);
  put_fixed (scratch, bits, 4);
  put_bytes (summary, SUMMARY_VALUE, scratch->data, scratch->len);
}

GBytes *
sl_events_write (const SlRecord *record, double wall)
{
  static const char version[] = "brain.Event:2";
  GByteArray       *file = g_byte_array_new ();
  g_autoptr (GByteArray) event = g_byte_array_new ();
  g_autoptr (GByteArray) summary = g_byte_array_new ();
  g_autoptr (GByteArray) value = g_byte_array_new ();
  SlTableRows rows;

  begin_event (event, wall);
  put_bytes (event, EVENT_FILE_VERSION, version, strlen (version));
  sl_events_frame (file, event->data, event->len);
  sl_table_rows_init (&rows, record, -1, 0, G_MAXDOUBLE);
  while (sl_table_rows_next (&rows))
    {
      g_byte_array_set_size (summary, 0);
      for (unsigned c = 0; c < rows.n; c++)
        if (rows.has[c])
          put_value (summary, value, record->layout.channel[rows.channel[c]].id,
                     (float) rows.value[c]);
      begin_event (event, wall);
      put_varint (event, EVENT_STEP);
      put_varint (event, (guint64) rows.step);
      put_bytes (event, EVENT_SUMMARY, summary->data, summary->len);
      sl_events_frame (file, event->data, event->len);
    }
  return g_byte_array_free_to_bytes (file);
}
