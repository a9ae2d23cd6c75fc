import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { z } from 'zod';
import { fitsUnchanged } from '#json/quick-check.ts';
import { countTokensRequest, messagesRequest } from '#protocols/anthropic-messages/wire.ts';
import { generateContentRequest } from '#protocols/gemini/wire.ts';
import { embeddingsForm } from '#protocols/openai-chat/embeddings-caller.ts';
import { chatForm } from '#protocols/openai-chat/read-request.ts';
import { responsesRequest } from '#protocols/openai-responses/wire.ts';
import { fullRequests } from '#protocols/testing/full-requests.ts';
import { oddValues } from '#protocols/testing/odd-values.ts';
import { ownCases, readRecordedCases, recordedProviders } from './wire-cases.ts';

export const bodySchemas: Readonly<Record<string, z.ZodType>> = {
  'chat completions': chatForm.schema,
  embeddings: embeddingsForm.schema,
  responses: responsesRequest,
  messages: messagesRequest,
  'counts of tokens': countTokensRequest,
  generateContent: generateContentRequest,
};

const toolFolder = new URL('../../src/gateway/clients/coding-tools/', import.meta.url);
const ofTools = readdirSync(toolFolder).map(
  (name) => JSON.parse(readFileSync(new URL(name, toolFolder), 'utf8')).body as unknown,
);
const cases = [...[...ownCases.values()].flat(), ...recordedProviders.flatMap(readRecordedCases)];

export const sentBodies: readonly object[] = [
  ...cases.map(({ request }) => request?.body),
  ...ofTools,
  ...Object.values(fullRequests),
  { model: 'm', input: [[1, 2]], task_id: 7, metadata: { task_id: '7' } },
].filter((body) => typeof body === 'object' && body !== null);

export interface Verdict {
  readonly isQuick: boolean;
  readonly isFit: boolean;
}

export function judgeBody(schema: z.ZodType, body: unknown): Verdict {
  const { success, data } = schema.safeParse(body);
  return { isQuick: fitsUnchanged(schema, body), isFit: success && isDeepStrictEqual(data, body) };
}

const names = ['role', 'content', 'type', 'stream', 'max_tokens', 'maxOutputTokens', 'max_output_tokens'];
const oddTexts = fc.constantFrom(
  ...oddValues,
  ...['"user"', '"system"', '"text"', '"minimal"', '7', '1e999', '0', '1', '-0', '"07"', '4294967296', '2.5'],
);
const oddNames = fc.constantFrom(...names, '__proto__', 'constructor', 'task_id', 'generation_config');

export const garbledBodies: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(...sentBodies.filter((body) => JSON.stringify(body).length < 20_000)),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('swap', 'add', 'drop', 'wrap'), oddNames, oddTexts), {
      maxLength: 4,
    }),
  )
  .map(([body, edits]) => edits.reduce<unknown>((edited, edit) => editPart(edited, edit), body));

type Edit = readonly [place: number, kind: string, name: string, odd: string];

/** Edits a part of a body. The edit is made in JSON text, where `__proto__` is an ordinary name. */
function editPart(body: unknown, [place, kind, name, odd]: Edit): unknown {
  const places = 1 + countParts(body);
  let at = place % places;
  const write = (value: unknown): string => {
    const isHere = at-- === 0;
    if (isHere && kind === 'swap') return odd;
    if (isHere && kind === 'wrap') return `[${JSON.stringify(value)}]`;
    const added = isHere && kind === 'add' ? [`${JSON.stringify(name)}:${odd}`] : [];
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const fields = Object.entries(value).flatMap(([key, held]) => {
      const isDropped = kind === 'drop' && at === 0;
      const text = write(held);
      return isDropped ? [] : [`${JSON.stringify(key)}:${text}`];
    });
    return `{${[...fields, ...added].join(',')}}`;
  };
  return JSON.parse(write(body));
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + 1 + countParts(part), 0);
}
