/* SPDX-License-Identifier: MIT
 *
 * See describe.h.  */
#include "app/cli/show/describe.h"

#include <glib.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/manual/labs-json.h"

enum { COLUMNS = 78, VALUE_TEXT = 128 };

const SlLab *
sl_describe_find_lab (const char *id)
{
  const SlLab *lab = id != NULL ? sl_lab_find (id) : sl_labs[0];
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  if (lab != NULL)
    return lab;
  for (const SlLab *const *known = sl_labs; *known != NULL; known++)
    g_ptr_array_add (ids, (gpointer) (*known)->id);
  g_ptr_array_add (ids, NULL);
  sl_cli_report ("there is no lab \"%s\"; perhaps %s?", id,
                 sl_cli_nearest (id, (const char *const *) ids->pdata));
  return NULL;
}

void
sl_describe_wrapped (FILE *stream, unsigned indent, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  glong column = 0;

  for (char **word = words; *word != NULL; word++)
    {
      glong width = g_utf8_strlen (*word, -1);

      if (width == 0)
        continue;
      if (column > 0 && column + 1 + width > COLUMNS)
        {
          fputc ('\n', stream);
          column = 0;
        }
      column += fprintf (stream, "%*s", column == 0 ? (int) indent : 1, "") + width;
      fputs (*word, stream);
    }
  if (column > 0)
    fputc ('\n', stream);
}

/* What a value must be.  The parser says it best, when it refuses something. */
static void
range_text (const SlParam *param, char *text, size_t size)
{
  SlValue  value;
  SlStatus status = sl_param_parse (param, "?", &value);

  sl_message_show (status.expected.packed, sl_words, text, size);
}

static void
default_text (const SlParam *params, unsigned n_params, unsigned param, char *text, size_t size)
{
  SlSettings settings;

  sl_settings_default (&settings, params, n_params);
  sl_param_format (&params[param], &settings.value[param], text, size);
}

/* Number i of the parameters (n_params). */
static void
describe_param (FILE *stream, const SlParam *params, unsigned n_params, unsigned i)
{
  const SlParam *param = &params[i];
  char           value[VALUE_TEXT], range[VALUE_TEXT];

  default_text (params, n_params, i, value, sizeof value);
  range_text (param, range, sizeof range);

  g_autofree char *head
    = g_strdup_printf ("%s=%s%s%s", param->id, value, param->unit != NULL ? " " : "",
                       sl_words (sl_given (param->unit)));
  g_autofree char *kind
    = g_strdup_printf ("%s%s%s", range, param->effect == SL_LIVE ? _ ("; also while it runs") : "",
                       param->needs != NULL ? _ ("; only with ") : "");
  g_autofree char *tail = g_strconcat (kind, param->needs, NULL);

  fprintf (stream, "    %-28s %s\n", head, tail);
  sl_describe_wrapped (stream, 8, sl_words (param->help));
}

void
sl_describe_params (FILE *stream, const SlParam *params, unsigned n_params)
{
  const char *group = "";

  for (unsigned i = 0; i < n_params; i++)
    {
      if (params[i].group != NULL && strcmp (params[i].group, group) != 0)
        {
          group = params[i].group;
          fprintf (stream, "\n  %s\n", sl_words (group));
        }
      describe_param (stream, params, n_params, i);
    }
}

void
sl_describe_files (FILE *stream, const SlFileOption *files, unsigned n_files)
{
  if (n_files > 0)
    fprintf (stream, "\n  %s\n", _ ("Files"));
  for (unsigned i = 0; i < n_files; i++)
    {
      g_autofree char *head = g_strdup_printf ("%s=%s", files[i].id, _ ("FILE"));

      fprintf (stream, "    %-28s %s\n", head, files[i].patterns);
      sl_describe_wrapped (stream, 8, sl_words (files[i].help));
    }
}

static const char *
kind_title (SlPanelKind kind)
{
  static const char *const titles[] = {
    [SL_SERIES] = N_ ("series"),    [SL_PROFILE] = N_ ("curves"), [SL_BARS] = N_ ("bars"),
    [SL_HEATMAP] = N_ ("heat map"), [SL_IMAGE] = N_ ("images"),   [SL_HISTORY] = N_ ("history"),
    [SL_SHARES] = N_ ("shares"),    [SL_MAP] = N_ ("map"),        [SL_ALIVE] = N_ ("one example"),
  };

  return titles[kind];
}

