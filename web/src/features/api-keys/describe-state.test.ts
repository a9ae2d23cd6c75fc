import { expect, it } from 'vitest';
import { describeKeyState } from './state.tsx';

it.each([
  [{ is_active: false, is_expired: false }, 'Revoked'],
  [{ is_active: false, is_expired: true }, 'Revoked'],
  [{ is_active: true, is_expired: true }, 'Expired'],
  [{ is_active: true, is_expired: false }, 'Active'],
])('describeKeyState of a key with %j returns %s', (key, word) => {
  expect(describeKeyState(key).word).toBe(word);
});
