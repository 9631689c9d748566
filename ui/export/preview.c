/* SPDX-License-Identifier: MIT */
#include "ui/export/preview.h"

#include <glib/gi18n.h>
#include <math.h>

enum { PREVIEW_PX = 900, PREVIEW_LINES = 24, PREVIEW_COLUMNS = 88, PREVIEW_BYTES = 16384 };

static void
show_text (const SlExportPreview *self, GBytes *bytes)
{
  gsize            length;
  const char      *data = g_bytes_get_data (bytes, &length);
  g_autofree char *head = g_strndup (data, MIN (length, PREVIEW_BYTES));
  g_autofree char *valid = g_utf8_make_valid (head, -1);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", PREVIEW_LINES + 1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; lines[i] != NULL && i < PREVIEW_LINES; i++)
    {
      g_autofree char *cut
        = g_utf8_substring (lines[i], 0, MIN (g_utf8_strlen (lines[i], -1), PREVIEW_COLUMNS));

      g_string_append_printf (text, "%s\n", cut);
    }
  gtk_label_set_label (self->text, text->str);
  gtk_stack_set_visible_child_name (self->stack, "text");
}

static void
show_picture (const SlExportPreview *self, GBytes *bytes)
{
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, NULL);

  gtk_picture_set_paintable (self->picture, GDK_PAINTABLE (texture));
  gtk_stack_set_visible_child_name (self->stack, "picture");
}

static void
show_facts (const SlExportPreview *self, const SlExportChoice *choice, GBytes *bytes)
{
  g_autofree char *size = g_format_size (g_bytes_get_size (bytes));
  g_autofree char *facts = NULL;

  if (sl_export_is_table (choice->format))
    facts
      = g_strdup_printf (choice->in_view ? _ ("%s, visible part") : _ ("%s, every value"), size);
  else if (choice->format == SL_KIND_PNG)
    facts
      = g_strdup_printf (_ ("%.0f × %.0f mm, %.0f × %.0f pixels"), choice->page.width,
                         choice->page.height, rint (choice->page.width / 25.4 * choice->page.dpi),
                         rint (choice->page.height / 25.4 * choice->page.dpi));
  else
    facts = g_strdup_printf (_ ("%.0f × %.0f mm"), choice->page.width, choice->page.height);
  gtk_label_set_label (self->facts, facts);
}

/* The choice whose bytes can be looked at: all page formats draw the same page, so a small PNG shows any of them, and
 * an array of NumPy has the numbers of a text.  */
static SlExportChoice
to_be_seen (const SlExportChoice *choice)
{
  SlExportChoice seen = *choice;

  if (choice->format == SL_KIND_NPY)
    seen.format = SL_KIND_CSV;
  if (sl_export_is_table (choice->format))
    return seen;
  seen.format = SL_KIND_PNG;
  seen.page.dpi
    = CLAMP (PREVIEW_PX / (fmax (choice->page.width, choice->page.height) / 25.4), 24.0, 400.0);
  seen.recipe = FALSE;
  return seen;
}

gboolean
sl_export_preview_show (const SlExportPreview *self, const SlExportSource *source,
                        const SlExportPanels *plots, const SlExportChoice *choice)
{
  SlExportChoice seen = to_be_seen (choice);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = source->make (source->data, plots, &seen, &error);

  if (bytes == NULL)
    gtk_label_set_label (self->facts, error->message);
  else if (sl_export_is_table (seen.format))
    show_text (self, bytes);
  else
    show_picture (self, bytes);
  if (bytes != NULL)
    show_facts (self, choice, bytes);
  return bytes != NULL;
}

void
sl_export_preview_clear (const SlExportPreview *self, const char *sentence)
{
  gtk_picture_set_paintable (self->picture, NULL);
  gtk_stack_set_visible_child_name (self->stack, "picture");
  gtk_label_set_label (self->facts, sentence);
}
