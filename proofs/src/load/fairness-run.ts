import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { authRoutes, createClient, rolesRoutes, tenantsRoutes, usersRoutes } from '@sluice/contract';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import type { KeepAliveLoad } from './keep-alive-load.ts';
import { callRegularly, type TimedCalls } from './timed-calls.ts';

export interface FairnessFigures {
  readonly path: string;
  readonly idle: TimedCalls;
  readonly loaded: TimedCalls;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface FairnessOptions {
  readonly connections: number;
  readonly forMs: number;
}

const password = 'fairness-run-password-7';
const everyMs = 50;
export const signInPath = '/api/v1/auth/login';
export const quickPath = '/api/v1/admin/users';

/** Runs the product with one worker, many connections of one user, and an administrator of another tenant. */
export async function runFairness(
  paths: readonly string[],
  { connections, forMs }: FairnessOptions,
): Promise<FairnessFigures[]> {
  await using cleanup = new AsyncDisposableStack();
  const sluice = await createSluice({ SLUICE_WORKERS: '1', LOG_LEVEL: 'silent' });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const people = await addPeople(sluice);
  const calmUrl = sluice.origin + quickPath;
  // The first calls are not measured, since they compile code and open connections.
  await callRegularly(calmUrl, people.calm, { everyMs, forMs: 2_000 });
  const figures: FairnessFigures[] = [];
  for (const path of paths) {
    const caller =
      path === signInPath
        ? { token: null, form: 'username=loud%40example.com&password=wrong' }
        : { token: path.startsWith('/api/v1/requests/') ? sluice.apiKey : people.loud };
    const idle = await callRegularly(calmUrl, people.calm, { everyMs, forMs });
    const stop = startLoad({ url: sluice.origin + path, ...caller, connections });
    const loaded = await callRegularly(calmUrl, people.calm, { everyMs, forMs });
    figures.push({ path, idle, loaded, statuses: await stop() });
  }
  return figures;
}

function startLoad(load: KeepAliveLoad): () => Promise<Record<string, number>> {
  const thread = new Worker(new URL('./keep-alive-load.ts', import.meta.url), { workerData: load });
  return async () => {
    const counted = once(thread, 'message');
    thread.postMessage('stop');
    const [counts] = await counted;
    return counts;
  };
}

async function addPeople(sluice: SluiceProcess): Promise<{ loud: string; calm: string }> {
  const client = await signIn(sluice);
  const roles = await createClient(rolesRoutes, client).listRoles();
  const role = roles.find(({ name }) => name === 'user');
  const loud = 'loud@example.com';
  const calm = 'calm@example.com';
  await createClient(usersRoutes, client).createUser({
    body: { email: loud, name: 'Loud', password, role_id: role?.id ?? 0 },
  });
  await createClient(tenantsRoutes, client).createTenant({
    body: {
      name: 'Calm',
      administrator_email: calm,
      administrator_name: 'Calm',
      administrator_password: password,
    },
  });
  const logIn = async (username: string) => {
    const { login } = createClient(authRoutes, { baseUrl: sluice.origin, headers: () => ({}) });
    return (await login({ form: { username, password } })).access_token;
  };
  return { loud: await logIn(loud), calm: await logIn(calm) };
}
