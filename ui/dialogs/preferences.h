/* SPDX-License-Identifier: MIT
 *
 * The preferences window.  */
#pragma once

#include <adwaita.h>

#include "core/run/store/store.h"
#include "ui/kit/prefs.h"

#define SL_TYPE_PREFERENCES (sl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (SlPreferences, sl_preferences, SL, PREFERENCES, AdwPreferencesWindow)

/* Changes take effect at once through the properties of `prefs`; the sizes are those of `store` now (NULL: none). */
SlPreferences *sl_preferences_new (GtkWindow *parent, SlPrefs *prefs, SlStore *store);