static void
describe_presets (FILE *stream, const SlLab *lab)
{
  if (sl_lab_n_presets (lab) > 0)
    fputs (_ ("\nPresets (--preset)\n"), stream);
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    {
      const SlPreset *preset = &lab->presets[i];

      fprintf (stream, "\n    %-16s %s\n", preset->id, sl_words (preset->title));
      sl_describe_wrapped (stream, 8, sl_words (preset->help));
      sl_describe_wrapped (stream, 8, preset->settings);
    }
}

static void
describe_sweeps (FILE *stream, const SlLab *lab)
{
  if (sl_lab_n_sweeps (lab) > 0)
    fputs (_ ("\nSweeps (sweep --suggested)\n"), stream);
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    {
      const SlSweepHint *hint = &lab->sweeps[i];
      g_auto (GStrv) axes = g_strsplit (hint->axes, " ", -1);
      g_auto (GStrv) words = g_strsplit (hint->settings != NULL ? hint->settings : "", " ", -1);
      g_autofree char *axis = g_strjoinv (" --axis ", axes), *set = g_strjoinv (" --set ", words);

      fprintf (stream, "\n    %-16s %s\n", hint->id, sl_words (hint->title));
      sl_describe_wrapped (stream, 8, sl_words (hint->help));
      fprintf (stream, "        --axis %s%s%s --seeds %s --steps %" PRIu64 "\n", axis,
               *set != '\0' ? " --set " : "", set, hint->seeds, hint->steps);
    }
}

static void
describe_panel (FILE *stream, const SlPanel *panel)
{
  fprintf (stream, "\n    %-16s %s (%s)\n", panel->id, sl_words (panel->title),
           gettext (kind_title (panel->kind)));
  sl_describe_wrapped (stream, 8, sl_words (panel->help));
  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    {
      const SlTrace *trace = &panel->traces[t];

      fprintf (stream, "        %-16s %s%s%s (%s%s%s)\n", trace->id, sl_words (trace->title),
               *trace->unit != '\0' ? ", " : "", sl_words (trace->unit),
               gettext (sl_style_words (trace->style)),
               trace->each != NULL ? _ (", for each of ") : "",
               trace->each != NULL ? trace->each : "");
    }
}

static void
describe_front (FILE *stream, const SlLab *lab)
{
  SlSettings settings;
  unsigned   knobs[SL_FRONT_KNOBS], plots[SL_FRONT_PLOTS], n_knobs, n_plots;
  int        picture = sl_lab_picture (lab);

  sl_settings_default (&settings, lab->params, lab->n_params);
  n_knobs = sl_lab_front_knobs (lab, &settings, NULL, knobs);
  n_plots = sl_lab_front_plots (lab, &settings, NULL, plots);
  fputs (_ ("\nParameters (--set, and --at where it says so)\n"), stream);
  fputc ('\n', stream);
  for (unsigned i = 0; i < n_knobs; i++)
    describe_param (stream, lab->params, lab->n_params, knobs[i]);
  fputs (_ ("\nPanels (--plot)\n"), stream);
  if (picture >= 0)
    describe_panel (stream, &lab->panels[picture]);
  for (unsigned i = 0; i < n_plots; i++)
    describe_panel (stream, &lab->panels[plots[i]]);
  fprintf (stream,
           _ ("\nThese are on its front page. --all prints all %u parameters and %u panels, "
              "presets and sweeps.\n"),
           lab->n_params, lab->n_panels);
}

static void
describe_all (FILE *stream, const SlLab *lab)
{
  describe_presets (stream, lab);
  fputs (_ ("\nParameters (--set, and --at where it says so)\n"), stream);
  sl_describe_params (stream, lab->params, lab->n_params);
  fputs (_ ("\nPanels (--plot)\n"), stream);
  for (unsigned p = 0; p < lab->n_panels; p++)
    describe_panel (stream, &lab->panels[p]);
  describe_sweeps (stream, lab);
}

void
sl_describe_lab (FILE *stream, const SlLab *lab, bool all)
{
  fprintf (stream, "%s: %s\n", lab->id, sl_words (lab->title));
  sl_describe_wrapped (stream, 2, sl_words (lab->summary));
  fprintf (stream, _ ("  Source: %s\n  Data: %s\n"), sl_words (lab->reference),
           sl_words (sl_data_title (lab->data)));
  if (all || lab->front == NULL)
    describe_all (stream, lab);
  else
    describe_front (stream, lab);
}
