/* SPDX-License-Identifier: MIT */
#include "app/application.h"

int
main (int argc, char **argv)
{
  return sl_application_main (argc, argv, NULL);
}
