/* SPDX-License-Identifier: MIT
 *
 * A run's beginning as a line of text that fits on a blackboard: lab, settings that differ from the
 * defaults, data, seed and the plot in view, at most SL_STATE_MAX characters with a checksum:
 *
 *   experts/collapse k=2 data=moons:noise=0.1 seed=3 see=cv #7F3QK
 *
 * The first word is the lab, perhaps with one of its presets; "see" is the panel that fills the
 * page.  Where ids are too long for the line, each, that of the lab too, is cut to letters that no
 * other id begins with.  Capitals are read as small letters, several blanks as one.  The checksum
 * is five signs of Crockford's base 32 (no I, L, O, U): 25 bits of the hash (XXH64) of the line
 * without it and of all that the line means, so that a line whose preset or default has changed
 * meanwhile is refused, not misread.  Files have no place in it.  Plain data, any thread.  */
#pragma once

#include <glib.h>

#include "core/lab/lab.h"

G_BEGIN_DECLS

enum { SL_STATE_MAX = 120 };

typedef struct
{
  const SlLab *lab;
  SlSettings   settings;
  char         data[sizeof ((SlDataset *) NULL)->id]; /* "": the lab needs none */
  uint64_t     seed;
  int          panel; /* in view, -1: none */
} SlState;

/* The line; free with g_free().  NULL with a sentence for data in files and for a state that is too
 * long.  */
char *sl_state_write (const SlState *state, GError **error);

/* Reads one.  FALSE with a sentence that names the first word that means nothing, or says that the
 * checksum does not fit; *state is then not to be used.  */
gboolean sl_state_read (const char *text, SlState *state, GError **error);

G_END_DECLS
