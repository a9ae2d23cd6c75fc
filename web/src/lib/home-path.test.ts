import { describe, expect, it } from 'vitest';
import { isOwnPath } from './home-path.ts';

describe('the path to return to after sign-in', () => {
  it.each(['/admin', '/admin/logs?open=1#end', '/'])('isOwnPath accepts %s', (path) => {
    expect(isOwnPath(path)).toBe(true);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '//',
    'https://evil.example',
    'javascript:alert(1)',
    'admin',
    '',
  ])('isOwnPath rejects %s', (path) => {
    expect(isOwnPath(path)).toBe(false);
  });
});
