/* SPDX-License-Identifier: MIT */
#include "core/run/record/data.h"

#include <glib.h>

#include "core/data/source/source.h"

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
