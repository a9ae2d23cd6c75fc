import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isFullSize, sample } from '#test/load/sample.ts';
import { ownCases, readRecordedCases, recordedProviders, type WireCase } from '#test/requests/wire-cases.ts';
import { parseCountTokens } from './anthropic-messages/read-request.ts';
import { findUnlisted } from './caller-request/request-shape.ts';
import type { ParsedRequest } from './canonical/request.ts';
import type { Protocol } from './protocol.ts';
import { protocols } from './registry.ts';
import { type CallerId, fullRequests } from './testing/full-requests.ts';

interface Sent {
  readonly name: string;
  readonly protocol: CallerId;
  readonly body: object;
}

function parse({ protocol, body }: Omit<Sent, 'name'>): ParsedRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  // Token count requests accept any message and need no cap.
  if (protocol === 'anthropic-messages') return parseCountTokens(bytes);
  return protocols[protocol].caller.parseRequest(bytes, { model: 'm', isStream: false });
}

function findProtocol({ provider, endpoint, request }: WireCase): CallerId | null {
  if (endpoint === 'responses') return 'openai-responses';
  if (provider === 'anthropic') return 'anthropic-messages';
  if (/generateContent$|^countTokens$/i.test(endpoint)) return 'gemini';
  const isNative = provider === 'cohere' || request?.path.startsWith('/api/chat');
  return endpoint === 'chat' && !isNative ? 'openai-chat' : null;
}

function pickSent(cases: readonly WireCase[]): Sent[] {
  return cases.flatMap((wireCase) => {
    const protocol = findProtocol(wireCase);
    const { body } = wireCase.request ?? {};
    return protocol && typeof body === 'object' && body ? [{ name: wireCase.name, protocol, body }] : [];
  });
}

const own = pickSent([...ownCases.values()].flat());
const recorded = pickSent(recordedProviders.flatMap(readRecordedCases));

const toolFolder = new URL('../gateway/clients/coding-tools/', import.meta.url);
const tool = z.object({ path: z.string(), body: z.looseObject({}) });
const protocolOf = (path: string): CallerId => {
  if (path.endsWith('responses')) return 'openai-responses';
  if (path.includes('v1beta')) return 'gemini';
  return path.includes('messages') ? 'anthropic-messages' : 'openai-chat';
};
const tools = readdirSync(toolFolder).map((name): Sent => {
  const { path, body } = tool.parse(JSON.parse(readFileSync(new URL(name, toolFolder), 'utf8')));
  return { name, protocol: protocolOf(path), body: { model: 'm', ...body } };
});
const full = Object.entries(fullRequests).map(
  // safe because the record's keys are the protocols
  ([name, body]): Sent => ({ name: `all of ${name}`, protocol: name as CallerId, body }),
);

/** Provider names for references to stored objects: all such fields that recorded clients have sent. */
const references = new RegExp(
  [
    'previous_response_id|conversation|vector_store_ids|file_id|file_?uri|fileSearch|preset|modelArmorConfig',
    'background',
  ].join('|'),
  'i',
);

describe('requests to an account that tenants share', () => {
  it.each([...tools, ...full])('shared accounts accept $name unchanged', (sent) => {
    const parsed = parse(sent);
    expect(parsed.ok && parsed.request.findUnlistedField()).toBeNull();
  });

  it('shared accounts accept a choice among several tools in chat completions', () => {
    const named = { type: 'function', function: { name: 'read' } };
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } };
    const body = { ...fullRequests['openai-chat'], tool_choice: choice };
    const parsed = parse({ protocol: 'openai-chat', body });
    expect(parsed.ok && parsed.request.findUnlistedField()).toBeNull();
  });

  it.each([
    ['our own cases', own, 100, 8],
    ...(recorded.length > 0 ? [['recorded cases', recorded, 500, 20] as const] : []),
  ] as const)('shared accounts accept %s except references to stored objects', (_, cases, least, share) => {
    expect(cases.length).toBeGreaterThan(least);
    const refused = cases.flatMap((sent) => {
      const parsed = parse(sent);
      const field = parsed.ok ? parsed.request.findUnlistedField() : parsed.problem.param;
      return field === null ? [] : [`${field} in ${sent.name}`];
    });
    expect(refused.filter((line) => !references.test(line.split(' ')[0] ?? ''))).toEqual([]);
    expect(refused.length).toBeLessThan(cases.length / share);
  });

  it('shared accounts accept all requests that are translated for the provider', () => {
    const refused = [...own, ...tools, ...full, ...recorded].flatMap((sent) => {
      const parsed = parse(sent);
      if (!parsed.ok || parsed.request.findUnlistedField() !== null) return [];
      const decoded = parsed.request.toCanonical();
      if (!decoded.ok) return [];
      return Object.values<Protocol>(protocols).flatMap(({ id, provider }) => {
        const target = {
          model: 'm',
          isStream: true,
          defaultOutputTokensMax: 100,
          isReasoningModel: true,
          isAccountShared: true,
        };
        const encoded = provider.encodeRequest(decoded.request, target);
        const { sharedAccountRequest } = provider;
        if (!encoded.ok || !sharedAccountRequest) return [];
        const field = findUnlisted(encoded.body, sharedAccountRequest);
        return field === null ? [] : [`${field} of ${id} in ${sent.name}`];
      });
    });
    expect(refused).toEqual([]);
  });
});

