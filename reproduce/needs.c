/* SPDX-License-Identifier: MIT
 *
 * Data that are not part of this program; see typed.h.  */
#include <glib/gi18n.h>

#include "core/data/source/source.h"
#include "reproduce/typed.h"

/* In the list, in the shared folder with the options of the source, when it is nowhere; and what the published data
 * are, with the shares that this program takes.  */
static const struct
{
  const char *listed, *shared, *options, *missing, *name;
  uint64_t    hash;
  unsigned    features, classes;
} all[SL_N_TABLE_NEEDS] = {
  [SL_NEEDS_NO_FILE] = { .listed = "" },
  [SL_NEEDS_MNIST]
  = { "; needs MNIST", "mnist", "", N_ ("where are the four files of MNIST? give --data FOLDER"),
      "MNIST", 0x41fb587223eb07a9, 28 * 28, 10 },
  [SL_NEEDS_WIKI8]
  = { "; needs a text", "text/wiki8-train-30M.gz", ":valid=0.04,test=0.01,text=letters",
      N_ ("where is the text? give --text FILE"), "wiki8", 0x3d407b7ea1a85370, 1, 27 },
  [SL_NEEDS_FACES] = { "; needs faces", "faces/lfw_subset-200x25x25-images-idx3-ubyte.gz",
                       ":valid=0.1,test=0.45", N_ ("where are the faces? give --faces FILE"),
                       "a subset of LFW", 0xdad2af10e9de84dd, 25 * 25, 2 },
  [SL_NEEDS_CIFAR] = { "; needs CIFAR-10", "cifar10/cifar10-lossless-first4000.bin.gz",
                       ":valid=0.15,test=0.15,pixels=standardised",
                       N_ ("where are the pictures of CIFAR-10? give --cifar FILE"),
                       "a part of CIFAR-10", 0xf2c6bd1a91aa7c4b, 32 * 32 * 3, 10 },
};

const char *
sl_needs_listed (SlTableNeeds needs)
{
  return all[needs].listed;
}

const char *
sl_needs_missing (SlTableNeeds needs)
{
  return all[needs].missing;
}

char *
sl_needs_data (const SlTyped *typed, SlTableNeeds needs)
{
  const char      *shared = g_getenv ("SLUICE_SHARED_DATA");
  g_autofree char *place = NULL;

  if (all[needs].shared == NULL)
    return NULL;
  if (typed->data[needs] != NULL)
    place = g_strdup (typed->data[needs]);
  else if (shared != NULL)
    place = g_build_filename (shared, all[needs].shared, NULL);
  return place != NULL ? g_strconcat (place, all[needs].options, NULL) : NULL;
}

SlExit
sl_needs_check (SlReproduction *r)
{
  SlTableNeeds needs = r->table->needs;
  SlDataset   *data;
  SlStatus     status;
  SlExit       code = SL_EXIT_FINE;

  if (needs == SL_NEEDS_NO_FILE)
    return code;
  status = sl_source_open (r->data, &data);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  r->data_hash = data->hash;
  if (data->features != all[needs].features || data->classes != all[needs].classes
      || data->stream != (needs == SL_NEEDS_WIKI8))
    {
      sl_cli_report ("%s: %s is not %s, which has %u features and %u classes, not %u and %u",
                     r->table->id, r->data, all[needs].name, all[needs].features,
                     all[needs].classes, data->features, data->classes);
      code = SL_EXIT_FAILED;
    }
  else if (data->hash != all[needs].hash)
    {
      g_free (r->title);
      r->title
        = g_strdup_printf ("%s, on %s, which is not %s", r->table->title, r->data, all[needs].name);
    }
  sl_dataset_free (data);
  return code;
}
