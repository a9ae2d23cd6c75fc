import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Module for `--import` in a supervisor with a fake clock. Passes libfaketime's settings to child processes, since
 * the product does not pass them to its workers.
 */
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('FAKETIME_'));
const { fork } = childProcess;

const forkWithClock = (file: string, options: childProcess.ForkOptions) =>
  fork(file, { ...options, env: { ...options.env, ...Object.fromEntries(settings) } });

Object.assign(childProcess, { fork: forkWithClock });
syncBuiltinESMExports();
