/* SPDX-License-Identifier: MIT
 *
 * The whole document about a recording.  */
#include "core/labs/reports.h"
#include "core/labs/routing/report/trace.h"

SlStatus
sl_trace_end_object (SlJsonWriter *w, SlStatus status, char **json)
{
  char *text = sl_json_writer_end (w, TRUE);

  *json = sl_ok (&status) ? text : NULL;
  if (!sl_ok (&status))
    g_free (text);
  return status;
}

SlStatus
sl_trace_report (const SlRouting *recording, const SlRouting *other, gboolean warm_up,
                 gboolean paired, const SlTraceSettings *settings, char **json)
{
  SlJsonWriter w;
  SlStatus     status;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "file", recording->name);
  status = sl_trace_write_warm_up (&w, recording);
  sl_json_add_truth (&w, "warm_up_left_out", !warm_up);
  if (sl_ok (&status))
    status = sl_trace_write_document (&w, recording, warm_up, settings);
  if (sl_ok (&status) && other != NULL)
    {
      sl_json_add_text (&w, "compared_with", other->name);
      status = sl_trace_write_recordings (&w, recording, other, warm_up, paired);
    }
  return sl_trace_end_object (&w, status, json);
}

static SlStatus
write_report (const SlDataset *data, const char *options, char **json)
{
  SlSettings      settings;
  SlTraceSettings how;
  SlStatus        status;

  *json = NULL;
  sl_settings_default (&settings, sl_trace_params, sl_n_trace_params);
  status = sl_settings_set_words (&settings, sl_trace_params, sl_n_trace_params, options);
  if (!sl_ok (&status))
    return status;
  how = sl_trace_settings (&settings);
  return sl_trace_report (data->routing, NULL, FALSE, FALSE, &how, json);
}

extern const SlLabReport sl_report_trace;

const SlLabReport sl_report_trace = { .kind = SL_NEEDS_ROUTING, .write = write_report };
