import type { Command } from './command.ts';
import { backup, restore } from './commands/backup.ts';
import { apply, exportFile } from './commands/configuration.ts';
import { grantCredits } from './commands/credits.ts';
import { doctor } from './commands/doctor.ts';
import { importLitellm, importOneApi } from './commands/import.ts';
import { printVersion, rotateKey, setup } from './commands/installation.ts';
import { listJobs, runJob } from './commands/jobs.ts';
import { createKey, listKeys, revokeKey } from './commands/keys.ts';
import { tailLogs } from './commands/logs.ts';
import { moveLogs } from './commands/move-logs.ts';
import { createProvider, grantProvider, listProviders, testProvider } from './commands/providers.ts';
import { shadow } from './commands/shadow.ts';
import { logIn, logOut, printToken } from './commands/sign-in.ts';
import { assignTask, createTask } from './commands/tasks.ts';
import {
  blockUser,
  createUser,
  listUsers,
  resetSecondFactor,
  setPassword,
  unblockUser,
} from './commands/users.ts';

/** Listed in the order of the help. */
export const commands: readonly Command[] = [
  doctor,
  setup,
  apply,
  exportFile,
  listUsers,
  createUser,
  blockUser,
  unblockUser,
  setPassword,
  resetSecondFactor,
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
  importLitellm,
  importOneApi,
  shadow,
  listJobs,
  runJob,
  tailLogs,
  moveLogs,
  backup,
  restore,
  rotateKey,
  logIn,
  logOut,
  printToken,
  printVersion,
];
