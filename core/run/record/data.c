/* SPDX-License-Identifier: MIT */
#include "core/run/record/data.h"

#include <glib/gi18n.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"

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
sl_lab_for_kind (const SlLab *lab, SlDataNeeds kind)
{
  if (kind == SL_NEEDS_NOTHING || sl_data_serves (kind, lab->data))
    return lab;
  for (const SlLab *const *other = sl_labs; *other != NULL; other++)
    if ((*other)->data != SL_NEEDS_NOTHING && sl_data_serves (kind, (*other)->data))
      return *other;
  return lab;
}

const SlLab *
sl_lab_for_data (const SlLab *lab, const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status = sl_source_parse (spec, &source, &settings, NULL);

  return sl_ok (&status) && source != NULL ? sl_lab_for_kind (lab, source->yields) : lab;
}

/* "if not: as=ids (5 tokens with 12 experts each)" */
static char *
other_readings (const SlFileReading *reading)
{
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; i < reading->n_others; i++)
    {
      const SlOtherReading *other = &reading->other[i];
      char                  what[SL_MESSAGE_SIZE];

      sl_message_show (other->what.packed, sl_words, what, sizeof what);
      g_string_append_printf (text, "%s%s=%s (%s)", i > 0 ? ", " : "", other->option, other->value,
                              what);
    }
  return g_string_free (text, FALSE);
}

char *
sl_data_reading (const SlFileReading *reading, const char *between)
{
  g_autofree char *others = NULL;
  GString         *text;
  char             said[SL_MESSAGE_SIZE];

  if (reading->said.packed[0] == '\0')
    return NULL;
  text = g_string_new (sl_message_show (reading->said.packed, sl_words, said, sizeof said));
  for (unsigned i = 0; i < reading->n_notes; i++)
    g_string_append_printf (text, "%s%s", between,
                            sl_message_show (reading->note[i].packed, sl_words, said, sizeof said));
  if (reading->n_others > 0)
    {
      others = other_readings (reading);
      g_string_append (text, between);
      /* Translators: other ways to read a file: "if not: as=ids (5 tokens), axes=tlk (…)". */
      g_string_append_printf (text, _ ("if not: %s"), others);
    }
  return g_string_free (text, FALSE);
}

/* A batch of more examples than there are. */
static char *
batch_note (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  int      param = sl_param_find (lab->params, lab->n_params, "batch");
  unsigned n = dataset != NULL ? (unsigned) dataset->n[SL_TRAIN] : 0, batch;

  /* Where it counts something else, streams of text, nothing is repeated. */
  if (param < 0 || n == 0 || g_strcmp0 (lab->params[param].unit, "examples") != 0)
    return NULL;
  batch = (unsigned) settings->value[param].v[0];
  if (batch <= n)
    return NULL;
  return g_strdup_printf (
    _ ("batch is %u, but there are %u examples: updates see some more than once"), batch, n);
}

char *
sl_data_note (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  g_autofree char *batch = batch_note (lab, settings, dataset),
                  *rows = dataset != NULL ? sl_data_reading (&dataset->reading, "\n") : NULL;

  if (batch != NULL && rows != NULL)
    return g_strconcat (rows, "\n", batch, NULL);
  return batch != NULL ? g_steal_pointer (&batch) : g_steal_pointer (&rows);
}
