import { expect, it } from 'vitest';
import { foldRecoveryCode, makeRecoveryCodes } from './recovery-code.ts';

it('makeRecoveryCodes returns ten different codes of twelve characters without look-alikes', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes)
    expect(code).toMatch(/^([abcdefghjkmnpqrstuvwxyz23456789]{4}-){2}[abcdefghjkmnpqrstuvwxyz23456789]{4}$/);
});

it.each(['k7md-x2pq-9fhw', 'K7MD X2PQ 9FHW', ' k7mdx2pq9fhw\n'])(
  'foldRecoveryCode accepts the spelling %j',
  (typed) => {
    expect(foldRecoveryCode(typed)).toBe('k7mdx2pq9fhw');
  },
);
