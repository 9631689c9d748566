/* SPDX-License-Identifier: MIT
 *
 * Messages over a page that go by themselves.  */
#pragma once

#include <adwaita.h>

/* Shows a sentence, with a button that does an action, "win.lesson('1-gate')" (both may be NULL).  It takes the
 * place of what waits behind the one that is shown, and of that one too once it can be dismissed; those with a
 * button that does something else stay.  The toast is borrowed from the overlay for as long as it is shown.  */
AdwToast *sl_toast_add (AdwToastOverlay *where, const char *sentence, const char *label,
                        const char *action);

/* Takes a toast away.  FALSE: it only just came, and stays; libadwaita 1.2 frees a toast that is
 * dismissed while it appears, or while it goes, and uses it when the animation ends.  */
gboolean sl_toast_dismiss (AdwToast *toast);
