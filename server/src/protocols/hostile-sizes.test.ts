import { describe, expect, it } from 'vitest';
import { makeLongConversation, repeatedThings } from '../../test/long-conversations.ts';
import { callerProtocols } from '../../test/through-callers.ts';
import { conversations } from './testing/conversations.ts';
import { passRequest } from './testing/pass-request.ts';

/** What grows with the square of a size takes tens of times of this at the sizes below. */
const limitMs = 500;

/** In one of some tries, since the clock of the process counts its compiler and collector too. */
function isFast(work: () => unknown): boolean {
  return [0, 1, 2].some(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 < limitMs;
  });
}

describe.each(callerProtocols)(
  'a request in the protocol $id costs in proportion to its size',
  (protocol) => {
    it.each(repeatedThings)('with thousands of %s', (repeated) => {
      const body = Buffer.from(JSON.stringify(makeLongConversation(protocol.id, repeated, 5_000)));
      expect(passRequest(protocol, body)).toBe('passed');
      expect(isFast(() => passRequest(protocol, body))).toBe(true);
    });

    it.each(['=', '/', ' ', ';', '.', '%', ':', '\\', '['])('with a text of many "%s" anywhere', (sign) => {
      const text = `${sign.repeat(50_000)}x`;
      const slow = [...putTexts(conversations[protocol.id], text)].filter(
        (body) => !isFast(() => passRequest(protocol, Buffer.from(JSON.stringify(body)))),
      );
      expect(slow.map((body) => JSON.stringify(body).replace(text, '...'))).toEqual([]);
    });
  },
);

/** The value with the text in the place of each of its own, one after the other. */
function* putTexts(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    for (const changed of putTexts(part, text))
      yield Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}
