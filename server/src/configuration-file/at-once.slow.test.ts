import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstallation, type Installation } from '#test/configuration-file/installation.ts';
import { isFullSize } from '#test/load/sample.ts';
import { fastStart } from '#test/processes/run-command.ts';

const program = join(import.meta.dirname, '../cli/main.ts');

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
  await installation.database.pool.query('UPDATE stored_bounds SET rows_max = 100000');
});
afterAll(() => installation.close());

/** Each user has a grant. */
const usersOfLarge = isFullSize ? 2_000 : 300;
const roundMs = isFullSize ? 400 : 1_300;

const countOf = async (slug: string) => {
  const { rows } = await installation.database.pool.query<{ teams: number }>(
    `SELECT count(m.id)::int AS teams FROM tenants t LEFT JOIN teams m ON m.tenant_id = t.id WHERE t.slug = $1`,
    [slug],
  );
  return rows[0]?.teams ?? 0;
};

const teams = (count: number, label: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${label} ${index}`, description: label }));

function startApply(file: string): ChildProcess {
  return spawn(process.execPath, [program, 'apply', '-f', file], {
    env: { PATH: process.env.PATH, ...fastStart, ...installation.env },
    stdio: 'ignore',
  });
}

it('an apply that is killed leaves all or nothing of each tenant, and the next one completes it', async () => {
  const tenants = ['first', 'second', 'third'];
  const file = await installation.write('killed.json', {
    tenants: tenants.map((slug) => ({ slug, name: slug, teams: teams(150, slug) })),
  });
  // The process is killed after each of these delays.
  for (let delayMs = roundMs; delayMs < 6_000; delayMs += roundMs) {
    const child = startApply(file);
    const exited = once(child, 'exit');
    await Promise.race([wait(delayMs), exited]);
    child.kill('SIGKILL');
    await exited;
    const counts = await Promise.all(tenants.map(countOf));
    for (const count of counts) expect([0, 150]).toContain(count);
    if (counts.every((count) => count === 150)) break;
  }
  const { code } = await installation.run(['apply', '-f', file]);
  expect(code).toBe(0);
  expect(await Promise.all(tenants.map(countOf))).toEqual([150, 150, 150]);
  expect(await installation.run(['apply', '-f', file, '--plan'])).toMatchObject({ code: 0 });
});

it('two concurrent applies of one tenant do not interleave', async () => {
  const contents = (label: string) => ({
    tenants: [
      {
        slug: 'shared',
        teams: Array.from({ length: 80 }, (_, index) => ({ name: `Team ${index}`, description: label })),
      },
    ],
  });
  const [one, other] = await Promise.all(
    ['one', 'other'].map((label) => installation.write(`${label}.json`, contents(label))),
  );
  const outcomes = await Promise.all(
    [one, other].map((file) => installation.spawn(['apply', '-f', file ?? ''])),
  );
  expect(outcomes.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0]);
  const { rows } = await installation.database.pool.query(
    `SELECT DISTINCT description FROM teams m JOIN tenants t ON t.id = m.tenant_id WHERE t.slug = 'shared'`,
  );
  expect(rows).toHaveLength(1);
});

it('a plan of a large file takes less than 15 s and 512 MiB of heap, and lists only the one change', async () => {
  const slug = 'large';
  const users = Array.from({ length: usersOfLarge }, (_, index) => ({
    email: `user${index}@large.test`,
    name: `User ${index}`,
    daily_quota: 1_000,
  }));
  const models = Array.from({ length: 10 }, (_, index) => `model-${index}`);
  const tenant = {
    slug,
    name: 'Large',
    users,
    teams: Array.from({ length: usersOfLarge / 20 }, (_, index) => ({
      name: `Team ${index}`,
      members: users.slice(index * 10, index * 10 + 10).map(({ email }) => ({ user: email })),
    })),
    providers: [{ name: 'Main', vendor: 'openai', api_key: 'env:OPENAI_KEY', enabled_models: models }],
    user_grants: users.map(({ email }) => ({ user: email, provider: 'Main', models })),
    default_budgets: [{ measure: 'usd', window: 'month', limit: 10 }],
    blacklist: models.map((model) => ({ vendor: 'openai', models: `${model}-x*`, reason: 'Not allowed' })),
  };
  const file = await installation.write('large.json', { tenants: [tenant] });
  const beganAtMs = performance.now();
  expect(await installation.run(['apply', '-f', file])).toMatchObject({ code: 0, stderr: expect.anything() });
  const appliedAtMs = performance.now();
  const [first] = users;
  if (first) first.daily_quota = 2_000;
  await installation.write('large.json', { tenants: [tenant] });
  const memoryBefore = process.memoryUsage().heapUsed;
  const { code, stdout } = await installation.run(['apply', '-f', file, '--plan']);
  const plannedMs = performance.now() - appliedAtMs;
  const memoryMiB = (process.memoryUsage().heapUsed - memoryBefore) / 2 ** 20;
  console.log(
    `${usersOfLarge * 2 + usersOfLarge / 20 + usersOfLarge / 2 + 13} objects: applied in ${Math.round(appliedAtMs - beganAtMs)} ms, planned in ${Math.round(plannedMs)} ms, heap +${Math.round(memoryMiB)} MiB`,
  );
  expect(code).toBe(2);
  expect(stdout).toBe(
    'Tenant large\n  ~ user "user0@large.test"\n      daily_quota: 1000 -> 2000\n\nPlan: 0 to create, 1 to change, 0 to delete.\n',
  );
  expect(plannedMs).toBeLessThan(15_000);
  expect(memoryMiB).toBeLessThan(512);
});
