import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { followChanges } from '#gateway/snapshot/follow-changes.ts';
import { createSnapshot, type Snapshot } from '#gateway/snapshot/snapshot.ts';
import { createLogger } from '#platform/logger.ts';
import { type LoopFigures, watchLoop } from '#test/processes/loop-watch.ts';
import type { ProofResult } from './proof.ts';

const people = 100_000;
const watchedMs = 130_000;
const heldMaxMs = 10;
const collectingMaxMs = 50;
const latestMaxMs = 1_000;
const log = createLogger('warn');

export async function proveSnapshot(): Promise<ProofResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-proof-'));
  const server = await startEmbeddedServer({ dataDir, maxConnections: 20, log });
  try {
    await migrate(server.connectionString, log);
    return await prove(server.connectionString);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function prove(connectionString: string): Promise<ProofResult> {
  await using cleanup = new AsyncDisposableStack();
  const admin = new pg.Pool({ connectionString, max: 1 });
  admin.on('error', () => undefined);
  cleanup.defer(() => admin.end());
  const hashes = await addPeople(admin);
  const pool = createPool(connectionString, 2, 'sluice-snapshot');
  cleanup.defer(() => pool.end());

  const before = readMemory();
  const snapshot = createSnapshot(pool, () => null);
  const loading = await watchLoop(() => snapshot.load());
  const heldMiB = readMemory() - before;
  let reads = 0;
  const changes = followChanges({
    snapshot: { ...snapshot, load: () => snapshot.load().then(() => void reads++) },
    pool,
    isPooled: false,
    directConnectionString: connectionString,
    onAnnounced: () => undefined,
    log,
  });
  cleanup.defer(changes.stop);

  const misses = lookUp(snapshot, hashes);
  const latenciesMs: number[] = [];
  const following = await watchLoop(async () => {
    for (const endsAtMs = performance.now() + watchedMs; performance.now() < endsAtMs; await pause(250))
      latenciesMs.push(await revokeOne(admin, snapshot, hashes));
  });
  const missed = misses.stop();
  const heldLaterMiB = readMemory() - before;
  const latestMs = Math.max(...latenciesMs);
  const revoked = latenciesMs.length;
  const figures = { loading, following, reads, heldMiB, heldLaterMiB, missed, revoked, latestMs };
  return {
    title: 'reloading a snapshot with many users delays no request',
    holds: holds(figures),
    text: describe(figures),
  };
}

/** Returns the key hashes by id. */
async function addPeople(pool: pg.Pool): Promise<Map<number, string>> {
  await pool.query("INSERT INTO tenants (name, slug) VALUES ('Many', 'many')");
  await pool.query(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT 1, 3, 'person-' || n || '@many.test', 'Person ' || n, 'x' FROM generate_series(1, $1::integer) n`,
    [people],
  );
  const { rows } = await pool.query<{ id: number; hash: string }>(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
     SELECT 1, id, 'k', sha256(id::text::bytea), 'abcd', '{models,completions}' FROM users
     RETURNING id, encode(key_hash, 'base64') AS hash`,
  );
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

/** Counts failed lookups. */
function lookUp(snapshot: Snapshot, hashes: Map<number, string>) {
  let missed = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < 20; count++) {
      const id = Math.ceil(Math.random() * people);
      const hash = hashes.get(id);
      const [key] = hash ? snapshot.apiKeys.find(hash) : [];
      if (hash && !(key?.id === id && snapshot.users.get(key.userId))) missed++;
    }
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return missed;
    },
  };
}

/** Returns the milliseconds for which the snapshot still contained the revoked key. */
async function revokeOne(pool: pg.Pool, snapshot: Snapshot, hashes: Map<number, string>): Promise<number> {
  const id = hashes.keys().next().value ?? 0;
  const hash = hashes.get(id);
  hashes.delete(id);
  await pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
  const startedMs = performance.now();
  while (snapshot.apiKeys.find(hash).length > 0) await pause(1);
  return performance.now() - startedMs;
}

/** Returns the used heap after garbage collection, in MiB. */
function readMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

interface Figures {
  readonly loading: LoopFigures;
  readonly following: LoopFigures;
  readonly reads: number;
  readonly heldMiB: number;
  readonly heldLaterMiB: number;
  readonly missed: number;
  readonly revoked: number;
  readonly latestMs: number;
}

const holds = ({ following, reads, missed, latestMs }: Figures) =>
  following.heldMs <= heldMaxMs &&
  following.collectingMs <= collectingMaxMs &&
  reads >= 3 &&
  missed === 0 &&
  latestMs <= latestMaxMs;

function describe(figures: Figures): string {
  const { loading, following, reads, heldMiB, heldLaterMiB, missed, revoked, latestMs } = figures;
  const row = (name: string, { heldMs, collectingMs, stallMs, durationMs }: LoopFigures) =>
    `| ${name} | ${heldMs.toFixed(1)} ms | ${collectingMs.toFixed(1)} ms | ${stallMs.toFixed(1)} ms | ${(durationMs / 1_000).toFixed(1)} s |`;
  return `A tenant has ${people} users with a key each. A snapshot reads all users and keys, and is then kept up to date for
two minutes, during which it reloads all rows (${reads} times, the first time when it starts to listen). During this time keys and their users are looked up, and
keys are revoked. Between two turns of the event loop, the CPU may be used for ${heldMaxMs} ms, and for ${collectingMaxMs} ms where the engine
collects the garbage of the whole heap. A worker listens only after the first read, which therefore delays no request and is not limited. The wall
clock stall includes the time used by other processes of the machine.

| | longest block | longest block including garbage collection | longest wall clock stall | total |
|---|---|---|---|---|
${row('first read', loading)}
${row('two minutes', following)}

The snapshot takes ${heldMiB.toFixed(0)} MiB of memory after the first read, ${heldLaterMiB.toFixed(0)} MiB after the last. Lookups that missed
an existing key: ${missed}. Each of the ${revoked} keys that were revoked during this time was removed within ${latestMs.toFixed(0)} ms (limit: ${latestMaxMs} ms).`;
}
