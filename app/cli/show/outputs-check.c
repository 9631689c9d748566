/* SPDX-License-Identifier: MIT
 *
 * What outputs were typed, and whether they can be written.  */
#include "app/cli/show/outputs-format.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "core/run/files/table-npy.h"
#include "plot/export/export.h"
#include "plot/page/page.h"

void
sl_outputs_add_options (SlOutputs *outputs, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &outputs->csv,
      N_ ("All series as CSV (-: standard output)"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_FILENAME, &outputs->json,
      N_ ("Everything, with the recipe, as JSON"), "FILE" },
    { "npy", 0, 0, G_OPTION_ARG_FILENAME, &outputs->npy,
      N_ ("All series as a structured array of NumPy"), "FILE" },
    { "plot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &outputs->plots,
      N_ ("Panels (error,density) or all; svg, png, pdf, tikz, py, html, csv or npy"),
      "PANEL=FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &outputs->html,
      N_ ("A web page of the front panels, with moments"), "FILE" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &outputs->picture,
      N_ ("The picture that the run makes, as png"), "FILE" },
    { "recording", 0, 0, G_OPTION_ARG_FILENAME, &outputs->recording,
      N_ ("The routing of the validation examples, as npz"), "FILE" },
    { "network", 0, 0, G_OPTION_ARG_FILENAME, &outputs->network,
      N_ ("The network of choices, to edit and give as data"), "FILE" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &outputs->folder,
      N_ ("A folder: run.csv, run.json, every panel as svg and png, formed.png"), "FOLDER" },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
  sl_looks_add_options (&outputs->looks, context);
}

int
sl_outputs_format (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".csv"))
    return SL_FORMAT_CSV;
  if (g_str_has_suffix (lower, ".html"))
    return SL_FORMAT_HTML;
  return g_str_has_suffix (lower, ".npy") ? SL_FORMAT_NPY : sl_export_format_for (path);
}

bool
sl_outputs_is_page (const SlPlotFile *file)
{
  return sl_outputs_format (file->path) == SL_FORMAT_HTML;
}

bool
sl_outputs_is_table (const char *path)
{
  return sl_outputs_format (path) == SL_FORMAT_CSV || sl_outputs_format (path) == SL_FORMAT_NPY;
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

static SlPlotFile *
add_file (SlOutputs *outputs, const SlLab *lab, const char *path)
{
  SlPlotFile *file;

  g_array_set_size (outputs->files, outputs->files->len + 1);
  file = &g_array_index (outputs->files, SlPlotFile, outputs->files->len - 1);
  *file = (SlPlotFile) { .path = path, .panel = g_new0 (unsigned, lab->n_panels) };
  return file;
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
  file = add_file (outputs, lab, equals + 1);
  if (!read_panels (lab, names, file))
    return false;
  if (sl_outputs_format (file->path) == SL_FORMAT_UNKNOWN)
    {
      sl_cli_report ("\"%s\" should end in %s", file->path,
                     ".svg, .png, .pdf, .tikz, .py, .html, .csv, .npy");
      return false;
    }
  if (sl_outputs_is_table (file->path) && file->n > 1)
    {
      sl_cli_report ("\"%s\": a table holds one panel; --csv and --npy write all", text);
      return false;
    }
  if (sl_outputs_format (file->path) == SL_FORMAT_NPY
      && !sl_table_has_npy (lab->panels[file->panel[0]].kind))
    {
      sl_cli_report ("\"%s\": the panel %s is no array; use csv", text,
                     lab->panels[file->panel[0]].id);
      return false;
    }
  return true;
}

/* The page of --html, whose ending says what it is. */
static bool
read_html (SlOutputs *outputs, const SlLab *lab, const SlSettings *settings)
{
  SlPlotFile *file;
  SlSettings  plain;

  if (outputs->html == NULL)
    return true;
  if (sl_outputs_format (outputs->html) != SL_FORMAT_HTML)
    {
      sl_cli_report ("\"%s\" should end in %s", outputs->html, ".html");
      return false;
    }
  file = add_file (outputs, lab, outputs->html);
  sl_settings_default (&plain, lab->params, lab->n_params);
  sl_settings_settle (&plain, lab->params, lab->n_params);
  file->n = sl_page_front (lab, settings != NULL ? settings : &plain, NULL, file->panel);
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
sl_outputs_check (SlOutputs *outputs, const SlLab *lab, const SlSettings *settings)
{
  const char *const paths[] = { outputs->csv,     outputs->json,      outputs->npy,
                                outputs->picture, outputs->recording, outputs->network };
  SlExit            code = SL_EXIT_FINE;

  sl_outputs_clear_files (outputs);
  outputs->files = g_array_new (FALSE, FALSE, sizeof (SlPlotFile));
  for (char **plot = outputs->plots; plot != NULL && *plot != NULL; plot++)
    if (!read_plot (outputs, lab, *plot))
      return SL_EXIT_USAGE;
  if (!read_html (outputs, lab, settings))
    return SL_EXIT_USAGE;
  for (guint i = 0; i < outputs->files->len; i++)
    {
      const SlPlotFile *file = &g_array_index (outputs->files, SlPlotFile, i);

      if (!sl_outputs_is_table (file->path) && !sl_outputs_is_page (file)
          && !sl_looks_check (&outputs->looks, file->n,
                              (SlExportFormat) sl_export_format_for (file->path)))
        return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, outputs->folder != NULL ? SL_EXPORT_PNG : SL_EXPORT_SVG))
    return SL_EXIT_USAGE;
  if (count_on_stdout (outputs) > 1)
    {
      sl_cli_report ("only one of %s can go to standard output", "--csv, --json, --npy, --network");
      return SL_EXIT_USAGE;
    }
  if (g_strcmp0 (outputs->picture, "-") == 0 || g_strcmp0 (outputs->recording, "-") == 0)
    {
      sl_cli_report ("--picture and --recording need a file, not standard output");
      return SL_EXIT_USAGE;
    }

  if (outputs->picture != NULL && lab->picture == NULL)
    {
      sl_cli_report ("%s does not go with %s", "--picture", lab->id);
      return SL_EXIT_USAGE;
    }
  if (outputs->recording != NULL && lab->recording == NULL)
    {
      sl_cli_report ("%s does not go with %s", "--recording", lab->id);
      return SL_EXIT_USAGE;
    }
  if (outputs->network != NULL && lab->network == NULL)
    {
      sl_cli_report ("%s does not go with %s", "--network", lab->id);
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
sl_outputs_on_stdout (const SlOutputs *outputs)
{
  return count_on_stdout (outputs) > 0;
}
