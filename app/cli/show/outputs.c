/* SPDX-License-Identifier: MIT
 *
 * See outputs.h.  */
#include "app/cli/show/outputs-format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/image/png-write.h"
#include "core/run/base/save.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"
#include "plot/export/export.h"
#include "plot/export/ours.h"
#include "plot/figure/panel.h"
#include "plot/page/page.h"

bool
sl_outputs_any (const SlOutputs *outputs)
{
  return outputs->csv != NULL || outputs->json != NULL || outputs->npy != NULL
         || outputs->plots != NULL || outputs->html != NULL || outputs->picture != NULL
         || outputs->recording != NULL || outputs->network != NULL || outputs->folder != NULL;
}

static bool
shows (const SlPlotFile *file, unsigned panel)
{
  for (unsigned p = 0; p < file->n; p++)
    if (file->panel[p] == panel)
      return true;
  return false;
}

bool
sl_outputs_wants_moments (const SlOutputs *outputs, unsigned panel)
{
  for (guint i = 0; i < outputs->files->len; i++)
    {
      const SlPlotFile *file = &g_array_index (outputs->files, SlPlotFile, i);

      if (sl_outputs_is_page (file) && shows (file, panel))
        return true;
    }
  return false;
}

bool
sl_outputs_wants (const SlOutputs *outputs, unsigned panel)
{
  for (guint i = 0; i < outputs->files->len; i++)
    if (shows (&g_array_index (outputs->files, SlPlotFile, i), panel))
      return true;
  return outputs->folder != NULL || outputs->json != NULL;
}

