/* SPDX-License-Identifier: MIT
 *
 * Event files, record by record.  Every length is compared with what is there before it is used.  */
#include "core/data/read/containers/event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/crc32c.h"
#include "core/data/text/bytes.h"
#include "core/data/text/grow.h"
#include "core/data/text/half.h"

enum { SUM = 4 /* bytes of a check sum */, CHUNK = 1 << 16 };

/* How a field of protobuf is written. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

/* How the bits of an element are a number. */
typedef enum { FLOAT, DOUBLE, HALF, BFLOAT, SIGNED, UNSIGNED } Bits;

/* Element types of tensors that are read: bytes of an element in the contents, and the field that has elements one by
 * one, as what.  */
static const struct
{
  uint64_t type;
  size_t   size;
  uint64_t field;
  unsigned kind;
  Bits     bits;
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
  const uint8_t *at, *end;
} Message;

typedef struct
{
  uint64_t number;
  unsigned kind;
  uint64_t bits;  /* VARINT, FIXED64, FIXED32 */
  Message  bytes; /* BYTES */
} Field;

static bool
take_varint (Message *message, uint64_t *value)
{
  *value = 0;
  for (unsigned shift = 0; shift < 64 && message->at < message->end; shift += 7)
    {
      uint8_t byte = *message->at++;

      *value |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return true;
    }
  return false;
}

static bool
take_fixed (Message *message, size_t n, uint64_t *bits)
{
  if ((size_t) (message->end - message->at) < n)
    return false;
  *bits = sl_little_endian (message->at, n);
  message->at += n;
  return true;
}

/* The next field of a message that has not ended; false: it is malformed. */
static bool
take_field (Message *message, Field *field)
{
  uint64_t key, length;

  *field = (Field) { 0 };
  if (!take_varint (message, &key) || key >> 3 == 0)
    return false;
  field->number = key >> 3;
  field->kind = key & 7;
  switch (field->kind)
    {
    case VARINT: return take_varint (message, &field->bits);
    case FIXED64: return take_fixed (message, 8, &field->bits);
    case FIXED32: return take_fixed (message, 4, &field->bits);
    case BYTES: break;
    default: return false;
    }
  if (!take_varint (message, &length) || length > (uint64_t) (message->end - message->at))
    return false;
  field->bytes = (Message) { message->at, message->at + length };
  message->at += length;
  return true;
}

static double
as_float (uint64_t bits)
{
  uint32_t low = (uint32_t) bits;
  float    value;

  memcpy (&value, &low, sizeof value);
  return value;
}

static double
as_double (uint64_t bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* An element of `size` bytes as a number. */
static double
as_number (uint64_t bits, size_t size, Bits how)
{
  uint64_t sign = (uint64_t) 1 << (8 * size - 1);

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
static bool
take_numbers (const Field *field, unsigned kind, uint64_t *bits, size_t *n)
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
        return false;
      ++*n;
    }
  return true;
}

/* Clears *single where the shape says that there is not one element. */
static bool
read_shape (Message message, bool *single)
{
  Field dim, size;

  while (message.at < message.end)
    {
      if (!take_field (&message, &dim))
        return false;
      while (dim.number == 2 && dim.kind == BYTES && dim.bytes.at < dim.bytes.end)
        {
          if (!take_field (&dim.bytes, &size))
            return false;
          if (size.number == 1 && size.kind == VARINT && size.bits != 1)
            *single = false;
        }
    }
  return true;
}

/* What a tensor says of its elements before they are read. */
static bool
read_tensor_head (Message message, uint64_t *type, Message *content, bool *single)
{
  Field field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return false;
      if (field.number == 1 && field.kind == VARINT)
        *type = field.bits;
      else if (field.number == 2 && field.kind == BYTES && !read_shape (field.bytes, single))
        return false;
      else if (field.number == 4 && field.kind == BYTES)
        *content = field.bytes;
    }
  return true;
}

