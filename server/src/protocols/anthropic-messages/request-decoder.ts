import { listUnlisted } from '../caller-request/request-shape.ts';
import type { CanonicalRequest, CompletionRequest, ResponseFormat } from '../canonical/request.ts';
import { orProblem, UntranslatableError } from '../translation/untranslatable.ts';
import { decodeMessages } from './messages-decoder.ts';
import { decodeThinking } from './thinking.ts';
import { decodeTools } from './tools.ts';
import { translatedFields } from './translated-fields.ts';
import type { MessagesRequest } from './wire.ts';

export function decodeRequest(fields: MessagesRequest): ReturnType<CompletionRequest['toCanonical']> {
  return orProblem(() => ({ ok: true, request: translate(fields) }));
}

function translate(fields: MessagesRequest): CanonicalRequest {
  if (fields.max_tokens === 0)
    throw new UntranslatableError(
      "A 'max_tokens' of 0 only fills Anthropic's cache, and this model belongs to another provider.",
      'max_tokens',
    );
  refuseWithoutForm(fields);
  const extensions = new Set(listUnlisted(fields, translatedFields));
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

const withoutForm: readonly (readonly [name: string, advice: string])[] = [
  ['thread', 'Send the whole conversation in each request.'],
  ['compaction', 'Request a text summary.'],
];

/** Rejects fields that need stored state, and fields that only exist in this protocol and change the response. */
function refuseWithoutForm(fields: MessagesRequest): void {
  for (const [name, advice] of withoutForm)
    if (fields[name] != null)
      throw new UntranslatableError(
        `The provider of this model uses another protocol, which does not support '${name}'. ${advice}`,
        name,
      );
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
