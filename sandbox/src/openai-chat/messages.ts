import {
  all,
  anyObject,
  anyString,
  arrayOf,
  fields,
  isObject,
  matching,
  nullable,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { pictureAddress } from '../request/picture-address.ts';
import { invalidRequest } from '../request/problem.ts';

const name = optional(anyString);
const text = fields({ text: anyString });
const refusal = fields({ refusal: anyString });
const call = fields({ name: anyString, arguments: anyString });
const callId = matching(/^.{1,40}$/s, 'it has 1 to 40 characters');

export const textContent = stringOr(arrayOf(taggedBy('type', { text }), 1));

const userContent = stringOr(
  arrayOf(
    taggedBy('type', {
      text,
      image_url: fields({
        image_url: fields({
          url: pictureAddress,
          detail: optional(oneOf('auto', 'low', 'high', 'original')),
        }),
      }),
      input_audio: fields({ input_audio: fields({ data: anyString, format: oneOf('wav', 'mp3') }) }),
      file: fields({ file: anyObject }),
    }),
    1,
  ),
);

const toolCall = taggedBy('type', {
  function: fields({ id: callId, function: call }),
  custom: fields({ id: callId, custom: fields({ name: anyString, input: anyString }) }),
});

/** Allowed fields of a message of each role. */
export const message = taggedBy('role', {
  developer: fields({ content: textContent, name }),
  system: fields({ content: textContent, name }),
  user: fields({ content: userContent, name }),
  assistant: all(
    fields({
      content: optional(nullable(stringOr(arrayOf(taggedBy('type', { text, refusal }))))),
      refusal: optional(nullable(anyString)),
      audio: optional(nullable(fields({ id: anyString }))),
      tool_calls: optional(arrayOf(toolCall, 1)),
      function_call: optional(nullable(call)),
      name,
    }),
    saysSomething,
  ),
  tool: fields({ content: textContent, tool_call_id: callId }),
  function: fields({ content: nullable(anyString), name: anyString }),
});

function saysSomething(message: unknown, path: string): void {
  const { content, refusal: refused, audio, tool_calls: calls, function_call: legacyCall } = Object(message);
  if ([content, refused, audio, calls, legacyCall].some((said) => said !== undefined && said !== null))
    return;
  throw invalidRequest('invalid_type', `${path}.content`, 'an answer without calls needs a content');
}

/** Returns the text of a checked message's content: its text parts joined, without images, audio and files. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}
