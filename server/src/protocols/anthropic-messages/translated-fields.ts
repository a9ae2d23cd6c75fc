import {
  anything,
  byField,
  byType,
  each,
  lazily,
  listOf,
  object,
  type Shape,
  scalarOr,
} from '../caller-request/request-shape.ts';

const cacheMark = { cache_control: object(each('type ttl')) };
const whole = (names: string) => each(names, anything);

const source = byType({
  base64: object(each('type media_type data')),
  file: object(each('type file_id')),
  text: object(each('type media_type data')),
  url: object(each('type url')),
  content: object({ ...each('type'), content: scalarOr(listOf(object(each('type text')))) }),
});

const block: Shape = byType({
  text: object({ ...each('type text'), ...cacheMark }),
  image: object({ ...each('type'), source, ...cacheMark }),
  document: object({ ...each('type title'), source, ...cacheMark }),
  search_result: object({
    ...each('type source title'),
    content: listOf(object(each('type text'))),
    ...cacheMark,
  }),
  tool_reference: object({ ...each('type tool_name'), ...cacheMark }),
  tool_result: object({
    ...each('type tool_use_id is_error'),
    content: scalarOr(lazily(() => blocks)),
    ...cacheMark,
  }),
  thinking: object(each('type thinking signature')),
  redacted_thinking: object(each('type data')),
  compaction: object({ ...each('type content'), ...cacheMark }),
  tool_use: object({ ...each('type id name'), ...whole('input'), ...cacheMark }),
  tool_addition: object({
    ...each('type'),
    tool: object({ ...each('type name'), definition: lazily(() => tool) }),
  }),
  tool_removal: object({ ...each('type'), tool: object(each('type name')) }),
});
const blocks = listOf(block);
const content = scalarOr(blocks);

const clientTool = object({
  ...each('type name description strict'),
  ...whole('input_schema input_examples'),
  ...cacheMark,
});
const tool = byType({ custom: clientTool }, clientTool);

const turn = object({ ...each('role'), content });

/** Fields that `request-decoder.ts` translates, acts on or rejects. All other fields are reported as warnings. */
export const translatedFields: Shape = object({
  ...each('model max_tokens stream temperature top_p top_k task_id format'),
  ...whole('stop_sequences thread compaction'),
  system: content,
  messages: listOf(
    byField('role', {
      user: turn,
      assistant: turn,
      system: object({ ...each('role clear_at'), content, output_config: object(each('effort')) }),
    }),
  ),
  metadata: object(each('user_id task_id')),
  tools: listOf(tool),
  tool_choice: byType({
    auto: object(each('type disable_parallel_tool_use')),
    any: object(each('type disable_parallel_tool_use')),
    none: object(each('type')),
    tool: object(each('type name disable_parallel_tool_use')),
  }),
  thinking: object(each('type budget_tokens display')),
  output_config: object({ ...each('effort'), format: object({ ...each('type'), ...whole('schema') }) }),
});
