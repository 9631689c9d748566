/* SPDX-License-Identifier: MIT
 *
 * The program: command line, windows, and what they share.  */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SL_TYPE_APPLICATION (sl_application_get_type ())
G_DECLARE_FINAL_TYPE (SlApplication, sl_application, SL, APPLICATION, AdwApplication)

/* Actions (app.*): new-window, preferences, about, quit. */
SlApplication *sl_application_new (void);

G_END_DECLS
