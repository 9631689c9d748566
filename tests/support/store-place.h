/* SPDX-License-Identifier: MIT
 *
 * A store in a folder of its own, gone after the test.  */
#pragma once

#include "core/run/store/store.h"
#include "tests/support/folder.h"

typedef struct
{
  char    *folder, *path;
  SlStore *store;
} Place;

static inline void
open_store (Place *place)
{
  g_autoptr (GError) error = NULL;

  place->store = sl_store_open (place->path, &error);
  g_assert_no_error (error);
}

/* Where it will be. */
static inline void
choose_place (Place *place)
{
  place->folder = g_dir_make_tmp ("sluice-store-XXXXXX", NULL);
  g_assert_nonnull (place->folder);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
}

/* An empty one. */
static inline void
set_up_place (Place *place, gconstpointer unused)
{
  choose_place (place);
  open_store (place);
}

static inline void
tear_down_place (Place *place, gconstpointer unused)
{
  g_assert_finalize_object (place->store);
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
}
