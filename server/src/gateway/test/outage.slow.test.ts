import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createOutageSubject, type OutageSubject } from '#test/load/outage-rounds.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let subject: OutageSubject;
beforeAll(async () => {
  subject = await createOutageSubject();
});
afterAll(() => subject.remove());

it('a database outage of 3 s under load loses no row and no response, and needs no restart', async () => {
  const figures = await subject.runOutage(3_000);
  console.log(figures);
  expect(figures).toMatchObject({ lost: [], doubled: [], interrupted: 0, failedHealthChecks: 0 });
  expect(figures.known).toBeGreaterThan(50);
  expect(Object.keys(figures.statuses)).toEqual(['200']);
  expect(figures.unreadyAfterMs).toBeNull();
  expect(figures.degradedAfterMs).toBeLessThan(2_500);
  expect(figures.readyAfterMs).toBeLessThan(5_000);
});
