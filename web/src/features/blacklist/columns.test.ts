import type { BlacklistEntry } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { filterEntries, isComplete, writePattern } from './columns.tsx';

const entry = (provider_key: string, model_pattern: string | null, reason: string): BlacklistEntry => ({
  id: 1,
  provider_key,
  model_pattern,
  reason,
  description: 'Agreed with legal',
  blocked_by_user_name: provider_key === 'openai' ? 'Maya Ortiz' : null,
  created_at: '2026-11-20T10:00:00Z',
});

const entries = [
  entry('openai', 'gpt-4*', 'Cost management'),
  entry('openai', '{o1,o3}', 'Data privacy'),
  entry('deepseek', null, 'Compliance requirements'),
];
const found = (text: string, provider?: string) =>
  filterEntries(entries, { text, provider }).map(({ reason }) => reason);

describe('the blacklist', () => {
  it.each([
    ['GPT-4', ['Cost management']],
    ['privacy', ['Data privacy']],
    ['maya', ['Cost management', 'Data privacy']],
    ['unknown', ['Compliance requirements']],
    ['legal', ['Cost management', 'Data privacy', 'Compliance requirements']],
  ])('filterEntries searches every displayed value of an entry: %s', (text, reasons) => {
    expect(found(text)).toEqual(reasons);
  });

  it('filterEntries filters by provider', () => {
    expect(found('', 'deepseek')).toEqual(['Compliance requirements']);
    expect(found('gpt', 'deepseek')).toEqual([]);
  });

  it('isComplete distinguishes complete from partial blocks', () => {
    expect(entries.map(isComplete)).toEqual([false, false, true]);
  });

  it('writePattern returns one model unchanged and several models in braces', () => {
    expect(writePattern(['gpt-4o'])).toBe('gpt-4o');
    expect(writePattern(['gpt-4o', 'o1'])).toBe('{gpt-4o,o1}');
  });
});
