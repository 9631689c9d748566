/* SPDX-License-Identifier: MIT
 *
 * Event files of TensorBoard, as curves and as a recording.  The first byte: odd, the rest is a file, fed in two parts; even, it is
 * the data of one record, whose frame is made here, so that check sums hide nothing.  */
#include "tests/fuzz/error.h"
#include "tests/fuzz/recording.h"

#include "core/run/foreign/events.h"

static void
check_curves (const SlForeign *foreign)
{
  gsize points = 0;

  for (guint c = 0; c < foreign->curves->len; c++)
    {
      const SlForeignCurve *curve = g_ptr_array_index (foreign->curves, c);

      fuzz_require (g_utf8_validate (curve->name, -1, NULL));
      for (gsize i = 1; i < curve->series.n; i++)
        fuzz_require (curve->series.step[i] >= curve->series.step[i - 1]);
      points += curve->series.n;
    }
  fuzz_require (points == foreign->points);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  SlEventReader reader;
  SlForeign     foreign;
  SlStatus      status;

  if (size < 2)
    return 0;
  if (data[0] & 1)
    g_byte_array_append (file, data + 1, (guint) size - 1);
  else
    sl_events_frame (file, data + 1, size - 1);
  sl_foreign_init (&foreign, "fuzz");
  sl_event_reader_init (&reader, "fuzz", sl_foreign_take, &foreign);
  status = sl_event_reader_feed (&reader, file->data, file->len / 2);
  if (sl_ok (&status))
    status = sl_event_reader_feed (&reader, file->data + file->len / 2, file->len - file->len / 2);
  fuzz_require (sl_ok (&status) || status.found.packed[0] != '\0');
  check_curves (&foreign);
  sl_event_reader_clear (&reader);
  fuzz_recording ("a.tfevents.b", data[1], file->data, file->len);
  sl_foreign_clear (&foreign);
  return 0;
}
