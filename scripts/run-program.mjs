import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts a program; `ended` resolves with its exit code. What asks this process to stop asks the program, and this
 * process goes on until the program has ended: so it is never left behind in the middle of its work.
 */
export function startProgram(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const passOn = (signal) => child.kill(signal);
  for (const signal of stopSignals) process.on(signal, passOn);
  const ended = once(child, 'exit').then(([code, signal]) => {
    for (const stopSignal of stopSignals) process.off(stopSignal, passOn);
    return code ?? 128 + constants.signals[signal];
  });
  return { child, ended };
}

/** Runs a program without which nothing can go on: if it fails, this process ends with its code. */
export async function runStep(command, args, options) {
  const code = await startProgram(command, args, options).ended;
  if (code !== 0) process.exit(code);
}
