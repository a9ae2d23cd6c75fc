import { readdirSync } from 'node:fs';
import * as files from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { admitted, openTestJournal, settled } from '#gateway/journal/journal-fixture.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof files>();
  return { ...actual, open: vi.fn(actual.open) };
});

const { open: readable } = await vi.importActual<typeof files>('node:fs/promises');
const open = vi.mocked(files.open);

const someSteps = fc.array(
  fc.oneof(
    fc.record({ requests: fc.integer({ min: 1, max: 12 }), answerBytes: fc.nat(300) }),
    fc.record({ shippedRows: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ readsBeforeFailure: fc.nat(3) }),
  ),
  { maxLength: 30 },
);
const someSizes = fc.record({
  maxHeldBytes: fc.nat(3000),
  segmentBytes: fc.integer({ min: 200, max: 4000 }),
});

test('settled records come out once and in order, and no file stays, whether held, read again or not readable for a while', async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, someSizes, async (steps, sizes) => {
      // Failures that the run before has not met are not this one's.
      open.mockReset();
      const { dir, journal } = openTestJournal(sizes);
      const appended: string[] = [];
      const shipped: string[] = [];
      const ship = async (rows: number) => {
        const batch = await journal.takeSettled({ rows, bytes: 2000 }).catch(() => []);
        if (batch.length === 0) return;
        expect(batch.length).toBeLessThanOrEqual(rows);
        shipped.push(...batch.map(({ id }) => id));
        await journal.markShipped();
      };
      for (const step of steps) {
        if ('shippedRows' in step) await ship(step.shippedRows);
        else if ('readsBeforeFailure' in step) {
          for (let reads = 0; reads < step.readsBeforeFailure; reads++) open.mockImplementationOnce(readable);
          open.mockRejectedValueOnce(new Error('EMFILE'));
        } else {
          const requests = Array.from({ length: step.requests }, () => admitted());
          await Promise.all(requests.map((request) => journal.append(request)));
          const ends = requests.map(({ id }) => settled(id, 'x'.repeat(step.answerBytes)));
          await Promise.all(ends.map((end) => journal.append(end)));
          appended.push(...requests.map(({ id }) => id));
        }
        expect(journal.unshippedRows).toBe(appended.length - shipped.length);
        expect(journal.heldBytes).toBeLessThanOrEqual(sizes.maxHeldBytes);
      }
      while (journal.unshippedRows > 0) await ship(100);
      expect(shipped).toEqual(appended);
      expect(journal.heldBytes).toBe(0);
      await journal.close();
      expect(readdirSync(dir)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
