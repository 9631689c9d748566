/* SPDX-License-Identifier: MIT
 *
 * What to do with a file that somebody opens, drops or names on the command line.  */
#pragma once

#include "core/run/record/recipe.h"
#include "core/run/session/session.h"

typedef enum {
  SL_OPENED_NOTHING,
  SL_OPENED_RUN,  /* a figure or export: its run begins again */
  SL_OPENED_DATA, /* on its way as the data of a new run */
} SlOpened;

/* A figure that carries a recipe, or an export in JSON, brings its run back; everything else goes
 * to the data readers, whose complaints come through the session.  `plan` says lab,
 * settings and seed for data when the session has no run yet.  Nothing changes on failure.  */
SlOpened sl_open_file (SlSession *session, const char *path, const SlRecipe *plan, gboolean run,
                       GError **error);

/* Whether a file is a figure or an export with a recipe in it.  Reads the file. */
gboolean sl_open_has_recipe (const char *path);
