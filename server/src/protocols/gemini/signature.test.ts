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

describe('M7: signatures', () => {
  it("writeSignature and readSignature leave Google's signatures unchanged", () => {
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

  it('readSignature restores any signature of another protocol', () => {
    fc.assert(
      fc.property(foreign, fc.constantFrom('reasoning', 'redacted', 'call'), (signature, signed) => {
        const text = writeSignature(signature, signed);
        // Clients treat the signature as bytes.
        expect(Buffer.from(text, 'base64').toString('base64')).toBe(text);
        expect(readSignature(text)).toEqual({ signature, isRedacted: signed === 'redacted' });
        expect(isForeignSignature(text)).toBe(true);
      }),
    );
  });

  it('readSignature restores signatures that a client re-encoded as base64url', () => {
    fc.assert(
      fc.property(foreign, (signature) => {
        const text = Buffer.from(writeSignature(signature, 'call'), 'base64').toString('base64url');
        expect(readSignature(text)?.signature).toEqual(signature);
      }),
    );
  });

  it.each([undefined, null, '', uncheckedSignature])('readSignature returns null for %s', (text) => {
    expect(readSignature(text)).toBeNull();
  });

  it('isForeignSignature treats the unchecked placeholder, which is valid base64url, as foreign', () => {
    expect(isForeignSignature(uncheckedSignature)).toBe(true);
    expect(Buffer.from(uncheckedSignature, 'base64url').toString('base64url')).toBe(uncheckedSignature);
  });

  it.each(['gemini:call::x', 'nobody:call::x', 'anthropic-messages:other::x', 'anthropic-messages'])(
    'readSignature reads the bytes of "%s" as Google\'s own signature',
    (text) => {
      const value = Buffer.from(text).toString('base64');
      expect(readSignature(value)).toEqual({ signature: { protocol: 'gemini', value }, isRedacted: false });
    },
  );
});
