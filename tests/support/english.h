/* SPDX-License-Identifier: MIT
 *
 * What a message says in English, to be compared.  */
#pragma once

#include "core/base/message.h"

/* Good until the next call but one. */
static inline const char *
sl_english_text (const char *packed)
{
  static char     text[2][8192];
  static unsigned next;

  next = !next;
  return sl_message_show (packed, NULL, text[next], sizeof text[next]);
}

static inline const char *
sl_english (const SlMessage *message)
{
  return sl_english_text (message->packed);
}
