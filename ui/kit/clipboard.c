/* SPDX-License-Identifier: MIT */
#include "ui/kit/clipboard.h"

GdkContentProvider *
sl_clipboard_offer (const SlClipboardForm *form, unsigned n)
{
  GdkContentProvider *offers[SL_CLIPBOARD_FORMS];

  g_return_val_if_fail (n <= SL_CLIPBOARD_FORMS, NULL);
  for (unsigned i = 0; i < n; i++)
    offers[i] = gdk_content_provider_new_for_bytes (form[i].type, form[i].bytes);
  return gdk_content_provider_new_union (offers, n);
}

void
sl_clipboard_set (GdkClipboard *clipboard, const SlClipboardForm *form, unsigned n)
{
  g_autoptr (GdkContentProvider) all = sl_clipboard_offer (form, n);

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard));
  gdk_clipboard_set_content (clipboard, all);
}
