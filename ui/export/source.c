/* SPDX-License-Identifier: MIT */
#include "ui/export/source.h"

unsigned
sl_export_source_count (const SlExportSource *source, const SlExportPanels *plots)
{
  unsigned n = 0, asked = plots->n > 0 ? plots->n : source->n;

  for (unsigned i = 0; i < asked; i++)
    n += source->has_data (source->data, plots->n > 0 ? plots->panel[i] : i) != FALSE;
  return n;
}

/* A name with the ending of another kind than the first is of that one. */
char *
sl_export_source_pattern (const SlExportSource *source, SlExportKind chosen)
{
  GString *pattern = g_string_new ("*.");

  g_string_append (pattern, sl_export_kind_id (chosen));
  for (SlExportKind kind = 0; kind < source->kinds; kind++)
    g_string_append_printf (pattern, kind == SL_KIND_TIKZ ? " *.%s *.tex" : " *.%s",
                            sl_export_kind_id (kind));
  return g_string_free (pattern, FALSE);
}
