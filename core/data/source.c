/* SPDX-License-Identifier: MIT */
#include "core/data/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/words.h"
#include "core/data/sources.h"

const SlSource *const sl_sources[] = {
  &sl_source_fashion_mnist, &sl_source_digits, &sl_source_xor,          &sl_source_moons,
  &sl_source_spirals,       &sl_source_rings,  &sl_source_checkerboard, &sl_source_mixture,
  NULL,
};

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id };

const SlSource *
sl_source_find (const char *id)
{
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    if (strcmp ((*source)->id, id) == 0)
      return *source;
  return NULL;
}

double
sl_source_option (const SlSource *source, const SlSettings *settings, const char *id)
{
  return settings->value[sl_param_find (source->params, source->n_params, id)].v[0];
}

static SlStatus
unknown_source (const char *id)
{
  const SlSource *nearest = sl_sources[0];
  char            expected[128];

  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    if (sl_word_distance (id, (*source)->id) < sl_word_distance (id, nearest->id))
      nearest = *source;
  snprintf (expected, sizeof expected, "a file or a source, perhaps %s", nearest->id);
  return sl_status_new (SL_EINVAL, id, "no data set or file of this name", expected);
}

/* Reads "noise=0.1,points=400" into the settings. */
static SlStatus
parse_options (char *options, const SlParam *params, unsigned n_params, SlSettings *settings)
{
  char    *rest = options;
  SlStatus status = SL_SUCCESS;

  while (rest != NULL && sl_ok (&status))
    {
      char *option = strsep (&rest, ","), *equals = strchr (option, '=');

      if (equals == NULL)
        return sl_status_new (SL_EINVAL, option, "no value", "option=value");
      *equals = '\0';
      status = sl_settings_set (settings, params, n_params, option, equals + 1);
    }
  return status;
}

SlStatus
sl_source_parse (const char *spec, const SlSource **source, SlSettings *settings)
{
  char  text[SPEC_MAX];
  char *colon;

  *source = NULL;
  if (strlen (spec) >= sizeof text)
    return sl_status_new (SL_EINVAL, spec, "a very long name", "at most 1023 letters");
  strcpy (text, spec);
  colon = strchr (text, ':');
  if (colon != NULL)
    *colon++ = '\0';
  *source = sl_source_find (text);
  if (*source == NULL)
    return unknown_source (text);
  sl_settings_default (settings, (*source)->params, (*source)->n_params);
  return parse_options (colon, (*source)->params, (*source)->n_params, settings);
}

const char *
sl_source_format (const SlSource *source, const SlSettings *settings, char *text, size_t size)
{
  size_t used = (size_t) snprintf (text, size, "%s", source->id);

  for (unsigned i = 0; i < source->n_params && used < size; i++)
    {
      char value[128];

      sl_param_format (&source->params[i], &settings->value[i], value, sizeof value);
      used += (size_t) snprintf (text + used, size - used, "%c%s=%s", i == 0 ? ':' : ',',
                                 source->params[i].id, value);
    }
  return text;
}

SlStatus
sl_source_open (const char *spec, SlDataset **dataset)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status = sl_source_parse (spec, &source, &settings);

  *dataset = NULL;
  if (sl_ok (&status))
    status = source->open (&settings, dataset);
  if (sl_ok (&status))
    sl_source_format (source, &settings, (*dataset)->id, sizeof (*dataset)->id);
  return status;
}

const char *
sl_source_default (void)
{
  return sl_source_fashion_mnist.available () ? "fashion-mnist" : "digits";
}
