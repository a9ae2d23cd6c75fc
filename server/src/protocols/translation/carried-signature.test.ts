import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProtocolId } from '../canonical/content.ts';
import { readCarriedSignature, type Signed, writeCarriedSignature } from './carried-signature.ts';

const makers: ProtocolId[] = ['openai-chat', 'anthropic-messages', 'gemini', 'cohere', 'ollama'];
const kinds: Signed[] = ['reasoning', 'redacted', 'call'];
const signature = fc.record(
  {
    protocol: fc.constantFrom(...makers),
    value: fc.string({ unit: 'binary' }),
    id: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['protocol', 'value'] },
);

describe('M7: signatures carried by another protocol', () => {
  it('readCarriedSignature restores the signature, its maker and the content that it signs', () => {
    fc.assert(
      fc.property(signature, fc.constantFrom(...kinds), (written, signed) => {
        const text = writeCarriedSignature(written, signed);
        expect(readCarriedSignature(text, 'openai-responses')).toEqual({ signed, signature: written });
      }),
    );
  });

  it("readCarriedSignature ignores signatures of the carrier's own protocol", () => {
    const text = writeCarriedSignature({ protocol: 'gemini', value: 'Cg==' }, 'call');
    expect(readCarriedSignature(text, 'gemini')).toBeNull();
  });

  it.each([
    '',
    'gAAAAABfixture==',
    'gemini',
    'gemini:',
    'gemini:other::x',
    'nobody:reasoning::x',
    ':call::x',
  ])('readCarriedSignature returns null for %j', (text) => {
    expect(readCarriedSignature(text, 'openai-responses')).toBeNull();
  });

  it('readCarriedSignature returns null for base64', () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        expect(readCarriedSignature(text, 'openai-responses')).toBeNull();
      }),
    );
  });
});
