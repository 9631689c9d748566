/* SPDX-License-Identifier: MIT
 *
 * The window measured from inside, one figure per line as JSON on standard output:
 *   window.first-point  s from the start of the process to the first data point painted
 *   window.slider       s from a moved slider to the update that uses it, at full speed
 *   window.frames       frames a second with six plots of a million samples, all redrawn each frame
 *   window.frame-cost   ms of processor time of one such frame
 *   window.drawing      cores used for drawing the same at the default redraw rate
 *   window.throughput   updates a second with the window ÷ without, one thread
 *   window.throughput-cpu  the same by processor time of the training, for a machine that is busy
 *                       with other things  */
#pragma once

#include "ui/sl-window.h"

/* Measures with the window just opened and then quits the application. */
void sl_window_bench_start (GApplication *application, SlWindow *window);
