import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { formatPage, readOutcome, saveProof } from './document.ts';

const held = { title: 'no request is lost', holds: true, text: 'lost 0' };
const day = new Date('2026-11-20T23:00:00Z');

it('formatPage includes whether the claim held, the date, and the machine', () => {
  expect(formatPage({ ...held, holds: false }, day)).toMatch(
    /^# No request is lost\n\n\*\*Does not hold\*\*, 2026-11-20, on \d+ cores, .*\n\nlost 0\n$/,
  );
});

it('saveProof replaces the page of its proof and lists all pages by id', () => {
  const docs = mkdtempSync(join(tmpdir(), 'proofs-'));
  onTestFinished(() => rmSync(docs, { recursive: true }));
  saveProof(docs, 'kill', { ...held, holds: false }, day);
  saveProof(docs, 'abort', held, day);
  saveProof(docs, 'kill', held, day);
  const table = readFileSync(join(docs, 'PROOFS.md'), 'utf8');
  expect(table.split('\n').filter((line) => line.startsWith('| ['))).toEqual([
    '| [abort](proofs/abort.md) | No request is lost | Holds | 2026-11-20 |',
    '| [kill](proofs/kill.md) | No request is lost | Holds | 2026-11-20 |',
  ]);
  expect(readOutcome('kill', readFileSync(join(docs, 'proofs/kill.md'), 'utf8')).verdict).toBe('Holds');
});
