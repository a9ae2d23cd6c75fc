import { expect, test } from 'vitest';
import { canonicalJson, isSigned, seal, sign, unseal } from './signature.ts';

test('a signature fits its own text only', () => {
  expect(isSigned('Hm', sign('Hm'))).toBe(true);
  expect(isSigned('hm', sign('Hm'))).toBe(false);
  expect(isSigned('', undefined)).toBe(false);
});

test('what was sealed is read again, whatever it is, and nothing else is', () => {
  for (const text of ['', 'Hm', 'Größe\n two ']) expect(unseal(seal(text))).toBe(text);
  for (const other of ['', 'gAAA', seal('Hm').slice(1), `${seal('Hm')}A`, `${seal('Hm')}==`])
    expect(unseal(other)).toBeNull();
});

test('the order of keys does not matter, that of items does', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 0 })).toBe('{"a":0,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson([2, 1])).toBe('[2,1]');
});
