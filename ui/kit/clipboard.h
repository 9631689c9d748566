/* SPDX-License-Identifier: MIT
 *
 * One thing on the clipboard in several forms: the program that pastes takes the one that it can
 * use.  */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

enum { SL_CLIPBOARD_FORMS = 4 }; /* at most */

typedef struct
{
  const char *type; /* "image/png" */
  GBytes     *bytes;
} SlClipboardForm;

/* All of them as one offer, the best one first; borrows `form` (n). */
GdkContentProvider *sl_clipboard_offer (const SlClipboardForm *form, unsigned n);

/* Puts such an offer on a clipboard. */
void sl_clipboard_set (GdkClipboard *clipboard, const SlClipboardForm *form, unsigned n);

G_END_DECLS
