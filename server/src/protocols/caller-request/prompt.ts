import { isObject } from '#json/json-value.ts';
import type { MediaKind, Prompt } from '../canonical/prompt.ts';
import { type CallerBody, inBothSpellings } from './caller-body.ts';
import {
  address,
  base64,
  each,
  type FoundPrompt,
  fields,
  findKind,
  named,
  piece,
  type Read,
  sealed,
  setting,
  stored,
  text,
} from './prompt-reader.ts';

const ours = named('task_id format', setting);

const functionTool = named('name description parameters input_schema parametersJsonSchema', text);
const tool = fields({
  ...inBothSpellings({
    ...functionTool,
    functionDeclarations: each(piece(fields(inBothSpellings(functionTool)))),
  }),
  ...named('type strict cache_control defer_loading', setting),
  function: fields({ ...functionTool, strict: setting }),
});
const tools = each(piece(tool));

const call = fields({
  ...named('id type index', setting),
  ...named('name arguments', text),
  function: fields(named('name arguments', text)),
});

function forEachKind(make: (kind: MediaKind) => Read): Readonly<Record<MediaKind, Read>> {
  return {
    image: make('image'),
    document: make('document'),
    audio: make('audio'),
    video: make('video'),
  };
}

function source(kind: MediaKind): Read {
  const read = (data: Read) =>
    fields({
      ...named('type media_type', setting),
      data,
      url: address(kind),
      file_id: stored(kind),
      content: (value, found) => blocks(value, found),
    });
  const words = read(text);
  const bytes = forEachKind((held) => read(base64(held)));
  return (value, found) => {
    const holder: { type?: unknown; media_type?: unknown } = isObject(value) ? value : {};
    (holder.type === 'base64' ? bytes[findKind(holder.media_type)] : words)(value, found);
  };
}

function blockOf(kind: MediaKind): Read {
  return fields({
    ...named('type role id status phase detail is_error index', setting),
    ...named('call_id tool_call_id tool_use_id', setting),
    ...named('cache_control citations prompt_cache_breakpoint', setting),
    ...named('text name refusal title context reasoning reasoning_content arguments input', text),
    ...named('signature data', sealed),
    ...named('encrypted_content encrypted_index encrypted_stdout', sealed),
    ...named('content output thinking summary reasoning_details', (value, found) => blocks(value, found)),
    tool_calls: each(piece(call)),
    function_call: piece(call),
    source: source(kind),
    images: (value, found) => blocks(value, found),
    image_url: linkTo('image'),
    ...named('video_url input_video', linkTo('video')),
    audio_url: linkTo('audio'),
    input_audio: fields({ data: base64('audio'), format: setting }),
    file: fields({ file_data: address('document'), filename: text, file_id: stored('document') }),
    ...named('file_data file_url document_url', address('document')),
    filename: text,
    file_id: stored(kind),
  });
}

function linkTo(kind: MediaKind): Read {
  const [plain, inObject] = [
    address(kind),
    fields({ ...named('url data', address(kind)), ...named('detail format', setting) }),
  ];
  return (value, found) => (typeof value === 'string' ? plain : inObject)(value, found);
}

const imageTypes: ReadonlySet<unknown> = new Set(['image', 'input_image', 'computer_screenshot']);
const imageBlock = blockOf('image');
const otherBlock = blockOf('document');
const imageCall = fields({
  ...named('type id status action background output_format quality size', setting),
  revised_prompt: text,
  result: base64('image'),
});
const block: Read = (value, found) => {
  const type = isObject(value) && 'type' in value ? value.type : null;
  if (type === 'image_generation_call') imageCall(value, found);
  else (imageTypes.has(type) ? imageBlock : otherBlock)(value, found);
};
const blocks = each((value, found) => (typeof value === 'string' ? text : block)(value, found));
const messages = each(piece(block));

const answerSettings = {
  ...ours,
  ...named('model user stream stream_options temperature top_p top_k seed n stop stop_sequences', setting),
  ...named('max_tokens max_completion_tokens max_output_tokens logprobs top_logprobs logit_bias', setting),
  ...named('presence_penalty frequency_penalty parallel_tool_calls tool_choice function_call', setting),
  ...named('reasoning reasoning_effort thinking store background truncation include service_tier', setting),
  ...named(
    'metadata prompt_cache_key prompt_cache_options safety_identifier modalities cache_control',
    setting,
  ),
  ...named('previous_response_id conversation', setting),
};

const readers = {
  'openai-chat': fields({
    ...answerSettings,
    messages,
    tools,
    functions: tools,
    response_format: fields({ type: setting, json_schema: text }),
  }),
  'openai-responses': fields({
    ...answerSettings,
    instructions: text,
    input: (value, found) => (typeof value === 'string' ? piece(text) : messages)(value, found),
    tools,
    text: fields({ format: text, verbosity: setting }),
  }),
  'anthropic-messages': fields({
    ...answerSettings,
    system: blocks,
    messages,
    tools,
    output_config: fields({ effort: setting, format: text }),
  }),
  gemini: readGemini(),
  embeddings: fields({
    ...ours,
    ...named('model dimensions encoding_format user metadata', setting),
    input: each(readEmbeddingInput),
  }),
} as const;

function readGemini(): Read {
  const both = (known: Readonly<Record<string, Read>>) => fields(inBothSpellings(known));
  const typed = { mimeType: setting, displayName: text };
  const inlineData = byMimeType(forEachKind((kind) => both({ ...typed, data: base64(kind) })));
  const fileData = byMimeType(forEachKind((kind) => both({ ...typed, fileUri: address(kind) })));
  const parts: Read = each((value, found) => part(value, found));
  const part = both({
    text,
    thought: setting,
    thoughtSignature: sealed,
    inlineData,
    fileData,
    functionCall: piece(both({ id: setting, name: text, args: text })),
    functionResponse: piece(both({ id: setting, name: text, response: text, parts })),
  });
  const contents = each(piece(both({ role: setting, parts })));
  const config = 'temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty';
  const format =
    'responseMimeType responseModalities thinkingConfig responseLogprobs logprobs frequencyPenalty';
  return both({
    ...ours,
    ...named('model metadata toolConfig cachedContent safetySettings', setting),
    contents,
    systemInstruction: contents,
    tools: each(tool),
    generationConfig: both({
      ...named(config, setting),
      ...named(format, setting),
      ...named('responseSchema responseJsonSchema', text),
    }),
  });
}

function byMimeType(readers: Readonly<Record<MediaKind, Read>>): Read {
  return (value, found) => {
    const holder: { mimeType?: unknown; mime_type?: unknown } = isObject(value) ? value : {};
    readers[findKind(holder.mimeType ?? holder.mime_type)](value, found);
  };
}

// Numbers are token ids.
function readEmbeddingInput(value: unknown, found: FoundPrompt): void {
  if (Array.isArray(value)) for (const item of value) readEmbeddingInput(item, found);
  else if (typeof value === 'number') found.tokens++;
  else text(value, found);
}

const isFilled = (list: unknown) => (Array.isArray(list) ? list.length > 0 : list != null);

/** Finds everything in a caller's body that may count as input, even if the canonical form does not contain it. */
export function readPrompt(
  { value }: Pick<CallerBody<unknown>, 'value'>,
  kind: keyof typeof readers,
): Prompt {
  const hasTools = isFilled(value.tools) || isFilled(value.functions);
  const found = { texts: [], media: [], sealedLetters: 0, pieces: 0, tokens: 0, hasTools };
  readers[kind](value, found);
  return found;
}
