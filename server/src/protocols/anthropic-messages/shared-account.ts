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

const cacheMark = { cache_control: object(each('type ttl scope')) };
const callers = { caller: object(each('type tool_id')) };
const citationOption = { citations: object(each('enabled')) };

const source = byType({
  base64: object(each('type media_type data')),
  file: object(each('type')),
  text: object(each('type media_type data')),
  url: object({ ...each('type'), url: address }),
  content: object({ ...each('type'), content: scalarOr(lazily(() => blocks)) }),
});

const citation = object(
  each(`type cited_text document_index document_title start_char_index end_char_index start_page_number
    end_page_number start_block_index end_block_index search_result_index source title url encrypted_index`),
);

const errorContent = object(each('type error_code error_message'));
const programOutput = object({
  ...each('type stdout encrypted_stdout stderr return_code abort_reason'),
  content: listOf(nothing),
});

const document = object({ ...each('type title context'), source, ...citationOption, ...cacheMark });

const call = object({
  ...each('type id name server_name toolset_name'),
  input: anything,
  ...callers,
  ...cacheMark,
});

/** Tools that a system turn adds or removes. */
const toolChange = object({
  ...each('type'),
  tool: object({ ...each('type name'), definition: lazily(() => tool) }),
  ...cacheMark,
});

function result(content: Shape): Shape {
  return object({ ...each('type tool_use_id is_error toolset_name'), content, ...callers, ...cacheMark });
}

const searchResults = listOf(object(each('type url title encrypted_content page_age')));

const block: Shape = byType({
  text: object({ ...each('type text'), citations: listOf(citation), ...cacheMark }),
  thinking: object(each('type thinking signature')),
  redacted_thinking: object(each('type data')),
  compaction: object({
    ...each('type content encrypted_content signature'),
    tool_changes: listOf(toolChange),
    ...cacheMark,
  }),
  image: object({ ...each('type'), source, transformations: object(each('oversized_image')), ...cacheMark }),
  document,
  search_result: object({
    ...each('type source title'),
    content: lazily(() => blocks),
    ...citationOption,
    ...cacheMark,
  }),
  tool_reference: object({ ...each('type tool_name'), ...cacheMark }),
  tool_addition: toolChange,
  tool_removal: toolChange,
  browser_state: object({
    ...each('type'),
    tabs: listOf(object(each('tab_id title url active'))),
    state_changes: listOf(object(each('type tab_id download_id url path size_bytes error'))),
    ...cacheMark,
  }),
  tool_use: call,
  server_tool_use: call,
  mcp_tool_use: call,
  tool_result: result(scalarOr(lazily(() => blocks))),
  mcp_tool_result: result(scalarOr(lazily(() => blocks))),
  web_search_tool_result: result(
    choose(
      (value) => (Array.isArray(value) ? searchResults : errorContent),
      () => [searchResults, errorContent],
    ),
  ),
  web_fetch_tool_result: result(object({ ...each('type url retrieved_at error_code'), content: document })),
  tool_search_tool_result: result(
    object({ ...each('type error_code error_message'), tool_references: lazily(() => blocks) }),
  ),
  code_execution_tool_result: result(programOutputOrError()),
  bash_code_execution_tool_result: result(programOutputOrError()),
  text_editor_code_execution_tool_result: result(
    object({
      ...each('type error_code error_message file_type content num_lines start_line total_lines'),
      ...each('is_file_update old_start old_lines new_start new_lines'),
      lines: listOf(scalar),
    }),
  ),
});

function programOutputOrError(): Shape {
  return (value) => errorContent(value) && programOutput(value);
}

const blocks = listOf(block);

const tool = object({
  ...each('type name description strict defer_loading eager_input_streaming mcp_server_name'),
  ...each('input_schema input_examples', anything),
  ...each('allowed_callers allowed_domains blocked_domains', listOf(scalar)),
  ...each('max_uses max_content_tokens max_characters use_cache response_inclusion model max_tokens'),
  ...each('display_width_px display_height_px display_number enable_zoom'),
  user_location: object(each('type city country region timezone')),
  caching: object(each('type ttl')),
  default_config: object(each('enabled defer_loading')),
  configs: mapOf(object(each('enabled defer_loading'))),
  ...citationOption,
  ...cacheMark,
});

const outputConfig = object({
  ...each('effort'),
  format: object({ ...each('type'), schema: anything }),
  task_budget: object(each('type total remaining')),
});

const amount = object(each('type value'));

/** Fields allowed for an account that tenants share. Only content that is part of the request itself is allowed. */
export const sharedAccountRequest: Shape = object({
  ...each('model max_tokens stream temperature top_k top_p service_tier inference_geo speed task_id format'),
  stop_sequences: listOf(scalar),
  messages: listOf(
    object({ ...each('role clear_at'), content: scalarOr(blocks), output_config: outputConfig }),
  ),
  system: scalarOr(blocks),
  metadata: object(each('user_id task_id')),
  tools: listOf(tool),
  tool_choice: object(each('type name disable_parallel_tool_use')),
  thinking: object({
    ...each('type budget_tokens display'),
    block_binding: object(each('prefix_mismatch_behavior')),
  }),
  output_config: outputConfig,
  output_format: object({ ...each('type'), schema: anything }),
  context_management: object({
    edits: listOf(
      object({
        ...each('type instructions pause_after_compaction'),
        trigger: amount,
        clear_at_least: amount,
        keep: scalarOr(amount),
        exclude_tools: listOf(scalar),
        clear_tool_inputs: scalarOr(listOf(scalar)),
      }),
    ),
  }),
  mcp_servers: listOf(
    object({
      ...each('type name authorization_token'),
      url: address,
      tool_configuration: object({ ...each('enabled'), allowed_tools: listOf(scalar) }),
    }),
  ),
  ...cacheMark,
});
