import { type ChatCompletionRequest, chatCompletionRequest } from '@sluice/contract';
import {
  type CallerBody,
  editBody,
  editField,
  listOwnFieldEdits,
  ownFields,
  readCallerBody,
  readTaskId,
} from '../caller-body.ts';
import type { CompletionRequest, Dialect, OutputCap, ParsedRequest } from '../canonical/request.ts';
import { orProblem } from '../untranslatable.ts';
import { decodeRequest } from './request-decoder.ts';

const requestSchema = chatCompletionRequest.extend(ownFields);

type Body = CallerBody<ChatCompletionRequest>;

/** Reads a chat completion request and keeps its bytes, so that a provider of the same protocol gets them unchanged. */
export function parseRequest(bytes: Buffer): ParsedRequest {
  const parsed = readCallerBody(bytes, requestSchema);
  if (!parsed.ok) return parsed;
  const { fields } = parsed.body;
  if (fields.format === 'minimal' && fields.stream) {
    const message = "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  return { ok: true, request: describe(parsed.body) };
}

function describe(body: Body): CompletionRequest {
  const { fields } = body;
  const outputTokensMax = fields.max_completion_tokens ?? fields.max_tokens;
  return {
    protocol: 'openai-chat',
    model: fields.model,
    isStream: fields.stream === true,
    isMinimal: fields.format === 'minimal',
    wantsUsage: fields.stream_options?.include_usage === true,
    taskId: readTaskId(fields),
    prompt: findLastHumanText(fields),
    ...(outputTokensMax != null && { outputTokensMax }),
    encodeFor: (model, dialect, cap) => editBody(body, listEdits(body, model, { dialect, cap })),
    toCanonical: () => orProblem(() => ({ ok: true, request: decodeRequest(fields) })),
  };
}

// The named edits: everything else of the caller's bytes reaches the provider as it is.
function listEdits(
  body: Body,
  model: string,
  { dialect, cap }: { dialect: Dialect | undefined; cap: OutputCap | undefined },
): Map<string, Buffer | string | null> {
  const { fields } = body;
  const edits = listOwnFieldEdits(body);
  if (model !== fields.model) edits.set('model', JSON.stringify(model));
  const isUsageTold = fields.stream_options?.include_usage === true || dialect?.tellsUsageUnasked;
  if (fields.stream && !isUsageTold) {
    const withUsage = new Map([['include_usage', 'true']]);
    edits.set(
      'stream_options',
      fields.stream_options ? editField(body, 'stream_options', withUsage) : '{"include_usage":true}',
    );
  }
  if (cap) for (const name of findCapFields(fields, cap)) edits.set(name, String(cap.tokens));
  return edits;
}

/** The fields in which the caller has named a cap, else the one that the model takes. */
function findCapFields(fields: ChatCompletionRequest, { isReasoningModel }: OutputCap): readonly string[] {
  const named = (['max_completion_tokens', 'max_tokens'] as const).filter((name) => fields[name] != null);
  if (named.length > 0) return named;
  return [isReasoningModel ? 'max_completion_tokens' : 'max_tokens'];
}

function findLastHumanText({ messages }: ChatCompletionRequest): string | null {
  const message = messages.findLast(({ role }) => role === 'user');
  if (!message?.content) return null;
  if (typeof message.content === 'string') return message.content;
  const texts = message.content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}
