import { z } from 'zod';
import { listFieldNames } from '#json/field-names.ts';
import { isObject } from '#json/json-value.ts';
import { finish, type Steps } from '#platform/steps.ts';
import {
  type BodyForm,
  type CallerBody,
  editBody,
  findMissingContent,
  listOwnFieldEdits,
  readCallerBody,
  readTaskId,
} from '../caller-request/caller-body.ts';
import { findPaidExtra } from '../caller-request/priced-by-tokens.ts';
import { readPrompt } from '../caller-request/prompt.ts';
import { findPlace } from '../caller-request/request-places.ts';
import { findUnlisted } from '../caller-request/request-shape.ts';
import type {
  CompletionRequest,
  Dialect,
  OutputCap,
  ParsedRequest,
  RepeatedFields,
} from '../canonical/request.ts';
import { memoize } from '../memoize.ts';
import type { Utterance } from '../new-texts.ts';
import { type PromptTexts, readPromptTexts } from '../prompt-texts.ts';
import { orProblem } from '../translation/untranslatable.ts';
import { fitInput } from './foreign-state.ts';
import { decodeRequest } from './request-decoder.ts';
import { repeatedNames } from './response-object.ts';
import { dropItemIds, sharedAccountRequest } from './shared-account.ts';
import { hasOpenaiTools } from './tools.ts';
import * as wire from './wire.ts';
import { type ResponsesRequest, responsesRequest } from './wire.ts';

type Item = Exclude<NonNullable<ResponsesRequest['input']>, string>[number];

function readResponsesPrompt(fields: ResponsesRequest): PromptTexts {
  const { input, instructions, tools, ...others } = fields;
  const { text, prompt, previous_response_id: previous, conversation } = others;
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  const isKept = previous != null || conversation != null || items.some(isReference);
  const utterances: Utterance[] = [
    { speaker: 'setting', content: others },
    { speaker: 'definition', content: [tools, text?.format] },
    { speaker: 'guide', content: instructions },
    {
      speaker: 'human',
      content: isObject(prompt) && 'variables' in prompt ? { variables: prompt.variables } : null,
    },
    ...items.map(toUtterance),
  ];
  return readPromptTexts(utterances, isKept);
}

/** An item without a type is a message, or a reference to an item stored by the provider. */
function isReference({ type, role }: Item): boolean {
  return type === 'item_reference' || (type == null && role == null);
}

const speakers: Readonly<Record<string, Utterance['speaker']>> = {
  assistant: 'model',
  system: 'guide',
  developer: 'guide',
};

function toUtterance(item: Item): Utterance {
  const { type, role, call_id: callId } = item;
  // All tool results have types such as `function_call_output` and `custom_tool_call_output`.
  if (type?.endsWith('_output')) return { speaker: 'tool', content: item, answers: callId };
  if (type?.endsWith('_call')) return { speaker: 'model', content: item, calls: [callId] };
  if (type === 'reasoning' || type === 'compaction') return { speaker: 'model', content: item };
  return { speaker: (typeof role === 'string' && speakers[role]) || 'human', content: item };
}

const parts = z.array(wire.inputPart);
const item = z.union([
  wire.messageItem.extend({ content: parts }),
  wire.reasoningItem,
  wire.functionCallItem,
  wire.customCallItem,
  wire.outputItem.extend({ output: parts }),
]);
const anything = z.unknown();
const hostedTool = z.object({ vector_store_ids: anything, container: anything });
const tool = z.union([wire.functionTool, wire.customTool, hostedTool]);
const form: BodyForm<ResponsesRequest> = {
  schema: responsesRequest,
  names: listFieldNames([
    responsesRequest,
    z.object({ input: z.array(item), tools: z.array(tool), conversation: anything, prompt: anything }),
  ]),
};

/**
 * Reads a request for a response and keeps the original bytes, so that a provider with the same protocol receives
 * them unchanged.
 */
export function* readRequest(bytes: Buffer): Steps<ParsedRequest> {
  const read = yield* readCallerBody(bytes, form);
  if (!read.ok) return read;
  const { input } = read.body.fields;
  const problem = typeof input === 'string' ? null : findMissingContent(input ?? [], 'input');
  if (problem) return { ok: false, problem };
  if (read.body.fields.format === 'minimal' && read.body.fields.stream) {
    const message = "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  // A background response would continue without the gateway, which could not record its usage.
  if (read.body.fields.background) {
    const message = "Background requests are not supported: omit 'background', or stream the response.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'background' } };
  }
  return { ok: true, request: toCompletionRequest(read.body) };
}

export const parseRequest = (bytes: Buffer): ParsedRequest => finish(readRequest(bytes));

function toCompletionRequest(body: CallerBody<ResponsesRequest>): CompletionRequest {
  const { fields } = body;
  return {
    protocol: 'openai-responses',
    model: fields.model,
    isStream: fields.stream === true,
    isMinimal: fields.format === 'minimal',
    // Streams of this protocol always report usage.
    wantsUsage: true,
    taskId: readTaskId(fields),
    ...readResponsesPrompt(fields),
    repeatedFields: pickRepeated(fields),
    hasOpenaiTools: hasOpenaiTools(fields),
    output: { tokensMax: fields.max_output_tokens ?? null, thinkingTokens: 0, answers: 1 },
    encodeFor: (model, dialect, cap, isAccountShared = false) =>
      editBody(body, listEdits(body, model, { dialect, cap, isAccountShared })),
    toCanonical: memoize(() => orProblem(() => ({ ok: true, request: decodeRequest(fields) }))),
    findUnlistedField: () => findUnlisted(body.value, sharedAccountRequest),
    findPaidExtra: () => findPaidExtra(body, 'openai-responses'),
    findPlace: (isFound) => findPlace(body.value, 'openai-responses', isFound),
    readPrompt: () => readPrompt(body, 'openai-responses'),
  };
}

// Lists the changes to the body. All other bytes reach the provider unchanged.
function listEdits(
  body: CallerBody<ResponsesRequest>,
  model: string,
  {
    dialect,
    cap,
    isAccountShared,
  }: { dialect: Dialect | undefined; cap: OutputCap | undefined; isAccountShared: boolean },
): Map<string, Buffer | string | null> {
  const { fields } = body;
  const edits = listOwnFieldEdits(body);
  if (model !== fields.model) edits.set('model', JSON.stringify(model));
  if (cap && cap.tokens < (fields.max_output_tokens ?? Number.POSITIVE_INFINITY))
    edits.set('max_output_tokens', String(cap.tokens));
  if (typeof fields.input === 'string' || !fields.input) return edits;
  const own = fitInput(fields.input, dialect);
  const items = isAccountShared ? dropItemIds(own) : own;
  if (items !== fields.input) edits.set('input', JSON.stringify(items));
  return edits;
}

function pickRepeated({ metadata, ...fields }: ResponsesRequest): RepeatedFields {
  const repeated = repeatedNames.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]]));
  const { task_id: _, ...own } = metadata ?? {};
  return Object.fromEntries([...repeated, ['metadata', own]]);
}
