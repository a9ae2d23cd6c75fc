import {
  anything,
  byType,
  each,
  lazily,
  listOf,
  object,
  type Shape,
  scalarOr,
} from '../caller-request/request-shape.ts';

const whole = (names: string) => each(names, anything);

const text = object(each('type text'));
const part = byType({
  input_text: text,
  text,
  summary_text: text,
  reasoning_text: text,
  output_text: object({ ...each('type text'), ...whole('annotations logprobs') }),
  refusal: object(each('type refusal')),
  input_image: object(each('type image_url file_id detail')),
  input_file: object(each('type file_data file_id file_url filename')),
  input_audio: object({ ...each('type'), input_audio: object(each('data format')) }),
});

const content = scalarOr(listOf(part));
const identity = each('type id status');
const call = { ...identity, ...each('call_id name namespace') };

const message = object({ ...identity, ...each('role phase'), content });

const item = byType(
  {
    message,
    reasoning: object({
      ...identity,
      ...each('encrypted_content'),
      summary: listOf(part),
      content: listOf(part),
    }),
    image_generation_call: object({ ...identity, ...each('result output_format') }),
    function_call: object({ ...call, ...each('arguments') }),
    function_call_output: object({ ...identity, ...each('call_id'), output: content }),
    custom_tool_call: object({ ...call, ...each('input') }),
    custom_tool_call_output: object({ ...identity, ...each('call_id'), output: content }),
    agent_message: object({
      ...identity,
      ...each('author recipient'),
      content: listOf(byType({ input_text: text, output_text: text, text })),
    }),
    additional_tools: object({ ...identity, ...each('role'), tools: lazily(() => tools) }),
    configuration_update: object({
      ...identity,
      text: object(whole('format')),
      reasoning: object(each('effort')),
    }),
    tool_search_output: object({
      ...call,
      ...each('execution'),
      ...whole('output'),
      tools: lazily(() => tools),
    }),
  },
  message,
);

const tool = byType({
  function: object({ ...each('type name description strict'), ...whole('parameters') }),
  custom: object({ ...each('type name description'), format: object(each('type syntax definition')) }),
  namespace: object({ ...each('type name description'), tools: lazily(() => tools) }),
});
const tools = listOf(tool);

/** Fields that `request-decoder.ts` translates, acts on or rejects. All other fields are reported as warnings. */
export const translatedFields: Shape = object({
  ...each(`model instructions stream background max_output_tokens temperature top_p top_logprobs parallel_tool_calls user
    safety_identifier prompt_cache_key truncation previous_response_id task_id format`),
  ...whole('include metadata conversation prompt'),
  input: scalarOr(listOf(item)),
  tools,
  tool_choice: scalarOr(
    byType({
      function: object(each('type name namespace')),
      custom: object(each('type name namespace')),
      namespace: object(each('type name')),
      allowed_tools: object({ ...each('type mode'), tools: listOf(object(each('type name namespace'))) }),
    }),
  ),
  text: object({
    ...each('verbosity'),
    format: byType({
      json_object: object(each('type')),
      json_schema: object({ ...each('type name description strict'), ...whole('schema') }),
    }),
  }),
  reasoning: object(each('effort summary')),
  stream_options: object(each('include_obfuscation')),
});
