import { readdirSync, readFileSync } from 'node:fs';
import { readChatCases } from './chat-cases.ts';
import { readResponsesCases } from './responses-cases.ts';
import { readWireCases, type WireCase } from './wire-cases.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
interface Body {
  [name: string]: Json;
}

export interface TextPosition {
  /** Path without list indices, with types along the way: `messages[].content[text].text`. */
  readonly name: string;
  write(text: string): string;
}

const codingTools = new URL('../../src/gateway/clients/coding-tools/', import.meta.url);

const toolRequests = readdirSync(codingTools)
  .filter((file) => file.endsWith('.json'))
  // safe because the tests of coding tools read the same fields
  .map(
    (file) => JSON.parse(readFileSync(new URL(file, codingTools), 'utf8')) as { path: string; body: Body },
  );

function bodiesOf(cases: readonly WireCase[], path: RegExp): Body[] {
  const recorded = cases.flatMap(({ request }) => {
    const body = request?.body;
    // safe because the value was parsed from JSON
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? [body as Body] : [];
  });
  return [...recorded, ...toolRequests.filter((request) => path.test(request.path)).map(({ body }) => body)];
}

const hello = 'Hello there';

const bodies: Readonly<Record<string, () => readonly Body[]>> = {
  'openai-chat': () => [
    { messages: [{ role: 'user', content: hello }] },
    ...bodiesOf(readChatCases(), /chat\/completions/),
  ],
  'openai-responses': () => [{ input: hello }, ...bodiesOf(readResponsesCases(), /responses/)],
  'anthropic-messages': () => [
    { messages: [{ role: 'user', content: [document()] }] },
    ...bodiesOf(readWireCases('anthropic'), /messages/),
  ],
  gemini: () => [
    { contents: [{ role: 'user', parts: [{ text: hello }] }] },
    ...bodiesOf(
      ['gemini', 'vertex'].flatMap(readWireCases).filter(({ endpoint }) => !/embed|count/i.test(endpoint)),
      /generateContent/i,
    ),
  ],
  embeddings: () => [
    { input: hello, user: 'someone' },
    { input: [hello], user: 'someone' },
  ],
};

function document(): Body {
  const source = { type: 'text', media_type: 'text/plain', data: hello };
  return { type: 'document', title: 'A letter', context: 'From the archive', source };
}

/** Top-level fields without prompt text, which are skipped. */
const ownNames =
  /^(model|stream|stream_options|max_tokens|max_completion_tokens|max_output_tokens|n|background)$/;
const freeForm =
  /^(parameters\w*|input_schema|schema|args|arguments|response|responseSchema|responseJsonSchema|response_schema|response_json_schema)$/;
const media = /(source\[base64\]\.data|inline_?data\.data|input_audio\.data|\.file_data)$/i;

/** Returns every string in every request, and an unknown field in every object. */
export function listTextPositions(protocol: string): TextPosition[] {
  const positions = new Map<string, TextPosition>();
  for (const body of bodies[protocol]?.() ?? []) {
    const note = (name: string, path: readonly (string | number)[]) => {
      if (!positions.has(name)) positions.set(name, { name, write: (text) => writeAt(body, path, text) });
    };
    walk(body, '', [], note);
  }
  const [first] = bodies[protocol]?.() ?? [];
  const name = /^(messages|contents)$/;
  if (first && Object.keys(first).some((key) => name.test(key)))
    positions.set('(a duplicate field)', {
      name: '(a duplicate field)',
      write: (text) => double(first, text),
    });
  return [...positions.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function walk(
  value: Json,
  name: string,
  path: readonly (string | number)[],
  note: (name: string, path: readonly (string | number)[]) => void,
): void {
  if (typeof value === 'string') {
    if (!media.test(name) && !value.startsWith('data:')) note(name, path);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${name}[]`, [...path, index], note);
  } else if (value !== null && typeof value === 'object') {
    const typed =
      typeof value.type === 'string' && !name.includes('*') ? describeType(name, value.type) : name;
    note(typed === '' ? '(unknown)' : `${typed}.(unknown)`, [...path, 'a_field_that_nobody_knows']);
    for (const [key, held] of Object.entries(value)) {
      if (path.length === 0 && ownNames.test(key)) continue;
      const below = freeForm.test(key) ? `${key}.*` : key;
      walk(
        held,
        name.includes('*') ? name : typed === '' ? below : `${typed}.${below}`,
        [...path, key],
        note,
      );
    }
  }
}

function describeType(name: string, type: string): string {
  return name.endsWith('[]') ? `${name.slice(0, -2)}[${type}]` : `${name}[${type}]`;
}

function writeAt(body: Body, path: readonly (string | number)[], text: string): string {
  const copy = structuredClone(body);
  let holder: Json = copy;
  // safe because the path was found in this body
  for (const step of path.slice(0, -1)) holder = (holder as Record<string | number, Json>)[step] ?? null;
  (holder as Record<string | number, Json>)[path.at(-1) ?? ''] = text; // safe because the path was found in this body
  return JSON.stringify(copy);
}

/** Duplicates the first content, since a provider may read a different copy than the gateway. */
function double(body: Body, text: string): string {
  return JSON.stringify(body).replace(
    /"(content|parts)":/,
    (field, key) => `"${key}":${JSON.stringify(text)},${field}`,
  );
}
