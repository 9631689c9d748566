/* SPDX-License-Identifier: MIT
 *
 * The window's entry point: what has to be settled before the libraries start.  */
#include <glob.h>
#include <malloc.h>

#include "app/sl-application.h"
#include "core/run/cpu.h"

/* Frames allocate and free megabytes; without these, each of them is a fresh mapping whose pages
 * must all be faulted in again.  */
static void
keep_memory (void)
{
  mallopt (M_MMAP_THRESHOLD, 64 << 20);
  mallopt (M_TRIM_THRESHOLD, 256 << 20);
  mallopt (M_TOP_PAD, 16 << 20);
}

/* Without a graphics device OpenGL is emulated and costs more than a core; even asking for it costs
 * a tenth of a second.  Drawing directly is then better.  */
static void
choose_renderer (void)
{
  glob_t   devices;
  gboolean device = glob ("/dev/dri/renderD*", GLOB_NOSORT, NULL, &devices) == 0;

  if (device)
    globfree (&devices);
  else if (g_getenv ("GSK_RENDERER") == NULL)
    {
      g_setenv ("GSK_RENDERER", "cairo", TRUE);
      g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (SlApplication) application = NULL;

  sl_cpu_prepare (argv);
  keep_memory ();
  choose_renderer ();
  application = sl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
