import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Signature } from '../canonical/content.ts';
import { readCallerCallSignature, readProviderCallSignature, writeCallSignature } from './call-signature.ts';

const value = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const withId = fc.constantFrom('anthropic-messages', 'openai-responses', 'cohere', 'ollama');

describe("the proof beside a caller's call", () => {
  it('comes back as it left, whoever has made it', () => {
    const foreign: fc.Arbitrary<Signature> = fc.oneof(
      fc.record({ protocol: fc.constant('gemini' as const), value }),
      fc.record({ protocol: withId, value }),
      fc.record({ protocol: withId, value, id: value }),
    );
    fc.assert(
      fc.property(foreign, (signature) => {
        const carried = JSON.parse(JSON.stringify(writeCallSignature(signature)));
        expect(readCallerCallSignature(carried)).toEqual(signature);
      }),
    );
  });

  it("is in Google's own form for what Google has made, as its callers of chat completions know it", () => {
    expect(writeCallSignature({ protocol: 'gemini', value: 'c2ln' })).toEqual({
      google: { thought_signature: 'c2ln' },
    });
  });

  it("is the provider's own extra content, field by field, for one that speaks chat completions", () => {
    const extra = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.jsonValue());
    fc.assert(
      fc.property(extra, (content) => {
        const told = JSON.parse(JSON.stringify(content));
        const kept = readProviderCallSignature(told);
        expect(writeCallSignature(kept)).toEqual(told);
        expect(writeCallSignature(readCallerCallSignature(told))).toEqual(told);
      }),
    );
  });

  it.each(['', '{', 'null', '[]', '7', '"text"'])('that has become %j on its way is nothing', (spoilt) => {
    expect(writeCallSignature({ protocol: 'openai-chat', value: spoilt })).toEqual({});
  });

  it.each([
    ['a signature that is no text', { google: { thought_signature: 7 } }],
    ['a maker without a value', { cohere: { id: 'c' } }],
    ['a maker that is no object', { 'anthropic-messages': 'sig' }],
  ])('with %s is taken for the extra content of a provider', (_, extra) => {
    expect(readCallerCallSignature(extra)).toEqual({
      protocol: 'openai-chat',
      value: JSON.stringify(extra),
    });
  });
});
