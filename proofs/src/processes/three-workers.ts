import { setTimeout as pause } from 'node:timers/promises';
import { createClient, settingsRoutes } from '@sluice/contract';
import { startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { createSystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { runLoad } from '#test/load/load.ts';
import type { sharedKinds } from '#test/load/shared-limit.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { addOutsideProvider, signIn } from '#test/providers/outside-provider.ts';

export interface WorkersFigures {
  readonly kind: (typeof sharedKinds)[number];
  readonly served: number;
  readonly billed: number;
  readonly left: number;
}

export interface WorkersRun {
  readonly worth: number;
  readonly requests: number;
  readonly concurrency: number;
}

const model = 'sandbox-normal:tokens=5';
/** Cost of one request for the tenant, in nano-dollars. */
export const price = 1_200_000;
const shipLimitMs = 30_000;

export async function callThreeWorkers(run: WorkersRun): Promise<WorkersFigures[]> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await createSluice({
    SLUICE_WORKERS: '3',
    SLUICE_SANDBOX: '0',
    SLUICE_CONCURRENCY: '100000',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  await addManagedProvider(sluice, pool, sandbox.origin);
  const untilHeard = await createUntilHeard(sluice);
  await untilHeard();

  const figures: WorkersFigures[] = [];
  const measure = async (kind: WorkersFigures['kind'], left: string) => {
    sandbox.journal.clear();
    const calls = await runLoad({
      ...{ origin: sluice.origin, apiKey: sluice.apiKey, kinds: [{ model }], name: kind },
      ...{ concurrency: run.concurrency, count: run.requests },
    });
    const served = calls.filter(({ status }) => status === 200).length;
    const billed = sandbox.journal.entries().length;
    figures.push({ kind, served, billed, left: await untilShipped(pool, left, kind) });
  };
  await recharge(pool, run.worth * price);
  await measure('credits', '(limit_amount - settled) / 1200000');
  await recharge(pool, run.requests * price);
  await untilHourHasRoom();
  await pool.query(
    `UPDATE users SET requests_per_hour = $1 + coalesce((SELECT max(settled) FROM allowances
       WHERE kind = 'requests_per_hour' AND window_start = date_trunc('hour', now())), 0)`,
    [run.worth],
  );
  await untilHeard();
  await measure('requests_per_hour', 'limit_amount - settled');
  return figures;
}

/**
 * Returns a function that waits until all workers have loaded committed changes. A console write returns as soon as
 * they have, or after 500 ms. The write is repeated until it returns in less time.
 */
export async function createUntilHeard(sluice: SluiceProcess): Promise<() => Promise<void>> {
  const settings = createClient(settingsRoutes, await signIn(sluice));
  const { name } = await settings.getSettings();
  return async () => {
    for (;;) {
      const askedAtMs = performance.now();
      await settings.updateSettings({ body: { name } });
      if (performance.now() - askedAtMs < heldAtMostMs) return;
    }
  };
}

const heldAtMostMs = 500;

export async function untilHourHasRoom(): Promise<void> {
  const restMs = hourMs - (Date.now() % hourMs);
  if (restMs >= roomMs) return;
  // Intentional delay: limits reset with the hour.
  await pause(restMs);
}

const hourMs = 3_600_000;
const roomMs = 120_000;

/** Each `source` counts once. */
export async function recharge(pool: pg.Pool, amount: number, source = `${amount}`): Promise<void> {
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM tenants');
  const draft = {
    tenantId: rows[0]!.id,
    kind: 'recharge',
    amount: BigInt(amount),
    source,
  } as const;
  await createSystemDatabase(pool).transaction((tx) =>
    postEntries(tx, [{ ...draft, description: 'proof', actorId: null }]),
  );
}

export async function addManagedProvider(
  sluice: SluiceProcess,
  pool: pg.Pool,
  sandboxOrigin: string,
  models: readonly string[] = [model],
): Promise<void> {
  const id = await addOutsideProvider(sluice, sandboxOrigin, [...models]);
  // Each request has the same cost, regardless of its tokens.
  await pool.query(
    `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price)
     SELECT tenant_id, id, unnest($2::text[]), '{"input":0,"output":0,"per_request":0.001}' FROM llm_providers WHERE id = $1`,
    [id, models],
  );
  await pool.query('UPDATE llm_providers SET is_service_managed = true WHERE id = $1', [id]);
}

export async function untilShipped(pool: pg.Pool, left: string, kind: string): Promise<number> {
  for (const endsAtMs = performance.now() + shipLimitMs; ; await pause(100)) {
    const { rows } = await pool.query<{ left: number; leased: number }>(
      `SELECT (${left})::float8 AS left, leased::float8 FROM allowances WHERE kind = $1 ORDER BY window_start DESC LIMIT 1`,
      [kind],
    );
    if (rows[0]?.leased === 0 || performance.now() > endsAtMs) return rows[0]?.left ?? Number.NaN;
  }
}
