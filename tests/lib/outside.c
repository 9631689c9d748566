/* SPDX-License-Identifier: MIT
 *
 * A program of a stranger's, compiled against what is installed: prints what may not change between two releases of one
 * soname, after a short run.  */
#include <sluice.h>
#include <stdio.h>

#define SIZE(type) printf ("struct %s %zu\n", #type, sizeof (type))

int
main (void)
{
  SluiceRunSpec spec = { .lab = "prefix-tree", .settings = "batch=20", .seed = 1, .threads = 1 };
  SluiceData   *data = NULL;
  SluiceRun    *run = NULL;
  SluiceSeries  series = { 0 };
  int           failed = sluice_data_open ("moons:points=300", &data) != SLUICE_FINE;

  spec.data = data;
  failed = failed || sluice_run_new (&spec, &run) != SLUICE_FINE
           || sluice_run_train (run, &(SluiceUntil) { .updates = 30 }, NULL, NULL) != SLUICE_FINE
           || sluice_run_series (run, "loss.train", &series) != SLUICE_FINE || series.n == 0
           || sluice_run_updates (run) != 30;
  if (failed)
    fprintf (stderr, "%s\n", sluice_error ());
  sluice_run_free (run);
  sluice_data_free (data);
  SIZE (SluiceArray);
  SIZE (SluiceCell);
  SIZE (SluiceGate);
  SIZE (SluiceGateBatch);
  SIZE (SluiceRunSpec);
  SIZE (SluiceSeries);
  SIZE (SluiceUntil);
  return failed;
}
