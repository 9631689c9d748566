/* SPDX-License-Identifier: MIT
 *
 * Event files, read.  Every length is compared with what is there before it is used.  */
#include <math.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/half.h"
#include "core/run/base/error.h"
#include "core/run/foreign/crc32c.h"
#include "core/run/foreign/events.h"

enum { SUM = 4 /* bytes of a check sum */ };

/* How a field of protobuf is written. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

/* How the bits of an element are a number. */
typedef enum { FLOAT, DOUBLE, HALF, BFLOAT, SIGNED, UNSIGNED } Bits;

/* Element types of tensors that are read: bytes of an element in the contents, and the field that has elements one by
 * one, as what.  */
static const struct
{
  guint64 type;
  gsize   size;
  guint64 field;
  guint   kind;
  Bits    bits;
} elements[] = {
  { 1, 4, 5, FIXED32, FLOAT },     /* DT_FLOAT, float_val */
  { 2, 8, 6, FIXED64, DOUBLE },    /* DT_DOUBLE, double_val */
  { 3, 4, 7, VARINT, SIGNED },     /* DT_INT32, int_val */
  { 4, 1, 7, VARINT, UNSIGNED },   /* DT_UINT8 */
  { 5, 2, 7, VARINT, SIGNED },     /* DT_INT16 */
  { 6, 1, 7, VARINT, SIGNED },     /* DT_INT8 */
  { 9, 8, 10, VARINT, SIGNED },    /* DT_INT64, int64_val */
  { 10, 1, 11, VARINT, UNSIGNED }, /* DT_BOOL, bool_val */
  { 14, 2, 13, VARINT, BFLOAT },   /* DT_BFLOAT16, half_val */
  { 17, 2, 7, VARINT, UNSIGNED },  /* DT_UINT16 */
  { 19, 2, 13, VARINT, HALF },     /* DT_HALF, half_val */
  { 22, 4, 16, VARINT, UNSIGNED }, /* DT_UINT32, uint32_val */
  { 23, 8, 17, VARINT, UNSIGNED }, /* DT_UINT64, uint64_val */
};

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

/* An element of `size` bytes as a number. */
static double
as_number (guint64 bits, gsize size, Bits how)
{
  guint64 sign = (guint64) 1 << (8 * size - 1);

  switch (how)
    {
    case FLOAT: return as_float (bits);
    case DOUBLE: return as_double (bits);
    case HALF: return sl_half_to_double ((uint16_t) bits);
    case BFLOAT: return as_float ((bits & 0xffff) << 16);
    case UNSIGNED: return (double) (bits & (sign | (sign - 1)));
    case SIGNED: break;
    }
  bits &= sign | (sign - 1);
  return bits & sign ? -(double) (sign - (bits & (sign - 1))) : (double) bits;
}

/* Adds the numbers of a packed field, or the one of a field of its own, to what was counted. */
static gboolean
take_numbers (const Field *field, guint kind, guint64 *bits, gsize *n)
{
  Message numbers = field->bytes;

  if (field->kind == kind)
    {
      *bits = field->bits;
      ++*n;
    }
  while (field->kind == BYTES && numbers.at < numbers.end)
    {
      if (kind == VARINT ? !take_varint (&numbers, bits)
                         : !take_fixed (&numbers, kind == FIXED32 ? 4 : 8, bits))
        return FALSE;
      ++*n;
    }
  return TRUE;
}

/* Clears *single where the shape says that there is not one element. */
static gboolean
read_shape (Message message, gboolean *single)
{
  Field dim, size;

  while (message.at < message.end)
    {
      if (!take_field (&message, &dim))
        return FALSE;
      while (dim.number == 2 && dim.kind == BYTES && dim.bytes.at < dim.bytes.end)
        {
          if (!take_field (&dim.bytes, &size))
            return FALSE;
          if (size.number == 1 && size.kind == VARINT && size.bits != 1)
            *single = FALSE;
        }
    }
  return TRUE;
}

/* What a tensor says of its elements before they are read. */
static gboolean
read_tensor_head (Message message, guint64 *type, Message *content, gboolean *single)
{
  Field field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return FALSE;
      if (field.number == 1 && field.kind == VARINT)
        *type = field.bits;
      else if (field.number == 2 && field.kind == BYTES && !read_shape (field.bytes, single))
        return FALSE;
      else if (field.number == 4 && field.kind == BYTES)
        *content = field.bytes;
    }
  return TRUE;
}

/* The number of a tensor that has only one.  *found: it is such a tensor. */
static gboolean
read_tensor (Message message, double *value, gboolean *found)
{
  guint64  type = 0, bits = 0;
  gsize    n = 0, t = 0;
  Message  content = { 0 };
  gboolean single = TRUE;
  Field    field;

  *found = FALSE;
  if (!read_tensor_head (message, &type, &content, &single))
    return FALSE;
  while (t < G_N_ELEMENTS (elements) && elements[t].type != type)
    t++;
  if (t == G_N_ELEMENTS (elements) || !single)
    return TRUE;
  while (message.at < message.end && take_field (&message, &field))
    if (field.number == elements[t].field && !take_numbers (&field, elements[t].kind, &bits, &n))
      return FALSE;
  if ((gsize) (content.end - content.at) == elements[t].size)
    n += take_fixed (&content, elements[t].size, &bits);
  *found = n == 1 && content.at == content.end;
  *value = as_number (bits, elements[t].size, elements[t].bits);
  return TRUE;
}

typedef enum { GOOD, MALFORMED, FULL } Outcome;

static Outcome
read_value (SlForeign *foreign, double step, Message message)
{
  Message          tag = { 0 };
  gboolean         found = FALSE;
  double           value = NAN;
  SlForeignCurve  *curve;
  Field            field;
  g_autofree char *name = NULL;

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
  if (tag.at == tag.end)
    return GOOD;
  name = sl_foreign_name ((const char *) tag.at, (gsize) (tag.end - tag.at));
  if (!found)
    {
      sl_foreign_leave_out (foreign, name);
      return GOOD;
    }
  curve = sl_foreign_curve (foreign, name);
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

double
sl_events_began (const guint8 *bytes, gsize n)
{
  guint64 length = n >= SL_EVENT_FRAME ? sl_little_endian (bytes, 8) : 0;
  Message message = { bytes + SL_EVENT_FRAME, bytes + SL_EVENT_FRAME + length };
  Field   field;

  if (n < SL_EVENT_FRAME || length > n - SL_EVENT_FRAME)
    return NAN;
  while (message.at < message.end && take_field (&message, &field))
    if (field.number == 1 && field.kind == FIXED64)
      return as_double (field.bits);
  return NAN;
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
