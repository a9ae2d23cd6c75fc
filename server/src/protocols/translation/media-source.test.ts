import { describe, expect, it } from 'vitest';
import { readMediaSource } from './media-source.ts';
import { UntranslatableError } from './untranslatable.ts';

describe('I1: source of an image or file', () => {
  it('readMediaSource reads the data of a data URL', () => {
    expect(readMediaSource('data:image/webp;base64,AAAA', 'url')).toEqual({
      kind: 'data',
      mediaType: 'image/webp',
      base64: 'AAAA',
    });
  });

  it.each(['https://a.test/b.png', 'http://a.test', 'gs://bucket/b', 'HTTPS://A.TEST/B'])(
    'readMediaSource keeps the URL %s',
    (url) => {
      expect(readMediaSource(url, 'url')).toEqual({ kind: 'url', url });
    },
  );

  it.each(['', 'b.png', '/b.png', 'AAAA', 'https:/a.test', '1https://a.test', 'data:image/png'])(
    'readMediaSource rejects %j and names its path',
    (url) => {
      const read = () => readMediaSource(url, 'messages[0].url');
      expect(read).toThrow(UntranslatableError);
      expect(read).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ param: 'messages[0].url' }) }),
      );
    },
  );
});
