/* SPDX-License-Identifier: MIT */
#include "app/cli/commands/recording.h"

#include <stdlib.h>

#include "core/data/routing/npz-write.h"
#include "core/run/base/save.h"

SlExit
sl_cli_write_recording (const SlRouting *recording, const char *path)
{
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_routing_npz (recording, &bytes, &size);
  g_autoptr (GError) error = NULL;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  if (!sl_save (path, bytes, size, &error))
    sl_cli_report ("%s", error->message);
  free (bytes);
  return error == NULL ? SL_EXIT_FINE : SL_EXIT_FAILED;
}
