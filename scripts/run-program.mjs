import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts a program; `ended` resolves with its exit code. Forwards signals to it, and keeps this process running until
 * the program has exited, so that it is never orphaned.
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

/** Runs a required program; if it fails, this process exits with its exit code. */
export async function runStep(command, args, options) {
  const code = await startProgram(command, args, options).ended;
  if (code !== 0) process.exit(code);
}
