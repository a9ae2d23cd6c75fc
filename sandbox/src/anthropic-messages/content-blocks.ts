import {
  all,
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  exactly,
  isObject,
  matching,
  nullable,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { sniffMediaType } from '../request/media.ts';
import { invalidRequest } from '../request/problem.ts';

export const cacheControl = optional(
  nullable(exactly({ type: oneOf('ephemeral'), ttl: optional(oneOf('5m', '1h')) })),
);

const type = anyString;
const spoken = matching(/\S/, 'text content blocks must contain non-whitespace text');
const citations = optional(nullable(anyObject));
const toolUseId = matching(/^[\w-]+$/, 'must consist of letters, digits, _ and -');
const httpsUrl = matching(/^https:\/\//, 'Only HTTPS URLs are supported.');

const text = exactly({
  type,
  text: spoken,
  cache_control: cacheControl,
  citations: optional(nullable(arrayOf(anyObject))),
});

export const textContent = stringOr(arrayOf(taggedBy('type', { text })));

const pictureSource = taggedBy('type', {
  base64: all(
    exactly({
      type,
      media_type: oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
      data: matching(/^[\w+/=-]+$/, 'the data is missing or not base64'),
    }),
    isWhatItSays,
  ),
  url: exactly({ type, url: httpsUrl }),
  file: exactly({ type, file_id: anyString }),
});

const image = exactly({
  type,
  source: pictureSource,
  cache_control: cacheControl,
  transformations: optional(nullable(anyObject)),
});

const document = exactly({
  type,
  source: taggedBy('type', {
    base64: exactly({ type, media_type: oneOf('application/pdf'), data: anyString }),
    text: exactly({ type, media_type: oneOf('text/plain'), data: anyString }),
    content: exactly({ type, content: stringOr(arrayOf(taggedBy('type', { text, image }))) }),
    url: exactly({ type, url: httpsUrl }),
    file: exactly({ type, file_id: anyString }),
  }),
  cache_control: cacheControl,
  citations,
  context: optional(nullable(anyString)),
  title: optional(nullable(anyString)),
});

const searchResult = exactly({
  type,
  content: arrayOf(taggedBy('type', { text }), 1),
  source: anyString,
  title: anyString,
  cache_control: cacheControl,
  citations,
});

const toolResult = exactly({
  type,
  tool_use_id: toolUseId,
  content: optional(
    stringOr(
      arrayOf(
        taggedBy('type', { text, image, document, search_result: searchResult, tool_reference: anyObject }),
      ),
    ),
  ),
  is_error: optional(anyBoolean),
  cache_control: cacheControl,
});

const toolUse = exactly({
  type,
  id: toolUseId,
  name: anyString,
  input: anyObject,
  cache_control: cacheControl,
  caller: optional(anyObject),
});

/** Calls and results of the provider's own tools. Clients send them back unchanged. */
const ofServerTools = Object.fromEntries(
  [
    ...['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'code_execution_tool_result'],
    ...['bash_code_execution_tool_result', 'text_editor_code_execution_tool_result'],
    ...['tool_search_tool_result', 'container_upload'],
  ].map((name) => [name, anyObject]),
);

const userBlock = taggedBy('type', {
  text,
  image,
  document,
  search_result: searchResult,
  tool_result: toolResult,
  ...ofServerTools,
});

const assistantBlock = taggedBy('type', {
  text,
  thinking: exactly({ type, thinking: anyString, signature: anyString }),
  redacted_thinking: exactly({ type, data: anyString }),
  tool_use: toolUse,
  ...ofServerTools,
});

/** System turns may add and remove tools and change the thinking effort. */
const toolChange = exactly({ type, tool: anyObject });

export const message = taggedBy('role', {
  user: exactly({ role: anyString, content: stringOr(arrayOf(userBlock)) }),
  assistant: exactly({ role: anyString, content: stringOr(arrayOf(assistantBlock)) }),
  system: exactly({
    role: anyString,
    content: stringOr(
      arrayOf(taggedBy('type', { text, tool_addition: toolChange, tool_removal: toolChange })),
    ),
    output_config: optional(exactly({ effort: optional(nullable(anyString)) })),
  }),
});

function isWhatItSays(source: unknown, path: string): void {
  if (!isObject(source)) return;
  const mediaType = sniffMediaType(String(source.data));
  if (mediaType === null) throw invalidRequest(null, null, 'Could not process image');
  if (mediaType === source.media_type) return;
  const rule = `The image was given as ${source.media_type}, but appears to be ${mediaType}`;
  throw invalidRequest(null, `${path}.data`, rule);
}
