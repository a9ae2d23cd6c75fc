import { describe, expect, it } from 'vitest';
import { readMediaSource } from './media-source.ts';
import { UntranslatableError } from './untranslatable.ts';

describe('I1: where a picture or file comes from', () => {
  it('is its data', () => {
    expect(readMediaSource('data:image/webp;base64,AAAA', 'url')).toEqual({
      kind: 'data',
      mediaType: 'image/webp',
      base64: 'AAAA',
    });
  });

  it.each(['https://a.test/b.png', 'http://a.test', 'gs://bucket/b', 'HTTPS://A.TEST/B'])(
    'is its address: %s',
    (url) => {
      expect(readMediaSource(url, 'url')).toEqual({ kind: 'url', url });
    },
  );

  it.each(['', 'b.png', '/b.png', 'AAAA', 'https:/a.test', '1https://a.test', 'data:image/png'])(
    'is not %j, which is refused by its place',
    (url) => {
      const read = () => readMediaSource(url, 'messages[0].url');
      expect(read).toThrow(UntranslatableError);
      expect(read).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ param: 'messages[0].url' }) }),
      );
    },
  );
});
