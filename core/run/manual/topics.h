/* SPDX-License-Identifier: MIT
 *
 * The pages of the help that are written by hand: data for manual.c.  */
#pragma once

#include "core/run/manual/manual.h"

typedef struct
{
  SlManualKind kind;
  const char  *term, *text; /* marked for translation; term may be NULL */
} SlTopicPart;

typedef struct
{
  const char        *id, *title;
  const SlTopicPart *parts; /* ended by a text of NULL */
} SlTopic;

/* Ended by an id of NULL. */
extern const SlTopic sl_topics[];
