/* SPDX-License-Identifier: MIT
 *
 * The program: command line, windows, and what they share.  */
#pragma once

#include <adwaita.h>

#include "ui/window/window.h"

G_BEGIN_DECLS

#define SL_TYPE_APPLICATION (sl_application_get_type ())
G_DECLARE_FINAL_TYPE (SlApplication, sl_application, SL, APPLICATION, AdwApplication)

/* Measures with the window just opened and then quits the application. */
typedef void (*SlMeasure) (GApplication *application, SlWindow *window);

/* The whole program, from what has to be settled before the libraries start to the exit code.
 * Actions (app.*): new-window, preferences, about, quit.  With `measure` it is a bench: it neither
 * reads nor writes runs, and is not handed to a program that runs already.  */
int sl_application_main (int argc, char **argv, SlMeasure measure);

G_END_DECLS
