/* SPDX-License-Identifier: MIT
 *
 * The about window, with the facts that explain a speed or a bug.  */
#pragma once

#include <adwaita.h>

#include "core/run/session/session.h"

/* Shows it over `parent`; `session` may be NULL. */
void sl_about_show (GtkWindow *parent, SlSession *session);
