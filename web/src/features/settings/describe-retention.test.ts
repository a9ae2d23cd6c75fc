import { expect, it } from 'vitest';
import { describeRetention } from './prompt-sections.tsx';

const runs_at = '2026-11-23T02:11:00Z';

it.each([
  [
    { rows: 1204, bodies: 0, is_exact: true },
    'About 1,204 log rows older than 30 days will be deleted at the next run. No other prompt or answer is older than 1 day.',
  ],
  [
    { rows: 0, bodies: 7, is_exact: true },
    'No log row is older than 30 days. The prompts and answers of about 7 log rows are older than 1 day and will be deleted at the next run.',
  ],
  [
    { rows: 1_000_000, bodies: 1, is_exact: false },
    'At least 1,000,000 log rows older than 30 days will be deleted at the next run. The prompts and answers of at least 1 other log row are older than 1 day and will be deleted at the next run.',
  ],
])('describeRetention formats %j', (preview, text) => {
  expect(describeRetention({ ...preview, runs_at }, { rows: 30, bodies: 1 })).toBe(text);
});
