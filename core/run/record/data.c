/* SPDX-License-Identifier: MIT */
#include "core/run/record/data.h"

#include <glib/gi18n.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"

SlStatus
sl_open_data (const char *spec, SlDataset **dataset)
{
  gint64   begun = g_get_monotonic_time ();
  SlStatus status = sl_source_open (spec, dataset);
  double   seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  char     text[512];

  if (sl_ok (&status))
    g_debug ("data: %s: %zu to train, %zu to validate, %zu to test, %u features, %u classes, hash "
             "%016" G_GINT64_MODIFIER "x, %.3f s",
             (*dataset)->id, (*dataset)->n[SL_TRAIN], (*dataset)->n[SL_VALID],
             (*dataset)->n[SL_TEST], (*dataset)->features, (*dataset)->classes, (*dataset)->hash,
             seconds);
  else
    g_debug ("data: %s, %.3f s", sl_status_text (&status, text, sizeof text), seconds);
  return status;
}

const SlLab *
sl_lab_for_data (const SlLab *lab, const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status = sl_source_parse (spec, &source, &settings, NULL);

  if (!sl_ok (&status) || source == NULL || sl_data_serves (source->yields, lab->data))
    return lab;
  for (const SlLab *const *other = sl_labs; *other != NULL; other++)
    if ((*other)->data == source->yields)
      return *other;
  return lab;
}

/* A batch of more examples than there are. */
char *
sl_data_note (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  int      param = sl_param_find (lab->params, lab->n_params, "batch");
  unsigned n = dataset != NULL ? (unsigned) dataset->n[SL_TRAIN] : 0, batch;

  /* Where it counts something else, streams of text, nothing is repeated. */
  if (param < 0 || n == 0 || g_strcmp0 (lab->params[param].unit, "examples") != 0)
    return NULL;
  batch = (unsigned) settings->value[param].v[0];
  if (batch <= n)
    return NULL;
  return g_strdup_printf (ngettext ("batch is %u, but there is %u example to train on: every "
                                    "update sees it more than once",
                                    "batch is %u, but there are %u examples to train on: every "
                                    "update sees some of them more than once",
                                    n),
                          batch, n);
}
