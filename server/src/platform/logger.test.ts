import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function capture(write: (log: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => void lines.push(line) }));
  return lines;
}

test.each(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'api_key', 'password'])(
  'the logger redacts the value of %s, wherever a request or a body contains it',
  (name) => {
    const canary = 'canary-7f3a';
    const [line] = capture((log) =>
      log.info({
        [name]: canary,
        body: { [name]: canary },
        headers: { [name]: canary },
        request: { headers: { [name]: canary } },
      }),
    );
    expect(line).not.toContain(canary);
    expect(line?.match(/\[redacted\]/g)).toHaveLength(4);
  },
);

test('the logger writes a line as one JSON object with a named level and an ISO time', () => {
  const [line] = capture((log) => log.warn({ slot: 1 }, 'worker restarted'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'warn',
    slot: 1,
    msg: 'worker restarted',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

test('the logger escapes line breaks in values and messages, so that no line can be forged', () => {
  const forged = 'x"}\r\n{"level":"info","msg":"forged"}\u2028\n';
  const lines = capture((log) => log.warn({ name: forged, [forged]: 1 }, forged));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: forged, msg: forged, level: 'warn' });
});

test('the logger omits lines below the level', () => {
  expect(capture((log) => log.debug('quiet'))).toEqual([]);
});

test('loggers of standard output share their listeners for the process exit', () => {
  createLogger('silent');
  const count = process.listenerCount('exit');
  createLogger('silent');
  expect(process.listenerCount('exit')).toBe(count);
});
