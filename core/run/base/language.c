/* SPDX-License-Identifier: MIT */
#include "core/run/base/language.h"

#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>

void
sl_language_start (void)
{
  const char *folder = g_getenv ("SLUICE_LOCALEDIR");

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : SL_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

const char *
sl_words (const char *text)
{
  /* The catalogue's head is filed under the empty text. */
  return text == NULL || *text == '\0' ? text : gettext (text);
}

char *
sl_status_sentence (const SlStatus *status)
{
  char text[2048];

  /* Names from files and command lines may be anything. */
  return g_utf8_make_valid (sl_status_show (status, sl_words, text, sizeof text), -1);
}
