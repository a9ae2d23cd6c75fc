import { expect, it } from 'vitest';
import { describeRetention } from './prompt-sections.tsx';

const runs_at = '2026-11-23T02:11:00Z';

it.each([
  [
    { rows: 1204, bodies: 0, is_exact: true },
    'Rows older than 30 days, about 1,204, will be deleted at the next run. No other prompt or answer is older than 1 day.',
  ],
  [
    { rows: 0, bodies: 7, is_exact: true },
    'No row is older than 30 days yet. Prompts and answers older than 1 day, of about 7 more rows, will be deleted too.',
  ],
  [
    { rows: 1_000_000, bodies: 1, is_exact: false },
    'Rows older than 30 days, at least 1,000,000, will be deleted at the next run. Prompts and answers older than 1 day, of at least 1 more rows, will be deleted too.',
  ],
])('describeRetention formats %j', (preview, text) => {
  expect(describeRetention({ ...preview, runs_at }, { rows: 30, bodies: 1 })).toBe(text);
});
