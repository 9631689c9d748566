/* SPDX-License-Identifier: MIT
 *
 * sluice-cli trace: which experts the tokens of a model went to, in numbers.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/labs/routing/command/expect.h"
#include "core/labs/routing/command/table.h"
#include "core/labs/routing/command/use.h"
#include "core/labs/routing/math/placement.h"
#include "core/labs/routing/report/caches.h"

static const char *const examples = N_ (
  "FILE is recorded routing: arrays (npy, npz, safetensors, pt, imatrix.gguf), JSON, a table\n"
  "or a folder of ranks, with options after a colon; sluice-cli data lists them.  Equal tokens\n"
  "in a row, more than chance explains, are a warm-up or padding and are left out.\n\n"
  "Parameters of --set: window (tokens), hot (experts, %), cache (experts; 0: a\n"
  "quarter), capacity (factor), devices, extra, nodes, groups, replan (windows), bias-rate,\n"
  "score (recorded, softmax or sigmoid); of one cache for all layers memory (GiB), expert-size\n"
  "(MiB; 0: as recorded, else 12), bandwidth (GB/s), by (token or pass).\n\n"
  "Figures of --expect: cv, chance (floor), excess, gini, peak, maxvio, effective, dead, hot,\n"
  "lru, recall, dropped, tokens, each with <, <=, >, >= or = and a number, with % of shares and\n"
  "experts. Every layer that has the figure must hold, and one must have it, or the exit code\n"
  "is 4.\n\n"
  "Examples:\n"
  "  sluice-cli trace log.jsonl.gz:decode=32 --layer 8 --set cache=20\n"
  "  sluice-cli trace trace.npz --expect 'cv<0.3, dead=0, dropped<1%'\n"
  "  sluice-cli trace trace.npz --caches --set memory=8 --set expert-size=16.5 >caches.csv\n"
  "  sluice-cli trace trace.npz --keep 95 >keep.json\n"
  "  sluice-cli trace train.npz --compare serve.npz --paired\n");

typedef struct
{
  gboolean        json, caches, warm_up, paired;
  char           *layer, *other, *keep, **set, **expect;
  double          target; /* of `keep` */
  GArray         *expectations;
  SlTraceSettings settings;
} Options;

