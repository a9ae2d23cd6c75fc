import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSecret, SealBrokenError, type SealingKey, type SecretPlace, sealSecret } from './seal-secret.ts';

const keyOf = (bytes: Uint8Array): SealingKey => ({ current: bytes, all: [bytes] });
const key = keyOf(randomBytes(32));
const place: SecretPlace = { tenantId: 1, table: 'llm_providers', rowId: 7, column: 'sealed_api_key' };
const secret = 'sk-canary-ключ-0123456789';

describe('sealed secrets', () => {
  it('openSecret opens a secret with its key at its place', () => {
    expect(openSecret(key, place, sealSecret(key, place, secret))).toBe(secret);
    expect(openSecret(key, place, sealSecret(key, place, ''))).toBe('');
  });

  it('sealSecret hides the secret, and its output differs each time', () => {
    const sealed = sealSecret(key, place, secret);
    expect(sealed.includes('canary')).toBe(false);
    expect(sealed.equals(sealSecret(key, place, secret))).toBe(false);
  });

  it.each([
    ['tenant', { tenantId: 2 }],
    ['row', { rowId: 8 }],
    ['table', { table: 'webhooks' }],
    ['column', { column: 'other' }],
  ])('openSecret rejects a secret moved to another %s', (_, elsewhere) => {
    const sealed = sealSecret(key, place, secret);
    expect(() => openSecret(key, { ...place, ...elsewhere }, sealed)).toThrow(SealBrokenError);
  });

  it('openSecret rejects another key', () => {
    const sealed = sealSecret(key, place, secret);
    expect(() => openSecret(keyOf(new Uint8Array(randomBytes(32))), place, sealed)).toThrow(SealBrokenError);
  });

  it('openSecret rejects a change of any single bit', () => {
    const sealed = sealSecret(key, place, secret);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => openSecret(key, place, changed), `bit ${bit}`).toThrow(SealBrokenError);
    }
  });

  it('openSecret rejects a blob cut at any length', () => {
    const sealed = sealSecret(key, place, secret);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => openSecret(key, place, sealed.subarray(0, length)), `${length} bytes`).toThrow(
        SealBrokenError,
      );
    }
  });

  it('openSecret rejects a blob made of the halves of two, since each has its own data key', () => {
    const [one, other] = [sealSecret(key, place, 'one'), sealSecret(key, place, 'two')];
    const mixed = Buffer.concat([one.subarray(0, 61), other.subarray(61)]);
    expect(() => openSecret(key, place, mixed)).toThrow(SealBrokenError);
  });
});
