import { expect, test } from 'vitest';
import { createAnswerReader } from './lane.ts';

const answers = {
  sized: 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\nconnection: keep-alive\r\n\r\n{"id":"a0"}\r\n',
  chunked:
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\ndata: {"a":100}\n\r\n8\r\ndata: 0\n\r\n0\r\n\r\n',
  empty: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
};

test.each(Object.entries(answers))(
  'createAnswerReader finds the last byte of a response wherever it is split: %s',
  (_, text) => {
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const read = createAnswerReader();
      expect(read(bytes.subarray(0, cut))).not.toBe('whole');
      expect(read(bytes.subarray(cut))).toBe('whole');
      expect(read(bytes)).toBe('whole');
    }
  },
);

test('createAnswerReader starts the body at its first byte, not at the end of the head', () => {
  const read = createAnswerReader();
  const head = answers.chunked.indexOf('\r\n\r\n') + 4;
  expect(read(Buffer.from(answers.chunked.slice(0, head)))).toBe('head');
  expect(read(Buffer.from(answers.chunked.slice(head, head + 1)))).toBe('body');
});

test('createAnswerReader throws an error with the status line of a response other than 200', () => {
  const refusal = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\nlate';
  expect(() => createAnswerReader()(Buffer.from(refusal))).toThrow('429 Too Many Requests');
});
