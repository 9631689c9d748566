/* SPDX-License-Identifier: MIT
 *
 * See looks.h.  */
#include "app/cli/show/looks.h"

#include <glib/gi18n.h>

#include "app/cli/cli.h"

void
sl_looks_add_options (SlLooks *looks, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "page", 0, 0, G_OPTION_ARG_STRING, &looks->page,
      N_ ("Use of figures: screen, slide, column or columns"), "NAME" },
    { "style", 0, 0, G_OPTION_ARG_STRING, &looks->style,
      N_ ("Looks of figures: neurips, icml, nature, beamer, your own or a file"), "NAME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &looks->size, N_ ("Size of figures in mm"), "WxH" },
    { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &looks->dpi, N_ ("Dots per inch of png figures"), "N" },
    { "type", 0, 0, G_OPTION_ARG_DOUBLE, &looks->type, N_ ("Size of the letters in pt"), "PT" },
    { "line", 0, 0, G_OPTION_ARG_DOUBLE, &looks->line, N_ ("Width of the curves in pt"), "PT" },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &looks->theme,
      N_ ("Colours of figures: light, dark or grey"), "NAME" },
    { "palette", 0, 0, G_OPTION_ARG_STRING, &looks->palette,
      N_ ("Colours of the curves: bright, strong or deep"), "NAME" },
    { "legend", 0, 0, G_OPTION_ARG_STRING, &looks->legend,
      N_ ("Legend: above, below, right, inside, apart or none"), "PLACE" },
    { "across", 0, 0, G_OPTION_ARG_INT, &looks->across, N_ ("Panels side by side on a page"), "N" },
    { "inset", 0, 0, G_OPTION_ARG_STRING, &looks->inset,
      N_ ("Enlarged part of the curves: x, perhaps y"), "X:X[,Y:Y]" },
    { "no-notes", 0, 0, G_OPTION_ARG_NONE, &looks->no_notes,
      N_ ("Figures without notes and marks of what is chosen"), NULL },
    { "same-colours", 0, 0, G_OPTION_ARG_NONE, &looks->same_colours,
      N_ ("One colour for curves of one name on a page"), NULL },
    { "caption", 0, 0, G_OPTION_ARG_STRING, &looks->caption,
      N_ ("Caption of the page; \"settings\": the changed settings"), "TEXT" },
    { NULL },
  };

  sl_looks_init (looks);
  g_option_context_add_main_entries (context, entries, NULL);
}

bool
sl_looks_check (const SlLooks *looks, unsigned n, SlExportFormat format)
{
  g_autoptr (GError) error = NULL;

  if (sl_looks_possible (looks, n, format, &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

bool
sl_looks_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
               const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  bool             done = sl_looks_save (looks, figures, n, recipe, path, &note, &error);

  if (note != NULL)
    sl_cli_report ("%s", note);
  if (!done)
    sl_cli_report ("%s", error->message);
  return done;
}
