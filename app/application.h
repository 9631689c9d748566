/* SPDX-License-Identifier: MIT
 *
 * The program: command line, windows, and what they share.  */
#pragma once

#include <adwaita.h>

#include "ui/window/window.h"

G_BEGIN_DECLS

#define SL_TYPE_APPLICATION (sl_application_get_type ())
G_DECLARE_FINAL_TYPE (SlApplication, sl_application, SL, APPLICATION, AdwApplication)

/* A driver operates the program instead of the user: it begins when the first window opens, and
 * quits the application in the end.  */
typedef struct
{
  void (*begin) (GApplication *application, SlWindow *window);
  gboolean bench; /* it measures, so that runs are neither read nor written */
} SlDriver;

/* The whole program, from what has to be settled before the libraries start to the exit code.
 * Actions (app.*): new-window, preferences, about, quit, begin-again (everything ends, and the first screen is
 * there as at a fresh start).  With a driver (NULL: none) it is not handed to a program that runs already.  */
int sl_application_main (int argc, char **argv, const SlDriver *driver);

G_END_DECLS
