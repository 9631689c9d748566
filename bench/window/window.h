/* SPDX-License-Identifier: MIT
 *
 * The window measured from inside, one figure per line as JSON on standard output:
 *   window.first-point  s from the start of the process to the first of the start page's four curves on the screen
 *   window.four-moving  … to all four, each of which has gone on
 *   window.four-moving-cpu  processor time of all threads until then, for a machine that is busy with other things
 *   window.memory       MB that are resident then
 *   window.bend-s, -r, -k  s from a moved slider of the start page until its curve is visibly
 *                       elsewhere
 *   window.slider       s from a moved slider to the update that uses it, at full speed
 *   window.frames       frames a second with six plots of a million samples, all redrawn each frame
 *   window.frame-cost   ms of processor time of one such frame
 *   window.drawing      cores used for drawing the same at the default redraw rate
 *   window.lab-first    s from the choice of a lab until its first run is on the screen, the slowest lab
 *   window.lab-return   s from the choice of a lab until the run that it had is on the screen, the slowest
 *                       lab's median
 *   window.turn-first.LAB, window.turn-return.LAB, window.turn-open.PAGE  s of this thread's processor time in the
 *                       longest turn of the main loop (turns.h) while a lab is visited for the first time and again,
 *                       and while a page or dialog is opened; turn-wall-…: the same by the clock
 *   window.turn-switch.WHAT.LAB, window.turn-lesson.LESSON  … while all plots, all settings, the presentation or two
 *                       runs side by side are switched on and off in a lab, and while a lesson is gone through
 *   window.recording    s from a recording dropped on the window until a picture of it is there, the median
 *                       of five; and -most
 *   window.throughput   updates a second with the window ÷ without, one thread
 *   window.throughput-cpu  the same by processor time of the training, for a machine that is busy
 *                       with other things  */
#pragma once

#include "ui/window/window.h"

/* The part about the start page, which the window shows. */
void sl_window_bench_overview (SlWindow *window);

/* The part about going from lab to lab, in a window of its own. */
void sl_window_bench_labs (GtkApplication *application);

/* The turns of what is switched on and off in each lab, and of a lesson; after sl_bench_watch_turns(). */
void sl_window_bench_switches (SlWindow *window);

/* The part about recordings that are opened; its files are in a folder. */
void sl_window_bench_recording (SlWindow *window, const char *folder);

/* Measures with the window just opened and then quits the application. */
void sl_window_bench_start (GApplication *application, SlWindow *window);
