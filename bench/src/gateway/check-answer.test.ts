import { expect, test } from 'vitest';
import { readText } from './request-body.ts';

test('readText returns the same text for a stream and for a single response', () => {
  const whole = '{"choices":[{"message":{"content":"The gateway opens."}}]}';
  const events = [
    '{"choices":[{"delta":{"role":"assistant","content":""}}]}',
    '{"choices":[{"delta":{"content":"The gateway"}}]}',
    '{"choices":[{"delta":{"content":" opens."}}]}',
    '{"choices":[],"usage":{"total_tokens":4}}',
    '[DONE]',
  ];
  expect(readText(whole)).toBe('The gateway opens.');
  expect(readText(events.map((event) => `data: ${event}\n\n`).join(''))).toBe('The gateway opens.');
});
