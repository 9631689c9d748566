/* SPDX-License-Identifier: MIT
 *
 * For programs that the leak checker looks at.  Whenever GTK's list of recent files is written or
 * read again, the handler of its class makes the date of now (g_date_time_new_now_utc(), 32 bytes)
 * and never lets it go.  The handler has no name in the library and the checker's quick look at the
 * stack does not reach it, so the checker looks away while it runs, and only then.  */
#include <gtk/gtk.h>
#include <sanitizer/lsan_interface.h>

static void (*changed) (GtkRecentManager *manager);

static void
change (GtkRecentManager *manager)
{
  __lsan_disable ();
  changed (manager);
  __lsan_enable ();
}

__attribute__ ((constructor)) static void
replace (void)
{
  GtkRecentManagerClass *of = g_type_class_ref (GTK_TYPE_RECENT_MANAGER);

  changed = of->changed;
  of->changed = change;
}
