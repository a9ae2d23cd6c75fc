import { ApiError } from '@sluice/contract';
import { describe, expect, it, vi } from 'vitest';
import { describeFailure, explain, messageOf } from './describe-failure.ts';

const failed = (error: Error) => ({ error, refetch: () => undefined });

describe('messageOf', () => {
  it("messageOf returns the server's message", () => {
    const error = new ApiError(409, 'This team has grants', [], null);
    expect(messageOf(error, 'Failed to delete team')).toBe('This team has grants');
  });

  it('messageOf returns the fallback with the status if the server sent no message', () => {
    const error = new ApiError(500, '', [], null);
    expect(messageOf(error, 'Failed to fetch teams')).toBe('Failed to fetch teams (HTTP 500)');
    expect(messageOf(error)).toBe('An error occurred (HTTP 500)');
    expect(messageOf(error, '')).toBe('(HTTP 500)');
    expect(error.message).toBe('HTTP 500');
  });

  it('messageOf returns the fallback if there was no response, and mentions when the browser is offline', () => {
    const error = new TypeError('Failed to fetch');
    vi.stubGlobal('navigator', { onLine: true });
    expect(messageOf(error, 'Failed to fetch teams')).toBe('Failed to fetch teams');
    vi.stubGlobal('navigator', { onLine: false });
    expect(messageOf(error, 'Failed to fetch teams')).toBe('Failed to fetch teams (you are offline)');
    expect(messageOf(error, '')).toBe('(you are offline)');
    vi.unstubAllGlobals();
    expect(messageOf(new TypeError('x is undefined'), 'Failed to fetch teams')).toBe('Failed to fetch teams');
  });
});

it('explain adds a colon only if there is a reason', () => {
  const whatFailed = 'Settings were not saved';
  expect(explain(whatFailed, new ApiError(409, 'They were changed', [], null))).toBe(
    'Settings were not saved: They were changed',
  );
  expect(explain(whatFailed, new ApiError(500, '', [], null))).toBe('Settings were not saved (HTTP 500)');
  vi.stubGlobal('navigator', { onLine: false });
  expect(explain(whatFailed, new TypeError('Failed to fetch'))).toBe(
    'Settings were not saved (you are offline)',
  );
  vi.stubGlobal('navigator', { onLine: true });
  expect(explain(whatFailed, new TypeError('Failed to fetch'))).toBe(whatFailed);
  vi.unstubAllGlobals();
});

it('describeFailure states what failed before the reason', () => {
  const error = new ApiError(502, '', [], null);
  const failure = describeFailure(failed(error), 'Unknown error', 'Error loading request history');
  expect(failure?.message).toBe('Error loading request history: Unknown error (HTTP 502)');
});

it('describeFailure with an empty fallback adds the reason only if the server sent one', () => {
  const described = (detail: string) =>
    describeFailure(failed(new ApiError(500, detail, [], null)), '', 'Failed to load available providers')
      ?.message;
  expect(described('The database is away')).toBe('Failed to load available providers: The database is away');
  expect(described('')).toBe('Failed to load available providers (HTTP 500)');
});
