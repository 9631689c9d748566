/* SPDX-License-Identifier: MIT
 *
 * What was decided about a file for the person: how it was read, what was left out, and which other
 * readings there are, each one option away.  Plain memory, which may be copied.  */
#pragma once

#include "core/base/message.h"

enum {
  SL_READING_NOTES = 8,
  SL_READING_OTHERS = 4,
};

/* Another reading: FILE:option=value opens it. */
typedef struct
{
  char      option[16], value[64];
  SlMessage what; /* "200 layers × 6 tokens" */
} SlOtherReading;

typedef struct
{
  SlMessage
    said; /* "loads of 6 layers × 16 experts, counts from column “count”"; empty: nothing to say */
  SlMessage      note[SL_READING_NOTES]; /* what was guessed or left out, as sentences */
  unsigned       n_notes;
  SlOtherReading other[SL_READING_OTHERS];
  unsigned       n_others;
} SlFileReading;

/* Adds a note or another reading, unless there are many already. */
void sl_reading_note (SlFileReading *reading, SlMessage note);
void sl_reading_other (SlFileReading *reading, const char *option, const char *value,
                       SlMessage what);
