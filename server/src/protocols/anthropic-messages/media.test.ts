import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDocument, decodeImage, encodeDocument, encodeImage } from './user-blocks.ts';
import { resultBlock } from './wire.ts';

const starts = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/gif': [...Buffer.from('GIF89a')],
  'image/webp': [...Buffer.from('RIFF'), 0, 0, 0, 0, ...Buffer.from('WEBPVP8 ')],
};
const picture = fc
  .tuple(fc.constantFrom(...Object.entries(starts)), fc.uint8Array({ maxLength: 20 }))
  .map(([[mediaType, start], rest]) => ({ mediaType, bytes: Buffer.from([...start, ...rest]) }));

const imageOf = (media_type: string, data: string) => {
  const block = resultBlock.parse({ type: 'image', source: { type: 'base64', media_type, data } });
  if (block.type !== 'image') throw new Error('the block is not an image');
  return decodeImage(block);
};

describe('I1, I2: images', () => {
  it('image blocks are unchanged after decodeImage and encodeImage', () => {
    fc.assert(
      fc.property(picture, ({ mediaType, bytes }) => {
        const data = bytes.toString('base64');
        const part = imageOf(mediaType, data);
        expect(part).toEqual({ type: 'image', source: { kind: 'data', mediaType, base64: data } });
        expect(encodeImage(part)).toEqual({
          type: 'image',
          source: { type: 'base64', media_type: mediaType, data },
        });
      }),
    );
  });

  it('I2, I3: decodeImage detects the media type from the bytes and returns standard base64', () => {
    fc.assert(
      fc.property(
        picture,
        fc.constantFrom('image/jpg', 'IMAGE/PNG', ''),
        ({ mediaType, bytes }, declared) => {
          expect(imageOf(declared, bytes.toString('base64url'))).toEqual({
            type: 'image',
            source: { kind: 'data', mediaType, base64: bytes.toString('base64') },
          });
        },
      ),
    );
  });

  it.each(['image/bmp', 'image/svg+xml', 'image/tiff', 'application/pdf'])(
    'encodeImage rejects %s',
    (type) => {
      const source = { kind: 'data', mediaType: type, base64: 'AAAA' } as const;
      expect(() => encodeImage({ type: 'image', source })).toThrow(type);
    },
  );
});

describe('I5: documents', () => {
  const documentOf = (mediaType: string, text = 'Grüße') =>
    encodeDocument({
      type: 'document',
      source: { kind: 'data', mediaType, base64: Buffer.from(text).toString('base64') },
    });

  it.each([
    'text/plain',
    'text/csv',
    'text/html',
    'application/json',
    'application/ld+json',
    'application/xml',
  ])('encodeDocument encodes %s as a text document', (mediaType) => {
    expect(documentOf(mediaType)).toEqual({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Grüße' },
    });
  });

  it.each(['application/zip', 'application/msword', 'audio/wav', 'application/jsonish'])(
    'encodeDocument rejects %s',
    (mediaType) => {
      expect(() => documentOf(mediaType)).toThrow(mediaType);
    },
  );

  it('text documents keep their text and name after encodeDocument and decodeDocument', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, name) => {
        const part = { type: 'document', source: { kind: 'text', text }, name } as const;
        const block = resultBlock.parse(encodeDocument(part));
        expect(block.type === 'document' && decodeDocument(block)).toEqual(part);
      }),
    );
  });
});
