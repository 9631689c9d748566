/* SPDX-License-Identifier: MIT
 *
 * sluice-cli data: what there is to train on, and what is in it.  */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "app/cli/commands/recording.h"
#include "app/cli/show/describe.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/run/base/language.h"
#include "core/run/record/data.h"

static const char *const examples
  = N_ ("SPEC is a source, a file or a folder; options come after a colon.  Write %2C for a comma\n"
        "and %25 for a percent sign in the path of a file in an option.\n"
        "\n"
        "Examples:\n"
        "  sluice-cli data spirals:noise=0.1\n"
        "  sluice-cli data router:experts=16,k=2 --recording made-up.npz\n"
        "  sluice-cli data ~/mnist/train-images-idx3-ubyte.gz\n"
        "  sluice-cli data survey.csv:class=species,missing=drop\n");

static void
list (void)
{
  printf (_ ("Without --data: %s\n"), sl_source_default ());
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      bool there = (*source)->available == NULL || (*source)->available ();

      printf ("\n%-16s %s%s\n", (*source)->id, sl_words ((*source)->title),
              there ? "" : _ (" (not installed)"));
      sl_describe_wrapped (stdout, 2, sl_words ((*source)->help));
      sl_describe_params (stdout, (*source)->params, (*source)->n_params);
      sl_describe_files (stdout, (*source)->files, (*source)->n_files);
    }
  sl_describe_files (stdout, &sl_network_option, 1);
}

static void
print_counts (const SlDataset *data)
{
  static const char *const titles[SL_N_SPLITS]
    = { N_ ("training"), N_ ("validation"), N_ ("test") };

  for (int s = 0; s < SL_N_SPLITS; s++)
    printf (ngettext ("  %-16s %zu example\n", "  %-16s %zu examples\n", data->n[s]),
            gettext (titles[s]), data->n[s]);
  printf ("  %-16s %u", _ ("features"), data->features);
  if (data->width > 0)
    printf (ngettext (" (%u × %u, %u channel)", " (%u × %u, %u channels)", data->channels),
            data->width, data->height, data->channels);
  printf ("\n  %-16s %u\n", _ ("classes"), data->classes);
  for (unsigned c = 0; data->class_title != NULL && c < data->classes; c++)
    printf ("  %16u %s\n", c, data->class_title[c]);
}

static void
print_pictures (const SlPicturePair *pair)
{
  printf ("  %-16s %s\n  %-16s %s\n", _ ("content"), sl_words (pair->content_title), _ ("style"),
          sl_words (pair->style_title));
  if (pair->net_title[0] != '\0')
    printf ("  %-16s %s\n", _ ("weights"), pair->net_title);
  printf (_ ("  %-16s %u × %u pixels\n"), _ ("size"), pair->width, pair->height);
}

static void
print_routing (const SlRouting *routing)
{
  static const char *const from[]
    = { N_ ("as given"), N_ ("as in the file"), N_ ("the largest number + 1") };

  printf ("  %-16s %u\n  %-16s %u (%s)\n", _ ("layers"), routing->n_layers, _ ("experts"),
          routing->experts, gettext (from[routing->experts_from]));
  if (routing->kind == SL_ROUTING_COUNTS)
    printf ("  %-16s %zu\n", _ ("rows of counts"), routing->rows);
  else
    printf ("  %-16s %u\n  %-16s %zu\n  %-16s %zu\n", _ ("per token"), routing->k, _ ("tokens"),
            routing->layer[0].tokens, _ ("of a warm-up"), routing->layer[0].warm_up_tokens);
}

static SlExit
describe (const char *spec, const char *path)
{
  SlExit           code = SL_EXIT_FINE;
  SlDataset       *data;
  SlStatus         status = sl_source_open (spec, &data);
  char             title[2 * SL_MESSAGE_SIZE];
  g_autofree char *reading = NULL;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_message_show (sl_dataset_message (data).packed, sl_words, title, sizeof title);
  reading = sl_data_reading (&data->reading, "\n  ");
  printf ("%s\n%s%s%s  %-16s %s\n  %-16s %016" PRIx64 "\n", title, reading != NULL ? "  " : "",
          sl_given (reading), reading != NULL ? "\n" : "", _ ("specification"), data->id,
          _ ("content hash"), data->hash);
  if (data->pictures != NULL)
    print_pictures (data->pictures);
  else if (data->routing != NULL)
    print_routing (data->routing);
  else
    print_counts (data);
  if (path != NULL && data->routing == NULL)
    {
      sl_cli_report (_ ("%s is not recorded routing; leave --recording out"), spec);
      code = SL_EXIT_USAGE;
    }
  else if (path != NULL)
    code = sl_cli_write_recording (data->routing, path);
  sl_dataset_free (data);
  return code;
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("[SPEC]");
  g_autofree char   *recording = NULL;
  const GOptionEntry entries[] = { { "recording", 0, 0, G_OPTION_ARG_FILENAME, &recording,
                                     N_ ("Write recorded or made-up routing as npz"), "FILE" },
                                   { NULL } };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_summary (context, sl_command_data.summary);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 1))
    return SL_EXIT_USAGE;
  if (g_strcmp0 (recording, "-") == 0)
    {
      sl_cli_report ("--recording needs a file, not the standard output");
      return SL_EXIT_USAGE;
    }
  if (rest[0] != NULL)
    return describe (rest[0], recording);
  if (recording != NULL)
    {
      sl_cli_report (_ ("--recording needs a SPEC"));
      return SL_EXIT_USAGE;
    }
  list ();
  return SL_EXIT_FINE;
}

const SlCliCommand sl_command_data
  = { "data", N_ ("Lists the data sources with their options, or opens one."), command };
