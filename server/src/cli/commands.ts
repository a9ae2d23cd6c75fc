import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { createProvider } from './commands/create-provider.ts';
import { grantCredits } from './commands/credits.ts';
import { doctor } from './commands/doctor.ts';
import { grantProvider } from './commands/grant-provider.ts';
import { listJobs, runJob } from './commands/jobs.ts';
import { createKey, listKeys, revokeKey } from './commands/keys.ts';
import { tailLogs } from './commands/logs.ts';
import { listProviders, testProvider } from './commands/providers.ts';
import { restore } from './commands/restore.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { setup } from './commands/setup.ts';
import { assignTask, createTask } from './commands/tasks.ts';
import { blockUser, createUser, listUsers, setPassword, unblockUser } from './commands/users.ts';
import { printVersion } from './commands/version.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  doctor,
  setup,
  listUsers,
  createUser,
  blockUser,
  unblockUser,
  setPassword,
  listKeys,
  createKey,
  revokeKey,
  createTask,
  assignTask,
  grantCredits,
  listProviders,
  createProvider,
  grantProvider,
  testProvider,
  listJobs,
  runJob,
  tailLogs,
  backup,
  restore,
  rotateKey,
  printVersion,
];
