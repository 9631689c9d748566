/* SPDX-License-Identifier: MIT */
#include "app/renderer.h"

#include <epoxy/gl.h>
#include <glob.h>
#include <gtk/gtk.h>
#include <string.h>

static gboolean
has_device (void)
{
  glob_t   devices;
  gboolean found = glob ("/dev/dri/renderD*", GLOB_NOSORT, NULL, &devices) == 0;

  if (found)
    globfree (&devices);
  return found;
}

void
sl_renderer_prepare (void)
{
  if (g_getenv ("GSK_RENDERER") != NULL || has_device ())
    return;
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  if (gtk_get_minor_version () < 16)
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
  else
    g_setenv ("GDK_DISABLE", "gl", FALSE);
}

void
sl_renderer_choose (GdkDisplay *display)
{
  g_autoptr (GdkGLContext) context = NULL;
  gboolean emulated = TRUE;

  if (g_getenv ("GSK_RENDERER") != NULL || display == NULL)
    return;
  context = gdk_display_create_gl_context (display, NULL);
  if (context != NULL && gdk_gl_context_realize (context, NULL))
    {
      const char *name;

      gdk_gl_context_make_current (context);
      name = (const char *) glGetString (GL_RENDERER);
      emulated
        = name == NULL || strstr (name, "llvmpipe") != NULL || strstr (name, "softpipe") != NULL;
      gdk_gl_context_clear_current ();
    }
  if (emulated)
    g_setenv ("GSK_RENDERER", "cairo", TRUE);
}
