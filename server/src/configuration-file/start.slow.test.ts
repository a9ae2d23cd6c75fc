import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fastStart } from '#test/processes/run-command.ts';
import { createSluice, programFile } from '#test/processes/sluice-process.ts';

const root = join(import.meta.dirname, '../../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-start-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

it('a start applies SLUICE_CONFIG before it accepts requests, and the next start has nothing to do', async () => {
  const text = `tenants:
  - slug: default
    teams:
      - name: Platform
    providers:
      - name: Main
        vendor: openai
        api_key: env:START_KEY
        enabled_models: [gpt-4o]
`;
  const path = await write('sluice.yaml', text);
  const sluice = await createSluice({ SLUICE_CONFIG: path, START_KEY: 'sk-of-the-start', LOG_LEVEL: 'info' });
  try {
    await sluice.start();
    const client = new pg.Client({ connectionString: sluice.connectionString() });
    await client.connect();
    const { rows } = await client.query('SELECT kind, name, file FROM managed_objects ORDER BY kind');
    const { rows: entries } = await client.query(
      "SELECT DISTINCT action, address FROM audit_entries WHERE object_type = 'team'",
    );
    await client.end();
    expect(rows).toEqual([
      { kind: 'provider', name: 'Main', file: path },
      { kind: 'team', name: 'Platform', file: path },
    ]);
    expect(entries).toEqual([{ action: 'applyConfiguration', address: 'start' }]);
    const log = sluice.logged.join('\n');
    expect(log).toContain('Applied: 2 created, 0 changed, 0 deleted.');
    expect(log).not.toContain('sk-of-the-start');
    sluice.signal('SIGTERM');
    await sluice.exited;
    await sluice.start();
    expect(sluice.logged.join('\n')).toContain('Nothing to do: the installation matches the configuration.');
  } finally {
    await sluice.remove();
  }
});

it.each([
  [
    'faults of the text',
    'tenants:\n  - slug: default\n    a: 1\n    b: 2\n',
    [':3:5: Unknown field: a', ':4:5: Unknown field: b'],
  ],
  [
    'rules of the product',
    'tenants:\n  - slug: default\n    domains:\n      - name: gmail.com\n    providers:\n      - name: Main\n        vendor: nothing\n        enabled_models: []\n',
    [':4:15: ', ':7:17: '],
  ],
])('a start fails with all faults of SLUICE_CONFIG: %s', async (_, text, places) => {
  const path = await write('faulty.yaml', text);
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const child = spawn(process.execPath, [programFile], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...fastStart,
      SLUICE_CONFIG: path,
      SLUICE_DATA_DIR: dataDir,
      PORT: '0',
      SLUICE_WORKERS: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(stderr).toContain(`Sluice cannot start. The configuration SLUICE_CONFIG=${path} is not valid:`);
  for (const place of places) expect(stderr).toContain(`${path}${place}`);
});
