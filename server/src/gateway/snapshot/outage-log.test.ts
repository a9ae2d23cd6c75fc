import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const linesMax = 12;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const count = (message: string) => gateway.outages.filter(({ msg }) => msg === message).length;

it('a database outage is logged in one line at its start, one at its end and at most 12 in total, without stacks', async () => {
  gateway.databaseProxy.cut();
  const ask = () =>
    fetch(`${gateway.origin}/api/v1/requests/${crypto.randomUUID()}`, {
      headers: { authorization: `Bearer ${gateway.apiKey}` },
    });
  await expect
    .poll(async () => {
      await ask();
      return count('the database is unreachable');
    })
    .toBe(1);
  for (let round = 0; round < 20; round++) expect((await ask()).status).toBe(503);
  gateway.databaseProxy.restore();
  await expect.poll(() => count('the database is reachable again')).toBe(1);
  expect(count('the database is unreachable')).toBe(1);
  const lines = [...gateway.problems, ...gateway.outages];
  expect(lines.length).toBeLessThanOrEqual(linesMax);
  expect(JSON.stringify(lines)).not.toContain('"stack"');
  expect(gateway.outages.at(-1)).toHaveProperty('awaySeconds', expect.any(Number));
});
