import type { CanonicalRequest, CompletionRequest, ResponseFormat } from '../canonical/request.ts';
import { isObject } from '../json/json-value.ts';
import { orProblem, UntranslatableError } from '../translation/untranslatable.ts';
import { decodeMessages, toBlocks } from './messages-decoder.ts';
import { decodeThinking } from './thinking.ts';
import { decodeTools } from './tools.ts';
import type { MessagesRequest } from './wire.ts';

/** Decodes a request to the canonical form, or returns a problem that names an Anthropic-only feature. */
export function decodeRequest(fields: MessagesRequest): ReturnType<CompletionRequest['toCanonical']> {
  return orProblem(() => ({ ok: true, request: translate(fields) }));
}

function translate(fields: MessagesRequest): CanonicalRequest {
  if (fields.max_tokens === 0)
    throw new UntranslatableError(
      "A 'max_tokens' of 0 only fills Anthropic's cache, and this model is another provider's.",
      'max_tokens',
    );
  const extensions = new Set([...listUnknownFields(fields), ...listBlockExtras(fields)]);
  const tools = decodeTools(fields, (name) => extensions.add(name));
  const { messages, skippedTypes } = decodeMessages(fields);
  const responseFormat = decodeFormat(fields.output_config?.format);
  const reasoning = decodeThinking(fields);
  const endUser = fields.metadata?.user_id;
  return {
    messages,
    ...tools,
    ...(fields.max_tokens != null && { outputTokensMax: fields.max_tokens }),
    stop: fields.stop_sequences ?? [],
    sampling: {
      ...(typeof fields.temperature === 'number' && { temperature: fields.temperature }),
      ...(typeof fields.top_p === 'number' && { topP: fields.top_p }),
      ...(typeof fields.top_k === 'number' && { topK: fields.top_k }),
    },
    ...(responseFormat && { responseFormat }),
    ...(reasoning && { reasoning }),
    ...(typeof endUser === 'string' && { endUser }),
    extensions: [...extensions.union(new Set(skippedTypes))],
  };
}

function decodeFormat(
  format: NonNullable<MessagesRequest['output_config']>['format'],
): ResponseFormat | undefined {
  if (!format) return undefined;
  const { title, description } = format.schema;
  return {
    kind: 'json-schema',
    name: typeof title === 'string' && /^[\w-]{1,64}$/.test(title) ? title : 'answer',
    schema: format.schema,
    ...(typeof description === 'string' && { description }),
  };
}

const carried = new Set<string>([
  'model',
  'messages',
  'system',
  'max_tokens',
  'metadata',
  'stop_sequences',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'task_id',
  'format',
]);

function listUnknownFields(fields: MessagesRequest): string[] {
  const listOthers = (holder: object | null | undefined, known: ReadonlySet<string>, path = '') =>
    Object.entries(holder ?? {}).flatMap(([name, value]) =>
      known.has(name) || value == null ? [] : [`${path}${name}`],
    );
  return [
    ...listOthers(fields, carried),
    ...listOthers(fields.output_config, new Set(['effort', 'format']), 'output_config.'),
    ...fields.messages.flatMap((message) => [
      ...listOthers(message, new Set(['role', 'content', 'output_config', 'clear_at']), 'messages.'),
      ...listOthers(message.output_config, new Set(['effort']), 'messages.output_config.'),
    ]),
  ];
}

/** Fields of blocks and tools in addition to their content. */
const blockExtras = ['cache_control', 'citations', 'context', 'defer_loading', 'allowed_callers'];

function listBlockExtras({ system, messages, tools }: MessagesRequest): string[] {
  const asked = messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ content }) => toBlocks(content));
  const nested = asked.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const holders: readonly object[] = [...toBlocks(system ?? ''), ...asked, ...nested, ...(tools ?? [])];
  return blockExtras.filter((name) => holders.some((holder) => Reflect.get(holder, name) != null));
}
