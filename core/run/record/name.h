/* SPDX-License-Identifier: MIT
 *
 * What a run is called: two words and a number, "quiet heron 7", and one of the palette's colours,
 * both from its UUID, so that they are the same wherever it is read.  In a store the number is the
 * next that no other run has, and the colour one that none of the runs just before has (naming.h
 * there).  Plain functions, any thread.  */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

enum {
  SL_RUN_COLOURS = 8,  /* numbered from 1 */
  SL_RUN_NUMBERS = 99, /* numbers that come from a UUID; beyond are those given to avoid another */
  SL_RUN_ID_SHOWN = 8, /* letters of a UUID that are shown beside the name */
};

/* "quiet heron"; free with g_free(). */
char *sl_run_words (const char *uuid);

/* From 1 to SL_RUN_NUMBERS. */
unsigned sl_run_number (const char *uuid);

/* From 1 to SL_RUN_COLOURS. */
unsigned sl_run_colour (const char *uuid);

/* The whole of it, "quiet heron 7"; free with g_free(). */
char *sl_run_name (const char *uuid);

/* Whether the name is the run's words with a number. */
gboolean sl_run_name_is_own (const char *uuid, const char *name);

G_END_DECLS
