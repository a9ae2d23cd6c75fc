import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { addTenant } from '#test/console/console.ts';
import { testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { callCommand } from '#test/processes/run-command.ts';
import { commands } from './commands.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/COMMANDS.md'), 'utf8');

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  await addTenant(database.pool, 'Default');
  await syncRegistry(drizzle({ client: database.pool }));
  await database.pool.query(
    "INSERT INTO job_schedules (name, next_at) VALUES ('delete-expired-request-logs', now())",
  );
  folder = await mkdtemp(join(tmpdir(), 'sluice-documented-'));
  await writeFile(join(folder, 'sluice.yaml'), 'tenants: []\n');
  await writeFile(join(folder, 'log-store'), 'https://sluice:secret@logs.test/sluice\n');
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Each command runs in the state after the previous command. */
const lines = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line.startsWith('sluice '));

/** A redirected file contains a password or a key in these tests. */
function splitWords(line: string): string[] {
  const words = line.replace(/ < \S+$/, '').match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) =>
    word
      .replaceAll('"', '')
      .replace(/^FILE$/, join(folder, 'documented.backup'))
      .replace(/^sluice\.yaml$/, join(folder, 'sluice.yaml'))
      .replace(/^\/run\/secrets\/log-store$/, join(folder, 'log-store')),
  );
}

it('every example in docs/COMMANDS.md runs', { timeout: 400_000 }, async () => {
  const env = {
    DATABASE_URL: database.connectionString,
    SLUICE_SECRET: testSecret,
    SLUICE_DATA_DIR: folder,
    PORT: '0',
  };
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const { code, stderr } = await callCommand(splitWords(line), env, 'a-first-horse\n');
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  }
});

it('docs/COMMANDS.md includes every command', () => {
  for (const { name } of commands) expect(page).toContain(`sluice ${name}`);
});
