/* SPDX-License-Identifier: MIT
 *
 * The picture that a run makes, as a file; see outputs.h.  */
#include "app/cli/show/outputs.h"

#include <stdlib.h>

#include "core/data/image/png-write.h"
#include "core/run/base/save.h"

bool
sl_outputs_wants_picture (const SlOutputs *outputs, const SlLab *lab)
{
  return lab->picture != NULL && (outputs->picture != NULL || outputs->folder != NULL);
}

static bool
save (const char *path, const uint8_t *bytes, size_t size)
{
  g_autoptr (GError) error = NULL;

  if (sl_save (path, bytes, size, &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

SlExit
sl_outputs_write_picture (const SlOutputs *outputs, const SlBitmap *picture, const char *title,
                          const char *recipe)
{
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_bitmap_encode (picture, title, recipe, &bytes, &size);
  bool     done = true;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  if (outputs->picture != NULL)
    done &= save (outputs->picture, bytes, size);
  if (outputs->folder != NULL)
    {
      g_autofree char *path = g_build_filename (outputs->folder, "formed.png", NULL);

      done &= save (path, bytes, size);
    }
  free (bytes);
  return done ? SL_EXIT_FINE : SL_EXIT_FAILED;
}
