import { z } from 'zod';
import { anyObject, isObject } from '#json/json-value.ts';
import { ownFields, ownMetadata } from '../caller-request/caller-body.ts';

export const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const anyBlock = z.looseObject({ type: z.string() });

const anyTool = z.looseObject({ type: z.string().nullish(), name: z.string().nullish() });

const changedTool = z.looseObject({ name: z.string().nullish(), definition: anyTool.nullish() });
export const toolChange = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('tool_addition'), tool: changedTool }),
  z.looseObject({ type: z.literal('tool_removal'), tool: changedTool }),
]);

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(anyBlock)]),
  /** Only in system turns: how the model should respond from this turn on. */
  output_config: z.looseObject({ effort: z.string().nullish() }).nullish(),
  /** Only in system turns: whether the turn is dropped after the next user message. */
  clear_at: z.enum(['next_user_message', 'never']).nullish(),
});

/** Accepts system turns without content, which only change how the model should respond. */
const anyMessage = z.preprocess((turn) => {
  const isSilent =
    isObject(turn) &&
    'role' in turn &&
    turn.role === 'system' &&
    !('content' in turn) &&
    ('output_config' in turn || 'clear_at' in turn);
  return isSilent ? { content: '', ...turn } : turn;
}, message);

const outputFormat = z.looseObject({
  type: z.literal('json_schema'),
  schema: anyObject,
});

/**
 * Body of a `count_tokens` request, as far as the gateway reads or validates it. Blocks are validated only when they
 * are translated.
 */
export const countTokensRequest = z.looseObject({
  ...ownFields,
  format: z.enum(['minimal', 'anthropic']).nullish(),
  model: z.string().min(1),
  messages: z.array(anyMessage).min(1),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  max_tokens: z.number().int().min(0).nullish(),
  metadata: ownMetadata.extend({ user_id: z.string().nullish() }).nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().int().min(0).nullish(),
  tools: z.array(anyTool).nullish(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().nullish(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .nullish(),
  thinking: z
    .looseObject({
      type: z.string(),
      budget_tokens: z.number().int().min(1024).nullish(),
      display: z.string().nullish(),
    })
    .nullish(),
  output_config: z.looseObject({ effort: z.string().nullish(), format: outputFormat.nullish() }).nullish(),
});

export type MessagesRequest = z.infer<typeof countTokensRequest>;

export const messagesRequest = countTokensRequest.extend({ max_tokens: z.number().int().min(0) });

export const clientTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: anyObject,
  input_examples: z.array(z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

const imageSource = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal('url'), url: z.string() }),
  z.looseObject({ type: z.literal('file'), file_id: z.string() }),
]);
const documentSource = z.discriminatedUnion('type', [
  ...imageSource.options,
  z.looseObject({ type: z.literal('text'), data: z.string() }),
  z.looseObject({ type: z.literal('content'), content: z.union([z.string(), z.array(textBlock)]) }),
]);
const imageBlock = z.looseObject({ type: z.literal('image'), source: imageSource });
const documentBlock = z.looseObject({
  type: z.literal('document'),
  source: documentSource,
  title: z.string().nullish(),
  context: z.string().nullish(),
});
const searchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
});

const toolReferenceBlock = z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string() });

export const resultBlock = z.discriminatedUnion('type', [
  toolReferenceBlock,
  textBlock,
  imageBlock,
  documentBlock,
  searchResultBlock,
]);
export type ResultBlock = z.infer<typeof resultBlock>;

export const userBlock = z.discriminatedUnion('type', [
  ...resultBlock.options,
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(anyBlock)]).nullish(),
    is_error: z.boolean().nullish(),
  }),
]);
export type UserBlock = z.infer<typeof userBlock>;

/** Assistant blocks that every protocol supports, in a request's history or a response. */
export const assistantBlock = z.discriminatedUnion('type', [
  textBlock,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().nullish() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
]);
export type AssistantBlock = z.infer<typeof assistantBlock>;

const stopDetails = z.looseObject({ explanation: z.string().nullish() }).nullish();

/** Complete response, or the part of a response in a stream's first event. */
export const answer = z.looseObject({
  id: z.string().nullish(),
  model: z.string().nullish(),
  content: z.array(anyBlock),
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  stop_details: stopDetails,
  usage: z.unknown().optional(),
});

export type Answer = z.infer<typeof answer>;

/** Any stream event. A single loose shape is used, because unknown events and fields must not be rejected. */
export const streamEvent = z.looseObject({
  type: z.string().nullish(),
  index: z.number().int().nullish(),
  message: answer.extend({ content: z.array(anyBlock).nullish() }).nullish(),
  content_block: anyBlock.nullish(),
  delta: z
    .looseObject({
      type: z.string().nullish(),
      text: z.string().nullish(),
      thinking: z.string().nullish(),
      signature: z.string().nullish(),
      partial_json: z.string().nullish(),
      stop_reason: z.string().nullish(),
      stop_sequence: z.string().nullish(),
      stop_details: stopDetails,
    })
    .nullish(),
  usage: z.unknown().optional(),
  error: z.looseObject({ type: z.string().nullish(), message: z.string().nullish() }).nullish(),
});
export type StreamEvent = z.infer<typeof streamEvent>;

export const providerError = z.looseObject({
  error: z.looseObject({ message: z.string(), type: z.string().nullish() }),
});
export type ProviderError = z.infer<typeof providerError>;

export const countMax = 2_000_000_000;
const count = z.number().int().min(0).max(countMax);

/** Token counts. `input_tokens` excludes cache reads and writes. In a stream, any field may be missing. */
const counts = z.looseObject({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
  cache_creation_input_tokens: count.nullish(),
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count.nullish() }).nullish(),
  output_tokens_details: z.looseObject({ thinking_tokens: count.nullish() }).nullish(),
});
export type Counts = z.infer<typeof counts>;

const iteration = counts.extend({ type: z.string().nullish() });
export type Iteration = z.infer<typeof iteration>;

/** The top-level counts exclude iterations that do not produce the response, such as `compaction`. */
export const usage = counts.extend({ iterations: z.array(iteration).nullish().catch(null) });
export type ReportedUsage = z.infer<typeof usage>;
