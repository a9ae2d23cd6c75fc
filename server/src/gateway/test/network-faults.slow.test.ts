import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createFaultSubject, type FaultSubject, linkNames } from '#test/load/fault-rounds.ts';

let database: TestDatabase;
let subject: FaultSubject;
beforeAll(async () => {
  database = await createTestDatabase();
  subject = await createFaultSubject(database.connectionString);
});
afterAll(async () => {
  await subject.remove();
  await database.close();
});

it.each(linkNames)(
  'network faults between %s lose no row or charge, cause only standard error codes, and need no restart',
  async (link) => {
    const seed = String(Date.now());
    const figures = await subject.runRound(link, seed, 1_000);
    console.log(figures);
    expect(figures).toMatchObject({ lost: [], doubled: [], unnamed: [], faults: [], hung: 0, ended: 0 });
    expect(figures.known).toBeGreaterThan(20);
    expect(figures.begun).toBeGreaterThan(0);
    expect(figures.recoveryMs).toBeLessThan(10_000);
  },
);
