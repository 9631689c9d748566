/* SPDX-License-Identifier: MIT
 *
 * Runs that were only looked at.  */
#include "core/run/session/private.h"

#include "core/data/source/source.h"

enum { LOOK = 200 }; /* updates from which on a run is one */

static gboolean
are_defaults (const SlSettings *settings, const SlParam *params, unsigned n)
{
  SlSettings defaults;

  sl_settings_default (&defaults, params, n);
  return sl_settings_same (&defaults, settings, n);
}

/* Data that Sluice has itself, with all options as they are at first. */
static gboolean
is_own_data (const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus        status;

  if (spec[0] == '\0')
    return TRUE;
  status = sl_source_parse (spec, &source, &settings, &files);
  return sl_ok (&status) && source != NULL && !sl_source_has_files (&files)
         && are_defaults (&settings, source->params, source->n_params);
}

gboolean
sl_session_is_look (const SlSession *self)
{
  const SlRecipe *recipe = &self->recipe;

  return sl_store_drops_looks (self->stored.store)
         && are_defaults (&recipe->settings, recipe->lab->params, recipe->lab->n_params)
         && is_own_data (recipe->data);
}

void
sl_session_drop_look (SlSession *self, const SlJournal *journal)
{
  if (journal->look && journal->steps < LOOK)
    sl_store_set_aside (self->stored.store, sl_writer_uuid (journal->writer));
}
