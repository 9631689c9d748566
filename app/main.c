/* SPDX-License-Identifier: MIT
 *
 * The window's entry point: what has to be settled before the libraries start.  */
#include <malloc.h>

#include "app/application.h"
#include "app/renderer.h"
#include "core/run/base/cpu.h"
#include "core/run/base/language.h"

/* Frames allocate and free megabytes; without these, each of them is a fresh mapping whose pages
 * must all be faulted in again.  */
static void
keep_memory (void)
{
  mallopt (M_MMAP_THRESHOLD, 64 << 20);
  mallopt (M_TRIM_THRESHOLD, 256 << 20);
  mallopt (M_TOP_PAD, 16 << 20);
}

int
main (int argc, char **argv)
{
  g_autoptr (SlApplication) application = NULL;

  sl_cpu_prepare (argv);
  keep_memory ();
  sl_renderer_prepare ();
  sl_language_start ();
  gtk_disable_setlocale (); /* it would bring decimal commas back */
  application = sl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
