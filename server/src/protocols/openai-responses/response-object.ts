import type { RepeatedFields } from '../canonical/request.ts';
import type { CanonicalResponse } from '../canonical/response.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import type { Ending } from './finish-reason.ts';
import { writeUsage } from './usage.ts';

/** Identity and repeated fields of a response. */
export interface ResponseHead {
  readonly id: string;
  readonly createdAtSeconds: number;
  readonly model: string;
  readonly repeatedFields: RepeatedFields;
}

export type ResponseStatus = Ending | { readonly status: 'in_progress' };

/** Fills in what the provider omitted, using the request. */
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

/** Fields of every response, with their values if the request does not set them. */
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

/** Names of the request fields that a response repeats. */
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
