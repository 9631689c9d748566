/* SPDX-License-Identifier: MIT
 *
 * Recorded routing as a file of a command's.  */
#pragma once

#include "app/cli/cli.h"
#include "core/data/routing/routing.h"

/* Writes it as .npz, whole or not at all.  Complains. */
SlExit sl_cli_write_recording (const SlRouting *recording, const char *path);
