import { callLimits } from '#json/body-limits.ts';
import { isLongNumber, parseWithin } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';
import type { ToolResultPart } from '../canonical/content.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeFileData, decodeInlineData, encodeMedia } from './media.ts';
import type { FunctionResponse } from './wire.ts';

/** Fields that wrap a result that is not an object. `error` means that the tool failed. */
const wrappers = ['output', 'result', 'error'];

export function decodeFunctionResponse(
  { name, response, parts }: FunctionResponse,
  callId: string,
  path: string,
): ToolResultPart {
  const { text, isError } = unwrap(response ?? {});
  const attachments = (parts ?? []).map((part, index) => {
    const place = `${path}.parts[${index}]`;
    const media =
      (part.inlineData && decodeInlineData(part.inlineData, `${place}.inlineData`)) ??
      (part.fileData && decodeFileData(part.fileData, `${place}.fileData`));
    if (media && media.type !== 'audio') return media;
    throw new UntranslatableError('A tool result may contain text, images and documents.', place);
  });
  return {
    type: 'tool-result',
    callId,
    name,
    parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attachments],
    isError,
  };
}

function unwrap(response: Readonly<Record<string, unknown>>): {
  readonly text: string;
  readonly isError: boolean;
} {
  const [only, ...others] = Object.entries(response);
  if (!only) return { text: '', isError: false };
  const [name, value] = others.length === 0 ? only : ['', response];
  const content = wrappers.includes(name) ? value : response;
  return { text: typeof content === 'string' ? content : JSON.stringify(content), isError: name === 'error' };
}

/**
 * Maximum total length of tool results parsed as objects per conversation, in UTF-16 units. Later results are sent as
 * text.
 */
const readLengthMax = 512 * 1024;

/** Called with the results of one conversation in their order. */
export type EncodeFunctionResponse = (result: ToolResultPart, name: string) => object;

/** A result that is not a JSON object is wrapped in one. */
export function createFunctionResponseEncoder(): EncodeFunctionResponse {
  let lengthLeft = readLengthMax;
  const read = (text: string) => {
    lengthLeft -= text.length;
    return lengthLeft >= 0 ? parseObject(text) : null;
  };
  return ({ callId, parts, isError }, name) => {
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const attachments = parts.filter((part) => part.type !== 'text').map(encodeMedia);
    return {
      functionResponse: {
        id: callId,
        name,
        response: texts.length === 0 && !isError ? {} : wrap(texts.join('\n'), isError, read),
        ...(attachments.length > 0 && { parts: attachments }),
      },
    };
  };
}

function wrap(text: string, isError: boolean, read: (text: string) => object | null): unknown {
  if (isError) return { error: text };
  const value = read(text);
  const names = Object.keys(value ?? {});
  const isAmbiguous = names.length === 0 || (names.length === 1 && wrappers.includes(names[0] ?? ''));
  return isAmbiguous || !isPlain(value) ? { output: text } : value;
}

/**
 * Returns whether Google preserves a value. Google treats names that start with `$`, such as `$ref`, as references to
 * parts of the result, and reads numbers as doubles.
 */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isLongNumber(value)) return false;
  return Object.entries(value).every(([name, held]) => !name.startsWith('$') && isPlain(held));
}

function parseObject(text: string): object | null {
  try {
    const value = text.trimStart().startsWith('{') ? parseWithin(text, callLimits) : null;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
