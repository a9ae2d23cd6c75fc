import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { grantCredits } from './commands/credits.ts';
import { doctor } from './commands/doctor.ts';
import { listJobs, runJob } from './commands/jobs.ts';
import { createKey, listKeys, revokeKey } from './commands/keys.ts';
import { tailLogs } from './commands/logs.ts';
import { listProviders, testProvider } from './commands/providers.ts';
import { restore } from './commands/restore.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { blockUser, createUser, listUsers, setPassword, unblockUser } from './commands/users.ts';
import { printVersion } from './commands/version.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  doctor,
  listUsers,
  createUser,
  blockUser,
  unblockUser,
  setPassword,
  listKeys,
  createKey,
  revokeKey,
  grantCredits,
  listProviders,
  testProvider,
  listJobs,
  runJob,
  tailLogs,
  backup,
  restore,
  rotateKey,
  printVersion,
];
