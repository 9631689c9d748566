/* SPDX-License-Identifier: MIT */
#include "plot/figure/note.h"

#include <glib.h>

void
sl_note_set_text (SlNote *note, const char *text)
{
  const char *end;

  g_strlcpy (note->text, text, sizeof note->text);
  g_utf8_validate (note->text, -1, &end);
  note->text[end - note->text] = '\0';
}
