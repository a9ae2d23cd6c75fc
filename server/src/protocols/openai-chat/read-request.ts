import { type ChatCompletionRequest, chatCompletionRequest } from '@sluice/contract';
import { z } from 'zod';
import { parseExactly } from '#json/exact-json.ts';
import { listFieldNames } from '#json/field-names.ts';
import { isObject } from '#json/json-value.ts';
import { finish, type Steps } from '#platform/steps.ts';
import {
  type BodyForm,
  type CallerBody,
  editBody,
  editField,
  findMissingContent,
  listOwnFieldEdits,
  ownFields,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import { findUnlisted } from '../caller-request/request-shape.ts';
import type { Prompt } from '../canonical/prompt.ts';
import type {
  CompletionRequest,
  Dialect,
  IsFound,
  OutputCap,
  OutputWish,
  ParsedRequest,
} from '../canonical/request.ts';
import type { Utterance } from '../new-texts.ts';
import { type PromptTexts, readPromptTexts } from '../prompt-texts.ts';
import { orProblem } from '../translation/untranslatable.ts';
import { fitHistory } from './foreign-state.ts';
import { decodeRequest } from './request-decoder.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { inputFields, inputMessage, inputPart } from './wire.ts';

type Message = ChatCompletionRequest['messages'][number];

function readChatPrompt(fields: ChatCompletionRequest): PromptTexts {
  const { messages, tools, functions, ...others } = fields;
  const { response_format: format, prediction } = others;
  const described: Utterance[] = [
    { speaker: 'setting', content: others },
    { speaker: 'definition', content: [tools, functions, format, prediction] },
  ];
  return readPromptTexts(described.concat(messages.map(toUtterance)));
}

const speakers = { system: 'guide', developer: 'guide', user: 'human', assistant: 'model' } as const;

function toUtterance(message: Message): Utterance {
  const { role, tool_call_id: callId, name } = message;
  if (role === 'tool') return { speaker: 'tool', content: message, answers: callId };
  if (role === 'function') return { speaker: 'tool', content: message, answers: name };
  return { speaker: speakers[role], content: message, calls: listCalls(message) };
}

const noCalls: readonly unknown[] = [];

/** Legacy function calls have no id and are matched by function name. */
function listCalls({ tool_calls: calls, function_call: call }: Message): readonly unknown[] {
  if (calls == null && call == null) return noCalls;
  const ids = Array.isArray(calls)
    ? calls.flatMap((one) => (isObject(one) && 'id' in one ? [one.id] : []))
    : [];
  return isObject(call) && 'name' in call ? [...ids, call.name] : ids;
}

const requestSchema = chatCompletionRequest.extend(ownFields);
const message = inputMessage.extend({ content: z.array(inputPart) });
export const chatForm: BodyForm<z.infer<typeof requestSchema>> = {
  schema: requestSchema,
  names: listFieldNames([requestSchema, inputFields, z.object({ messages: z.array(message) })]),
};

type Body = CallerBody<ChatCompletionRequest>;

/**
 * Reads a chat completion request and keeps the original bytes, so that a provider with the same protocol receives
 * them unchanged.
 */
export function* readRequest(bytes: Buffer): Steps<ParsedRequest> {
  const parsed = yield* readCallerBody(bytes, chatForm);
  if (!parsed.ok) return parsed;
  const { fields } = parsed.body;
  const problem = findMissingContent(fields.messages, 'messages');
  if (problem) return { ok: false, problem };
  if (fields.format === 'minimal' && fields.stream) {
    const message = "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  return { ok: true, request: new ChatRequest(parsed.body) };
}

export const parseRequest = (bytes: Buffer): ParsedRequest => finish(readRequest(bytes));

/** Implemented as a class, since an object of closures takes three times the memory. */
class ChatRequest implements CompletionRequest {
  readonly protocol = 'openai-chat';
  readonly model: string;
  readonly isStream: boolean;
  readonly isMinimal: boolean;
  readonly wantsUsage: boolean;
  readonly taskId: number | null;
  readonly prompt: string | null;
  readonly judged: string | null;
  readonly isFollowUp: boolean;
  readonly output: OutputWish;
  readonly listNewTexts: PromptTexts['listNewTexts'];
  readonly #body: Body;
  #canonical: ReturnType<CompletionRequest['toCanonical']> | null = null;

  constructor(body: Body) {
    const { fields } = body;
    const { prompt, judged, isFollowUp, listNewTexts } = readChatPrompt(fields);
    this.model = fields.model;
    this.isStream = fields.stream === true;
    this.isMinimal = fields.format === 'minimal';
    this.wantsUsage = fields.stream_options?.include_usage === true;
    this.taskId = readTaskId(fields);
    this.prompt = prompt;
    this.judged = judged;
    this.isFollowUp = isFollowUp;
    this.output = readOutputWish(fields);
    this.listNewTexts = listNewTexts;
    this.#body = body;
  }

  encodeFor(model: string, dialect?: Dialect, cap?: OutputCap): Buffer {
    return editBody(this.#body, listEdits(this.#body, model, { dialect, cap }));
  }

  toCanonical(): ReturnType<CompletionRequest['toCanonical']> {
    this.#canonical ??= orProblem(() => ({ ok: true, request: decodeRequest(this.#body.fields) }));
    return this.#canonical;
  }

  findUnlistedField(): string | null {
    return findUnlisted(this.#body.value, sharedAccountRequest);
  }

  findPaidExtra(): string | null {
    return findPaidExtra(this.#body, 'openai-chat');
  }

  findPlace(isFound: IsFound): string | null {
    return findPlace(this.#body.value, 'openai-chat', isFound);
  }

  readPrompt(): Prompt {
    return readPrompt(this.#body, 'openai-chat');
  }
}

// Lists the changes to the body. All other bytes reach the provider unchanged.
function listEdits(
  body: Body,
  model: string,
  { dialect = {}, cap }: { dialect: Dialect | undefined; cap: OutputCap | undefined },
): Map<string, Buffer | string | null> {
  const { fields } = body;
  const edits = listOwnFieldEdits(body);
  if (model !== fields.model) edits.set('model', JSON.stringify(model));
  const isUsageTold = fields.stream_options?.include_usage === true || dialect.tellsUsageUnasked;
  if (fields.stream && !isUsageTold) {
    const withUsage = new Map([['include_usage', 'true']]);
    edits.set(
      'stream_options',
      fields.stream_options ? editField(body, 'stream_options', withUsage) : '{"include_usage":true}',
    );
  }
  for (const [name, value] of listCapEdits(fields, dialect.capField, cap)) edits.set(name, value);
  renameSeed(edits, body, dialect);
  const { messages } = body.value;
  if (Array.isArray(messages) && fitHistory(messages, dialect) !== messages)
    edits.set('messages', JSON.stringify(fitHistory(readExactMessages(body), dialect)));
  return edits;
}

/** Renames the seed to the vendor's field name, unless the caller set that field too. */
function renameSeed(
  edits: Map<string, Buffer | string | null>,
  { bytes, span }: Body,
  { seedField }: Dialect,
): void {
  if (!seedField) return;
  const field = span.fields.find(({ key }) => key === 'seed');
  if (!field && !edits.has('seed')) return;
  const value = edits.get('seed') ?? (field && bytes.subarray(field.valueStart, field.valueEnd));
  const isNamed = span.fields.some(({ key }) => key === seedField);
  edits.set('seed', null);
  if (value && !isNamed) edits.set(seedField, value);
}

// The history is encoded again and must not lose digits.
function readExactMessages({ value, bytes, hasLongNumber }: Body): readonly unknown[] {
  const exact: unknown = hasLongNumber ? parseExactly(bytes.toString()) : value;
  return isObject(exact) && 'messages' in exact && Array.isArray(exact.messages) ? exact.messages : [];
}

const capFields = ['max_completion_tokens', 'max_tokens'] as const;

function readOutputWish(fields: ChatCompletionRequest): OutputWish {
  return {
    tokensMax: fields.max_completion_tokens ?? fields.max_tokens ?? null,
    thinkingTokens: readThinkingTokens(fields),
    answers: fields.n ?? 1,
  };
}

// OpenRouter and DeepSeek read a budget from these fields. They reject invalid values themselves.
function readThinkingTokens({ reasoning, thinking }: ChatCompletionRequest): number {
  if (reasoning == null && thinking == null) return 0;
  const { data } = inputFields.safeParse({ reasoning, thinking });
  return data?.reasoning?.max_tokens ?? data?.thinking?.budget_tokens ?? 0;
}

/**
 * Lists the edits of the cap fields. The gateway's cap replaces a higher cap set by the caller, and a vendor that
 * accepts only one of the field names gets the lowest cap under that name.
 */
function listCapEdits(
  fields: ChatCompletionRequest,
  capField: Dialect['capField'],
  cap: OutputCap | undefined,
): [name: string, value: string | null][] {
  if (capField === undefined && cap === undefined) return [];
  const named = capFields.filter((name) => fields[name] != null);
  const tokensMax = cap?.tokens ?? Number.POSITIVE_INFINITY;
  if (named.length === 0) return cap ? [[capField ?? 'max_tokens', String(cap.tokens)]] : [];
  if (capField === undefined || named.every((name) => name === capField))
    return named.filter((name) => Number(fields[name]) > tokensMax).map((name) => [name, String(tokensMax)]);
  const lowest = Math.min(tokensMax, ...named.map((name) => Number(fields[name])));
  return capFields.map((name) => [name, name === capField ? String(lowest) : null]);
}
