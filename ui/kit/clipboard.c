/* SPDX-License-Identifier: MIT */
#include "ui/kit/clipboard.h"

void
sl_clipboard_set (GdkClipboard *clipboard, const SlClipboardForm *form, unsigned n)
{
  GdkContentProvider *offers[SL_CLIPBOARD_FORMS];
  g_autoptr (GdkContentProvider) all = NULL;

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard) && n <= SL_CLIPBOARD_FORMS);
  for (unsigned i = 0; i < n; i++)
    offers[i] = gdk_content_provider_new_for_bytes (form[i].type, form[i].bytes);
  all = gdk_content_provider_new_union (offers, n);
  gdk_clipboard_set_content (clipboard, all);
}
