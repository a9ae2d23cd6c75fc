import { isObject } from '#json/json-value.ts';
import {
  address,
  anything,
  byType,
  choose,
  each,
  lazily,
  listOf,
  mapOf,
  nothing,
  object,
  type Shape,
  scalar,
  scalarOr,
} from '../caller-request/request-shape.ts';

const scalars = scalarOr(listOf(scalar));
const cacheMark = { prompt_cache_breakpoint: object(each('mode ttl')) };

const annotation = byType({
  url_citation: object(each('type url title start_index end_index')),
});

const logprob = each('token logprob');

const part = byType({
  input_text: object({ ...each('type text'), ...cacheMark }),
  text: object(each('type text')),
  summary_text: object(each('type text')),
  reasoning_text: object(each('type text')),
  refusal: object(each('type refusal')),
  output_text: object({
    ...each('type text'),
    annotations: listOf(annotation),
    logprobs: listOf(
      object({
        ...logprob,
        bytes: listOf(scalar),
        top_logprobs: listOf(object({ ...logprob, bytes: listOf(scalar) })),
      }),
    ),
  }),
  input_image: object({ ...each('type detail'), image_url: address, ...cacheMark }),
  input_file: object({ ...each('type file_data filename detail'), file_url: address, ...cacheMark }),
  input_audio: object({ ...each('type'), input_audio: object(each('data format')) }),
});

const content = scalarOr(listOf(part));
const secret = object(each('type encrypted_content'));

/** Notes that Codex adds to items: the turn, and the sources of the texts. */
const notes = {
  internal_chat_message_metadata_passthrough: object({
    ...each('turn_id create_time'),
    content_item_kinds: listOf(scalar),
    content_item_metadata: listOf(object({ provenance: mapOf(scalar) })),
  }),
};

const message = object({ ...each('type role status phase'), id: scalar, content, ...notes });

/** An item without a type is a message, or a reference to an item stored by the provider. */
const reference: Shape = () => ['id'];
const untyped = choose(
  (value) => (typeof value === 'object' && value !== null && 'role' in value ? message : reference),
  () => [message],
);

/** Fields of every history item. `id` is allowed because `dropItemIds` removes it. */
const item = {
  ...each('type id call_id status name namespace async'),
  caller: object(each('type caller_id')),
  ...notes,
};

const imageItem = object({
  ...item,
  ...each('result output_format action background quality revised_prompt size'),
});

/** Generated image. Without bytes, it refers to an image stored by the provider. */
const generatedImage = choose(
  (value) =>
    typeof value === 'object' && value !== null && 'result' in value && typeof value.result === 'string'
      ? imageItem
      : reference,
  () => [imageItem],
);
const action = object({
  ...each('type query url pattern timeout_ms max_output_length working_directory user path diff'),
  ...each('command commands queries domains', scalars),
  env: mapOf(scalar),
  sources: listOf(object(each('type url'))),
});

const shellOutput = object({ ...each('stdout stderr'), outcome: object(each('type exit_code')) });

/** Content of a message between the caller's agents. */
const agentContent = choose(
  (value) => (isObject(value) && 'encrypted_content' in value ? secret : part),
  () => [secret, part],
);

const textSettings = object({
  ...each('verbosity'),
  format: object({ ...each('type name description strict'), schema: anything }),
});

const inputItem = byType(
  {
    message,
    item_reference: object(each('type')),
    reasoning: object({
      ...item,
      ...each('encrypted_content'),
      summary: listOf(part),
      content: listOf(part),
    }),
    compaction: object({ ...item, ...each('encrypted_content') }),
    image_generation_call: generatedImage,
    function_call: object({ ...item, ...each('arguments') }),
    function_call_output: object({ ...item, output: content }),
    custom_tool_call: object({ ...item, ...each('input') }),
    custom_tool_call_output: object({ ...item, output: content }),
    web_search_call: object({ ...item, action }),
    local_shell_call: object({ ...item, action }),
    local_shell_call_output: object({ ...item, output: scalar }),
    shell_call: object({ ...item, action }),
    shell_call_output: object({
      ...item,
      ...each('max_output_length'),
      output: scalarOr(listOf(shellOutput)),
    }),
    apply_patch_call: object({ ...item, operation: action }),
    apply_patch_call_output: object({ ...item, ...each('output') }),
    tool_search_call: object({ ...item, ...each('execution'), arguments: anything }),
    additional_tools: object({ ...item, ...each('role'), tools: lazily(() => tools) }),
    agent_message: object({ ...item, ...each('author recipient'), content: listOf(agentContent) }),
    configuration_update: object({ ...item, text: textSettings, reasoning: object(each('effort')) }),
    tool_search_output: object({ ...item, ...each('execution'), tools: lazily(() => tools) }),
  },
  untyped,
);