static SlExit
open_recording (const char *spec, SlDataset **data)
{
  SlStatus status = sl_source_open_recording (spec, data);

  if (sl_ok (&status) && (*data)->routing == NULL)
    {
      status = sl_status_new (SL_EUNSUPPORTED, spec,
                              sl_message_word (sl_data_title (sl_dataset_kind (*data))),
                              sl_message_word (sl_data_title (SL_NEEDS_ROUTING)));
      sl_dataset_free (*data);
      *data = NULL;
    }
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
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

static SlExit
print_text (const SlStatus *status, char *text)
{
  if (!sl_ok (status))
    return sl_cli_fail (status);
  fputs (text, stdout);
  g_free (text);
  return SL_EXIT_FINE;
}

/* One document, with a comparison if there is another recording. */
static SlExit
print_document (const SlRouting *recording, const SlRouting *other, const Options *options)
{
  char    *text;
  SlStatus status = sl_trace_report (recording, other, options->warm_up, options->paired,
                                     &options->settings, &text);

  return print_text (&status, text);
}

/* Says so where nodes do not fit, and one is taken instead. */
static void
report_nodes (const SlRouting *recording, const SlPlacementSetting *setting)
{
  if (!sl_placement_fits (setting, recording->experts))
    sl_cli_report ("%s: placed on one node: %u nodes do not fit %u experts in %u groups on %u "
                   "devices; nodes divide groups, devices and places; groups divide experts",
                   recording->name, setting->nodes, recording->experts, setting->groups,
                   MIN (setting->devices, recording->experts));
}

static SlExit
print_table (const SlRouting *recording, const SlRouting *other, const Options *options,
             const SlTraceLine *line)
{
  SlStatus status;

  sl_cli_trace_table (recording, options->warm_up, &options->settings, line);
  status = sl_cli_trace_use (recording, options->warm_up, &options->settings);
  if (sl_ok (&status) && other != NULL)
    status = sl_cli_trace_comparison (recording, other, options->warm_up, options->paired);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
print_caches (const SlRouting *recording, const Options *options)
{
  g_autofree SlTraceCaches *caches = g_new (SlTraceCaches, 1);
  g_autofree char          *table = NULL;
  SlStatus                  status;

  if (recording->kind == SL_ROUTING_COUNTS)
    status = sl_status_new (SL_EFORMAT, recording->name, sl_message ("only counts"),
                            sl_message ("the experts of each token, for caches"));
  else
    status = sl_trace_caches (recording, options->warm_up, &options->settings, TRUE, caches);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  table = sl_trace_caches_table (caches, options->settings.bandwidth);
  fputs (table, stdout);
  return SL_EXIT_FINE;
}

static SlExit
print_keep (const SlRouting *recording, const Options *options)
{
  SlJsonWriter w;
  char        *text;
  SlStatus     status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "file", recording->name);
  status = sl_trace_end_object (
    &w, sl_trace_write_keep (&w, recording, options->warm_up, options->target), &text);
  return print_text (&status, text);
}

static SlExit
print_as_asked (const SlRouting *recording, const SlRouting *other, const Options *options,
                const SlTraceLine *line)
{
  if (options->keep != NULL)
    return print_keep (recording, options);
  if (options->caches)
    return print_caches (recording, options);
  report_nodes (recording, &options->settings.placement);
  if (options->json)
    return print_document (recording, other, options);
  return print_table (recording, other, options, line);
}

/* A sentence for each expectation that fails. */
static SlExit
check_expectations (const SlRouting *recording, const Options *options, const SlTraceLine *line)
{
  SlExit code = SL_EXIT_FINE;

  for (guint i = 0; i < options->expectations->len; i++)
    {
      const SlExpectation *e = &g_array_index (options->expectations, SlExpectation, i);
      SlExpectResult   result = sl_trace_expect (e, recording->n_layers, recording->experts, line);
      g_autofree char *sentence = NULL;

      if (sl_trace_expect_holds (&result))
        continue;
      sentence = sl_trace_expect_sentence (e, &result, recording, line);
      sl_cli_report ("%s: %s", recording->name, sentence);
      code = SL_EXIT_EXPECTED;
    }
  return code;
}

static SlExit
print_recording (const SlRouting *recording, const SlRouting *other, const Options *options)
{
  gboolean needed = options->expectations->len > 0
                    || !(options->json || options->caches || options->keep != NULL);
  g_autofree SlTraceLine *line = g_new (SlTraceLine, recording->n_layers);
  SlRouting               part;
  SlExit                  code = choose_layer (recording, options->layer, &part);
  SlStatus                status = SL_SUCCESS;
  unsigned                first;

  if (code != SL_EXIT_FINE)
    return code;
  first = (unsigned) (part.layer - recording->layer);
  for (unsigned l = 0; l < part.n_layers && needed && sl_ok (&status); l++)
    status = sl_trace_line (recording, first + l, options->warm_up, &options->settings, &line[l]);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  code = print_as_asked (&part, other, options, line);
  return code == SL_EXIT_FINE ? check_expectations (&part, options, line) : code;
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

/* "95" or "95%" as 0.95. */
static SlStatus
read_target (const char *text, double *target)
{
  char *end;

  *target = g_ascii_strtod (text, &end) / 100.0;
  end += *end == '%';
  if (end != text && *end == '\0' && *target > 0 && *target <= 1)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, "--keep", sl_message ("“%.60s”", text),
                        sl_message ("above 0 and at most 100, %% of the routings"));
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
  for (char **text = options->expect; text != NULL && *text != NULL && sl_ok (&status); text++)
    status = sl_trace_expect_read (*text, options->expectations);
  if (sl_ok (&status) && options->keep != NULL)
    status = read_target (options->keep, &options->target);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
check_words (char **args, char **files, const Options *options)
{
  if (files[0] == NULL)
    sl_cli_report ("no file is given; see %s --help", args[0]);
  else if (options->paired && options->other == NULL)
    sl_cli_report ("--paired needs --compare FILE");
  else if (options->json + options->caches + (options->keep != NULL) > 1)
    sl_cli_report ("--json, --caches and --keep exclude one another");
  else if (options->other != NULL && (options->caches || options->keep != NULL))
    sl_cli_report ("--compare prints a table, or with --json a document");
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
  GOptionContext *context = g_option_context_new ("FILE…");
  Options         options = { .expectations = g_array_new (FALSE, FALSE, sizeof (SlExpectation)) };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json,
      N_ ("Every number as JSON, one document per file"), NULL },
    { "caches", 0, 0, G_OPTION_ARG_NONE, &options.caches,
      N_ ("Only what one cache for all layers would do, as CSV"), NULL },
    { "keep", 0, 0, G_OPTION_ARG_STRING, &options.keep,
      N_ ("Only the experts to keep for so many percent of the routings, as JSON"), "PERCENT" },
    { "expect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.expect,
      N_ ("Exit code 4 unless this holds, see below"), "WHAT" },
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
  g_free (options.keep);
  g_strfreev (options.set);
  g_strfreev (options.expect);
  g_array_unref (options.expectations);
  return code;
}

const SlCliCommand sl_command_trace
  = { "trace", N_ ("Shows which experts the tokens of a model went to."), command };
