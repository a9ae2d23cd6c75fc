import { listUnlisted } from '../caller-request/request-shape.ts';
import type { CanonicalRequest, ReasoningOptions, Sampling } from '../canonical/request.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeInput } from './input-decoder.ts';
import { decodeFormat, decodeToolChoice, decodeTools } from './tools.ts';
import { translatedFields } from './translated-fields.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

/**
 * Decodes a request for a response. @throws UntranslatableError for features that only exist in this protocol and
 * change the response.
 */
export function decodeRequest(fields: ResponsesRequest): CanonicalRequest {
  refuseWithoutForm(fields);
  const extensions = new Set(listExtensions(fields));
  const noteLeftOut = (name: string) => extensions.add(name);
  const tools = decodeTools(fields, noteLeftOut);
  const messages = decodeInput(fields, tools, noteLeftOut);
  if (!fields.input?.length)
    throw new UntranslatableError("Invalid value for 'input': it is empty.", 'input');
  const settings = readSettings(fields);
  const format = settings.format && decodeFormat(settings.format);
  const reasoning = decodeReasoning({ ...fields.reasoning, effort: settings.effort });
  return {
    messages,
    ...decodeToolChoice(fields.tool_choice, tools),
    ...(fields.parallel_tool_calls != null && { isParallelToolUse: fields.parallel_tool_calls }),
    ...(fields.max_output_tokens != null && { outputTokensMax: fields.max_output_tokens }),
    stop: [],
    sampling: decodeSampling(fields),
    ...(format && { responseFormat: format }),
    ...(reasoning && { reasoning }),
    ...decodeLabels(fields),
    extensions: [...extensions],
  };
}

/** Items of the conversation may override the settings. */
function readSettings({ text, reasoning, input }: ResponsesRequest) {
  const items = typeof input === 'string' ? [] : (input ?? []);
  const updates = items.flatMap((item, index) =>
    item.type === 'configuration_update'
      ? [readFields(wire.configurationUpdate, item, `input[${index}]`)]
      : [],
  );
  const latest = updates.findLast((update) => update.reasoning?.effort != null);
  return {
    effort: latest?.reasoning?.effort ?? reasoning?.effort,
    format: updates.findLast((update) => update.text?.format)?.text?.format ?? text?.format,
  };
}

const withoutForm: readonly (readonly [name: string, why: string])[] = [
  ['previous_response_id', 'Send the whole conversation in each request.'],
  ['conversation', 'Send the whole conversation in each request.'],
  ['prompt', 'Send its text.'],
];

/** Rejects fields that need stored state, and fields that only exist in this protocol and change the response. */
function refuseWithoutForm(fields: ResponsesRequest): void {
  for (const [name, advice] of withoutForm) {
    if (fields[name] == null || fields[name] === false) continue;
    throw new UntranslatableError(
      `The provider of this model uses another protocol, which does not support '${name}'. ${advice}`,
      name,
    );
  }
}

/** Value of `include` that needs no warning, since responses contain the signatures of reasoning in any case. */
const carriedInclude = 'reasoning.encrypted_content';

function listExtensions(fields: ResponsesRequest): string[] {
  const { include, truncation } = fields;
  const hasOtherIncludes = include?.some((name) => name !== carriedInclude) ?? false;
  return [
    ...listUnlisted(fields, translatedFields),
    ...(hasOtherIncludes ? ['include'] : []),
    ...(truncation != null && truncation !== 'disabled' ? ['truncation'] : []),
  ];
}

function decodeLabels(fields: ResponsesRequest): Partial<CanonicalRequest> {
  const { user, metadata, text } = fields;
  const { safety_identifier, prompt_cache_key } = readFields(wire.openAiFields, fields);
  const { task_id: _, ...labels } = metadata ?? {};
  return {
    ...(user != null && { endUser: user }),
    ...(safety_identifier != null && { safetyIdentifier: safety_identifier }),
    ...(prompt_cache_key != null && { promptCacheKey: prompt_cache_key }),
    ...(text?.verbosity != null && { verbosity: text.verbosity }),
    ...(Object.keys(labels).length > 0 && { metadata: labels }),
  };
}

function decodeSampling({ temperature, top_p, top_logprobs }: ResponsesRequest): Sampling {
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(top_logprobs != null && top_logprobs > 0 && { topLogprobs: top_logprobs }),
  };
}

function decodeReasoning(reasoning: ResponsesRequest['reasoning']): ReasoningOptions | null {
  const effort =
    reasoning?.effort == null ? undefined : readFields(wire.effort, reasoning.effort, 'reasoning.effort');
  const options = {
    ...(effort !== undefined && { effort }),
    ...(reasoning?.summary != null && { isShown: true }),
  };
  return Object.keys(options).length === 0 ? null : options;
}
