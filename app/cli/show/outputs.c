/* SPDX-License-Identifier: MIT
 *
 * See outputs.h.  */
#include "app/cli/show/outputs.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/image/png-write.h"
#include "core/run/base/save.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"
#include "plot/export/export.h"
#include "plot/export/ours.h"
#include "plot/figure/panel.h"

enum { FORMAT_NPY = -3, FORMAT_CSV = -2, FORMAT_UNKNOWN = -1 };

void
sl_outputs_add_options (SlOutputs *outputs, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &outputs->csv,
      N_ ("All series as CSV; - is the standard output"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_FILENAME, &outputs->json,
      N_ ("Everything, with the recipe, as JSON"), "FILE" },
    { "npy", 0, 0, G_OPTION_ARG_FILENAME, &outputs->npy,
      N_ ("All series as a structured array of NumPy"), "FILE" },
    { "plot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &outputs->plots,
      N_ ("Panels (error,density) or all; svg, png, pdf, tikz, py, csv or npy"), "PANEL=FILE" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &outputs->picture,
      N_ ("The picture that the run makes, as png"), "FILE" },
    { "recording", 0, 0, G_OPTION_ARG_FILENAME, &outputs->recording,
      N_ ("The routing of the validation examples, as npz"), "FILE" },
    { "network", 0, 0, G_OPTION_ARG_FILENAME, &outputs->network,
      N_ ("The network of choices, to edit and give back with the data"), "FILE" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &outputs->folder,
      N_ ("A folder: run.csv, run.json, every panel as svg and png, formed.png"), "FOLDER" },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
  sl_looks_add_options (&outputs->looks, context);
}

static int
format_of (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".csv"))
    return FORMAT_CSV;
  return g_str_has_suffix (lower, ".npy") ? FORMAT_NPY : sl_export_format_for (path);
}

/* Whether a file has the numbers of a panel and not a drawing. */
static bool
is_table (const char *path)
{
  return format_of (path) == FORMAT_CSV || format_of (path) == FORMAT_NPY;
}

static void
add_panel (SlPlotFile *file, unsigned panel)
{
  for (unsigned i = 0; i < file->n; i++)
    if (file->panel[i] == panel)
      return;
  file->panel[file->n++] = panel;
}

int
sl_outputs_panel (const SlLab *lab, const char *id)
{
  g_autofree const char **known = NULL;
  int                     panel = sl_lab_panel (lab, id);

  if (panel >= 0)
    return panel;
  known = g_new0 (const char *, lab->n_panels + 1);
  for (unsigned p = 0; p < lab->n_panels; p++)
    known[p] = lab->panels[p].id;
  sl_cli_report ("%s has no panel \"%s\"; perhaps %s?", lab->id, id, sl_cli_nearest (id, known));
  return -1;
}

/* The panels named by a comma list, in its order. */
static bool
read_panels (const SlLab *lab, const char *text, SlPlotFile *file)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      if (strcmp (*name, "all") == 0)
        {
          file->all = true;
          for (unsigned p = 0; p < lab->n_panels; p++)
            add_panel (file, p);
        }
      else
        {
          int index = sl_outputs_panel (lab, *name);

          if (index < 0)
            return false;
          add_panel (file, (unsigned) index);
        }
    }
  return true;
}

static bool
read_plot (SlOutputs *outputs, const SlLab *lab, const char *text)
{
  const char      *equals = strchr (text, '=');
  g_autofree char *names = NULL;
  SlPlotFile      *file;

  if (equals == NULL || equals == text || equals[1] == '\0')
    {
      sl_cli_report ("\"%s\" should be PANEL=FILE, for example %s=%s.svg", text, lab->panels[0].id,
                     lab->panels[0].id);
      return false;
    }
  names = g_strndup (text, (gsize) (equals - text));
  g_array_set_size (outputs->files, outputs->files->len + 1);
  file = &g_array_index (outputs->files, SlPlotFile, outputs->files->len - 1);
  *file = (SlPlotFile) { .path = equals + 1, .panel = g_new0 (unsigned, lab->n_panels) };
  if (!read_panels (lab, names, file))
    return false;
  if (format_of (file->path) == FORMAT_UNKNOWN)
    {
      sl_cli_report ("\"%s\" should end in .svg, .png, .pdf, .tikz, .py, .csv or .npy", file->path);
      return false;
    }
  if (is_table (file->path) && file->n > 1)
    {
      sl_cli_report ("\"%s\": a table holds one panel; --csv and --npy write all series", text);
      return false;
    }
  if (format_of (file->path) == FORMAT_NPY && !sl_table_has_npy (lab->panels[file->panel[0]].kind))
    {
      sl_cli_report ("\"%s\": the panel %s is no array; use csv", text,
                     lab->panels[file->panel[0]].id);
      return false;
    }
  return true;
}

