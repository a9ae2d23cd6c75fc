import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Signature } from '../canonical/content.ts';
import { readCallerCallSignature, readProviderCallSignature, writeCallSignature } from './call-signature.ts';

const value = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const withId = fc.constantFrom('anthropic-messages', 'openai-responses', 'cohere', 'ollama');

describe('signatures of tool calls', () => {
  it('a call signature of any maker is unchanged after a round trip through the caller', () => {
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

  it('a Google call signature has the form that Google uses in chat completions', () => {
    expect(writeCallSignature({ protocol: 'gemini', value: 'c2ln' })).toEqual({
      google: { thought_signature: 'c2ln' },
    });
  });

  it('the extra content of a chat completions provider is unchanged after a round trip', () => {
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

  it.each(['', '{', 'null', '[]', '7', '"text"'])(
    'writeCallSignature ignores a call signature that was changed to %j',
    (spoilt) => {
      expect(writeCallSignature({ protocol: 'openai-chat', value: spoilt })).toEqual({});
    },
  );

  it.each([
    ['a signature that is not a string', { google: { thought_signature: 7 } }],
    ['a maker without a value', { cohere: { id: 'c' } }],
    ['a maker that is not an object', { 'anthropic-messages': 'sig' }],
  ])("a call signature with %s is treated as a provider's extra content", (_, extra) => {
    expect(readCallerCallSignature(extra)).toEqual({
      protocol: 'openai-chat',
      value: JSON.stringify(extra),
    });
  });
});
