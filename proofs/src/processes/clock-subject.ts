import { randomBytes } from 'node:crypto';
import { startSandbox } from '@sluice/sandbox';
import { createKeyring } from '#platform/keyring.ts';
import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts';
import { addManagedProvider, createUntilHeard } from './three-workers.ts';

/** Two nodes on one database. The second node has a separate clock. */
export interface ClockSubject extends AsyncDisposable {
  readonly nodes: readonly [SluiceProcess, SluiceProcess];
  readonly clock: ShiftedClock;
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>;
  readonly database: Awaited<ReturnType<typeof createClusterDatabase>>;
  readonly keyring: ReturnType<typeof createKeyring>;
  /** Resolves when all workers have loaded the current state of the database. */
  untilHeard(): Promise<void>;
}

export const model = 'sandbox-normal:tokens=5';
export const stallingModel = 'sandbox-stall:tokens=20';
/** Model whose response streams for three seconds. */
export const pacedModel = 'sandbox-normal:tokens=60,interval_ms=50';
export const idleTimeoutMs = 3_000;

export async function startClockSubject(library: string): Promise<ClockSubject> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = await startTestCluster('product');
  cleanup.defer(() => cluster.stop());
  const database = await createClusterDatabase(cluster.url, cluster.template);
  cleanup.defer(() => database.close());
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const clock = createShiftedClock(library);
  cleanup.defer(() => clock.remove());
  const secret = randomBytes(32).toString('base64url');
  const env = {
    DATABASE_URL: database.connectionString,
    SLUICE_SECRET: secret,
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  };
  const steady = await createSluice(env);
  cleanup.defer(() => steady.remove());
  const moved = await createSluice({ ...env, ...clock.env }, clock.launcher);
  cleanup.defer(() => moved.remove());
  await steady.start();
  await addManagedProvider(steady, database.pool, sandbox.origin, [model, stallingModel, pacedModel]);
  await database.pool.query('UPDATE llm_providers SET idle_timeout_ms = $1', [idleTimeoutMs]);
  const untilHeard = await createUntilHeard(steady);
  const running = cleanup.move();
  return {
    nodes: [steady, moved],
    clock,
    sandbox,
    database,
    keyring: createKeyring(secret),
    untilHeard,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
