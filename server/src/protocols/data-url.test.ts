import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDataUrl, toStandardBase64, writeDataUrl } from './data-url.ts';

const png = 'iVBORw0KGgoAAAANSUhEUg==';
const jpeg = '/9j/4AAQSkZJRgABAQAAAQ==';

describe('readDataUrl media type', () => {
  it.each([
    ['is what the URL says', 'data:audio/wav;base64,AAAA', 'audio/wav'],
    ['is written in lower case', 'data:Audio/WAV;base64,AAAA', 'audio/wav'],
    ['is what the bytes say, when the URL says nothing', `data:;base64,${png}`, 'image/png'],
    ['is what the bytes say, when the URL says otherwise', `data:image/jpeg;base64,${png}`, 'image/png'],
    ['of a picture may be misspelt', `data:image/jpg;base64,${jpeg}`, 'image/jpeg'],
    ['of a picture may be misspelt, whatever its bytes', 'data:image/jpg;base64,AAAA', 'image/jpeg'],
    ['may be known to nobody', 'data:;base64,AAAA', 'application/octet-stream'],
    ['of a GIF', 'data:;base64,R0lGODlhAQABAAAAACw=', 'image/gif'],
    ['of a WebP picture', 'data:;base64,UklGRiIAAABXRUJQVlA4', 'image/webp'],
    ['of a PDF', 'data:;base64,JVBERi0xLjQKJcOkw7w=', 'application/pdf'],
    ['may have parameters', 'data:text/plain;charset=utf-8;base64,AAAA', 'text/plain'],
  ])('readDataUrl media type: %s', (_, url, mediaType) => {
    expect(readDataUrl(url)?.mediaType).toBe(mediaType);
  });
});

describe('readDataUrl bytes', () => {
  it.each([
    ['standard', 'data:a/b;base64,+/+/', '+/+/'],
    ['of the URL alphabet', 'data:a/b;base64,-_-_', '+/+/'],
    ['without padding', 'data:a/b;base64,QQ', 'QQ=='],
    ['with too much padding', 'data:a/b;base64,QUI====', 'QUI='],
    ['in lines', 'data:a/b;base64,QU\r\nJD', 'QUJD'],
    ['with escapes', 'data:a/b;base64,QUI%3D', 'QUI='],
    ['with escapes that are none', 'data:a/b;base64,QUI%', 'QUI%'],
    ['none at all', 'data:a/b;base64,', ''],
    ['as text', 'data:text/plain,a%20b', 'YSBi'],
    ['as text with a broken escape', 'data:text/plain,a%', 'YSU='],
  ])('readDataUrl bytes: %s', (_, url, base64) => {
    expect(readDataUrl(url)?.base64).toBe(base64);
  });
});

it.each(['', 'data:', 'data:image/png', 'https://example.com/a,b', 'xdata:a/b;base64,AA', 'file:///a,b'])(
  'readDataUrl returns null for "%s"',
  (url) => {
    expect(readDataUrl(url)).toBeNull();
  },
);

it('readDataUrl reads back what writeDataUrl wrote', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((list) => Buffer.from(list));
  fc.assert(
    fc.property(bytes, (plain) => {
      const url = writeDataUrl({ mediaType: 'audio/wav', base64: plain.toString('base64') });
      const read = readDataUrl(url);
      expect(Buffer.from(read?.base64 ?? '', 'base64')).toEqual(plain);
      expect(toStandardBase64(plain.toString('base64url'))).toBe(plain.toString('base64'));
    }),
  );
});

it('readDataUrl and toStandardBase64 handle ten megabytes quickly', () => {
  const url = `data:image/png;base64,${'A'.repeat(10 * 1024 * 1024)}`;
  expect(readDataUrl(url)?.base64).toHaveLength(10 * 1024 * 1024);
});
