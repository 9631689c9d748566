/* SPDX-License-Identifier: MIT
 *
 * The user's language.  Texts in ui/ and app/ are marked in place, with _() of <glib/gi18n.h>; the
 * words of descriptors (labs, parameters, panels, sources) are not, and go through sl_words() where
 * they are shown.  Files, figures and recipes are written without either: they are the same bytes
 * in every language.  */
#pragma once

#include <glib.h>

#include "core/base/status.h"

G_BEGIN_DECLS

/* Takes language and character set from the environment; first thing in main().  Numbers stay
 * those of the C locale, on the screen too, so that what is read off a plot can be typed on a
 * command line.  Catalogues are looked for in the folder SLUICE_LOCALEDIR (the build's po/, for
 * running what is not installed), else where the program was installed.  */
void sl_language_start (void);

/* A descriptor's text in the user's language, or the text itself; for sl_message_show(), which
 * shows what the core put together.  NULL and "" are themselves.
 * The result lives as long as `text` or for ever.  Any thread.  */
const char *sl_words (const char *text);

/* The status in one sentence of the user's language, in UTF-8 whatever it quotes; free with
 * g_free().  */
char *sl_status_sentence (const SlStatus *status);

G_END_DECLS
