import {
  anything,
  byField,
  byType,
  each,
  listOf,
  object,
  type Shape,
  scalarOr,
} from '../caller-request/request-shape.ts';

const cacheMark = { cache_control: object(each('type ttl')) };
const whole = (names: string) => each(names, anything);

const part = byType({
  text: object({ ...each('type text'), ...cacheMark }),
  refusal: object(each('type refusal')),
  image_url: object({ ...each('type'), image_url: scalarOr(object(each('url detail'))), ...cacheMark }),
  input_audio: object({ ...each('type'), input_audio: object(each('data format')), ...cacheMark }),
  file: object({ ...each('type'), file: object(each('file_data file_id filename')), ...cacheMark }),
  document_url: object({ ...each('type document_url document_name'), ...cacheMark }),
  thinking: object({ ...each('type'), thinking: listOf(object(each('type text'))) }),
});

const content = scalarOr(listOf(part));
const instruction = object({ ...each('role'), content, ...cacheMark });
const called = object(each('name arguments'));

const call = { ...each('id type index'), ...whole('extra_content') };
const functionCall = object({ ...call, function: called });

const assistant = object({
  ...each('role refusal reasoning_content reasoning'),
  ...whole('annotations reasoning_details'),
  content,
  function_call: called,
  images: listOf(
    object({
      ...each('type index'),
      image_url: scalarOr(object(each('url'))),
      ...whole('extra_content'),
    }),
  ),
  tool_calls: listOf(
    byType(
      { function: functionCall, custom: object({ ...call, custom: object(each('name input')) }) },
      functionCall,
    ),
  ),
  ...cacheMark,
});

const message = byField('role', {
  system: instruction,
  developer: instruction,
  user: object({ ...each('role name'), content, ...cacheMark }),
  assistant,
  tool: object({ ...each('role name tool_call_id'), content, ...cacheMark }),
  function: object({ ...each('role name'), content, ...cacheMark }),
});

const functionTool = object({
  ...each('type'),
  ...cacheMark,
  function: object({ ...each('name description strict'), ...whole('parameters'), ...cacheMark }),
});
const named = object(each('name'));
const grammar = object(each('syntax definition'));
const tool = byType(
  {
    function: functionTool,
    custom: object({
      ...each('type'),
      ...cacheMark,
      custom: object({ ...each('name description'), format: object({ ...each('type'), grammar }) }),
    }),
  },
  functionTool,
);

/** Fields that `request-decoder.ts` translates, acts on or rejects. All other fields are reported as warnings. */
export const translatedFields: Shape = object({
  ...each(`model stream max_tokens max_completion_tokens temperature top_p top_k n presence_penalty frequency_penalty seed
    random_seed user safety_identifier prompt_cache_key verbosity parallel_tool_calls logprobs top_logprobs
    reasoning_effort enable_thinking thinking_budget include_reasoning task_id format`),
  ...whole('stop logit_bias modalities metadata functions function_call audio'),
  messages: listOf(message),
  tools: listOf(tool),
  stream_options: object(each('include_usage')),
  tool_choice: scalarOr(
    byType({
      function: object({ ...each('type'), function: named }),
      custom: object({ ...each('type'), custom: named }),
      allowed_tools: object({
        ...each('type'),
        allowed_tools: object({
          ...each('mode'),
          tools: listOf(object({ ...each('type'), function: named, custom: named })),
        }),
      }),
    }),
  ),
  response_format: byType({
    json_object: object(each('type')),
    json_schema: object({
      ...each('type'),
      json_schema: object({ ...each('name description strict'), ...whole('schema') }),
    }),
  }),
  reasoning: object(each('effort max_tokens enabled exclude')),
  thinking: object(each('type budget_tokens')),
});
