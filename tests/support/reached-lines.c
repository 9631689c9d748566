/* SPDX-License-Identifier: MIT
 *
 * A library to load before a program (LD_PRELOAD): notes which of its instructions are executed, without
 * another build of it.  For a program NAME it reads SLUICE_REACHED/NAME.addresses, rising addresses in the
 * program's file (8 bytes each), puts a breakpoint at each, and takes away what was hit once.  A byte of
 * SLUICE_REACHED/NAME.hits, which has to be there, becomes 1 for each.  Used by tests/mutate.  */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

enum { BREAK = 0xcc };

static const uint64_t *address;
static unsigned char  *hit, *before;
static size_t          n_addresses;
static uintptr_t       base;

/* Maps SLUICE_REACHED/NAME.ending; *size in bytes; NULL when there is none. */
static void *
map_file (const char *ending, int protection, size_t *size)
{
  const char *folder = getenv ("SLUICE_REACHED");
  char        path[4096];
  struct stat about;
  void       *map = NULL;
  int         file;

  snprintf (path, sizeof path, "%s/%s.%s", folder != NULL ? folder : "",
            program_invocation_short_name, ending);
  file = open (path, (protection & PROT_WRITE) != 0 ? O_RDWR : O_RDONLY);
  if (file < 0)
    return NULL;
  if (fstat (file, &about) == 0 && about.st_size > 0)
    {
      map = mmap (NULL, (size_t) about.st_size, protection, MAP_SHARED, file, 0);
      *size = (size_t) about.st_size;
    }
  close (file);
  return map == MAP_FAILED ? NULL : map;
}

static void
note_hit (int number, siginfo_t *info, void *context)
{
  greg_t  *next = &((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP];
  uint64_t wanted = (uint64_t) *next - 1 - base;
  size_t   low = 0, high = n_addresses;

  while (low < high)
    {
      size_t middle = (low + high) / 2;

      if (address[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == n_addresses || address[low] != wanted)
    {
      signal (SIGTRAP, SIG_DFL);
      raise (SIGTRAP);
      return;
    }
  *(volatile unsigned char *) (base + wanted) = before[low];
  hit[low] = 1;
  *next -= 1;
}

/* Makes the code of the program, which comes first, writable. */
static int
open_code (struct dl_phdr_info *info, size_t size, void *data)
{
  uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);

  base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0)
      {
        uintptr_t from = (base + info->dlpi_phdr[i].p_vaddr) & ~(page - 1);
        uintptr_t to = base + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;

        if (mprotect ((void *) from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
          n_addresses = 0;
      }
  return 1;
}

__attribute__ ((constructor)) static void
begin (void)
{
  struct sigaction action = { .sa_sigaction = note_hit, .sa_flags = SA_SIGINFO | SA_NODEFER };
  size_t           bytes = 0, hits = 0;

  address = map_file ("addresses", PROT_READ, &bytes);
  hit = map_file ("hits", PROT_READ | PROT_WRITE, &hits);
  n_addresses = bytes / sizeof *address;
  before = malloc (n_addresses + 1);
  if (address == NULL || hit == NULL || hits < n_addresses || before == NULL)
    return;
  dl_iterate_phdr (open_code, NULL);
  sigaction (SIGTRAP, &action, NULL);
  for (size_t i = 0; i < n_addresses; i++)
    {
      unsigned char *code = (unsigned char *) (base + address[i]);

      before[i] = *code;
      *code = BREAK;
    }
}
