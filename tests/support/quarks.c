/* SPDX-License-Identifier: MIT
 *
 * For programs that the leak checker looks at.  GLib makes a table of 2048 quarks when it is loaded,
 * and drops it, as it says itself, when a program uses more: readers may still hold it.  All that the
 * checker sees of it is an allocation by GLib, so it looks away until the libraries are loaded.  */
#include <sanitizer/lsan_interface.h>

static void
look_away (void)
{
  __lsan_disable ();
}

/* The functions of this section run before the constructors of libraries. */
__attribute__ ((section (".preinit_array"), used)) static void (*const before) (void) = look_away;

__attribute__ ((constructor)) static void
look (void)
{
  __lsan_enable ();
}
