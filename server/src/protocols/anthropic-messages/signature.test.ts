import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProtocolId } from '../canonical/content.ts';
import { encodeToolId, isForeignSignature, readSignature, writeSignature } from './block.ts';

const others: ProtocolId[] = ['openai-chat', 'openai-responses', 'gemini', 'cohere', 'ollama'];
const signature = fc.record(
  {
    protocol: fc.constantFrom(...others),
    value: fc.string({ unit: 'binary' }),
    id: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['protocol', 'value'] },
);

describe('M7: signatures', () => {
  it('readSignature restores signatures of other protocols and what they sign', () => {
    fc.assert(
      fc.property(signature, fc.constantFrom('reasoning', 'call', 'next-call'), (written, signed) => {
        const text = writeSignature(written, signed);
        expect(readSignature(text)).toEqual({ signed, signature: written });
        expect(isForeignSignature(text)).toBe(true);
      }),
    );
  });

  it("writeSignature leaves Anthropic's signatures unchanged", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 4 }), (value) => {
        const own = { protocol: 'anthropic-messages', value } as const;
        expect(writeSignature(own, 'reasoning')).toBe(value);
        expect(readSignature(value)).toEqual({ signed: 'reasoning', signature: own });
        expect(isForeignSignature(value)).toBe(false);
      }),
    );
  });

  it('readSignature returns null for an empty signature', () => {
    expect(readSignature('')).toBeNull();
    expect(isForeignSignature('')).toBe(false);
  });

  it.each(['gemini', 'gemini:', 'gemini:other::x', 'nobody:reasoning::x', ':reasoning::x'])(
    'readSignature finds no foreign signature in %s',
    (text) => {
      expect(readSignature(text)?.signature.protocol).toBe('anthropic-messages');
    },
  );
});

describe('T6: tool call IDs', () => {
  it('encodeToolId returns valid, stable, and unique IDs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, second) => {
        expect(encodeToolId(first)).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(encodeToolId(first)).toBe(encodeToolId(first));
        expect(encodeToolId(first) === encodeToolId(second)).toBe(first === second);
      }),
    );
  });

  it('encodeToolId leaves valid IDs unchanged', () => {
    expect(encodeToolId('call_aB3-9')).toBe('call_aB3-9');
  });
});
