import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listSlotDirs, makeSlotDirs, nameRun, refuseFormerJournals } from './worker-pool.ts';

function makeJournalDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-slots-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('listSlotDirs includes slots of previous workers, and nameRun gives each run of a worker its own name', () => {
  const dir = makeJournalDir();
  makeSlotDirs(dir, 3);
  expect(listSlotDirs(dir)).toEqual(makeSlotDirs(dir, 3));
  const [slot = ''] = makeSlotDirs(dir, 1);
  expect(nameRun(slot)).not.toBe(nameRun(slot));
});

test('refuseFormerJournals rejects journals of an earlier version and states what to do about them', () => {
  const slots = makeSlotDirs(makeJournalDir(), 2);
  expect(() => refuseFormerJournals(slots)).not.toThrow();
  writeFileSync(join(slots[1] ?? '', '000000000007.journal'), 'SLUICEJ\x01');
  expect(() => refuseFormerJournals(slots)).toThrow(/slot-1 contains requests .* Start that version again/);
});
