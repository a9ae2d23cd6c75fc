import { isObject } from '#json/json-value.ts';
import { type CallerBody, formatPath, inBothSpellings } from './caller-body.ts';
import { findPlace } from './request-places.ts';

/** Returns the path of the first part of a value that is not billed by tokens, or `null` if all parts are. */
type Check = (value: unknown) => readonly PropertyKey[] | null;

const free: Check = () => null;
const paid: readonly PropertyKey[] = [];

/** Accepts one of these words in any case. Any other value may have a different price. */
function oneOf(words: string): Check {
  const known = new Set(words.split(' '));
  return (value) => (typeof value !== 'object' && known.has(String(value).toLowerCase()) ? null : paid);
}

function startsWith(start: string): Check {
  return (value) => (typeof value === 'string' && value.startsWith(start) ? null : paid);
}

/** Rejects fields that are not listed. `null` counts as absent. */
function only(fields: Readonly<Record<string, Check>>): Check {
  const known = new Map(Object.entries(fields));
  return (value) => {
    for (const [name, held] of Object.entries(isObject(value) ? value : {})) {
      if (held === null) continue;
      const path = (known.get(name) ?? (() => paid))(held);
      if (path) return [name, ...path];
    }
    return null;
  };
}

function each(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return check(value);
    for (const [index, held] of value.entries()) {
      const path = check(held);
      if (path) return [index, ...path];
    }
    return null;
  };
}

function named(names: string): Record<string, Check> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, free]));
}

const plainService = oneOf('auto default standard standard_only on_demand');
const textOnly = each(oneOf('text 1'));

const common = named('model stream temperature top_p top_k metadata task_id format tool_choice');

const openai = {
  ...common,
  ...named(`stream_options parallel_tool_calls user store truncation safety_identifier prompt_cache_key
    prompt_cache_retention prompt_cache_options reasoning top_logprobs seed presence_penalty frequency_penalty stop`),
  service_tier: plainService,
  modalities: textOnly,
};

const editFields = named('trigger keep clear_at_least exclude_tools clear_tool_inputs');

/** Request fields with no charges besides tokens, by protocol. */
const checks = {
  'openai-chat': only({
    ...openai,
    ...named(`messages max_tokens max_completion_tokens n random_seed top_a min_p logprobs logit_bias repetition_penalty
      response_format functions function_call reasoning_effort reasoning_format include_reasoning thinking thinking_budget
      enable_thinking verbosity prediction safe_prompt usage cache_control chat_template_kwargs prompt_mode stop_token_ids tools
      ignore_eos min_tokens length_penalty typical_p skip_special_tokens add_generation_prompt continue_final_message echo`),
  }),
  'openai-responses': only({
    ...openai,
    ...named(`input instructions tools max_output_tokens max_tool_calls background previous_response_id conversation prompt include
      text client_metadata context_management`),
  }),
  'anthropic-messages': only({
    ...common,
    ...named(
      'messages system tools max_tokens stop_sequences thinking output_config output_format cache_control',
    ),
    // Excludes compactions, whose tokens are reported separately from the response's tokens.
    context_management: only({ edits: each(only({ ...editFields, type: startsWith('clear_') })) }),
    service_tier: plainService,
    speed: oneOf('standard'),
    inference_geo: oneOf('global'),
  }),
  gemini: only({
    ...common,
    ...inBothSpellings({
      ...named('contents systemInstruction tools toolConfig safetySettings labels cachedContent store'),
      serviceTier: plainService,
      generationConfig: only(
        inBothSpellings({
          ...named(`temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty
            frequencyPenalty responseLogprobs logprobs responseMimeType responseSchema responseJsonSchema
            thinkingConfig mediaResolution enableEnhancedCivicAnswers`),
          responseModalities: textOnly,
        }),
      ),
    }),
  }),
  embeddings: only({
    ...common,
    ...named('input dimensions encoding_format user truncate input_type output_dimension output_dtype'),
    ...inBothSpellings(named('requests content taskType title outputDimensionality')),
  }),
} as const;

/**
 * Types of tools that the caller runs or that are billed by tokens, by protocol. The caller runs tools without a
 * type.
 */
const toolTypes = {
  'openai-chat': /^(function|custom)$/,
  'openai-responses': /^(function|custom|namespace|local_shell|apply_patch|tool_search)$/,
  'anthropic-messages': new RegExp(
    [
      /^(custom|tool_(reference|definition))$/,
      /^(bash|text_editor|memory|(browser|computer)(_toolset)?)(_\d+)?$/,
      /^tool_search_tool_(regex|bm25)(_\d+)?$/,
    ]
      .map(({ source }) => source)
      .join('|'),
  ),
  gemini: /^$/,
  embeddings: /^$/,
} as const;

const toolFields = new Set(Object.keys(inBothSpellings(named('functionDeclarations'))));

/** In Gemini's protocol, a field name identifies the kind of tool. */
function isPricedTool(tool: unknown, protocol: keyof typeof checks): boolean {
  if (!isObject(tool)) return false;
  if (protocol === 'gemini')
    return Object.entries(tool).every(([name, held]) => held === null || toolFields.has(name));
  const type = 'type' in tool ? (tool.type ?? null) : null;
  return type === null || (typeof type === 'string' && toolTypes[protocol].test(type));
}

/**
 * Returns the first field that requests something not billed by tokens at the model's price, such as a search, a
 * hosted tool, a faster service tier or another model; `null` if everything is billed by tokens. Unknown fields and
 * tools count as not billed by tokens.
 */
export function findPaidExtra(
  { value }: Pick<CallerBody<unknown>, 'value'>,
  protocol: keyof typeof checks,
): string | null {
  const path = checks[protocol](value);
  if (path) return formatPath(path);
  return findPlace(
    value,
    protocol,
    (place) => place.kind !== 'value' && !(place.kind === 'tool' && isPricedTool(place.value, protocol)),
  );
}
