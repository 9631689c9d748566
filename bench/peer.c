/* SPDX-License-Identifier: MIT
 *
 * Other programs that do the same, timed by scripts of bench/peers.  */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

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

/* A script that answers. */
struct SlBenchPeer
{
  GSubprocess      *process;
  GOutputStream    *to; /* the process has both */
  GDataInputStream *from;
};

SlBenchPeer *
sl_bench_peer_open (const char *script, const char *words)
{
  g_autofree char *path = g_build_filename (SLUICE_BENCH_SOURCE, "peers", script, NULL);
  g_autofree char *line = g_strdup_printf ("/usr/bin/python3 %s %s", path, words);
  g_auto (GStrv) arguments = g_strsplit (line, " ", -1);
  GSubprocess *process
    = g_subprocess_newv ((const char *const *) arguments,
                         G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                           | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                         NULL);
  SlBenchPeer *peer;

  if (process == NULL)
    return NULL;
  peer = g_new0 (SlBenchPeer, 1);
  peer->process = process;
  peer->to = g_subprocess_get_stdin_pipe (process);
  peer->from = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  return peer;
}

double
sl_bench_peer_ask (SlBenchPeer *peer, const char *question)
{
  g_autofree char *line = g_strdup_printf ("%s\n", question), *answer = NULL;

  if (!g_output_stream_write_all (peer->to, line, strlen (line), NULL, NULL, NULL))
    return NAN;
  answer = g_data_input_stream_read_line (peer->from, NULL, NULL, NULL);
  return answer != NULL ? g_ascii_strtod (answer, NULL) : NAN;
}

void
sl_bench_peer_close (SlBenchPeer *peer)
{
  if (peer == NULL)
    return;
  g_output_stream_close (peer->to, NULL, NULL);
  g_subprocess_wait (peer->process, NULL, NULL);
  g_object_unref (peer->from);
  g_object_unref (peer->process);
  g_free (peer);
}
