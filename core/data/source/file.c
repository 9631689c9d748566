/* SPDX-License-Identifier: MIT
 *
 * Files and arrays by the options of a file.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/file.h"
#include "core/data/set/standardise.h"
#include "core/data/source/files.h"
#include "core/data/source/sources.h"

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id, AS_TEXT = 2 };

/* Refuses options where the files themselves say how they are split. */
static SlStatus
check_unsplit (const SlSettings *settings)
{
  for (unsigned i = 0; i < sl_n_file_params; i++)
    if (!sl_source_is_late (&sl_file_params[i])
        && settings->value[i].v[0] != sl_file_params[i].fallback)
      return sl_status_new (SL_EINVAL, sl_file_params[i].id,
                            sl_message ("an option for a collection that its files split"),
                            sl_message ("none"));
  return SL_SUCCESS;
}

/* Writes the specification of an opened file: its absolute path, so that it opens from any
 * folder, and the options if they mattered.  */
static SlStatus
write_file_id (SlDataset *dataset, const char *path, const SlSettings *settings,
               const SlSourceFiles *files, bool split)
{
  if (split)
    sl_source_format_file (path, settings, files, dataset->id, SPEC_MAX);
  else
    {
      bool any;

      snprintf (dataset->id, SPEC_MAX, "%s", path);
      any = sl_source_append_options (sl_file_params, sl_n_file_params, settings, true, dataset->id,
                                      SPEC_MAX);
      sl_source_files_append (NULL, files, !any, dataset->id, SPEC_MAX);
    }
  if (strlen (dataset->id) < SPEC_MAX - 1)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, path, sl_message ("a very long path"),
                        sl_message ("at most %d letters", SPEC_MAX - 64));
}

static void
set_shares (SlSettings *settings, const SlSplitting *splitting)
{
  settings->value[sl_param_find (sl_file_params, sl_n_file_params, "valid")].v[0]
    = splitting->valid;
  settings->value[sl_param_find (sl_file_params, sl_n_file_params, "test")].v[0] = splitting->test;
}

void
sl_source_settle_shares (bool text, SlSettings *settings)
{
  SlSplitting splitting = sl_source_splitting (sl_file_params, sl_n_file_params, settings);

  sl_file_settle_shares (text, &splitting);
  set_shares (settings, &splitting);
}

SlStatus
sl_source_scale_pixels (const SlParam *params, unsigned n_params, const SlSettings *settings,
                        SlDataset *dataset)
{
  int pixels = sl_param_find (params, n_params, "pixels");

  return pixels >= 0 && settings->value[pixels].v[0] != 0.0 && dataset->width > 0
           ? sl_dataset_standardise (dataset)
           : SL_SUCCESS;
}

static double
value_of (const SlSettings *settings, const char *id)
{
  return sl_source_value (sl_file_params, sl_n_file_params, settings, id);
}

static SlFileOptions
options_of (const SlSettings *settings, const char *class_column)
{
  SlFileOptions options
    = { .splitting = sl_source_splitting (sl_file_params, sl_n_file_params, settings),
        .standardise = value_of (settings, "standardise") != 0.0,
        .turned = value_of (settings, "transpose") != 0.0,
        .text = (SlTextMode) value_of (settings, "text"),
        .missing = (SlMissing) value_of (settings, "missing"),
        .form = sl_source_table_form (sl_file_params, sl_n_file_params, settings),
        .class_column = class_column };

  if (value_of (settings, "as") == AS_TEXT && options.text == SL_TEXT_AUTO)
    options.text = SL_TEXT_LETTERS;
  return options;
}

/* What was opened has no use for the shares where it is split by itself, and its pixels are scaled. */
static SlStatus
settle (SlStatus status, const SlSettings *settings, bool split, SlDataset *dataset)
{
  if (sl_ok (&status) && !split)
    status = check_unsplit (settings);
  if (sl_ok (&status))
    status = sl_source_scale_pixels (sl_file_params, sl_n_file_params, settings, dataset);
  return status;
}

SlStatus
sl_source_open_file (const char *path, const SlSettings *settings, const SlSourceFiles *files,
                     SlDataset **dataset)
{
  SlSettings    settled = *settings;
  SlFileOptions options = options_of (settings, files->path[SL_SOURCE_CLASS]);
  bool          split;
  char         *absolute = realpath (path, NULL);
  const char   *name = absolute != NULL ? absolute : path;
  SlStatus      status = sl_file_open (name, &options, &split, dataset);

  status = settle (status, settings, split, *dataset);
  set_shares (&settled, &options.splitting);
  if (sl_ok (&status))
    status = write_file_id (*dataset, name, &settled, files, split);
  free (absolute);
  return status;
}

SlStatus
sl_source_of_arrays (SlArrays *arrays, const SlSettings *settings, SlDataset **dataset)
{
  SlFileOptions options = options_of (settings, NULL);
  bool          split;
  SlStatus      status;

  if (options.text != SL_TEXT_AUTO)
    return sl_status_new (SL_EINVAL, arrays->path, sl_message ("arrays to be read as text"),
                          sl_message ("examples and classes, or a file"));
  status = sl_file_of_arrays (arrays, &options, &split, dataset);
  return settle (status, settings, split, *dataset);
}
