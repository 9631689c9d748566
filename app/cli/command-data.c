/* SPDX-License-Identifier: MIT
 *
 * sluice-cli data: what there is to train on, and what is in it.  */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "app/cli/describe.h"
#include "core/data/source.h"

static const char examples[]
  = "SPEC is a source, a source with options after a colon, or a file or folder, whose\n"
    "reader is chosen by its content.\n"
    "\n"
    "Examples:\n"
    "  sluice-cli data\n"
    "  sluice-cli data spirals:noise=0.1\n"
    "  sluice-cli data ~/mnist/train-images-idx3-ubyte.gz\n";

static void
list (void)
{
  printf ("Without --data: %s\n", sl_source_default ());
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      bool there = (*source)->available == NULL || (*source)->available ();

      printf ("\n%-16s %s%s\n", (*source)->id, (*source)->title,
              there ? "" : " (not installed)");
      sl_describe_wrapped (stdout, 2, (*source)->help);
      sl_describe_params (stdout, (*source)->params, (*source)->n_params);
    }
}

static SlExit
describe (const char *spec)
{
  static const char *const titles[SL_N_SPLITS] = { "training", "validation", "test" };
  SlDataset *data;
  SlStatus   status = sl_source_open (spec, &data);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  printf ("%s\n  specification  %s\n  content hash   %016" PRIx64 "\n", data->title, data->id,
          data->hash);
  for (int s = 0; s < SL_N_SPLITS; s++)
    printf ("  %-14s %zu examples\n", titles[s], data->n[s]);
  printf ("  features       %u", data->features);
  if (data->width > 0)
    printf (" (%u × %u, %u channel%s)", data->width, data->height, data->channels,
            data->channels == 1 ? "" : "s");
  printf ("\n  classes        %u\n", data->classes);
  for (unsigned c = 0; data->class_title != NULL && c < data->classes; c++)
    printf ("  %14u %s\n", c, data->class_title[c]);
  sl_dataset_free (data);
  return SL_EXIT_FINE;
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new ("[SPEC]");
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context,
                                "Lists the sources of data with their options, or opens one.");
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 1))
    return SL_EXIT_USAGE;
  if (rest[0] != NULL)
    return describe (rest[0]);
  list ();
  return SL_EXIT_FINE;
}

const SlCommand sl_command_data = { "data", "list the sources of data, or open one", command };
