/* SPDX-License-Identifier: MIT
 *
 * Names and colours for the runs of a file that have none: those of a new run, of one that another store brought,
 * and of all that an earlier version wrote.  */
#pragma once

#include <glib.h>

#include "core/run/store/file.h"

/* Gives each unnamed run its words with the first number, from its own on, that no run of the file has; and one
 * without a colour its own or, where one of the seven runs before it has that, the next that none of them has.  In
 * the order of their making.  Takes part in a transaction.  FALSE with a sentence.  */
gboolean sl_store_name_runs (const SlStoreFile *file, GError **error);

/* The same for a file that cannot be written: what runs would be called, by their row; NULL when all have names.
 * The table is freed with g_hash_table_unref().  FALSE with a sentence.  */
gboolean sl_store_list_names (const SlStoreFile *file, GHashTable **names, GError **error);

/* What an unnamed run is called, in that table. */
typedef struct
{
  char    *name;
  unsigned colour;
} SlRunNaming;

/* Adds "is_own_name (uuid, name)" to what statements on this connection can ask: whether a run is called what it was
 * given here, or what the user wrote.  */
gboolean sl_store_add_naming (const SlStoreFile *file, GError **error);
