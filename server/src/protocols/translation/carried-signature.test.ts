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

describe('M7: a signature that another protocol carries', () => {
  it('comes back whole, with its maker and what it signs', () => {
    fc.assert(
      fc.property(signature, fc.constantFrom(...kinds), (written, signed) => {
        const text = writeCarriedSignature(written, signed);
        expect(readCarriedSignature(text, 'openai-responses')).toEqual({ signed, signature: written });
      }),
    );
  });

  it("is never the carrier's own", () => {
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
  ])('is not found in %j', (text) => {
    expect(readCarriedSignature(text, 'openai-responses')).toBeNull();
  });

  it('is found in no base64', () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        expect(readCarriedSignature(text, 'openai-responses')).toBeNull();
      }),
    );
  });
});
