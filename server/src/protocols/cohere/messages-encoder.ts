import type { Steps } from '#platform/steps.ts';
import type {
  AssistantPart,
  DocumentPart,
  Message,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { mapMessages } from '../translation/encode-in-steps.ts';
import { demandDocumentText, encodeImageUrl, inlineDocument } from '../translation/media-source.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { markFailure, splitUserTurn } from '../translation/user-turn.ts';

export interface EncodedMessages {
  readonly messages: readonly object[];
  /** Documents attached by users. Cohere accepts documents in a field separate from the messages. */
  readonly documents: readonly object[];
}

interface Conversation {
  readonly isThinking: boolean;
  readonly takesDocuments: boolean;
  readonly documents: object[];
  readonly noteLeftOut: (name: string) => void;
}

/** Documents stay in the messages unless `takesDocuments` is true. */
export function* encodeMessages(
  messages: readonly Message[],
  options: {
    readonly isThinking: boolean;
    readonly takesDocuments: boolean;
    readonly noteLeftOut: (name: string) => void;
  },
): Steps<EncodedMessages> {
  const conversation = { ...options, documents: [] };
  const encoded = yield* mapMessages(messages, (message) => encodeMessage(message, conversation));
  return { messages: encoded.flat(), documents: conversation.documents };
}

function encodeMessage(message: Message, conversation: Conversation): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: encodeContent(message.parts) }];
    case 'user':
      if (message.name !== undefined) conversation.noteLeftOut('messages.name');
      return encodeUser(message.parts, conversation);
    case 'assistant':
      return encodeAssistant(message.parts, conversation);
  }
}

function encodeUser(parts: readonly UserPart[], conversation: Conversation): object[] {
  const { results, said } = splitUserTurn(parts, ({ type }) => type !== 'image');
  const tools = results.map((result) => encodeResult(markFailure(result)));
  if (said.length === 0) return tools;
  const kept = attachDocuments(said, conversation);
  return [...tools, { role: 'user', content: encodeContent(kept) }];
}

/** A message must not be empty, so a document remains if there is no other content. */
function attachDocuments(said: readonly ContentPart[], conversation: Conversation): readonly ContentPart[] {
  const { documents, takesDocuments } = conversation;
  const rest = said.filter(({ type }) => type !== 'document');
  if (!takesDocuments || rest.length === 0) return said;
  for (const part of said)
    if (part.type === 'document') documents.push({ id: `doc:${documents.length}`, ...encodeDocument(part) });
  return rest;
}

function encodeResult({ callId, parts }: ToolResultPart): object {
  const hasDocuments = parts.some(({ type }) => type === 'document');
  const content = hasDocuments ? parts.map(encodeResultPart) : encodeContent(parts);
  return { role: 'tool', tool_call_id: callId, content };
}

function encodeResultPart(part: ToolResultPart['parts'][number]): object {
  return part.type === 'document' ? { type: 'document', document: encodeDocument(part) } : encodePart(part);
}

function encodeAssistant(parts: readonly AssistantPart[], conversation: Conversation): object[] {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const thoughts = parts.filter((part) => part.type === 'reasoning');
  const { isThinking, noteLeftOut } = conversation;
  const plan = isThinking ? '' : thoughts.map(({ text }) => text).join('');
  if (thoughts.some(({ text }) => text === '') || (plan !== '' && calls.length === 0))
    noteLeftOut('reasoning of earlier turns');
  const content = parts.flatMap((part) => encodeSaid(part, isThinking));
  if (content.length === 0 && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      ...(content.length > 0 && { content }),
      ...(calls.length > 0 && plan !== '' && { tool_plan: plan }),
      ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
    },
  ];
}

/** For models that cannot think, `encodeAssistant` sends reasoning as the plan of the tool calls instead. */
function encodeSaid(part: AssistantPart, isThinking: boolean): object[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return isThinking && part.text !== '' ? [{ type: 'thinking', thinking: part.text }] : [];
    case 'tool-call':
    // Images were already moved to the next user turn.
    case 'image':
      return [];
  }
}

function encodeCall({ id, name, arguments: json }: ToolCallPart): object {
  return { id, type: 'function', function: { name, arguments: json } };
}

type ContentPart = Exclude<UserPart, ToolResultPart>;

/** Encodes a single text as a string, because some models do not accept a list. */
function encodeContent(parts: readonly ContentPart[]): string | object[] {
  const [first] = parts;
  if (!first) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : parts.map(encodePart);
}

function encodePart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return encodeImageUrl(part);
    case 'document':
      return { type: 'text', text: inlineDocument(part.name, demandDocumentText(part)) };
    case 'audio':
      throw new UntranslatableError('The provider of this model does not accept audio.', 'messages');
  }
}

/** Encodes a document in the form that Cohere models are trained to read and cite. */
function encodeDocument(document: DocumentPart): { readonly data: object } {
  const { name } = document;
  return { data: { ...(name !== undefined && { title: name }), text: demandDocumentText(document) } };
}
