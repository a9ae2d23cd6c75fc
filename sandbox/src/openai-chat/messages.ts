import {
  anyObject,
  anyString,
  arrayOf,
  fields,
  isObject,
  nullable,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';

const name = optional(anyString);
const text = fields({ text: anyString });
const refusal = fields({ refusal: anyString });
const call = fields({ name: anyString, arguments: anyString });

export const textContent = stringOr(arrayOf(taggedBy('type', { text }), 1));

const userContent = stringOr(
  arrayOf(
    taggedBy('type', {
      text,
      image_url: fields({
        image_url: fields({ url: anyString, detail: optional(oneOf('auto', 'low', 'high', 'original')) }),
      }),
      input_audio: fields({ input_audio: fields({ data: anyString, format: oneOf('wav', 'mp3') }) }),
      file: fields({ file: anyObject }),
    }),
    1,
  ),
);

const toolCall = taggedBy('type', {
  function: fields({ id: anyString, function: call }),
  custom: fields({ id: anyString, custom: fields({ name: anyString, input: anyString }) }),
});

/** What a message of each role may hold. */
export const message = taggedBy('role', {
  developer: fields({ content: textContent, name }),
  system: fields({ content: textContent, name }),
  user: fields({ content: userContent, name }),
  assistant: fields({
    content: optional(nullable(stringOr(arrayOf(taggedBy('type', { text, refusal }))))),
    refusal: optional(nullable(anyString)),
    audio: optional(nullable(fields({ id: anyString }))),
    tool_calls: optional(arrayOf(toolCall, 1)),
    function_call: optional(nullable(call)),
    name,
  }),
  tool: fields({ content: textContent, tool_call_id: anyString }),
  function: fields({ content: nullable(anyString), name: anyString }),
});

/** The text of a checked message's content: its text parts joined, nothing for images, audio and files. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}
