/* SPDX-License-Identifier: MIT
 *
 * Which process a stored run belongs to, and whether that is still at work.  */
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/base/temporary.h"
#include "core/run/store/owner.h"

static double
now (void)
{
  return (double) g_get_real_time () / G_USEC_PER_SEC;
}

static void
test_own (void)
{
  g_autofree char *own = sl_store_owner ();
  g_autofree char *expected = g_strdup_printf ("%ld %llu %s", (long) getpid (),
                                               sl_process_started (getpid ()), g_get_host_name ());
  g_autofree char *host = sl_store_owner_host (own);

  g_assert_cmpstr (own, ==, expected);
  g_assert_cmpstr (host, ==, g_get_host_name ());
  g_assert_false (sl_store_owner_gone (own));
  g_assert_false (sl_store_owner_at_work (own, now ())); /* nobody else, that is */
}

/* A process of this computer is there or not, whenever it wrote. */
static void
test_here (void)
{
  unsigned long long started = sl_process_started (1);
  g_autofree char   *first = g_strdup_printf ("1 %llu %s", started, g_get_host_name ());
  g_autofree char   *before = g_strdup_printf ("1 %llu %s", started + 1, g_get_host_name ());

  g_assert_false (sl_store_owner_gone (first));
  g_assert_true (sl_store_owner_at_work (first, 0));
  g_assert_true (sl_store_owner_gone (before));
  g_assert_false (sl_store_owner_at_work (before, now ()));
}

/* Of another computer that wrote within ten minutes; and words that are no owner. */
static void
test_elsewhere (void)
{
  static const char *const nobody[] = { "", "1", "1 2", "1 2 ", "one 2 here" };
  const char              *other = "17 123 another computer";
  g_autofree char         *host = sl_store_owner_host (other);

  g_assert_cmpstr (host, ==, "another computer");
  g_assert_false (sl_store_owner_gone (other));
  g_assert_true (sl_store_owner_at_work (other, now ()));
  g_assert_true (sl_store_owner_at_work (other, now () - 500));
  g_assert_false (sl_store_owner_at_work (other, now () - 601));
  for (size_t i = 0; i < G_N_ELEMENTS (nobody); i++)
    {
      g_assert_null (sl_store_owner_host (nobody[i]));
      g_assert_true (sl_store_owner_gone (nobody[i]));
      g_assert_false (sl_store_owner_at_work (nobody[i], now ()));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owner/own", test_own);
  g_test_add_func ("/owner/here", test_here);
  g_test_add_func ("/owner/elsewhere", test_elsewhere);
  return g_test_run ();
}