/* The number of a tensor that has only one.  *found: it is such a tensor. */
static bool
read_tensor (Message message, double *value, bool *found)
{
  uint64_t type = 0, bits = 0;
  size_t   n = 0, t = 0;
  Message  content = { 0 };
  bool     single = true;
  Field    field;

  *found = false;
  if (!read_tensor_head (message, &type, &content, &single))
    return false;
  while (t < sizeof elements / sizeof *elements && elements[t].type != type)
    t++;
  if (t == sizeof elements / sizeof *elements || !single)
    return true;
  while (message.at < message.end && take_field (&message, &field))
    if (field.number == elements[t].field && !take_numbers (&field, elements[t].kind, &bits, &n))
      return false;
  if ((size_t) (content.end - content.at) == elements[t].size)
    n += take_fixed (&content, elements[t].size, &bits);
  *found = n == 1 && content.at == content.end;
  *value = as_number (bits, elements[t].size, elements[t].bits);
  return true;
}

typedef enum { GOOD, MALFORMED, FULL } Outcome;

static Outcome
read_value (const SlEventReader *reader, double step, Message message)
{
  SlEventScalar scalar = { .step = step, .value = NAN };
  Field         field;

  while (message.at < message.end)
    {
      if (!take_field (&message, &field))
        return MALFORMED;
      if (field.number == 1 && field.kind == BYTES)
        {
          scalar.tag = (const char *) field.bytes.at;
          scalar.length = (size_t) (field.bytes.end - field.bytes.at);
        }
      else if (field.number == 2 && field.kind == FIXED32)
        {
          scalar.value = as_float (field.bits);
          scalar.number = true;
        }
      else if (field.number == 8 && field.kind == BYTES
               && !read_tensor (field.bytes, &scalar.value, &scalar.number))
        return MALFORMED;
    }
  if (scalar.length > SL_EVENT_TAG)
    return MALFORMED;
  return scalar.length == 0 || reader->take (reader->of, &scalar) ? GOOD : FULL;
}

static Outcome
read_summary (const SlEventReader *reader, double step, Message message)
{
  Outcome outcome = GOOD;
  Field   field;

  while (message.at < message.end && outcome == GOOD)
    if (!take_field (&message, &field))
      outcome = MALFORMED;
    else if (field.number == 1 && field.kind == BYTES)
      outcome = read_value (reader, step, field.bytes);
  return outcome;
}

/* The step may come after the summary, so it is looked for first. */
static Outcome
read_event (const SlEventReader *reader, Message event)
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
        step = (double) (int64_t) field.bits;
    }
  for (message = event; message.at < message.end && outcome == GOOD;)
    if (take_field (&message, &field) && field.number == 5 && field.kind == BYTES)
      outcome = read_summary (reader, step, field.bytes);
  return outcome;
}

double
sl_events_began (const uint8_t *bytes, size_t n)
{
  uint64_t length = n >= SL_EVENT_FRAME ? sl_little_endian (bytes, 8) : 0;
  Message  message = { bytes + SL_EVENT_FRAME, bytes + SL_EVENT_FRAME + length };
  Field    field;

  if (n < SL_EVENT_FRAME || length > n - SL_EVENT_FRAME)
    return NAN;
  while (message.at < message.end && take_field (&message, &field))
    if (field.number == 1 && field.kind == FIXED64)
      return as_double (field.bits);
  return NAN;
}

void
sl_event_reader_init (SlEventReader *reader, const char *subject, SlEventTake *take, void *of)
{
  *reader = (SlEventReader) { .subject = subject, .take = take, .of = of };
}

void
sl_event_reader_clear (SlEventReader *reader)
{
  free (reader->pending);
  reader->pending = NULL;
}

static SlStatus
refuse (const SlEventReader *reader, SlCode code, SlMessage found, SlMessage expected)
{
  return sl_status_at (code, reader->subject, SL_BYTE, reader->position, found, expected);
}

