import { z } from 'zod';
import { parseExactly } from '#json/exact-json.ts';
import { listFieldNames } from '#json/field-names.ts';
import { isObject } from '#json/json-value.ts';
import { finish, type Steps } from '#platform/steps.ts';
import {
  type CallerBody,
  editBody,
  listOwnFieldEdits,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import { findUnlisted } from '../caller-request/request-shape.ts';
import type { CompletionRequest, ParsedRequest } from '../canonical/request.ts';
import { memoize } from '../memoize.ts';
import type { Utterance } from '../new-texts.ts';
import { type PromptTexts, readPromptTexts } from '../prompt-texts.ts';
import { dropForeignState } from './foreign-state.ts';
import { readModelTraits } from './model-traits.ts';
import { decodeRequest } from './request-decoder.ts';
import { sharedAccountRequest } from './shared-account.ts';
import {
  assistantBlock,
  clientTool,
  countTokensRequest,
  type MessagesRequest,
  messagesRequest,
  userBlock,
} from './wire.ts';

type Message = MessagesRequest['messages'][number];
type Block = Exclude<Message['content'], string>[number];

function readMessagesPrompt(fields: MessagesRequest): PromptTexts {
  const { messages, system, tools, ...others } = fields;
  const { output_config, thread } = others;
  const isKept = isObject(thread) && 'previous_message_id' in thread;
  const utterances: Utterance[] = [
    { speaker: 'setting', content: [others, messages.map(({ content: _, ...more }) => more)] },
    { speaker: 'definition', content: [tools, output_config?.format] },
    { speaker: 'guide', content: system },
    ...messages.flatMap(toUtterances),
  ];
  return readPromptTexts(utterances, isKept);
}

const speakers = { system: 'guide', user: 'human', assistant: 'model' } as const;

/** Tool results are part of user messages, next to the user's own content. */
function toUtterances({ role, content }: Message): Utterance[] {
  const speaker = speakers[role];
  if (typeof content === 'string') return [{ speaker, content }];
  if (role === 'assistant') return [{ speaker, content, calls: content.map(({ id }) => id) }];
  return content.map(
    (block): Utterance =>
      isResult(block)
        ? { speaker: 'tool', content: block, answers: block.tool_use_id }
        : { speaker, content: block },
  );
}

const isResult = ({ type }: Block) => type.endsWith('tool_result');

const message = z.object({ content: z.array(z.union([userBlock, assistantBlock])) });
const names = listFieldNames([
  messagesRequest,
  z.object({ messages: z.array(message), tools: z.array(clientTool), container: z.unknown() }),
]);

/**
 * Reads a messages request and keeps the original bytes, so that a provider with the same protocol receives them
 * unchanged.
 */
export function* readRequest(bytes: Buffer): Steps<ParsedRequest> {
  const read = yield* readCallerBody(bytes, { schema: messagesRequest, names });
  if (!read.ok) return read;
  if (read.body.fields.format === 'minimal' && read.body.fields.stream) {
    const message = "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  return { ok: true, request: toCompletionRequest(read.body) };
}

/** Reads the body of a `count_tokens` request, which has no `max_tokens`. */
export function* readCountTokens(bytes: Buffer): Steps<ParsedRequest> {
  const read = yield* readCallerBody(bytes, { schema: countTokensRequest, names });
  return read.ok ? { ok: true, request: toCompletionRequest(read.body) } : read;
}

export const parseCountTokens = (bytes: Buffer): ParsedRequest => finish(readCountTokens(bytes));

export const parseRequest = (bytes: Buffer): ParsedRequest => finish(readRequest(bytes));

function toCompletionRequest(body: CallerBody<MessagesRequest>): CompletionRequest {
  const { fields } = body;
  return {
    protocol: 'anthropic-messages',
    model: fields.model,
    isStream: fields.stream === true,
    isMinimal: fields.format === 'minimal',
    // Anthropic streams always include usage.
    wantsUsage: true,
    taskId: readTaskId(fields),
    ...readMessagesPrompt(fields),
    output: {
      tokensMax: fields.max_tokens ?? null,
      thinkingTokens: fields.thinking?.budget_tokens ?? 0,
      answers: 1,
    },
    encodeFor(model, _, cap) {
      const edits = listOwnFieldEdits(body);
      if (model !== fields.model) edits.set('model', JSON.stringify(model));
      const { messages } = readExactFields(body);
      const fitted = dropForeignState(messages, readModelTraits(model));
      if (fitted !== messages) edits.set('messages', JSON.stringify(fitted));
      if (cap && cap.tokens < (fields.max_tokens ?? Number.POSITIVE_INFINITY))
        edits.set('max_tokens', String(cap.tokens));
      return editBody(body, edits);
    },
    toCanonical: memoize(() => decodeRequest(readExactFields(body))),
    findUnlistedField: () => findUnlisted(body.value, sharedAccountRequest),
    findPaidExtra: () => findPaidExtra(body, 'anthropic-messages'),
    findPlace: (isFound) => findPlace(body.value, 'anthropic-messages', isFound),
    readPrompt: () => readPrompt(body, 'anthropic-messages'),
  };
}

// Tool calls in the history are encoded again and must not lose digits.
function readExactFields({ fields, bytes, hasLongNumber }: CallerBody<MessagesRequest>): MessagesRequest {
  if (!hasLongNumber) return fields;
  return countTokensRequest.safeParse(parseExactly(bytes.toString())).data ?? fields;
}
