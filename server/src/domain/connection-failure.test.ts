import { expect, it } from 'vitest';
import { formatConnectionFailure } from './connection-failure.ts';

it.each<[failure: Parameters<typeof formatConnectionFailure>[0], text: string]>([
  [{ status: 401, isKeyRefused: true, hasWords: true }, 'Invalid API key. Please check your OpenAI API key.'],
  [{ status: 400, isKeyRefused: true, hasWords: true }, 'Invalid API key. Please check your OpenAI API key.'],
  [{ status: 401, hasWords: true }, 'Authentication failed. Please verify your API key.'],
  [{ status: 403 }, 'Access forbidden. Your API key may not have the required permissions.'],
  [{ status: 429, hasWords: true }, 'Rate limit exceeded. Please try again later.'],
  [{ status: 500 }, 'OpenAI service error. Please try again later.'],
  [{ status: 529, hasWords: true }, 'OpenAI service error. Please try again later.'],
  [{ status: null, cause: 'timeout' }, 'Connection timeout. Please check your internet connection.'],
  [{ status: null, cause: 'network' }, 'Network error. Please check your connection and try again.'],
  [{ status: 404, hasWords: true }, 'OpenAI API error. Please verify your settings and try again.'],
  [{ status: 404 }, 'Connection failed. Please check your configuration.'],
  [{ status: null, cause: 'other' }, 'Connection failed. Please check your configuration.'],
])('formatConnectionFailure formats %j as %j', (failure, text) => {
  expect(formatConnectionFailure(failure, 'OpenAI')).toBe(text);
});

it('formatConnectionFailure uses the name of the vendor', () => {
  expect(formatConnectionFailure({ status: 500 }, 'Mistral')).toBe(
    'Mistral service error. Please try again later.',
  );
});
