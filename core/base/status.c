/* SPDX-License-Identifier: MIT */
#include "core/base/status.h"

#include <stdio.h>
#include <string.h>

static void
keep_head (char *to, size_t size, const char *from)
{
  snprintf (to, size, "%s", from != NULL ? from : "");
}

static void
keep_tail (char *to, size_t size, const char *from)
{
  size_t length = from != NULL ? strlen (from) : 0;

  if (length < size)
    keep_head (to, size, from);
  else
    snprintf (to, size, "...%s", from + length - (size - 4));
}

SlStatus
sl_status_at (SlCode code, const char *subject, SlPlace place, uint64_t position, const char *found,
              const char *expected)
{
  SlStatus status = { .code = code, .place = place, .position = position };

  keep_tail (status.subject, sizeof status.subject, subject);
  keep_head (status.found, sizeof status.found, found);
  keep_head (status.expected, sizeof status.expected, expected);
  return status;
}

SlStatus
sl_status_new (SlCode code, const char *subject, const char *found, const char *expected)
{
  return sl_status_at (code, subject, SL_NOWHERE, 0, found, expected);
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
    }
  return "unknown error";
}

static const char *
place_text (SlPlace place)
{
  switch (place)
    {
    case SL_NOWHERE: break;
    case SL_BYTE: return "byte";
    case SL_LINE: return "line";
    case SL_RECORD: return "example";
    case SL_STEP: return "step";
    }
  return "";
}

const char *
sl_status_text (const SlStatus *status, char *text, size_t size)
{
  char where[288] = "", what[288] = "";

  if (status->place != SL_NOWHERE)
    snprintf (where, sizeof where, "%s%s%s %llu: ", status->subject,
              status->subject[0] != '\0' ? ", " : "", place_text (status->place),
              (unsigned long long) status->position);
  else if (status->subject[0] != '\0')
    snprintf (where, sizeof where, "%s: ", status->subject);

  if (status->found[0] != '\0' && status->expected[0] != '\0')
    snprintf (what, sizeof what, "found %s, expected %s", status->found, status->expected);
  else if (status->found[0] != '\0')
    snprintf (what, sizeof what, "%s", status->found);
  else if (status->expected[0] != '\0')
    snprintf (what, sizeof what, "expected %s", status->expected);
  else
    snprintf (what, sizeof what, "%s", sl_code_text (status->code));

  snprintf (text, size, "%s%s", where, what);
  return text;
}
