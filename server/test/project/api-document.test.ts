import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../console/gateway.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/API.md'), 'utf8');
const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, command = '']) => command);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    seed: (seed) => seed.addInstance({ name: 'lab', models: ['sandbox-normal', 'sandbox-embedding'] }),
  });
});
afterAll(() => gateway.stop());

const run = (command: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], {
    env: {
      PATH: process.env.PATH,
      SLUICE_URL: gateway.origin,
      SLUICE_KEY: gateway.apiKey,
      SLUICE_EMAIL: gateway.admin.email,
      SLUICE_PASSWORD: gateway.admin.password,
    },
  });

it('the API document has at least 10 commands', () => {
  expect(commands.length).toBeGreaterThanOrEqual(10);
});

it.each(commands.map((command) => [command]))(
  'the command in the API document works: %s',
  async (command) => {
    const { stdout } = await run(command);
    expect(stdout).toMatch(/^(\{|\[|data: \{)/);
  },
);

it('the API document names every endpoint of the public API, two of the console, and no other', () => {
  const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.values(routes));
  const served = rows.filter(({ surface }) => surface === 'public');
  const named = [...text.matchAll(/`((?:GET|POST|DELETE) \/api\/v1[^`]*)`/g)].map(([, endpoint]) => endpoint);
  const own = ['GET /api/v1/user/budgets', 'GET /api/v1/user/quota-status'];
  expect(new Set(named)).toEqual(new Set([...served.map((row) => `${row.method} ${pathOf(row)}`), ...own]));
});

it('responses have the headers that the API document lists, except those of special cases', async () => {
  const named = [...text.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name),
  );
  expect(named).toContain('x-ratelimit-reset-tokens');
  const { apiKey, userId } = await gateway.seed.addPerson({ name: 'limited' });
  await gateway.pool.query('UPDATE users SET requests_per_hour = 50, daily_quota = 100000 WHERE id = $1', [
    userId,
  ]);
  const ask = { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Explain what a mutex is' }] };
  const isLimited = async () =>
    (await gateway.complete(ask, { apiKey })).headers.has('x-ratelimit-limit-requests');
  await expect.poll(isLimited).toBe(true);
  const answers = [await gateway.complete(ask), await gateway.complete(ask, { apiKey })];
  // Headers that are sent only if something was changed, cut short or rejected, or if there is a standby.
  const sometimes = new Set([
    ...['x-sluice-budget-route', 'x-sluice-warning', 'x-sluice-output-cap', 'retry-after'],
    ...['x-sluice-position', 'x-sluice-data-as-of'],
  ]);
  for (const name of named.filter((one) => !sometimes.has(one)))
    expect(
      answers.some(({ headers }) => headers.has(name)),
      name,
    ).toBe(true);
});