const planted = 'kept_0f3a';

const keys = [
  ...[
    'id',
    'ID',
    'ref',
    'reference',
    'references',
    'uri',
    'name_of',
    'resource',
    'asset',
    'preset',
    'template',
  ],
  ...[
    'file_id',
    'fileId',
    'File_ID',
    'file_ids',
    'file',
    'files',
    'fileUri',
    'file_uri',
    'FileUri',
    'attachments',
  ],
  ...[
    'container',
    'container_id',
    'Container',
    'containerId',
    'skill',
    'skill_id',
    'skills',
    'environment_id',
  ],
  ...[
    'previous_response_id',
    'Previous_Response_Id',
    'response_id',
    'item_id',
    'message_id',
    'audio',
    'voice',
  ],
  ...[
    'conversation',
    'conversation_id',
    'thread_id',
    'assistant_id',
    'agent_id',
    'session_id',
    'prompt',
    'prompt_id',
  ],
  ...['cachedContent', 'cached_content', 'cache_id', 'vector_store_ids', 'vector_store_id', 'collection_ids'],
  ...[
    'fileSearch',
    'file_search',
    'fileSearchStoreNames',
    'file_search_store_names',
    'retrieval',
    'datastore',
  ],
  ...[
    'library_ids',
    'data_sources',
    'document_id',
    'memory_id',
    'connector_id',
    'tunnel_id',
    'batch_id',
    'uuid',
  ],
  ...['image_id', 'video_id', 'upload_id', 'extra_body', 'store_id', 'corpus', 'snapshot', 'checkpoint'],
];
function plant(key: string): unknown {
  if (/s$/i.test(key)) return [planted];
  return /^(container|conversation|prompt|audio|voice|file|reference|extra_body)$/.test(key)
    ? { id: planted }
    : planted;
}

/** Paths that providers treat as the caller's own data: schemas, arguments, tool results and labels. */
const free =
  /(^|\.)(parameters|input_schema|output_schema|schema|args|input_examples|response|responseSchema|metadata|labels)(\.|$)|\.input$|env|headers|logit_bias|chat_template_kwargs|configs|max_price|arguments/;
/** Ids that link a call to its result within one request. */
const ties =
  /(tool_calls\[\d+\]|reasoning_details\[\d+\]|functionCall|functionResponse|executableCode|codeExecutionResult|toolCall|toolResponse)\.id$|content\[\d+\]\.id$/;

interface Place {
  readonly path: string;
  readonly object: Record<string, unknown>;
}

function listObjects(value: unknown, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, held]) =>
    listObjects(held, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
  // safe because a value that is not a list is an object
  return Array.isArray(value) ? inside : [{ path, object: value as Record<string, unknown> }, ...inside];
}

describe.each(full)('a reference to a stored object anywhere in $name', ({ protocol, body }) => {
  const places = listObjects(body).filter(({ path }) => !free.test(path));

  it('a reference to a stored object is rejected or not sent', () => {
    const leaks: string[] = [];
    let count = 0;
    for (const [place, { path, object }] of places.entries()) {
      const unbound = keys.filter((name) => !free.test(name) && !ties.test(`${path}.${name}`));
      for (const key of sample(unbound, 4, place)) {
        const before = Object.entries(object);
        object[key] = plant(key);
        count++;
        if (isSent(parse({ protocol, body }))) leaks.push(`${path}.${key}`);
        for (const name of Object.keys(object)) delete object[name];
        Object.assign(object, Object.fromEntries(before));
      }
    }
    expect(leaks).toEqual([]);
    expect(count).toBeGreaterThan(isFullSize ? 1_500 : 300);
  });
});

function isSent(parsed: ParsedRequest): boolean {
  if (!parsed.ok || parsed.request.findUnlistedField() !== null) return false;
  return parsed.request.encodeFor('m', undefined, undefined, true).includes(planted);
}
