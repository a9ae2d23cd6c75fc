import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import { sample } from '#test/load/sample.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { readEmbeddings } from './openai-chat/embeddings-caller.ts';
import type { Protocol } from './protocol.ts';
import { protocols } from './registry.ts';
import { conversations } from './testing/conversations.ts';
import { putOddValues } from './testing/odd-values.ts';
import { passRequest } from './testing/pass-request.ts';
import { plainRequests } from './testing/translation/feature.ts';
import { features } from './testing/translation/page.ts';

/** Puts every fifteenth odd value into each position. Each position starts with a different value. */
const putSample = (value: unknown) => putOddValues(value, (values, position) => sample(values, 15, position));

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

describe.each(callerProtocols)('$id requests with a malformed value in any field', (protocol) => {
  const conversation = conversations[protocol.id];

  it('a malformed value anywhere in a request is rejected or passed on without an exception', () => {
    const passed = passRequest(protocol, Buffer.from(JSON.stringify(conversation)));
    expect(passed).toBe('passed');
    const faults = findFaults(putSample(conversation), (body) => passRequest(protocol, body));
    expect(faults).toEqual([]);
  });

  it('a malformed value next to any translatable feature causes no exception', () => {
    const faults = features.flatMap(({ fields }) => {
      const own = fields[protocol.id];
      if (own === undefined) return [];
      const plain = { model: 'm', ...plainRequests[protocol.id] };
      const bodies = [...putSample(own)].map((text) =>
        JSON.stringify(plain).replace(/\}$/, `,${text.slice(1)}`),
      );
      return findFaults(bodies, (body) => passRequest(protocol, body));
    });
    expect(faults).toEqual([]);
  });
});

it('a malformed value in an embeddings request is rejected or passed on', () => {
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
