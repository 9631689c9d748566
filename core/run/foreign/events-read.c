/* SPDX-License-Identifier: MIT
 *
 * Event files, read.  Every length is compared with what is there before it is used.  */
#include <math.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/run/base/error.h"
#include "core/run/foreign/crc32c.h"
#include "core/run/foreign/events.h"

enum { SUM = 4 /* bytes of a check sum */ };

/* How a field of protobuf is written. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

/* Element types of tensors that are read. */
enum { TYPE_FLOAT = 1, TYPE_DOUBLE = 2 };

/* The bytes of a message that are still to be read. */
typedef struct
{
  const guint8 *at, *end;
} Message;

typedef struct
{
  guint64 number;
  guint   kind;
  guint64 bits;  /* VARINT, FIXED64, FIXED32 */
  Message bytes; /* BYTES */
} Field;

static gboolean
take_varint (Message *message, guint64 *value)
{
  *value = 0;
  for (guint shift = 0; shift < 64 && message->at < message->end; shift += 7)
    {
      guint8 byte = *message->at++;

      *value |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return TRUE;
    }
  return FALSE;
}

static gboolean
take_fixed (Message *message, gsize n, guint64 *bits)
{
  if ((gsize) (message->end - message->at) < n)
    return FALSE;
  *bits = sl_little_endian (message->at, n);
  message->at += n;
  return TRUE;
}

/* The next field of a message that has not ended; FALSE: it is malformed. */
static gboolean
take_field (Message *message, Field *field)
{
  guint64 key, length;

  *field = (Field) { 0 };
  if (!take_varint (message, &key) || key >> 3 == 0)
    return FALSE;
  field->number = key >> 3;
  field->kind = key & 7;
  switch (field->kind)
    {
    case VARINT: return take_varint (message, &field->bits);
    case FIXED64: return take_fixed (message, 8, &field->bits);
    case FIXED32: return take_fixed (message, 4, &field->bits);
    case BYTES: break;
    default: return FALSE;
    }
  if (!take_varint (message, &length) || length > (guint64) (message->end - message->at))
    return FALSE;
  field->bytes = (Message) { message->at, message->at + length };
  message->at += length;
  return TRUE;
}

static double
as_float (guint64 bits)
{
  guint32 low = (guint32) bits;
  float   value;

  memcpy (&value, &low, sizeof value);
  return value;
}

static double
as_double (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Adds the numbers of a packed field, or the one of a field of its own, to what was counted. */
static void
take_numbers (const Field *field, gsize size, guint64 *bits, gsize *n)
{
  Message numbers = field->bytes;

  if (field->kind != BYTES)
    {
      *bits = field->bits;
      ++*n;
    }
  while (take_fixed (&numbers, size, bits))
    ++*n;
}

/* The number of a tensor that has only one.  *found: it is such a tensor. */
static gboolean
read_tensor (Message message, double *value, gboolean *found)
{
  guint64 type = 0, bits = 0;
  gsize   n_float = 0, n_double = 0;
  Message content = { 0 };
  Field   field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return FALSE;
      if (field.number == 1 && field.kind == VARINT)
        type = field.bits;
      else if (field.number == 4 && field.kind == BYTES)
        content = field.bytes;
      else if (field.number == 5 && (field.kind == BYTES || field.kind == FIXED32))
        take_numbers (&field, sizeof (float), &bits, &n_float);
      else if (field.number == 6 && (field.kind == BYTES || field.kind == FIXED64))
        take_numbers (&field, sizeof (double), &bits, &n_double);
    }
  if (type == TYPE_FLOAT && content.end - content.at == sizeof (float))
    n_float += take_fixed (&content, sizeof (float), &bits);
  else if (type == TYPE_DOUBLE && content.end - content.at == sizeof (double))
    n_double += take_fixed (&content, sizeof (double), &bits);
  *found = content.at == content.end
           && ((type == TYPE_FLOAT && n_float == 1) || (type == TYPE_DOUBLE && n_double == 1));
  *value = type == TYPE_FLOAT ? as_float (bits) : as_double (bits);
  return TRUE;
}

typedef enum { GOOD, MALFORMED, FULL } Outcome;

/* The curve that a tag names: valid UTF-8 without control characters.  NULL: no room. */
static SlForeignCurve *
curve_of (SlForeign *foreign, const Message *tag)
{
  g_autofree char *name = g_utf8_make_valid ((const char *) tag->at, tag->end - tag->at);

  for (char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return sl_foreign_curve (foreign, name);
}

static Outcome
read_value (SlForeign *foreign, double step, Message message)
{
  Message         tag = { 0 };
  gboolean        found = FALSE;
  double          value = NAN;
  SlForeignCurve *curve;
  Field           field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return MALFORMED;
      if (field.number == 1 && field.kind == BYTES)
        tag = field.bytes;
      else if (field.number == 2 && field.kind == FIXED32)
        {
          value = as_float (field.bits);
          found = TRUE;
        }
      else if (field.number == 8 && field.kind == BYTES
               && !read_tensor (field.bytes, &value, &found))
        return MALFORMED;
    }
  if (tag.end - tag.at > SL_FOREIGN_NAME_MAX)
    return MALFORMED;
  if (!found || tag.at == tag.end)
    return GOOD;
  curve = curve_of (foreign, &tag);
  return curve == NULL || sl_foreign_add (foreign, curve, step, value) ? GOOD : FULL;
}

