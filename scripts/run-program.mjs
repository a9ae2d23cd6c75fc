import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts a program. `ended` resolves to the exit code. Signals are forwarded, and this process keeps running until
 * the program has exited, so that the program is never orphaned.
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

/** Runs a required program. If the program fails, this process exits with the same exit code. */
export async function runStep(command, args, options) {
  const code = await startProgram(command, args, options).ended;
  if (code !== 0) process.exit(code);
}
