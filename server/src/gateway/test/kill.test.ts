import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKillSubject, type KillSubject, killKinds } from '../../../test/kill-rounds.ts';

const roundsOfEach = 2;
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let subject: KillSubject;
beforeAll(async () => {
  subject = await createKillSubject();
});
afterAll(() => subject.remove());

it.each(killKinds)(
  `kill -9 of the %s under load leaves every request exactly one row and one charge, ${roundsOfEach} times`,
  async (kind) => {
    for (let round = 0; round < roundsOfEach; round++) {
      const figures = await subject.runRound({ kind, killsRestart: round % 2 === 1 });
      expect(figures).toMatchObject({ lost: [], doubled: [], faults: [] });
      expect(figures.known).toBeGreaterThan(50);
      console.log(figures);
    }
  },
);
