import { describe, expect } from 'vitest';
import { itSampled, sample } from '#test/load/sample.ts';
import { measureCpuMs } from '#test/processes/cpu-time.ts';
import { makeLongConversation, repeatedThings } from '#test/requests/long-conversations.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { conversations } from './testing/conversations.ts';
import { passRequest } from './testing/pass-request.ts';

/** Quadratic work takes tens of times longer at these sizes. */
const limitMs = 500;

/** Passes if one of several runs is fast, since the first runs include compilation and possibly garbage collection. */
const isFast = (work: () => unknown) => [0, 1, 2].some(() => measureCpuMs(work) < limitMs);

const signs = ['=', '/', ' ', ';', '.', '%', ':', '\\', '['];

describe.each(callerProtocols)('$id request parsing takes time proportional to its size', (protocol) => {
  itSampled(2, callerProtocols.indexOf(protocol)).each(repeatedThings)(
    'a request with 5,000 of %s is processed in less than 500 ms of CPU time',
    (repeated) => {
      const body = Buffer.from(JSON.stringify(makeLongConversation(protocol.id, repeated, 5_000)));
      expect(passRequest(protocol, body)).toBe('passed');
      expect(isFast(() => passRequest(protocol, body))).toBe(true);
    },
  );

  itSampled(3, callerProtocols.indexOf(protocol)).each(signs)(
    'a request with 50,000 times "%s" in a text field is processed in less than 500 ms of CPU time',
    (sign) => {
      const text = `${sign.repeat(50_000)}x`;
      const bodies = sample([...putTexts(conversations[protocol.id], text)], 3, signs.indexOf(sign));
      const slow = bodies.filter(
        (body) => !isFast(() => passRequest(protocol, Buffer.from(JSON.stringify(body)))),
      );
      expect(slow.map((body) => JSON.stringify(body).replace(text, '...'))).toEqual([]);
    },
  );
});

function* putTexts(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    for (const changed of putTexts(part, text))
      yield Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}
