import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDataUrl, toStandardBase64, writeDataUrl } from './data-url.ts';

const png = 'iVBORw0KGgoAAAANSUhEUg==';
const jpeg = '/9j/4AAQSkZJRgABAQAAAQ==';

describe('readDataUrl media type', () => {
  it.each([
    ['the declared type', 'data:audio/wav;base64,AAAA', 'audio/wav'],
    ['lower case', 'data:Audio/WAV;base64,AAAA', 'audio/wav'],
    ['from the bytes if the URL declares none', `data:;base64,${png}`, 'image/png'],
    ['from the bytes if the URL declares another', `data:image/jpeg;base64,${png}`, 'image/png'],
    ['misspelled image type', `data:image/jpg;base64,${jpeg}`, 'image/jpeg'],
    ['misspelled image type with unknown bytes', 'data:image/jpg;base64,AAAA', 'image/jpeg'],
    ['unknown type', 'data:;base64,AAAA', 'application/octet-stream'],
    ['GIF', 'data:;base64,R0lGODlhAQABAAAAACw=', 'image/gif'],
    ['WebP', 'data:;base64,UklGRiIAAABXRUJQVlA4', 'image/webp'],
    ['PDF', 'data:;base64,JVBERi0xLjQKJcOkw7w=', 'application/pdf'],
    ['with parameters', 'data:text/plain;charset=utf-8;base64,AAAA', 'text/plain'],
  ])('readDataUrl detects the media type: %s', (_, url, mediaType) => {
    expect(readDataUrl(url)?.mediaType).toBe(mediaType);
  });
});

describe('readDataUrl bytes', () => {
  it.each([
    ['standard base64', 'data:a/b;base64,+/+/', '+/+/'],
    ['base64url', 'data:a/b;base64,-_-_', '+/+/'],
    ['without padding', 'data:a/b;base64,QQ', 'QQ=='],
    ['with too much padding', 'data:a/b;base64,QUI====', 'QUI='],
    ['with line breaks', 'data:a/b;base64,QU\r\nJD', 'QUJD'],
    ['with escapes', 'data:a/b;base64,QUI%3D', 'QUI='],
    ['with an invalid escape', 'data:a/b;base64,QUI%', 'QUI%'],
    ['inside another data URL', 'data:a/b;base64,data:a/b;base64,QUI=', 'QUI='],
    ['empty', 'data:a/b;base64,', ''],
    ['as text', 'data:text/plain,a%20b', 'YSBi'],
    ['as text with an invalid escape', 'data:text/plain,a%', 'YSU='],
  ])('readDataUrl returns the bytes as base64: %s', (_, url, base64) => {
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

it('readDataUrl returns 10 MiB of base64 in full', () => {
  const url = `data:image/png;base64,${'A'.repeat(10 * 1024 * 1024)}`;
  expect(readDataUrl(url)?.base64).toHaveLength(10 * 1024 * 1024);
});
