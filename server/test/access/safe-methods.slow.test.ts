import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Attempt, createPreparer, rows, send, workerVariables } from './attempts.ts';
import { callerKinds, mightiest } from './callers.ts';
import { createWorld } from './world.ts';

const reading = rows.filter(([, { method }]) => method === 'GET');

const ofTheNode = [
  'alerts',
  'allowances',
  'allowance_nodes',
  'banners',
  'job_runs',
  'job_schedules',
  'leases',
  'login_attempts',
  'outbound_counts',
  'mails',
  'node_reports',
  'nodes',
  'provider_circuits',
  'secret_holders',
  'sessions',
  // A link that starts a sign-in stores an attempt. A link on another site stores none.
  'sign_in_attempts',
  'stray_changes',
  'usage_day_spans',
];
const aboutReaders = ['audit_entries', 'prompt_list_reads', 'running_exports'];
const leftOut = new Set([...ofTheNode, ...aboutReaders]);
/** Tables in which every request updates the `last_used_at` of its credential. */
const notesUse = new Set(['scim_tokens']);

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
let fingerprints: string;
const attempts = new Map<string, Attempt[] | Error>();
let contents: Map<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const prepare = createPreparer(await createWorld(database.pool));
  for (const [rowName, row] of reading) {
    const kind = callerKinds.find(({ name }) => name === mightiest[row.surface])!;
    attempts.set(rowName, await prepare({ rowName, row, kind }).catch((error: Error) => error));
  }
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  expect(tables.length).toBeGreaterThan(40);
  fingerprints = tables
    .filter(({ name }) => !leftOut.has(name))
    .map(({ name }) => {
      const text = notesUse.has(name) ? "(to_jsonb(t) - 'last_used_at')::text" : 't::text';
      return `SELECT '${name}' AS name, md5(string_agg(${text}, ' ' ORDER BY ${text})) AS content FROM ${name} t`;
    })
    .join(' UNION ALL ');
  // Completed events are not processed by a job of the node during the requests.
  await database.pool.query("UPDATE webhook_events SET status = 'completed', processed_at = now()");
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
  contents = await readContents();
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

async function readContents(): Promise<Map<string, string>> {
  const { rows: found } = await database.pool.query<{ name: string; content: string }>(fingerprints);
  return new Map(found.map(({ name, content }) => [name, content]));
}

describe('GET routes', () => {
  it.for(reading)(
    'GET route %s changes no table other than those of nodes and of the audit log',
    async ([rowName, row], { skip }) => {
      const prepared = attempts.get(rowName);
      // The access matrix reports requests that it cannot create.
      if (!prepared || prepared instanceof Error) return skip('the access matrix cannot make this request');
      for (const attempt of prepared) await send(worker.origin, row, attempt);
      const before = contents;
      contents = await readContents();
      const changed = [...contents]
        .filter(([name, content]) => before.get(name) !== content)
        .map(([name]) => name);
      // The task's chat already exists. Otherwise the first `openTaskChat` would create it.
      expect(changed).toEqual([]);
    },
  );

  it('table fingerprints detect a changed user name', async () => {
    const before = await readContents();
    await database.pool.query("UPDATE users SET name = name || '!' WHERE id = (SELECT min(id) FROM users)");
    expect(await readContents()).not.toEqual(before);
  });
});
