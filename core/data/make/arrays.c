/* SPDX-License-Identifier: MIT */
#include "core/data/make/arrays.h"

#include <string.h>

#include "core/data/make/recordings.h"
#include "core/data/read/containers/source.h"
#include "core/data/read/recording/open.h"
#include "core/data/routing/dataset.h"
#include "core/data/source/sources.h"

/* The value of the option `as`, or NULL. */
static const char *
said_as (const char *options)
{
  for (const char *word = options; word != NULL; word = strchr (word, ' '))
    {
      word += strspn (word, " ");
      if (strncmp (word, "as=", strlen ("as=")) == 0)
        return word + strlen ("as=");
    }
  return NULL;
}

/* By what the options say, or else by names and shapes. */
static bool
is_recording (SlArrays *arrays, const char *options)
{
  const char *as = said_as (options);

  if (as == NULL || strncmp (as, "auto", strlen ("auto")) == 0)
    return sl_routing_arrays_likely (arrays);
  return strncmp (as, "examples", strlen ("examples")) != 0 && strncmp (as, "text", 4) != 0;
}

static SlStatus
make_recording (SlArrays *arrays, const char *options, SlDataset **dataset)
{
  const SlSource  *source = &sl_source_recordings;
  SlSettings       settings;
  SlRoutingOptions how;
  SlRouting       *routing;
  SlStatus         status;

  sl_settings_default (&settings, source->params, source->n_params);
  status = sl_settings_set_words (&settings, source->params, source->n_params, options);
  if (!sl_ok (&status))
    return status;
  how = sl_recordings_options (&settings);
  status = sl_routing_of_arrays (arrays, &how, &routing);
  return sl_ok (&status) ? sl_dataset_of_routing (routing, NULL, routing->name, dataset) : status;
}

static SlStatus
make_examples (SlArrays *arrays, const char *options, SlDataset **dataset)
{
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, sl_file_params, sl_n_file_params);
  status = sl_settings_set_words (&settings, sl_file_params, sl_n_file_params, options);
  return sl_ok (&status) ? sl_source_of_arrays (arrays, &settings, dataset) : status;
}

SlStatus
sl_dataset_of_arrays (SlArrays *arrays, const char *options, SlDataset **dataset)
{
  SlStatus status = sl_arrays_differ (arrays);

  arrays->lent = true;
  *dataset = NULL;
  if (sl_ok (&status))
    status = is_recording (arrays, options) ? make_recording (arrays, options, dataset)
                                            : make_examples (arrays, options, dataset);
  sl_arrays_clear (arrays);
  if (sl_ok (&status))
    {
      strcpy ((*dataset)->id, SL_SOURCE_ARRAYS);
      return status;
    }
  sl_dataset_free (*dataset);
  *dataset = NULL;
  return status;
}
