/* SPDX-License-Identifier: MIT */
#include "ui/export/drawn.h"

#include <glib/gi18n.h>

#include "core/run/base/error.h"
#include "plot/export/style.h"

/* The looks of a page and what they borrow. */
typedef struct
{
  SlExportOptions options;
  SlExportStyle   style;
  SlColours       colours;
} Looks;

/* NULL with a sentence when there is nothing to show; free with g_free(). */
static Looks *
looks_new (const SlExportDrawn *drawn, const SlExportChoice *choice, GError **error)
{
  Looks *looks;

  if (drawn->n == 0)
    {
      g_set_error_literal (error, SL_ERROR, SL_EINVAL, _ ("There is nothing to export yet"));
      return NULL;
    }
  looks = g_new0 (Looks, 1);
  looks->options = choice->page;
  if (choice->same_colours)
    looks->options.colours = &looks->colours;
  if (choice->style[0] != '\0' && sl_export_style_find (choice->style, &looks->style, NULL))
    {
      if (looks->style.font[0] != '\0')
        looks->options.font = looks->style.font;
      sl_export_style_colour (&looks->style, &looks->options);
    }
  looks->options.letters = drawn->n > 1;
  looks->options.in_view = choice->in_view;
  looks->options.caption = choice->caption ? drawn->caption : NULL;
  looks->options.recipe = choice->recipe ? drawn->recipe : NULL;
  return looks;
}

GBytes *
sl_export_drawn_make (const SlExportDrawn *drawn, const SlExportChoice *choice, GError **error)
{
  g_autofree Looks *looks = looks_new (drawn, choice, error);

  return looks != NULL ? sl_export_page (drawn->figures, drawn->n, &looks->options,
                                         (SlExportFormat) choice->format, error)
                       : NULL;
}

gboolean
sl_export_drawn_save (const SlExportDrawn *drawn, const SlExportChoice *choice, const char *path,
                      GError **error)
{
  g_autofree Looks *looks = looks_new (drawn, choice, error);

  return looks != NULL
         && sl_export_save (drawn->figures, drawn->n, &looks->options,
                            (SlExportFormat) choice->format, path, error);
}
