/* SPDX-License-Identifier: MIT
 *
 * The preferences window.  */
#pragma once

#include <adwaita.h>

#include "ui/kit/prefs.h"

#define SL_TYPE_PREFERENCES (sl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (SlPreferences, sl_preferences, SL, PREFERENCES, AdwPreferencesWindow)

/* Changes take effect at once through the properties of `prefs`. */
SlPreferences *sl_preferences_new (GtkWindow *parent, SlPrefs *prefs);
