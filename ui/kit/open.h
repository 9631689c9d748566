/* SPDX-License-Identifier: MIT
 *
 * What kind of file somebody opens, drops or names on the command line.  */
#pragma once

#include <glib.h>

/* By its ending: a figure or an export in JSON, which may carry a recipe and is no data set.  Of JSON the
 * beginning is read: answers of a server are data.  */
gboolean sl_open_is_figure (const char *path);

/* Whether such a file has a recipe in it.  Reads the file. */
gboolean sl_open_has_recipe (const char *path);
