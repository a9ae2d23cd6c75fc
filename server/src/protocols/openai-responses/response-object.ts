import { readText } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import type { RepeatedFields } from '../canonical/request.ts';
import {
  type AnswerFailure,
  type CanonicalResponse,
  type Finish,
  type FinishReason,
  failureOf,
} from '../canonical/response.ts';
import { sumInputTokens, type Usage } from '../canonical/usage.ts';
import { readFailure } from '../openai-chat/errors.ts';
import type { AnswerContext } from '../protocol.ts';
import type { WireResponse } from './wire.ts';
import * as wire from './wire.ts';

const reasonsByCause: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
};

/** `completed` and unknown statuses map to `tool-calls` or `stop`, depending on `hasCalls`. */
export function readFinish({ status, incomplete_details }: WireResponse, hasCalls: boolean): Finish {
  const word = readText(status) || null;
  if (word === 'failed' || word === 'cancelled') return { reason: 'error', native: word };
  if (word === 'incomplete') {
    const cause = readText(incomplete_details?.reason);
    const reason = Object.hasOwn(reasonsByCause, cause) ? reasonsByCause[cause] : undefined;
    return { reason: reason ?? 'length', native: cause || word };
  }
  return { reason: hasCalls ? 'tool-calls' : 'stop', native: word };
}

export function readFailedResponse(response: WireResponse): AnswerFailure {
  return response.error
    ? readFailure({ error: response.error })
    : failureOf({ reason: 'error', native: readText(response.status) || null });
}

export type Status = 'completed' | 'incomplete' | 'failed';

interface Ending {
  readonly status: Status;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function writeEnding(finish: Finish): Ending {
  switch (finish.reason) {
    case 'length':
      return incomplete('max_output_tokens');
    case 'content-filter':
      return incomplete('content_filter');
    case 'error': {
      const error = { code: 'server_error', message: failureOf(finish).message };
      return { status: 'failed', incomplete_details: null, error };
    }
    default:
      return { status: 'completed', incomplete_details: null, error: null };
  }
}

function incomplete(reason: string): Ending {
  return { status: 'incomplete', incomplete_details: { reason }, error: null };
}

export interface ResponseHead {
  readonly id: string;
  readonly createdAtSeconds: number;
  readonly model: string;
  readonly repeatedFields: RepeatedFields;
}

export type ResponseStatus = Ending | { readonly status: 'in_progress' };

/** Values that the provider omits are taken from the request. */
export function encodeHead(
  { id, createdAtSeconds, model }: Pick<CanonicalResponse, 'id' | 'createdAtSeconds' | 'model'>,
  context: AnswerContext,
): ResponseHead {
  return {
    id: id ?? `resp_${context.requestId}`,
    createdAtSeconds: createdAtSeconds ?? context.nowSeconds,
    model: model ?? context.model,
    repeatedFields: context.repeatedFields ?? {},
  };
}

/** Fields of every response, with the values used if the request does not set them. */
const defaults: RepeatedFields = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  user: null,
};

export const repeatedNames: readonly string[] = Object.keys(defaults);

export function encodeResponseObject(
  { id, createdAtSeconds, model, repeatedFields }: ResponseHead,
  ending: ResponseStatus,
  output: readonly object[],
  usage: Usage | null,
): object {
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    background: false,
    error: null,
    incomplete_details: null,
    ...ending,
    model,
    output,
    ...defaults,
    ...repeatedFields,
    previous_response_id: null,
    // The gateway stores nothing that a later request could refer to.
    store: false,
    truncation: 'disabled',
    usage: usage && writeUsage(usage),
  };
}

/** Reads usage in disjoint buckets; returns `null` if the usage is missing or impossible, such as a negative count. */
export function readUsage(value: unknown): Usage | null {
  const parsed = quickParse(wire.usage, value);
  if (!parsed.success) return null;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = parsed.data;
  const reasoning = parsed.data.output_tokens_details?.reasoning_tokens ?? 0;
  const imageTokens = parsed.data.output_tokens_details?.image_tokens ?? 0;
  // Some vendors include reasoning only in the total, as in their chat completions.
  const outputTokens = Math.max(output, (total ?? 0) - input);
  const cacheReadTokens = Math.min(parsed.data.input_tokens_details?.cached_tokens ?? 0, input);
  const written = parsed.data.input_tokens_details?.cache_write_tokens ?? 0;
  const cacheWriteTokens = Math.min(written, input - cacheReadTokens);
  return {
    inputTokens: input - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
    ...(imageTokens > 0 && { imageOutputTokens: Math.min(imageTokens, outputTokens) }),
  };
}

export function writeUsage(usage: Usage): object {
  const { cacheReadTokens, cacheWriteTokens, imageOutputTokens, outputTokens, reasoningTokens } = usage;
  const wholeInput = sumInputTokens(usage);
  return {
    input_tokens: wholeInput,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: {
      reasoning_tokens: reasoningTokens,
      ...(imageOutputTokens !== undefined && { image_tokens: imageOutputTokens }),
    },
    total_tokens: wholeInput + outputTokens,
  };
}
