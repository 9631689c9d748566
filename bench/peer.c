/* SPDX-License-Identifier: MIT
 *
 * Other programs that do the same, timed by scripts of bench/peers.  */
#include <gio/gio.h>

#include "bench/bench.h"

double
sl_bench_peer (const char *script, const char *words)
{
  g_autofree char *path = g_build_filename (SLUICE_BENCH_SOURCE, "peers", script, NULL);
  g_autofree char *line = g_strdup_printf ("/usr/bin/python3 %s %s", path, words);
  g_autofree char *out = NULL;
  g_auto (GStrv) arguments = g_strsplit (line, " ", -1);
  g_autoptr (GSubprocess) peer
    = g_subprocess_newv ((const char *const *) arguments,
                         G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);

  if (peer == NULL || !g_subprocess_communicate_utf8 (peer, NULL, NULL, &out, NULL, NULL)
      || !g_subprocess_get_successful (peer))
    return 0;
  return g_ascii_strtod (out, NULL);
}
