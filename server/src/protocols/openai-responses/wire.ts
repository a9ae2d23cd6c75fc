import { z } from 'zod';
import { anyObject } from '#json/json-value.ts';
import { ownFields } from '../caller-request/caller-body.ts';

const count = z.number().int().min(0).max(2_000_000_000);

export const usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count.nullish().catch(null),
  input_tokens_details: z
    .looseObject({ cached_tokens: count.nullish(), cache_write_tokens: count.nullish() })
    .nullish(),
  output_tokens_details: z
    .looseObject({ reasoning_tokens: count.nullish(), image_tokens: count.nullish() })
    .nullish(),
});

/** Providers differ, so each field is validated when it is used. */
export interface WireItem {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
  readonly result?: unknown;
}

/** There is no schema, because a stream contains the response several times. */
export interface WireResponse {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly created_at?: unknown;
  readonly status?: unknown;
  readonly incomplete_details?: { readonly reason?: unknown } | null;
  readonly output?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** There is no schema, because a stream contains thousands of events. */
export interface WireStreamEvent {
  readonly sequence_number?: unknown;
  readonly type?: unknown;
  readonly response?: unknown;
  readonly item?: unknown;
  readonly item_id?: unknown;
  readonly output_index?: unknown;
  readonly content_index?: unknown;
  readonly summary_index?: unknown;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly error?: unknown;
}

const typed = z.looseObject({ type: z.string() });

const textSettings = z.looseObject({ format: typed.nullish(), verbosity: z.string().nullish() }).nullish();
const reasoningSettings = z
  .looseObject({ effort: z.string().nullish(), summary: z.string().nullish() })
  .nullish();

export const openAiFields = z.looseObject({
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
});

/** Item that changes the settings of the request for the items after it. */
export const configurationUpdate = z.looseObject({ text: textSettings, reasoning: reasoningSettings });

/** Request body fields that the gateway reads or validates. Items are validated only for translation. */
export const responsesRequest = z.looseObject({
  ...ownFields,
  format: z.enum(['minimal', 'openai']).nullish(),
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.string().nullish() }))]).nullish(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  tools: z.array(typed).nullish(),
  tool_choice: z.union([z.string(), typed]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: textSettings,
  reasoning: reasoningSettings,
  include: z.array(z.string()).nullish(),
  truncation: z.string().nullish(),
  user: z.string().nullish(),
});

export type ResponsesRequest = z.infer<typeof responsesRequest>;

export type Item = Exclude<NonNullable<ResponsesRequest['input']>, string>[number];

const url = z.string().nullish();

export const inputPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('input_image'),
    image_url: url,
    file_id: url,
    detail: z.enum(['low', 'high', 'auto', 'original']).nullish(),
  }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: url,
    file_id: url,
    file_url: url,
    filename: url,
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
]);

export type InputPart = z.infer<typeof inputPart>;

const content = z.union([z.string(), z.array(typed)]).nullish();
const texts = z.array(z.looseObject({ text: z.string().nullish() })).nullish();

export const messageItem = z.looseObject({
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
});

export const reasoningItem = z.looseObject({
  id: z.string().nullish(),
  summary: texts,
  content: texts,
  encrypted_content: z.string().nullish(),
});

export type ReasoningItem = z.infer<typeof reasoningItem>;

const calledTool = { call_id: z.string(), name: z.string(), namespace: z.string().nullish() };

export const functionCallItem = z.looseObject({
  ...calledTool,
  arguments: z.string().nullish(),
});

export type FunctionCallItem = z.infer<typeof functionCallItem>;

export const imageCallItem = z.looseObject({ result: z.string().nullish() });

export const customCallItem = z.looseObject({
  ...calledTool,
  input: z.string().nullish(),
});

export const otherItem = z.looseObject({ call_id: z.string() });

export const screenshot = z.looseObject({
  type: z.literal('computer_screenshot'),
  image_url: url,
  file_id: url,
});

export const agentMessageItem = z.looseObject({
  author: z.string(),
  recipient: z.string(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
});

export const outputItem = z.looseObject({ call_id: z.string(), output: content });

export const functionTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: anyObject.nullish(),
  strict: z.boolean().nullish(),
});

export const customTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  format: z
    .looseObject({ type: z.string(), syntax: z.string().nullish(), definition: z.string().nullish() })
    .nullish(),
});

/** `name` is unique only within the namespace. */
export const namespaceTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  tools: z.array(typed),
});

export const toolList = z.looseObject({ tools: z.array(typed).nullish() });

export const namedChoice = z.looseObject({ name: z.string(), namespace: z.string().nullish() });

export const allowedTools = z.looseObject({
  mode: z.enum(['auto', 'required']),
  tools: z.array(
    z.looseObject({ type: z.string(), name: z.string().nullish(), namespace: z.string().nullish() }),
  ),
});

export type AllowedTools = z.infer<typeof allowedTools>;

export const jsonSchemaFormat = z.looseObject({
  name: z.string(),
  schema: anyObject,
  description: z.string().nullish(),
  strict: z.boolean().nullish(),
});

export const effort = z
  .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'])
  .transform((word) => (word === 'max' || word === 'ultra' ? 'xhigh' : word));
