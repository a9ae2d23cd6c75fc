import {
  address,
  anything,
  byType,
  choose,
  each,
  listOf,
  mapOf,
  object,
  type Shape,
  scalar,
  scalarOr,
  word,
} from '../caller-request/request-shape.ts';

const scalars = scalarOr(listOf(scalar));

const cacheMarks = {
  cache_control: object(each('type ttl')),
  prompt_cache_breakpoint: object(each('mode ttl')),
};

const link = object({ ...each('detail format'), url: address });
const linkOrAddress = choose(
  (value) => (typeof value === 'string' ? address : link),
  () => [link],
);

const part = byType({
  text: object({ ...each('type text'), ...cacheMarks }),
  refusal: object(each('type refusal')),
  image_url: object({ ...each('type'), image_url: linkOrAddress, ...cacheMarks }),
  video_url: object({ ...each('type'), video_url: linkOrAddress }),
  input_audio: object({ ...each('type'), input_audio: object(each('data format')) }),
  file: object({ ...each('type'), file: object(each('file_data filename')), ...cacheMarks }),
  document_url: object({ ...each('type document_name'), document_url: address }),
  thinking: object({ ...each('type closed'), thinking: listOf(object(each('type text'))) }),
});

const call = object(each('name arguments'));
const signed = { extra_content: object({ google: object(each('thought_signature')) }) };

const message = object({
  ...each('role name tool_call_id refusal prefix partial reasoning reasoning_content thinking weight'),
  ...cacheMarks,
  content: scalarOr(listOf(part)),
  images: listOf(object({ ...each('type index'), ...signed, image_url: linkOrAddress })),
  function_call: call,
  tool_calls: listOf(
    object({
      ...each('id type index'),
      function: call,
      custom: object(each('name input')),
      ...signed,
    }),
  ),
  reasoning_details: listOf(object(each('type text summary signature data format id index'))),
  annotations: listOf(
    object({ ...each('type'), url_citation: object(each('url title content start_index end_index')) }),
  ),
});

const place = each('type city country region timezone latitude longitude');
const userLocation = object({ ...place, approximate: object(place) });

const toolFunction = object({ ...each('name description strict'), parameters: anything });

const tool = object({
  ...each('type strict'),
  ...cacheMarks,
  function: toolFunction,
  custom: object({ ...each('name description'), format: mapOf(scalarOr(mapOf(scalar))) }),
  // Parameters of tools that OpenRouter runs.
  parameters: object({
    ...each('engine max_uses max_results max_total_results search_context_size search_prompt timezone'),
    ...each('allowed_domains excluded_domains', scalars),
    user_location: userLocation,
  }),
});

const named = object(each('name'));
const toolName = { function: named, custom: named };

const values = `model stream max_tokens max_completion_tokens n best_of stop stop_token_ids seed random_seed temperature
  top_p top_k top_a min_p typical_p echo logprobs top_logprobs presence_penalty frequency_penalty repetition_penalty
  length_penalty min_tokens parallel_tool_calls user store service_tier verbosity modalities reasoning_effort
  prompt_cache_key prompt_cache_retention safety_identifier safe_prompt safety_model reasoning_format reasoning_split
  include_reasoning prompt_mode enable_thinking think thinking_budget preserve_thinking disable_tool_validation
  ignore_eos skip_special_tokens include_stop_str_in_output truncate_prompt_tokens priority keep_alive
  add_generation_prompt continue_final_message models route transforms citation_options enable_search disable_search
  search_mode search_domain_filter search_recency_filter search_after_date_filter search_before_date_filter
  last_updated_after_filter last_updated_before_filter enable_search_classifier return_images image_domain_filter
  image_format_filter return_related_questions task_id format`;

/** Fields allowed for an account that tenants share. Only content that is part of the request itself is allowed. */
export const sharedAccountRequest: Shape = object({
  ...each(values, scalars),
  ...each('logit_bias metadata chat_template_kwargs', mapOf(scalar)),
  messages: listOf(message),
  tools: listOf(tool),
  tool_choice: scalarOr(
    object({
      ...each('type name mode'),
      ...toolName,
      allowed_tools: object({ ...each('mode'), tools: listOf(object({ ...each('type'), ...toolName })) }),
    }),
  ),
  functions: listOf(toolFunction),
  function_call: scalarOr(named),
  response_format: object({
    ...each('type'),
    schema: anything,
    json_schema: object({ ...each('name description strict'), schema: anything }),
  }),
  cache_control: cacheMarks.cache_control,
  prompt_cache_options: object(each('mode ttl')),
  stream_options: object(each('include_usage include_obfuscation continuous_usage_stats')),
  usage: object(each('include')),
  audio: object({ ...each('format'), voice: word }),
  prediction: object({ ...each('type'), content: scalarOr(listOf(part)) }),
  reasoning: object(each('effort max_tokens enabled exclude summary')),
  thinking: object(each('type budget_tokens clear_thinking keep')),
  web_search_options: object({ ...each('search_context_size search_type'), user_location: userLocation }),
  // xAI's search.
  search_parameters: object({
    ...each('mode return_citations max_search_results from_date to_date'),
    sources: listOf(
      object({
        ...each('type country safe_search post_favorite_count post_view_count'),
        ...each('allowed_websites excluded_websites included_x_handles excluded_x_handles links', scalars),
      }),
    ),
  }),
  search_settings: object(each('exclude_domains include_domains country', scalars)),
  // OpenRouter's provider selection.
  provider: object({
    ...each('order only ignore quantizations sort', scalars),
    ...each('allow_fallbacks require_parameters data_collection zdr enforce_distillable_text'),
    max_price: mapOf(scalar),
  }),
  plugins: listOf(
    object({
      ...each('enabled engine max_results search_prompt'),
      id: word,
      pdf: object(each('engine')),
    }),
  ),
});

/** Fields of embeddings requests that are allowed for an account shared by tenants. */
export const sharedAccountEmbeddings: Shape = object({
  ...each(
    `model encoding_format dimensions user truncate input_type output_dimension output_dtype task_id format`,
  ),
  input: scalarOr(listOf(scalars)),
  metadata: mapOf(scalar),
  provider: object(each('order only ignore allow_fallbacks', scalars)),
});
