/* SPDX-License-Identifier: MIT
 *
 * The last picture of a run in a store, for labs that make one: a PNG file with its recipe inside,
 * in a table of its own, so that a list of runs does not read it.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

/* Keeps a PNG file as the picture of a run, in the place of an older one; in the background.  No
 * run of this name is no error.  Any thread.  */
void sl_store_set_picture (SlStore *store, const char *uuid, GBytes *png);

/* The PNG file; NULL with a sentence, and NULL without one when the run has no picture.  Any
 * thread.  */
GBytes *sl_store_picture (SlStore *store, const char *uuid, GError **error);

G_END_DECLS
