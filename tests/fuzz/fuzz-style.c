/* SPDX-License-Identifier: MIT
 *
 * Styles of figures: what is read makes a page that can be drawn.  */
#include "tests/fuzz/error.h"

#include "plot/export/style.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL, refused = NULL;
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlExportStyle   style;

  if (!sl_export_style_read ((const char *) data, size, "style", &style, &error))
    {
      fuzz_check_error (error);
      return 0;
    }
  sl_export_style_apply (&style, &options, 1);
  fuzz_require (g_utf8_validate (style.font, -1, NULL) && g_utf8_validate (style.name, -1, NULL));
  if (!sl_export_check (&options, 1, SL_EXPORT_SVG, &refused))
    fuzz_check_error (refused);
  return 0;
}