const networkPolicy = object({
  ...each('type'),
  allowed_domains: listOf(scalar),
  domain_secrets: listOf(object(each('domain name value'))),
});

const skill = object({
  ...each('type name description path'),
  source: object(each('type media_type data')),
});

const environment = object({
  ...each('type memory_limit'),
  network_policy: networkPolicy,
  skills: listOf(skill),
});

const toolNames = object({ ...each('read_only'), tool_names: listOf(scalar) });

/** Tools of all types in one shape, with their common and specific fields. */
const tool: Shape = object({
  ...each('type name description strict defer_loading execution async'),
  ...each('parameters output_schema', anything),
  allowed_callers: listOf(scalar),
  tools: lazily(() => tools),
  format: object(each('type syntax definition')),
  ...each('search_context_size external_web_access from_date to_date return_token_budget'),
  ...each('allowed_x_handles excluded_x_handles search_content_types', listOf(scalar)),
  ...each('enable_image_understanding enable_video_understanding enable_image_search'),
  ...each('allowed_domains excluded_domains', listOf(scalar)),
  filters: object(each('allowed_domains blocked_domains excluded_domains', listOf(scalar))),
  user_location: object(each('type city country region timezone')),
  ...each('action background input_fidelity model moderation output_compression output_format'),
  ...each('partial_images quality size'),
  input_image_mask: object({ image_url: address }),
  container: object({
    ...each('type memory_limit'),
    network_policy: networkPolicy,
    file_ids: listOf(nothing),
  }),
  environment: scalarOr(environment),
  ...each('display_width display_height'),
  ...each('server_label server_url server_description authorization'),
  headers: mapOf(scalar),
  allowed_tools: choose(
    (value) => (Array.isArray(value) ? listOf(scalar) : toolNames),
    () => [toolNames],
  ),
  require_approval: scalarOr(object({ always: toolNames, never: toolNames })),
});

const tools = listOf(tool);

const chosenTool = each('type name server_label');

/** Fields allowed for an account that tenants share. Only content that is part of the request itself is allowed. */
export const sharedAccountRequest: Shape = object({
  ...each(`model instructions stream store background max_output_tokens max_tool_calls temperature top_p top_k
    top_logprobs presence_penalty frequency_penalty seed parallel_tool_calls truncation user service_tier
    safety_identifier prompt_cache_key prompt_cache_retention task_id format`),
  ...each('include models transforms route modalities stop', scalars),
  ...each('metadata client_metadata', mapOf(scalar)),
  input: scalarOr(listOf(inputItem)),
  tools,
  tool_choice: scalarOr(
    object({
      ...chosenTool,
      ...each('mode'),
      function: object(each('name')),
      tools: listOf(object(chosenTool)),
    }),
  ),
  text: textSettings,
  reasoning: object(each('effort summary generate_summary max_tokens enabled exclude context')),
  stream_options: object(each('include_obfuscation include_usage')),
  prompt_cache_options: object(each('mode ttl')),
  context_management: listOf(object(each('type compact_threshold'))),
  // OpenRouter's provider selection.
  provider: object({
    ...each('order only ignore quantizations sort', scalars),
    ...each('allow_fallbacks require_parameters data_collection zdr'),
  }),
});

/** Removes item ids, by which OpenAI looks up stored items. Returns the same list if no item has an id. */
export function dropItemIds(items: readonly object[]): readonly object[] {
  if (!items.some((item) => 'id' in item)) return items;
  return items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'id')));
}
