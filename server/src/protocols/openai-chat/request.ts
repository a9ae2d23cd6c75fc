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
import type { CompletionRequest, Dialect, ParsedRequest } from '../canonical/request.ts';
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
  return {
    protocol: 'openai-chat',
    model: fields.model,
    isStream: fields.stream === true,
    isMinimal: fields.format === 'minimal',
    wantsUsage: fields.stream_options?.include_usage === true,
    taskId: readTaskId(fields),
    prompt: findLastHumanText(fields),
    encodeFor: (model, dialect) => editBody(body, listEdits(body, model, dialect)),
    toCanonical: () => orProblem(() => ({ ok: true, request: decodeRequest(fields) })),
  };
}

// The named edits: everything else of the caller's bytes reaches the provider as it is.
function listEdits(
  body: Body,
  model: string,
  dialect: Dialect | undefined,
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
  return edits;
}

function findLastHumanText({ messages }: ChatCompletionRequest): string | null {
  const message = messages.findLast(({ role }) => role === 'user');
  if (!message?.content) return null;
  if (typeof message.content === 'string') return message.content;
  const texts = message.content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}
