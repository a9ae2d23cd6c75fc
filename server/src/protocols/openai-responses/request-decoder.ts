import type { CanonicalRequest, ReasoningWish, Sampling } from '../canonical/request.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeInput } from './input-decoder.ts';
import { decodeFormat, decodeToolChoice, decodeTools } from './tools.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

/**
 * Decodes a request for a response. @throws UntranslatableError for features of this protocol only without which the
 * response would differ.
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
    ...(fields.user != null && { endUser: fields.user }),
    extensions: [...extensions],
  };
}

/** Reads the settings of the request, which items of the conversation may override. */
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

/** Rejects fields that need stored state, and those of this protocol only that change the response. */
function refuseWithoutForm(fields: ResponsesRequest): void {
  for (const [name, advice] of withoutForm) {
    if (fields[name] == null || fields[name] === false) continue;
    throw new UntranslatableError(
      `The provider of this model speaks another protocol, which has no '${name}'. ${advice}`,
      name,
    );
  }
}

const carried: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'stream', 'stream_options', 'max_output_tokens', 'user'],
  ...['temperature', 'top_p', 'top_logprobs', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['task_id', 'format', 'background'],
]);

/** Fields that are carried only in part, or that have no effect at their usual value. */
const readExtras: Readonly<Record<string, (fields: ResponsesRequest) => readonly string[]>> = {
  text: ({ text }) => listOthers('text', text, ['format']),
  reasoning: ({ reasoning }) => listOthers('reasoning', reasoning, ['effort', 'summary']),
  metadata: ({ metadata }) => (listOthers('metadata', metadata, ['task_id']).length > 0 ? ['metadata'] : []),
  include: ({ include }) => (include?.every((name) => name === carriedInclude) ? [] : ['include']),
  truncation: ({ truncation }) => (truncation === 'disabled' ? [] : ['truncation']),
};

/** Encrypted reasoning is always included. */
const carriedInclude = 'reasoning.encrypted_content';

function listExtensions(fields: ResponsesRequest): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value == null || value === false || carried.has(name)) return [];
    const read = Object.hasOwn(readExtras, name) ? readExtras[name] : undefined;
    return read ? read(fields) : [name];
  });
}

function listOthers(name: string, value: object | null | undefined, known: readonly string[]): string[] {
  const others = Object.entries(value ?? {}).filter(([key, told]) => told != null && !known.includes(key));
  return others.map(([key]) => `${name}.${key}`);
}

function decodeSampling({ temperature, top_p, top_logprobs }: ResponsesRequest): Sampling {
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(top_logprobs != null && top_logprobs > 0 && { topLogprobs: top_logprobs }),
  };
}

function decodeReasoning(reasoning: ResponsesRequest['reasoning']): ReasoningWish | null {
  const effort =
    reasoning?.effort == null ? undefined : readFields(wire.effort, reasoning.effort, 'reasoning.effort');
  const wish = {
    ...(effort !== undefined && { effort }),
    ...(reasoning?.summary != null && { isShown: true }),
  };
  return Object.keys(wish).length === 0 ? null : wish;
}
