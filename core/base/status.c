/* SPDX-License-Identifier: MIT */
#include "core/base/status.h"

#include <stdio.h>
#include <string.h>

/* Keeps the end of the text, so that a file's name survives its folders. */
static void
keep_tail (char *to, size_t size, const char *from)
{
  size_t length = from != NULL ? strlen (from) : 0;

  if (length < size)
    snprintf (to, size, "%s", from != NULL ? from : "");
  else
    {
      from += length - (size - 4);
      while (((unsigned char) *from & 0xc0) == 0x80)
        from++;
      snprintf (to, size, "...%s", from);
    }
}

SlStatus
sl_status_at (SlCode code, const char *subject, SlPlace place, uint64_t position, SlMessage found,
              SlMessage expected)
{
  SlStatus status
    = { .code = code, .place = place, .position = position, .found = found, .expected = expected };

  keep_tail (status.subject, sizeof status.subject, subject);
  return status;
}

SlStatus
sl_status_new (SlCode code, const char *subject, SlMessage found, SlMessage expected)
{
  return sl_status_at (code, subject, SL_NOWHERE, 0, found, expected);
}

SlStatus
sl_status_no_memory (const char *subject)
{
  return sl_status_new (SL_ENOMEM, subject, SL_NO_MESSAGE, SL_NO_MESSAGE);
}

static SlAdvice *
new_advice (SlStatus *status)
{
  return status->n_advice < SL_ADVICE_MAX ? &status->advice[status->n_advice++] : NULL;
}

SlStatus
sl_status_try (SlStatus status, const char *option, const char *value)
{
  SlAdvice *advice = new_advice (&status);

  if (advice != NULL)
    {
      snprintf (advice->option, sizeof advice->option, "%s", option);
      snprintf (advice->value, sizeof advice->value, "%s", value);
    }
  return status;
}

SlStatus
sl_status_line (SlStatus status, const char *line)
{
  SlAdvice *advice = new_advice (&status);

  if (advice != NULL)
    snprintf (advice->line, sizeof advice->line, "%s", line);
  return status;
}

const char *
sl_code_text (SlCode code)
{
  switch (code)
    {
    case SL_OK: return "no error";
    case SL_EINVAL: return "value out of range";
    case SL_ENOMEM: return "not enough memory";
    case SL_EIO: return "input or output failed";
    case SL_EFORMAT: return "wrong format";
    case SL_EDIVERGED: return "not finite";
    case SL_ECANCELLED: return "cancelled";
    case SL_EUNSUPPORTED: return "not supported";
    case SL_EGATE: return "the gate failed";
    }
  return "unknown error";
}

/* Where it was: "table.csv, line 4", "line 4", "table.csv" or nothing. */
static SlMessage
place_of (const SlStatus *status)
{
  unsigned long long at = status->position;
  /* Files and parameters keep the names by which they are typed; phrases are translated. */
  bool      phrase = strchr (status->subject, ' ') != NULL;
  SlMessage subject
    = phrase ? sl_message_word (status->subject) : sl_message_verbatim (status->subject);
  const char *of = subject.packed;
  bool        named = *of != '\0';

  switch (status->place)
    {
    case SL_NOWHERE: break;
    /* Translators: a place in a file, "train-labels.gz, byte 4". */
    case SL_BYTE:
      return named ? sl_message ("%s, byte %llu", of, at) : sl_message ("byte %llu", at);
    case SL_LINE:
      return named ? sl_message ("%s, line %llu", of, at) : sl_message ("line %llu", at);
    case SL_RECORD:
      return named ? sl_message ("%s, example %llu", of, at) : sl_message ("example %llu", at);
    case SL_STEP:
      return named ? sl_message ("%s, step %llu", of, at) : sl_message ("step %llu", at);
    }
  return subject;
}

/* Appends as much as fits. */
static void
append (char *to, size_t size, const char *text)
{
  size_t used = strlen (to), room = size - 1 - used, length = strlen (text);

  length = length < room ? length : room;
  memcpy (to + used, text, length);
  to[used + length] = '\0';
}

/* "; try missing=drop". */
static void
append_advice (const SlStatus *status, char *to, size_t size)
{
  for (unsigned i = 0; i < status->n_advice; i++)
    {
      const SlAdvice *advice = &status->advice[i];
      size_t          used = strlen (to);

      if (advice->line[0] != '\0')
        sl_message_print (to + used, size - used, "; in Python: %s", advice->line);
      else if (i == 0)
        sl_message_print (to + used, size - used, "; try %s=%s", advice->option, advice->value);
      else
        sl_message_print (to + used, size - used, " or %s=%s", advice->option, advice->value);
    }
}

static void
pack (const SlStatus *status, char *to, size_t size)
{
  SlMessage   place = place_of (status);
  const char *found = status->found.packed, *expected = status->expected.packed;

  *to = '\0';
  append (to, size, place.packed);
  append (to, size, *to != '\0' ? ": " : "");
  if (*found != '\0' && *expected != '\0')
    sl_message_print (to + strlen (to), size - strlen (to), "found %s, expected %s", found,
                      expected);
  else if (*expected != '\0')
    sl_message_print (to + strlen (to), size - strlen (to), "expected %s", expected);
  else
    append (to, size,
            *found != '\0' ? found : sl_message_word (sl_code_text (status->code)).packed);
  append_advice (status, to, size);
}

const char *
sl_status_show (const SlStatus *status, SlTranslate *translate, char *text, size_t size)
{
  char packed[6 * SL_MESSAGE_SIZE];

  pack (status, packed, sizeof packed);
  return sl_message_show (packed, translate, text, size);
}

const char *
sl_status_text (const SlStatus *status, char *text, size_t size)
{
  return sl_status_show (status, NULL, text, size);
}

SlMessage
sl_status_message (const SlStatus *status)
{
  SlMessage message;

  pack (status, message.packed, sizeof message.packed);
  return message;
}
