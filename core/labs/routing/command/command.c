/* SPDX-License-Identifier: MIT
 *
 * sluice-cli trace: which experts the tokens of a model went to, in numbers.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/labs/routing/command/table.h"
#include "core/labs/routing/math/placement.h"

static const char *const examples = N_ (
  "FILE is recorded routing: arrays (npy, npz, safetensors, pt, imatrix.gguf), JSON, a table\n"
  "or a folder of ranks, with options after a colon; sluice-cli data lists them.  Equal tokens\n"
  "in a row, more than chance explains, are a warm-up or padding and are left out.\n\n"
  "Parameters of --set: window (tokens), hot (experts, %), cache (experts; 0: a\n"
  "quarter), capacity (factor), devices, extra, nodes, groups, replan (windows), bias-rate,\n"
  "score (recorded, softmax or sigmoid).\n\n"
  "Examples:\n"
  "  sluice-cli trace trace.npy:experts=64 --json\n"
  "  sluice-cli trace log.jsonl.gz:decode=32 --layer 8 --set cache=20\n"
  "  sluice-cli trace train.npz --compare serve.npz --paired\n");

typedef struct
{
  gboolean        json, warm_up, paired;
  char           *layer, *other, **set;
  SlTraceSettings settings;
} Options;

static SlExit
open_recording (const char *spec, SlDataset **data)
{
  SlStatus status = sl_source_open (spec, data);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  if ((*data)->routing != NULL)
    return SL_EXIT_FINE;
  sl_dataset_free (*data);
  *data = NULL;
  sl_cli_report (
    "%s: no recorded routing found; expert numbers in another table or array need as=ids", spec);
  return SL_EXIT_FAILED;
}

/* `part` becomes one layer of a recording, which stays the owner of everything. */
static SlExit
choose_layer (const SlRouting *recording, const char *name, SlRouting *part)
{
  static const unsigned group[] = { 0 };
  char                  each[64];

  *part = *recording;
  if (name == NULL)
    return SL_EXIT_FINE;
  for (unsigned l = 0; l < recording->n_layers; l++)
    if (strcmp (sl_routing_layer_name (&recording->layer[l], each, sizeof each), name) == 0)
      {
        part->n_layers = 1;
        part->layer = &recording->layer[l];
        part->group = group;
        return SL_EXIT_FINE;
      }
  sl_cli_report ("%s: there is no layer %s; the last one is %s", recording->name, name, each);
  return SL_EXIT_USAGE;
}

/* One document, with a comparison if there is another recording. */
static SlExit
print_document (const SlRouting *recording, const SlRouting *other, const Options *options)
{
  SlJsonWriter     w;
  g_autofree char *text = NULL;
  SlStatus         status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "file", recording->name);
  status = sl_trace_write_warm_up (&w, recording);
  sl_json_add_truth (&w, "warm_up_left_out", !options->warm_up);
  if (sl_ok (&status))
    status = sl_trace_write_document (&w, recording, options->warm_up, &options->settings);
  if (sl_ok (&status) && other != NULL)
    {
      sl_json_add_text (&w, "compared_with", other->name);
      status = sl_trace_write_recordings (&w, recording, other, options->warm_up, options->paired);
    }
  text = sl_json_writer_end (&w, TRUE);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  fputs (text, stdout);
  return SL_EXIT_FINE;
}

/* Says so where nodes do not fit, and one is taken instead. */
static void
report_nodes (const SlRouting *recording, const SlPlacementSetting *setting)
{
  if (!sl_placement_fits (setting, recording->experts))
    sl_cli_report ("%s: placed on one node: %u nodes do not fit %u experts in %u groups on %u "
                   "devices; nodes divide groups, devices and places, and groups divide experts",
                   recording->name, setting->nodes, recording->experts, setting->groups,
                   MIN (setting->devices, recording->experts));
}

static SlExit
print_recording (const SlRouting *recording, const SlRouting *other, const Options *options)
{
  SlRouting part;
  SlExit    code = choose_layer (recording, options->layer, &part);
  SlStatus  status;

  if (code != SL_EXIT_FINE)
    return code;
  report_nodes (recording, &options->settings.placement);
  if (options->json)
    return print_document (&part, other, options);
  status = sl_cli_trace_table (&part, options->warm_up, &options->settings);
  if (sl_ok (&status) && other != NULL)
    status = sl_cli_trace_comparison (&part, other, options->warm_up, options->paired);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* The files that can be read are printed, also behind one that cannot; the first failure counts. */
static SlExit
print_files (char **files, const SlRouting *other, const Options *options)
{
  SlExit code = SL_EXIT_FINE;

  for (char **file = files; *file != NULL; file++)
    {
      SlDataset *data = NULL;
      SlExit     each = open_recording (*file, &data);

      if (each == SL_EXIT_FINE)
        each = print_recording (data->routing, other, options);
      sl_dataset_free (data);
      code = code == SL_EXIT_FINE ? each : code;
    }
  return code;
}

static SlExit
read_settings (Options *options)
{
  SlSettings settings;
  SlStatus   status = SL_SUCCESS;

  sl_settings_default (&settings, sl_trace_params, sl_n_trace_params);
  for (char **word = options->set; word != NULL && *word != NULL && sl_ok (&status); word++)
    status = sl_settings_set_words (&settings, sl_trace_params, sl_n_trace_params, *word);
  options->settings = sl_trace_settings (&settings);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
check_words (char **args, char **files, const Options *options)
{
  if (files[0] == NULL)
    sl_cli_report ("no file is given; see %s --help", args[0]);
  else if (options->paired && options->other == NULL)
    sl_cli_report ("--paired needs --compare FILE");
  else
    return SL_EXIT_FINE;
  return SL_EXIT_USAGE;
}

static SlExit
trace (char **args, char **files, Options *options)
{
  SlExit     code = check_words (args, files, options);
  SlDataset *other = NULL;

  if (code == SL_EXIT_FINE)
    code = read_settings (options);
  if (code == SL_EXIT_FINE && options->other != NULL)
    code = open_recording (options->other, &other);
  if (code == SL_EXIT_FINE)
    code = print_files (files, other != NULL ? other->routing : NULL, options);
  sl_dataset_free (other);
  return code;
}

extern const SlCliCommand sl_command_trace;

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("FILE…");
  Options            options = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json,
      N_ ("Every number as JSON, one document per file"), NULL },
    { "layer", 0, 0, G_OPTION_ARG_STRING, &options.layer,
      N_ ("Only this layer, as the model numbers it"), "N" },
    { "keep-warm-up", 0, 0, G_OPTION_ARG_NONE, &options.warm_up,
      N_ ("Count tokens that look like a warm-up"), NULL },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &options.other,
      N_ ("Another recording of the same layers"), "FILE" },
    { "paired", 0, 0, G_OPTION_ARG_NONE, &options.paired,
      N_ ("The tokens of --compare are the same"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.set, N_ ("A parameter, see below"),
      "ID=VALUE" },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_trace.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (sl_cli_options (context, examples, args, &rest, &code))
    code = trace (args, rest, &options);
  g_free (options.layer);
  g_free (options.other);
  g_strfreev (options.set);
  return code;
}

const SlCliCommand sl_command_trace
  = { "trace", N_ ("Shows which experts the tokens of a model went to."), command };