static Outcome
read_summary (SlForeign *foreign, double step, Message message)
{
  Outcome outcome = GOOD;
  Field   field;

  while (message.at < message.end && outcome == GOOD)
    if (!take_field (&message, &field))
      outcome = MALFORMED;
    else if (field.number == 1 && field.kind == BYTES)
      outcome = read_value (foreign, step, field.bytes);
  return outcome;
}

/* The step may come after the summary, so it is looked for first. */
static Outcome
read_event (SlForeign *foreign, Message event)
{
  Message message = event;
  Outcome outcome = GOOD;
  double  step = 0;
  Field   field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return MALFORMED;
      if (field.number == 2 && field.kind == VARINT)
        step = (double) (gint64) field.bits;
    }
  for (message = event; message.at < message.end && outcome == GOOD;)
    if (take_field (&message, &field) && field.number == 5 && field.kind == BYTES)
      outcome = read_summary (foreign, step, field.bytes);
  return outcome;
}

void
sl_event_reader_init (SlEventReader *reader, SlForeign *foreign, const char *subject)
{
  *reader = (SlEventReader) { foreign, subject, g_byte_array_new (), 0 };
}

void
sl_event_reader_clear (SlEventReader *reader)
{
  g_clear_pointer (&reader->pending, g_byte_array_unref);
}

static gboolean
fail_at (const SlEventReader *reader, SlCode code, SlMessage found, SlMessage expected,
         GError **error)
{
  SlStatus status
    = sl_status_at (code, reader->subject, SL_BYTE, reader->position, found, expected);

  return sl_status_good (&status, error);
}

static gboolean
has_sum (const guint8 *bytes, gsize n)
{
  return sl_little_endian (bytes + n, SUM) == sl_crc32c_masked (bytes, n);
}

gboolean
sl_events_are_events (const guint8 *bytes, gsize n)
{
  return n >= SL_EVENT_FRAME && has_sum (bytes, 8);
}

static gboolean
read_record (SlEventReader *reader, const guint8 *data, gsize length, GError **error)
{
  if (!has_sum (data, length))
    return fail_at (reader, SL_EFORMAT, sl_message ("a record with a wrong check sum"),
                    SL_NO_MESSAGE, error);
  switch (read_event (reader->foreign, (Message) { data, data + length }))
    {
    case MALFORMED:
      return fail_at (reader, SL_EFORMAT, sl_message ("a record that is no event"),
                      sl_message ("an event of TensorBoard"), error);
    case FULL:
      return fail_at (reader, SL_ENOMEM, sl_message ("more data than fit"),
                      sl_message ("at most %d numbers", SL_FOREIGN_POINTS_MAX), error);
    case GOOD: break;
    }
  return TRUE;
}

gboolean
sl_event_reader_feed (SlEventReader *reader, const void *bytes, gsize n, GError **error)
{
  gsize    done = 0;
  gboolean good = TRUE;

  g_byte_array_append (reader->pending, bytes, (guint) n);
  while (good && reader->pending->len - done >= SL_EVENT_FRAME)
    {
      const guint8 *record = reader->pending->data + done;
      guint64       length = sl_little_endian (record, 8);

      if (!sl_events_are_events (record, SL_EVENT_FRAME))
        return fail_at (reader, SL_EFORMAT, sl_message ("a length with a wrong check sum"),
                        SL_NO_MESSAGE, error);
      if (length > SL_EVENT_BYTES)
        return fail_at (reader, SL_EFORMAT,
                        sl_message ("a record of %llu bytes", (unsigned long long) length),
                        sl_message ("at most %d bytes", SL_EVENT_BYTES), error);
      if (reader->pending->len - done < SL_EVENT_FRAME + length + SUM)
        break;
      good = read_record (reader, record + SL_EVENT_FRAME, length, error);
      done += SL_EVENT_FRAME + length + SUM;
      reader->position += good ? SL_EVENT_FRAME + length + SUM : 0;
    }
  if (good && done > 0)
    g_byte_array_remove_range (reader->pending, 0, (guint) done);
  return good;
}

void
sl_event_reader_end (SlEventReader *reader)
{
  if (reader->pending->len > 0)
    reader->foreign->cut = reader->position;
}
