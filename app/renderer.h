/* SPDX-License-Identifier: MIT
 *
 * Emulated OpenGL costs more than a core where drawing directly costs a twentieth; GTK 4.8 takes it
 * all the same.  Both functions leave alone what the user set.  */
#pragma once

#include <gdk/gdk.h>

/* Before GTK starts: without a graphics device there can be nothing but emulation, and even
 * asking for it costs a tenth of a second.  */
void sl_renderer_prepare (void);

/* After GTK started and before the first window: reads from OpenGL which renderer draws. */
void sl_renderer_choose (GdkDisplay *display);
