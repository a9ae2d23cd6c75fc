import { expect, test } from 'vitest';
import { createRequestBody } from './request-body.ts';

test.each([1_500, 200_000])(
  'createRequestBody returns a request of the requested size: %d bytes',
  (bytes) => {
    for (const isStreaming of [false, true]) {
      const body = createRequestBody({ bytes, isStreaming });
      expect(Buffer.byteLength(body)).toBe(bytes);
      expect(JSON.parse(body).stream).toBe(isStreaming || undefined);
    }
  },
);
