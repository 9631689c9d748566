/* SPDX-License-Identifier: MIT
 *
 * What the command line says.  */
#pragma once

#include <gio/gio.h>

#include "core/run/record/recipe.h"
#include "core/run/session/session.h"

typedef struct
{
  SlRecipe plan;   /* lab, settings, seed */
  char    *data;   /* specification or absolute path, NULL: the default */
  char    *file;   /* a figure or data file, NULL: none */
  char   **beside; /* further ones, or NULL */
  char    *lesson; /* the id of one of the program's own, or an absolute path; NULL: none */
  gboolean paused, fresh, present;
  unsigned threads; /* of matrix products, 0: as in the preferences */
  gboolean asked;   /* the command line chose something: a second start opens a window for it */
} SlLaunch;

/* Adds --data, --lab, --set, --seed, --threads, --paused, --fresh, --lesson, --present and FILE. */
void sl_launch_add_options (GApplication *application);

/* Reads them.  Relative names are taken from `folder`.  FALSE with a sentence. */
gboolean sl_launch_read (SlLaunch *launch, GVariantDict *options, const char *folder,
                         GError **error);
void     sl_launch_clear (SlLaunch *launch);

/* Whether FILE is one of runs, a lesson or a figure, which a window opens. */
gboolean sl_launch_is_for_window (const SlLaunch *launch);

/* Starts the chosen run, but not a lesson or a file that a window opens. */
void sl_launch_start (const SlLaunch *launch, SlSession *session);
