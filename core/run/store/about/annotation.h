/* SPDX-License-Identifier: MIT
 *
 * What the user wrote about a run: a note, and tags to find it by.  SlStoreRun has both.  Any
 * thread.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

enum { SL_NOTE_BYTES = 10000, SL_TAGS_BYTES = 400 };

/* Keep a note, or tags, in the place of earlier ones; "" takes them away.  In the background.  Longer texts
 * than above are cut.  Unknown runs are no error.  */
void sl_store_set_note (SlStore *store, const char *uuid, const char *note);
void sl_store_set_tags (SlStore *store, const char *uuid, const char *tags);

/* Tags as they are kept, from what the user typed: with commas between and no spaces around them,
 * each once, in the order of letters.  Free with g_free().  */
char *sl_tags_tidy (const char *typed);

/* The tags with one more, or one less.  Free with g_free(). */
char *sl_tags_with (const char *tags, const char *tag, gboolean there);

G_END_DECLS
