import { expect, it } from 'vitest';
import { normaliseEndpoint } from './provider-endpoint.ts';

const openai = 'https://api.openai.com/v1';

it.each([
  ['keeps a root with its version', 'https://api.openai.com/v1', openai, 'https://api.openai.com/v1'],
  ['removes trailing slashes', 'https://api.openai.com/v1//', openai, 'https://api.openai.com/v1'],
  ['removes the operation', 'https://gate.test/x/v1/chat/completions/', null, 'https://gate.test/x/v1'],
  [
    'gives a bare origin the vendor path',
    'https://api.groq.com',
    'https://api.groq.com/openai/v1',
    'https://api.groq.com/openai/v1',
  ],
  [
    'gives a bare origin no version where the vendor has none',
    'https://proxy.test/',
    'https://api.deepseek.com',
    'https://proxy.test',
  ],
  ['gives a bare origin of no known vendor /v1', 'http://localhost:11434', null, 'http://localhost:11434/v1'],
  [
    'treats the operation on a bare origin alike',
    'http://localhost:8000/chat/completions',
    null,
    'http://localhost:8000/v1',
  ],
  [
    'keeps a path that only contains the words',
    'https://gate.test/chat/completions-x',
    null,
    'https://gate.test/chat/completions-x',
  ],
])('%s', (_, given, defaultEndpoint, expected) => {
  expect(normaliseEndpoint(new URL(given), defaultEndpoint)).toBe(expected);
});

it('changes nothing when applied again', () => {
  const once = normaliseEndpoint(new URL('https://gate.test/v1/chat/completions'), null);
  expect(normaliseEndpoint(new URL(once), null)).toBe(once);
});