static bool
has_sum (const uint8_t *bytes, size_t n)
{
  return sl_little_endian (bytes + n, SUM) == sl_crc32c_masked (bytes, n);
}

bool
sl_events_are_events (const uint8_t *bytes, size_t n)
{
  return n >= SL_EVENT_FRAME && has_sum (bytes, 8);
}

static SlStatus
read_record (const SlEventReader *reader, const uint8_t *data, size_t length)
{
  if (!has_sum (data, length))
    return refuse (reader, SL_EFORMAT, sl_message ("a record with a wrong check sum"),
                   SL_NO_MESSAGE);
  switch (read_event (reader, (Message) { data, data + length }))
    {
    case MALFORMED:
      return refuse (reader, SL_EFORMAT, sl_message ("a record that is no event"),
                     sl_message ("an event of TensorBoard"));
    case FULL: return refuse (reader, SL_ENOMEM, sl_message ("more data than fit"), SL_NO_MESSAGE);
    case GOOD: break;
    }
  return SL_SUCCESS;
}

/* The record at the beginning of `bytes`; *length is 0 where it is not all there yet. */
static SlStatus
take_record (SlEventReader *reader, const uint8_t *bytes, size_t n, size_t *length)
{
  uint64_t data = sl_little_endian (bytes, 8);
  SlStatus status = SL_SUCCESS;

  *length = 0;
  if (!sl_events_are_events (bytes, n))
    return refuse (reader, SL_EFORMAT, sl_message ("a length with a wrong check sum"),
                   SL_NO_MESSAGE);
  if (data > SL_EVENT_BYTES)
    return refuse (reader, SL_EFORMAT,
                   sl_message ("a record of %llu bytes", (unsigned long long) data),
                   sl_message ("at most %d bytes", SL_EVENT_BYTES));
  if (n - SL_EVENT_FRAME < data + SUM)
    return SL_SUCCESS;
  status = read_record (reader, bytes + SL_EVENT_FRAME, data);
  *length = SL_EVENT_FRAME + data + SUM;
  return status;
}

SlStatus
sl_event_reader_feed (SlEventReader *reader, const void *bytes, size_t n)
{
  size_t   done = 0, length = 1;
  SlStatus status = SL_SUCCESS;

  if (n == 0)
    return status;
  if (!sl_grow (&reader->pending, &reader->room, reader->n + n, 1))
    return sl_status_no_memory (reader->subject);
  memcpy (reader->pending + reader->n, bytes, n);
  reader->n += n;
  while (sl_ok (&status) && length > 0 && reader->n - done >= SL_EVENT_FRAME)
    {
      status = take_record (reader, reader->pending + done, reader->n - done, &length);
      if (sl_ok (&status))
        {
          done += length;
          reader->position += length;
        }
    }
  reader->n -= done;
  memmove (reader->pending, reader->pending + done, reader->n);
  return status;
}

SlStatus
sl_events_read (const char *path, size_t most, SlEventTake *take, void *of, uint64_t *cut)
{
  uint8_t      *chunk = malloc (CHUNK);
  size_t        got = CHUNK;
  SlBytes      *bytes = NULL;
  SlEventReader reader;
  SlStatus      status = chunk != NULL ? sl_bytes_open (&bytes, path) : sl_status_no_memory (path);

  *cut = UINT64_MAX;
  sl_event_reader_init (&reader, path, take, of);
  while (sl_ok (&status) && got == CHUNK && (most == 0 || sl_bytes_position (bytes) < most))
    {
      status = sl_bytes_some (bytes, chunk, CHUNK, &got);
      if (sl_ok (&status))
        status = sl_event_reader_feed (&reader, chunk, got);
    }
  if (reader.n > 0)
    *cut = reader.position;
  sl_event_reader_clear (&reader);
  sl_bytes_close (bytes);
  free (chunk);
  return status;
}
