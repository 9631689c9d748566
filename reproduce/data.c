/* SPDX-License-Identifier: MIT
 *
 * Whether the data are those that a table is about; see reproduce.h.  */
#include "core/data/source/source.h"
#include "reproduce/reproduce.h"

/* What the published data are: of MNIST with the usual 10,000 examples for validation, and of the text and the
 * faces with the shares that this program takes.  */
typedef struct
{
  const char *name;
  uint64_t    hash;
  unsigned    features, classes;
} Known;

static const Known known[] = {
  [SL_NEEDS_MNIST] = { "MNIST", 0x41fb587223eb07a9, 28 * 28, 10 },
  [SL_NEEDS_WIKI8] = { "wiki8", 0x3d407b7ea1a85370, 1, 27 },
  [SL_NEEDS_FACES] = { "a subset of LFW", 0xdad2af10e9de84dd, 25 * 25, 2 },
  [SL_NEEDS_CIFAR] = { "a part of CIFAR-10", 0xf2c6bd1a91aa7c4b, 32 * 32 * 3, 10 },
};

SlExit
sl_reproduction_check_data (SlReproduction *r)
{
  const Known *expected = &known[r->table->needs];
  SlDataset   *data;
  SlStatus     status;
  SlExit       code = SL_EXIT_FINE;

  if (r->table->needs == SL_NEEDS_NO_FILE)
    return code;
  status = sl_source_open (r->data, &data);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  r->data_hash = data->hash;
  if (data->features != expected->features || data->classes != expected->classes
      || data->stream != (r->table->needs == SL_NEEDS_WIKI8))
    {
      sl_cli_report ("%s: %s is not %s, which has %u features and %u classes, not %u and %u",
                     r->table->id, r->data, expected->name, expected->features, expected->classes,
                     data->features, data->classes);
      code = SL_EXIT_FAILED;
    }
  else if (data->hash != expected->hash)
    {
      g_free (r->title);
      r->title
        = g_strdup_printf ("%s, on %s, which is not %s", r->table->title, r->data, expected->name);
    }
  sl_dataset_free (data);
  return code;
}