static bool
save_file (const char *path, const void *bytes, gsize length)
{
  g_autoptr (GError) error = NULL;

  if (sl_save (path, bytes, length, &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

/* The same where "-" is the standard output. */
static bool
save_bytes (const char *path, const void *bytes, gsize length)
{
  if (strcmp (path, "-") != 0)
    return save_file (path, bytes, length);
  fwrite (bytes, 1, length, stdout);
  return true;
}

bool
sl_outputs_save_text (char *text, const char *path)
{
  bool done = save_bytes (path, text, strlen (text));

  g_free (text);
  return done;
}

/* The numbers of a panel; takes the bytes. */
static bool
save_panel_table (const SlOutputs *outputs, GBytes *table, const char *path)
{
  gsize       n;
  const void *bytes = g_bytes_get_data (table, &n);
  g_autoptr (GError) error = NULL;
  bool done = !outputs->looks.only_ours || sl_export_may_replace (path, bytes, n, &error);

  if (done)
    done = save_bytes (path, bytes, n);
  else
    sl_cli_report ("%s", error->message);
  g_bytes_unref (table);
  return done;
}

/* Takes the bytes. */
static bool
save_npy (GBytes *npy, const char *path)
{
  bool done = save_bytes (path, g_bytes_get_data (npy, NULL), g_bytes_get_size (npy));

  g_bytes_unref (npy);
  return done;
}

/* One page of the chosen panels, in the order in which they were. */
static bool
save_page (const SlOutputs *outputs, const SlRecord *record, const char *recipe,
           const SlPlotFile *file)
{
  SlFigure             *figures = g_new0 (SlFigure, file->n);
  g_autofree SlFigure **page = g_new (SlFigure *, file->n);
  unsigned              n = 0;
  bool                  done;

  for (unsigned i = 0; i < file->n; i++)
    {
      sl_panel_update (&figures[i], record, file->panel[i], NULL, 0);
      if (!file->all || !sl_figure_empty (&figures[i]))
        page[n++] = &figures[i];
    }
  done = sl_looks_page (&outputs->looks, page, n, recipe, file->path);
  for (unsigned i = 0; i < file->n; i++)
    sl_figure_clear (&figures[i]);
  g_free (figures);
  return done;
}

bool
sl_outputs_save_page (const SlOutputs *outputs, GBytes *page, const char *path)
{
  SlExportOptions options
    = { .keep_same = outputs->looks.keep_same, .only_ours = outputs->looks.only_ours };
  g_autoptr (GError) error = NULL;

  if (sl_export_save_bytes (g_bytes_get_data (page, NULL), g_bytes_get_size (page), &options, path,
                            &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

/* The panels as one web page. */
static bool
save_html (const SlOutputs *outputs, const SlRecord *record, const char *recipe,
           const SlPlotFile *file)
{
  SlRecipe read;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) page = NULL;

  if (recipe == NULL || !sl_recipe_read (recipe, &read, &error))
    {
      sl_cli_report (_ ("%s cannot be written: the run has no recipe"), file->path);
      return false;
    }
  page = sl_page_run (&(SlPageRun) { .record = record,
                                     .recipe = &read,
                                     .frames = outputs->frames,
                                     .panel = file->panel,
                                     .n_panels = file->n },
                      &error);
  sl_recipe_clear (&read);
  if (page != NULL)
    return sl_outputs_save_page (outputs, page, file->path);
  sl_cli_report ("%s: %s", file->path, error->message);
  return false;
}

static bool
save_folder (const SlOutputs *outputs, const SlRecord *record, const char *recipe)
{
  static const char *const endings[] = { "svg", "png" };
  g_autofree char         *csv = g_build_filename (outputs->folder, "run.csv", NULL);
  g_autofree char         *json = g_build_filename (outputs->folder, "run.json", NULL);
  bool                     done = sl_outputs_save_text (sl_table_csv (record, 0, HUGE_VAL), csv);

  done &= sl_outputs_save_text (sl_table_json (record, recipe), json);
  for (unsigned p = 0; p < record->lab->n_panels; p++)
    for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
      {
        g_autofree char *name = g_strdup_printf ("%s.%s", record->lab->panels[p].id, endings[i]);
        g_autofree char *path = g_build_filename (outputs->folder, name, NULL);

        done &= save_page (outputs, record, recipe,
                           &(SlPlotFile) { .path = path, .panel = &p, .n = 1 });
      }
  return done;
}

SlExit
sl_outputs_write (const SlOutputs *outputs, const SlRecord *record, const char *recipe)
{
  bool done = true;

  if (outputs->csv != NULL)
    done &= sl_outputs_save_text (sl_table_csv (record, 0, HUGE_VAL), outputs->csv);
  if (outputs->json != NULL)
    done &= sl_outputs_save_text (sl_table_json (record, recipe), outputs->json);
  if (outputs->npy != NULL)
    done &= save_npy (sl_table_npy (record, 0, HUGE_VAL), outputs->npy);
  for (guint i = 0; i < outputs->files->len; i++)
    {
      const SlPlotFile *file = &g_array_index (outputs->files, SlPlotFile, i);

      if (sl_outputs_format (file->path) == SL_FORMAT_CSV)
        {
          char *csv = sl_table_panel_csv (record, file->panel[0], 0, HUGE_VAL);

          done &= save_panel_table (outputs, g_bytes_new_take (csv, strlen (csv)), file->path);
        }
      else if (sl_outputs_format (file->path) == SL_FORMAT_NPY)
        done &= save_panel_table (outputs, sl_table_panel_npy (record, file->panel[0], 0, HUGE_VAL),
                                  file->path);
      else if (sl_outputs_is_page (file))
        done &= save_html (outputs, record, recipe, file);
      else
        done &= save_page (outputs, record, recipe, file);
    }
  if (outputs->folder != NULL)
    done &= save_folder (outputs, record, recipe);
  return done ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

bool
sl_outputs_wants_picture (const SlOutputs *outputs, const SlLab *lab)
{
  return lab->picture != NULL && (outputs->picture != NULL || outputs->folder != NULL);
}

SlExit
sl_outputs_write_picture (const SlOutputs *outputs, const SlBitmap *picture, const char *title,
                          const char *recipe)
{
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_bitmap_encode (picture, title, recipe, &bytes, &size);
  bool     done = true;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  if (outputs->picture != NULL)
    done &= save_file (outputs->picture, bytes, size);
  if (outputs->folder != NULL)
    {
      g_autofree char *path = g_build_filename (outputs->folder, "formed.png", NULL);

      done &= save_file (path, bytes, size);
    }
  free (bytes);
  return done ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

void
sl_outputs_clear_files (SlOutputs *outputs)
{
  for (guint i = 0; outputs->files != NULL && i < outputs->files->len; i++)
    g_free (g_array_index (outputs->files, SlPlotFile, i).panel);
  g_clear_pointer (&outputs->files, g_array_unref);
}

void
sl_outputs_clear (SlOutputs *outputs)
{
  char **const texts[]
    = { &outputs->csv,     &outputs->json,      &outputs->npy,     &outputs->folder,
        &outputs->picture, &outputs->recording, &outputs->network, &outputs->html };

  sl_outputs_clear_files (outputs);
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
  g_clear_pointer (&outputs->plots, g_strfreev);
  sl_looks_clear (&outputs->looks);
}
