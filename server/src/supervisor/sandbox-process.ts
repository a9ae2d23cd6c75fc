import { fork } from 'node:child_process';
import { once } from 'node:events';
import { keepRunning, type RunningProcess } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { whenExited } from '#platform/wait.ts';

export interface Sandbox {
  origin: string;
  stop(): Promise<void>;
}

type SandboxProcess = RunningProcess & { origin: string };

const stopTimeoutMs = 2000;

/** Restarts the sandbox at the same origin if its process exits. */
export async function startSandbox(file: string, log: Logger): Promise<Sandbox> {
  const first = await forkSandbox(file, 0);
  const { origin } = first;
  const launch = () => forkSandbox(file, Number(new URL(origin).port));
  return { origin, stop: keepRunning(first, { name: 'the sandbox provider', launch, log }) };
}

async function forkSandbox(file: string, port: number): Promise<SandboxProcess> {
  const child = fork(file, {
    // The sandbox simulates a third-party service, so it receives neither the environment nor the signals of this
    // process.
    env: { SANDBOX_HOST: '127.0.0.1', SANDBOX_PORT: String(port) },
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = whenExited(child);
  const origin = await Promise.race([
    once(child, 'message').then(([message]: { origin: string }[]) => message?.origin ?? ''),
    exited.then((reason) => Promise.reject(new Error(`the sandbox provider did not start: it ${reason}`))),
  ]);
  return {
    origin,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await exited;
      clearTimeout(timer);
    },
  };
}
