/* SPDX-License-Identifier: MIT
 *
 * Where the parts of a pad are: the strip of examples below the square or at its side, whatever leaves more for both.  */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  GdkRectangle square, strip, words, buttons;
  unsigned     columns; /* of the strip */
} SlInputLayout;

/* px; `words` and `buttons`: how high they are. */
SlInputLayout sl_input_layout (int width, int height, int words, int buttons);
