import { describe, expect, it } from 'vitest';
import { callerProtocols } from '../../test/through-callers.ts';
import { readEmbeddings } from './openai-chat/embeddings-caller.ts';
import type { Protocol } from './protocol.ts';
import { protocols } from './registry.ts';
import { finish } from './steps.ts';
import { conversations } from './testing/conversations.ts';
import { putOddValues } from './testing/odd-values.ts';
import { passRequest } from './testing/pass-request.ts';
import { plainRequests } from './testing/translation/feature.ts';
import { features } from './testing/translation/page.ts';

/** What goes wrong with any of these bodies, each fault once. */
function findFaults(bodies: Iterable<string>, pass: (body: Buffer) => unknown): string[] {
  const faults = new Map<string, string>();
  for (const body of bodies) {
    try {
      pass(Buffer.from(body));
    } catch (error) {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      const place = /\/protocols\/(\S+?):\d+\)?$/m.exec(stack)?.[1] ?? '';
      faults.getOrInsert(`${place}: ${message}`, body);
    }
  }
  return [...faults].map(([fault, body]) => `${fault}, as by ${body.slice(0, 2_000)}`);
}

describe.each(callerProtocols)('an odd value anywhere in a request in the protocol $id', (protocol) => {
  const conversation = conversations[protocol.id];

  it('is refused or passed on, and never a fault of the gate', () => {
    const passed = passRequest(protocol, Buffer.from(JSON.stringify(conversation)));
    expect(passed).toBe('passed');
    const faults = findFaults(putOddValues(conversation), (body) => passRequest(protocol, body));
    expect(faults).toEqual([]);
  });

  it('also beside each feature that can be translated', () => {
    const faults = features.flatMap(({ fields }) => {
      const own = fields[protocol.id];
      if (own === undefined) return [];
      const plain = { model: 'm', ...plainRequests[protocol.id] };
      const bodies = [...putOddValues(own)].map((text) =>
        JSON.stringify(plain).replace(/\}$/, `,${text.slice(1)}`),
      );
      return findFaults(bodies, (body) => passRequest(protocol, body));
    });
    expect(faults).toEqual([]);
  });
});

it('an odd value in a request for embeddings is refused or passed on', () => {
  const embeddingSides = Object.values<Protocol>(protocols).flatMap(
    ({ provider }) => provider.embeddings ?? [],
  );
  const honest = { model: 'm', input: ['a'], dimensions: 3, user: 'u', metadata: { a: 'b' } };
  const faults = findFaults(
    [...putOddValues(honest), ...putOddValues({ ...honest, input: [[1]] })],
    (body) => {
      const parsed = finish(readEmbeddings(body));
      if (!parsed.ok) return;
      for (const side of embeddingSides)
        JSON.stringify(side.encodeRequest(parsed.request.toCanonical(), 'm'));
      parsed.request.encodeFor('other');
    },
  );
  expect(faults).toEqual([]);
});
