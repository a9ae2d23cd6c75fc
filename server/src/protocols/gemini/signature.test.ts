import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProtocolId, Signature } from '../canonical/content.ts';
import { isForeignSignature, readSignature, uncheckedSignature, writeSignature } from './signature.ts';

const makers: readonly ProtocolId[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'cohere',
  'ollama',
];
const foreign: fc.Arbitrary<Signature> = fc.record(
  {
    protocol: fc.constantFrom(...makers),
    value: fc.string({ unit: 'grapheme', minLength: 1 }),
    id: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['protocol', 'value'] },
);

describe('M7: a signature on a part', () => {
  it('of Google’s is as it came', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.constantFrom('base64', 'base64url'),
        (bytes, alphabet) => {
          const value = Buffer.from(bytes).toString(alphabet === 'base64' ? 'base64' : 'base64url');
          const signature: Signature = { protocol: 'gemini', value };
          expect(writeSignature(signature, 'call')).toBe(value);
          expect(readSignature(value)).toEqual({ signature, isRedacted: false });
          expect(isForeignSignature(value)).toBe(false);
        },
      ),
    );
  });

  it('of another’s comes back whole, whatever it is', () => {
    fc.assert(
      fc.property(foreign, fc.constantFrom('reasoning', 'redacted', 'call'), (signature, signed) => {
        const text = writeSignature(signature, signed);
        // Clients hold it as bytes.
        expect(Buffer.from(text, 'base64').toString('base64')).toBe(text);
        expect(readSignature(text)).toEqual({ signature, isRedacted: signed === 'redacted' });
        expect(isForeignSignature(text)).toBe(true);
      }),
    );
  });

  it('of another’s survives clients that write bytes in the other alphabet', () => {
    fc.assert(
      fc.property(foreign, (signature) => {
        const text = Buffer.from(writeSignature(signature, 'call'), 'base64').toString('base64url');
        expect(readSignature(text)?.signature).toEqual(signature);
      }),
    );
  });

  it.each([undefined, null, '', uncheckedSignature])('%s is nobody’s', (text) => {
    expect(readSignature(text)).toBeNull();
  });

  it('one that need not be checked is none of Google’s, and survives as bytes', () => {
    expect(isForeignSignature(uncheckedSignature)).toBe(true);
    expect(Buffer.from(uncheckedSignature, 'base64url').toString('base64url')).toBe(uncheckedSignature);
  });

  it.each(['gemini:call::x', 'nobody:call::x', 'anthropic-messages:other::x', 'anthropic-messages'])(
    'bytes that read "%s" are no carrier',
    (text) => {
      const value = Buffer.from(text).toString('base64');
      expect(readSignature(value)).toEqual({ signature: { protocol: 'gemini', value }, isRedacted: false });
    },
  );
});
