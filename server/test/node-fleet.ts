import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiKeysRoutes, createClient, usersRoutes } from '@sluice/contract';
import { startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { createKeyring } from '#platform/keyring.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { signIn } from './outside-provider.ts';
import { createSeeder } from './seed.ts';
import { createSluice, type SluiceProcess } from './sluice-process.ts';

export const withdrawals = ['revoked key', 'blocked user', 'removed grant'] as const;
export type Withdrawal = (typeof withdrawals)[number];

/** Several machines in one: supervisors with data folders and ports of their own on one database. */
export interface NodeFleet {
  readonly nodes: readonly SluiceProcess[];
  readonly pool: pg.Pool;
  /** Takes a right away at the first node; resolves with how long the last node honoured it after the answer. */
  withdraw(kind: Withdrawal): Promise<number>;
  /** From now on no node hears a notification, and none is told so. */
  cutNotifications(): void;
  remove(): Promise<void>;
}

const nodeCount = 3;
const model = 'sandbox-normal';
const askEveryMs = 10;
const giveUpMs = 15_000;

/** Starts all nodes at once on a database that may be empty. */
export async function startNodeFleet(databaseUrl: string): Promise<NodeFleet> {
  await using cleanup = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('base64url');
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const notifications = await startDatabaseProxy(databaseUrl);
  cleanup.defer(() => notifications.close());
  const nodes = await Promise.all(
    Array.from({ length: nodeCount }, () =>
      createSluice({
        DATABASE_URL: databaseUrl,
        DATABASE_DIRECT_URL: notifications.connectionString,
        SLUICE_SECRET: secret,
        SLUICE_WORKERS: '1',
        SLUICE_SANDBOX: '0',
        SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
        LOG_LEVEL: 'silent',
      }),
    ),
  );
  for (const node of nodes) cleanup.defer(() => node.remove());
  await Promise.all(nodes.map((node) => node.start()));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const seed = await createSeeder(pool, createKeyring(secret), sandbox.origin);
  const instanceId = await seed.addInstance({ name: 'outside', models: [model] });
  const client = await signIn(firstOf(nodes));
  const running = cleanup.move();
  let people = 0;

  const takeAway: Record<Withdrawal, (userId: number) => Promise<unknown>> = {
    'revoked key': (id) => createClient(apiKeysRoutes, client).revokeUserApiKey({ params: { id } }),
    'blocked user': (id) =>
      createClient(usersRoutes, client).blockUser({ params: { id }, query: { reason: 'a test' } }),
    'removed grant': (id) => pool.query('DELETE FROM user_provider_access WHERE user_id = $1', [id]),
  };

  async function withdraw(kind: Withdrawal): Promise<number> {
    const person = await seed.addPerson({ name: `person-${people++}`, role: 'user' });
    await pool.query(
      `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)`,
      [person.tenantId, person.userId, instanceId, [model]],
    );
    const until = (isHonoured: boolean) =>
      Promise.all(nodes.map((node) => untilHonoured(node.origin, person.apiKey, isHonoured)));
    await until(true);
    await takeAway[kind](person.userId);
    const takenAtMs = performance.now();
    await until(false);
    return performance.now() - takenAtMs;
  }

  return {
    nodes,
    pool,
    withdraw,
    cutNotifications: notifications.freeze,
    remove: () => running.disposeAsync(),
  };
}

export function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('there is nothing');
  return first;
}

/** Asks one node until the key may use the model there, or may not any more. */
async function untilHonoured(origin: string, apiKey: string, isHonoured: boolean): Promise<void> {
  const endsAtMs = performance.now() + giveUpMs;
  while ((await mayUse(origin, apiKey)) !== isHonoured) {
    if (performance.now() > endsAtMs)
      throw new Error(`${origin} has not heard of a change for ${giveUpMs} ms`);
    await pause(askEveryMs);
  }
}

async function mayUse(origin: string, apiKey: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await answer.text();
  return answer.status === 200 && text.includes(model);
}
