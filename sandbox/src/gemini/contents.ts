import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  exactly,
  isObject,
  matching,
  oneOf,
  optional,
} from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

const id = optional(anyString);
const name = matching(/./, 'Name cannot be empty.');

const dataFields: Record<string, Check> = {
  text: anyString,
  inlineData: exactly({
    mimeType: matching(/^[\w.+-]+\/[\w.+-]+/, 'a media type is needed'),
    data: matching(/^[\w+/-]+=*$/, 'Base64 decoding failed'),
    displayName: id,
  }),
  fileData: exactly({
    mimeType: id,
    displayName: id,
    fileUri: matching(
      /^(https:\/\/(generativelanguage\.googleapis\.com|([a-z]+\.)?youtube\.com|youtu\.be)\/|gs:\/\/)/,
      'Cannot fetch content from the provided URL.',
    ),
  }),
  functionCall: exactly({ id, name, args: optional(anyObject) }),
  functionResponse: exactly({
    id,
    name,
    response: anyObject,
    parts: optional(arrayOf(anyObject)),
    willContinue: optional(anyBoolean),
    scheduling: optional(anyString),
  }),
  executableCode: anyObject,
  codeExecutionResult: anyObject,
  toolCall: anyObject,
  toolResponse: anyObject,
};

const partFields = {
  ...Object.fromEntries(Object.entries(dataFields).map(([field, check]) => [field, optional(check)])),
  thought: optional(anyBoolean),
  thoughtSignature: optional(anyString),
  videoMetadata: optional(anyObject),
  partMetadata: optional(anyObject),
  mediaResolution: optional(anyObject),
};

const part: Check = (value, path) => {
  exactly(partFields)(value, path);
  const given = Object.keys(Object(value)).filter((field) => Object.hasOwn(dataFields, field));
  if (given.length > 1) throw invalidRequest(null, path, `oneof field 'data' is already set: ${given[1]}`);
  const isSigned = isObject(value) && value.thoughtSignature !== undefined;
  if (given.length === 0 && !isSigned)
    throw invalidRequest(null, `${path}.data`, "required oneof field 'data' must have one initialized field");
};

export const content = exactly({
  role: optional(oneOf('user', 'model', 'function')),
  parts: arrayOf(part, 1),
});

/** An instruction contains only text, regardless of its role. */
export const instruction = exactly({ role: optional(anyString), parts: arrayOf(part, 1) });
