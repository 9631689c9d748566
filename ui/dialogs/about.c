/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/about.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"

/* "AMD EPYC 9655P", from the first "model name" line; free with g_free(). */
static char *
processor (void)
{
  g_autofree char *text = NULL;
  char            *line, *end;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)
      || (line = strstr (text, "model name")) == NULL || (line = strchr (line, ':')) == NULL)
    return g_strdup ("unknown");
  end = strchrnul (line, '\n');
  return g_strstrip (g_strndup (line + 1, (gsize) (end - line - 1)));
}

/* Kernel, threads (of the run that is shown, if there is one), processor, libraries and data set, a line each. */
static char *
diagnostics (SlSession *session, GtkWidget *widget)
{
  g_autofree char *cpu = processor ();
  const SlDataset *dataset = session != NULL ? sl_session_dataset (session) : NULL;
  GskRenderer     *renderer = widget != NULL && gtk_widget_get_realized (widget)
                                ? gtk_native_get_renderer (gtk_widget_get_native (widget))
                                : NULL;
  unsigned         threads = session != NULL ? sl_session_threads (session) : 0;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "Sluice %s\n", SL_VERSION);
  g_string_append_printf (text, "Kernel: %s\n", sl_blas_kernel ());
  g_string_append_printf (text, "Threads: %u of %u cores\n",
                          threads > 0 ? threads : sl_blas_threads (), sl_blas_cores ());
  g_string_append_printf (text, "Processor: %s%s\n", cpu,
                          sl_cpu_features ().avx512 ? ", AVX-512" : "");
  g_string_append_printf (text, "OpenBLAS: %s (%s)\n", sl_blas_version (), sl_blas_threading ());
  g_string_append_printf (text, "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n",
                          gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version (), adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version (), glib_major_version,
                          glib_minor_version, glib_micro_version);
  g_string_append_printf (text, "Renderer: %s\n",
                          renderer != NULL ? G_OBJECT_TYPE_NAME (renderer) : "none");
  if (dataset != NULL)
    g_string_append_printf (text, "Data: %s (%s), hash %016" G_GINT64_MODIFIER "x\n",
                            dataset->title, dataset->id, dataset->hash);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
sl_about_show (GtkWindow *parent, SlSession *session)
{
  g_return_if_fail (session == NULL || SL_IS_SESSION (session));

  g_autofree char *facts = diagnostics (session, GTK_WIDGET (parent));

  adw_show_about_window (
    parent, "application-name", "Sluice", "application-icon", "org.sluice.Sluice", "version",
    SL_VERSION, "developer-name", _ ("The Sluice contributors"), "license-type",
    GTK_LICENSE_MIT_X11, "comments", _ ("Watch a neural network decide what not to compute."),
    "debug-info", facts, "debug-info-filename", "sluice-diagnostics.txt", NULL);
}
