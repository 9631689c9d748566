/* SPDX-License-Identifier: MIT
 *
 * See kernel.h.  */
#include "app/cli/kernel.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum { SIDE = 512, PRODUCTS = 24, ROUNDS = 3 };

int
sl_kernel_child (void)
{
  g_autofree sl_real *a = g_new (sl_real, SIDE * SIDE), *b = g_new (sl_real, SIDE * SIDE);
  g_autofree sl_real *c = g_new (sl_real, SIDE * SIDE);
  double              seconds[PRODUCTS];
  char                number[G_ASCII_DTOSTR_BUF_SIZE];

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      a[i] = (sl_real) (i % 7) - 3;
      b[i] = (sl_real) (i % 5) - 2;
    }
  sl_blas_set_threads (1);
  for (int i = 0; i < PRODUCTS; i++)
    {
      double begin = sl_clock_thread ();

      sl_mat_mul (SL_PLAIN, SL_PLAIN, SIDE, SIDE, SIDE, 1, a, SIDE, b, SIDE, 0, c, SIDE);
      seconds[i] = sl_clock_thread () - begin;
    }
  g_ascii_dtostr (number, sizeof number, 2e-9 * SIDE * SIDE * SIDE / sl_median (seconds, PRODUCTS));
  printf ("%s %s\n", sl_blas_kernel (), number);
  return 0;
}

/* Runs the child under this kernel, or the library's own choice with NULL. */
static gboolean
measure (const char *kernel, char name[32], double *gflops, GError **error)
{
  g_auto (GStrv) env = g_environ_unsetenv (g_get_environ (), "OPENBLAS_CORETYPE");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", error), *out = NULL;
  char            *args[] = { self, (char *) SL_KERNEL_CHILD, NULL };
  int              status;

  if (self == NULL)
    return FALSE;
  if (kernel != NULL)
    env = g_environ_setenv (env, "OPENBLAS_CORETYPE", kernel, TRUE);
  if (!g_spawn_sync (NULL, args, env, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, error)
      || !g_spawn_check_wait_status (status, error))
    return FALSE;

  char *space = strchr (out, ' ');

  if (space == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the measuring child said \"%s\"", out);
      return FALSE;
    }
  *space = '\0';
  g_strlcpy (name, out, 32);
  *gflops = g_ascii_strtod (space + 1, NULL);
  return TRUE;
}

gboolean
sl_kernel_gain (SlKernelGain *gain, GError **error)
{
  double chosen[ROUNDS], own[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    if (!measure (sl_blas_kernel (), gain->chosen, &chosen[round], error)
        || !measure (NULL, gain->own, &own[round], error))
      return FALSE;
  gain->chosen_gflops = sl_median (chosen, ROUNDS);
  gain->own_gflops = sl_median (own, ROUNDS);
  return TRUE;
}
