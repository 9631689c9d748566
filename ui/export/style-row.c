/* SPDX-License-Identifier: MIT */
#include "ui/export/style-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "plot/export/style.h"

#define STYLES "sl-styles" /* names of the styles, kept by their row, from its second line on */

void
sl_style_row_fill (AdwComboRow *row, const char *chosen)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  char         **styles = sl_export_style_names ();
  guint          selected = 0;

  gtk_string_list_append (names, _ ("None"));
  for (guint i = 0; styles[i] != NULL; i++)
    {
      SlExportStyle style;

      if (strcmp (styles[i], chosen) == 0)
        selected = i + 1;
      gtk_string_list_append (
        names, sl_export_style_find (styles[i], &style, NULL) && style.name[0] != '\0' ? style.name
                                                                                       : styles[i]);
    }
  adw_combo_row_set_model (row, G_LIST_MODEL (names));
  g_object_unref (names);
  g_object_set_data_full (G_OBJECT (row), STYLES, styles, (GDestroyNotify) g_strfreev);
  adw_combo_row_set_selected (row, selected);
}

void
sl_style_row_show_font (AdwComboRow *row)
{
  const char      *name = sl_style_row_get (row);
  SlExportStyle    style;
  g_autofree char *note = name != NULL && sl_export_style_find (name, &style, NULL)
                            ? sl_export_style_font_note (&style)
                            : NULL;

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                               note != NULL ? note : _ ("opened files of looks are kept here"));
}

const char *
sl_style_row_get (AdwComboRow *row)
{
  char **names = g_object_get_data (G_OBJECT (row), STYLES);
  guint  selected = adw_combo_row_get_selected (row);

  return names != NULL && selected > 0 && selected != GTK_INVALID_LIST_POSITION
           ? names[selected - 1]
           : NULL;
}