SlExit
sl_outputs_check_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (*path == '\0')
    {
      sl_cli_report ("a file to write needs a name");
      return SL_EXIT_USAGE;
    }
  if (strcmp (path, "-") == 0)
    return SL_EXIT_FINE;
  /* A device or a pipe is written to and not replaced, so that its folder does not matter. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR)
      && !g_file_test (path, G_FILE_TEST_IS_DIR) && access (path, W_OK) == 0)
    return SL_EXIT_FINE;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    sl_cli_report ("%s is a folder", path);
  else if (access (folder, W_OK | X_OK) != 0)
    sl_cli_report ("%s cannot be written: %s: %s", path, folder, g_strerror (errno));
  else
    return SL_EXIT_FINE;
  return SL_EXIT_FAILED;
}

/* How many texts and tables the standard output is to take. */
static unsigned
count_on_stdout (const SlOutputs *outputs)
{
  const char *const paths[] = { outputs->csv, outputs->json, outputs->npy, outputs->network };
  unsigned          n = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++)
    n += g_strcmp0 (paths[i], "-") == 0;
  return n;
}

SlExit
sl_outputs_check (SlOutputs *outputs, const SlLab *lab)
{
  const char *const paths[] = { outputs->csv,     outputs->json,      outputs->npy,
                                outputs->picture, outputs->recording, outputs->network };
  SlExit            code = SL_EXIT_FINE;

  outputs->files = g_array_new (FALSE, FALSE, sizeof (SlPlotFile));
  for (char **plot = outputs->plots; plot != NULL && *plot != NULL; plot++)
    if (!read_plot (outputs, lab, *plot))
      return SL_EXIT_USAGE;
  for (guint i = 0; i < outputs->files->len; i++)
    {
      const SlPlotFile *file = &g_array_index (outputs->files, SlPlotFile, i);

      if (!is_table (file->path)
          && !sl_looks_check (&outputs->looks, file->n,
                              (SlExportFormat) sl_export_format_for (file->path)))
        return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, outputs->folder != NULL ? SL_EXPORT_PNG : SL_EXPORT_SVG))
    return SL_EXIT_USAGE;
  if (count_on_stdout (outputs) > 1)
    {
      sl_cli_report (
        "only one of --csv, --json, --npy and --network can go to the standard output");
      return SL_EXIT_USAGE;
    }
  if (g_strcmp0 (outputs->picture, "-") == 0 || g_strcmp0 (outputs->recording, "-") == 0)
    {
      sl_cli_report ("--picture and --recording need a file, not the standard output");
      return SL_EXIT_USAGE;
    }

  if (outputs->picture != NULL && lab->picture == NULL)
    {
      sl_cli_report ("%s makes no picture; leave --picture out", lab->id);
      return SL_EXIT_USAGE;
    }
  if (outputs->recording != NULL && lab->recording == NULL)
    {
      sl_cli_report ("%s routes nothing; leave --recording out", lab->id);
      return SL_EXIT_USAGE;
    }
  if (outputs->network != NULL && lab->network == NULL)
    {
      sl_cli_report ("%s has no network of choices; leave --network out", lab->id);
      return SL_EXIT_USAGE;
    }
  if (outputs->folder != NULL && g_mkdir_with_parents (outputs->folder, 0777) != 0)
    {
      sl_cli_report ("%s cannot be made: %s", outputs->folder, g_strerror (errno));
      return SL_EXIT_FAILED;
    }
  for (size_t i = 0; i < G_N_ELEMENTS (paths) && code == SL_EXIT_FINE; i++)
    if (paths[i] != NULL)
      code = sl_outputs_check_file (paths[i]);
  for (guint i = 0; i < outputs->files->len && code == SL_EXIT_FINE; i++)
    code = sl_outputs_check_file (g_array_index (outputs->files, SlPlotFile, i).path);
  return code;
}

bool
sl_outputs_any (const SlOutputs *outputs)
{
  return outputs->csv != NULL || outputs->json != NULL || outputs->npy != NULL
         || outputs->plots != NULL || outputs->picture != NULL || outputs->recording != NULL
         || outputs->network != NULL || outputs->folder != NULL;
}

bool
sl_outputs_wants (const SlOutputs *outputs, unsigned panel)
{
  for (guint i = 0; i < outputs->files->len; i++)
    {
      const SlPlotFile *file = &g_array_index (outputs->files, SlPlotFile, i);

      for (unsigned p = 0; p < file->n; p++)
        if (file->panel[p] == panel)
          return true;
    }
  return outputs->folder != NULL || outputs->json != NULL;
}

bool
sl_outputs_on_stdout (const SlOutputs *outputs)
{
  return count_on_stdout (outputs) > 0;
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

      if (format_of (file->path) == FORMAT_CSV)
        {
          char *csv = sl_table_panel_csv (record, file->panel[0], 0, HUGE_VAL);

          done &= save_panel_table (outputs, g_bytes_new_take (csv, strlen (csv)), file->path);
        }
      else if (format_of (file->path) == FORMAT_NPY)
        done &= save_panel_table (outputs, sl_table_panel_npy (record, file->panel[0], 0, HUGE_VAL),
                                  file->path);
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
sl_outputs_clear (SlOutputs *outputs)
{
  char **const texts[]
    = { &outputs->csv,     &outputs->json,      &outputs->npy,    &outputs->folder,
        &outputs->picture, &outputs->recording, &outputs->network };

  for (guint i = 0; outputs->files != NULL && i < outputs->files->len; i++)
    g_free (g_array_index (outputs->files, SlPlotFile, i).panel);
  g_clear_pointer (&outputs->files, g_array_unref);
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
  g_clear_pointer (&outputs->plots, g_strfreev);
  sl_looks_clear (&outputs->looks);
}
