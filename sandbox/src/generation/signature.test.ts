import { expect, test } from 'vitest';
import { canonicalJson, isSigned, seal, sign, unseal } from './signature.ts';

test('sign returns a signature that is valid only for the signed text', () => {
  expect(isSigned('Hm', sign('Hm'))).toBe(true);
  expect(isSigned('hm', sign('Hm'))).toBe(false);
  expect(isSigned('', undefined)).toBe(false);
});

test('unseal returns any sealed text and rejects everything else', () => {
  for (const text of ['', 'Hm', 'Größe\n two ']) expect(unseal(seal(text))).toBe(text);
  for (const other of ['', 'gAAA', seal('Hm').slice(1), `${seal('Hm')}A`, `${seal('Hm')}==`])
    expect(unseal(other)).toBeNull();
});

test('canonicalJson ignores the order of keys, but not the order of items', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 0 })).toBe('{"a":0,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson([2, 1])).toBe('[2,1]');
});
