import type { Steps } from '#platform/steps.ts';
import type {
  AssistantPart,
  ImagePart,
  Message,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { readArguments } from '../translation/call-arguments.ts';
import { mapMessages } from '../translation/encode-in-steps.ts';
import { demandDocumentText, inlineDocument } from '../translation/media-source.ts';
import { foreignFile, UntranslatableError } from '../translation/untranslatable.ts';
import { markFailure, splitUserTurn } from '../translation/user-turn.ts';

type ContentPart = Exclude<UserPart, ToolResultPart>;

/** `noteLeftOut` is called for each feature that Ollama does not support. */
export function* encodeMessages(
  messages: readonly Message[],
  noteLeftOut: (name: string) => void,
): Steps<object[]> {
  const encoded = yield* mapMessages(messages, (message) => encodeMessage(message, noteLeftOut));
  return encoded.flat();
}

function encodeMessage(message: Message, noteLeftOut: (name: string) => void): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: joinTexts(message.parts) }];
    case 'user':
      if (message.name !== undefined) noteLeftOut('messages.name');
      return encodeUser(message.parts);
    case 'assistant':
      return encodeAssistant(message.parts, noteLeftOut);
  }
}

function encodeUser(parts: readonly UserPart[]): object[] {
  const { results, said } = splitUserTurn(parts, ({ type }) => type !== 'image');
  const tools = results.map((result) => encodeResult(markFailure(result)));
  if (said.length === 0) return tools;
  const images = said.filter((part) => part.type === 'image');
  return [
    ...tools,
    {
      role: 'user',
      content: joinTexts(said),
      ...(images.length > 0 && { images: images.map(encodeImage) }),
    },
  ];
}

/** Newer servers match a result to its call by ID, older ones by name. */
function encodeResult({ callId, name, parts }: ToolResultPart): object {
  return {
    role: 'tool',
    tool_call_id: callId,
    ...(name !== undefined && { tool_name: name }),
    content: joinTexts(parts),
  };
}

function joinTexts(parts: readonly ContentPart[]): string {
  return parts.flatMap(readTextOf).join('\n');
}

function readTextOf(part: ContentPart): string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'document':
      return [inlineDocument(part.name, demandDocumentText(part))];
    case 'image':
      return [];
    case 'audio':
      throw new UntranslatableError('The provider of this model does not accept audio.', 'messages');
  }
}

function encodeImage({ source }: ImagePart): string {
  if (source.kind === 'data') return source.base64;
  if (source.kind === 'file') throw foreignFile('image');
  throw new UntranslatableError(
    'The provider of this model does not accept image URLs; send the image as a data URL.',
    'messages',
  );
}

function encodeAssistant(parts: readonly AssistantPart[], noteLeftOut: (name: string) => void): object[] {
  const thoughts = parts.filter((part) => part.type === 'reasoning');
  const calls = parts.filter((part) => part.type === 'tool-call');
  if (thoughts.some(({ text }) => text === '')) noteLeftOut('reasoning of earlier turns');
  const thinking = thoughts.map(({ text }) => text).join('');
  const content = parts
    .flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []))
    .join('');
  if (content === '' && thinking === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
    },
  ];
}

function encodeCall({ id, name, arguments: json }: ToolCallPart): object {
  return { id, function: { name, arguments: readArguments(json) } };
}
