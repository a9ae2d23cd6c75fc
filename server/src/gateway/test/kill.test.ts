import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKillSubject, type KillSubject, killKinds } from '#test/load/kill-rounds.ts';

let subject: KillSubject;
beforeAll(async () => {
  subject = await createKillSubject();
});
afterAll(() => subject.remove());

// One round of each kind. The proof `kill` runs a hundred.
it.each(killKinds)(
  'kill -9 of the %s under load leaves every request exactly one row and one charge',
  async (kind) => {
    const figures = await subject.runRound({ kind, killsRestart: kind === 'supervisor' });
    expect(figures).toMatchObject({ lost: [], doubled: [], faults: [] });
    expect(figures.known).toBeGreaterThan(50);
    console.log(figures);
  },
);
