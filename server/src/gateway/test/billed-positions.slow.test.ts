import { expect, it, vi } from 'vitest';
import { billedProtocols, billPositions } from '#test/requests/billed-positions.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Every fourth position is tried here. The proof `positions` tries all of them. */
const step = 4;

it('a long text is held and charged in every fourth position of a request', async () => {
  const billed = await billPositions((positions) => positions.filter((_, index) => index % step === 0));
  const faults = billed.flatMap((one) => one.faults.map((fault) => `${one.protocol} ${one.name}: ${fault}`));
  expect(faults).toEqual([]);
  for (const protocol of billedProtocols) {
    const served = billed.filter((one) => one.protocol === protocol && one.charged !== null);
    expect(served.length).toBeGreaterThan(0);
  }
});
