import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded by `--import` into a supervisor whose clock is faked: what it forks gets libfaketime's settings too, which the
 * product does not hand to its workers.
 */
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('FAKETIME_'));
const { fork } = childProcess;

const forkWithClock = (file: string, options: childProcess.ForkOptions) =>
  fork(file, { ...options, env: { ...options.env, ...Object.fromEntries(settings) } });

Object.assign(childProcess, { fork: forkWithClock });
syncBuiltinESMExports();
