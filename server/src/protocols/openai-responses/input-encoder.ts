import type { Steps } from '#platform/steps.ts';
import type {
  AssistantPart,
  Message,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import type { RequestTarget } from '../protocol.ts';
import { moveAnswerImages } from '../translation/answer-images.ts';
import { mapMessages } from '../translation/encode-in-steps.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { markFailure } from '../translation/user-turn.ts';
import { encodeContent, type NoteLeftOut } from './content-parts.ts';
import { callIdLengthMax } from './foreign-state.ts';
import { isReadable, writeReasoningItem } from './reasoning.ts';

/** `noteLeftOut` is called for each feature that the provider does not accept. */
export function* encodeInput(
  messages: readonly Message[],
  target: RequestTarget,
  noteLeftOut: NoteLeftOut,
): Steps<object[]> {
  const placed = moveAnswerImages(messages, target.facts, noteLeftOut);
  const encoded = yield* mapMessages(placed, (message) => encodeMessage(message, target, noteLeftOut));
  return encoded.flat();
}

function encodeMessage(message: Message, target: RequestTarget, noteLeftOut: NoteLeftOut): object[] {
  switch (message.role) {
    case 'system': {
      const role = target.isReasoningModel ? 'developer' : 'system';
      return [{ role, content: encodeContent(message.parts) }];
    }
    case 'user':
      if (message.name !== undefined) noteLeftOut('messages.name');
      return encodeUser(message.parts);
    case 'assistant':
      return encodeAssistant(message.parts, target, noteLeftOut);
  }
}

function encodeUser(parts: readonly UserPart[]): object[] {
  const results = parts.filter((part) => part.type === 'tool-result').map(encodeResult);
  const said = parts.filter((part) => part.type !== 'tool-result');
  return said.length === 0 ? results : [...results, { role: 'user', content: encodeContent(said) }];
}

function encodeResult(result: ToolResultPart): object {
  const { callId, parts } = markFailure(result);
  return { type: 'function_call_output', call_id: fitCallId(callId), output: encodeContent(parts) };
}

type ContentPart = Extract<AssistantPart, { type: 'text' | 'refusal' }>;

/** Encodes consecutive texts as one message, and reasoning and calls as separate items, in the original order. */
function encodeAssistant(
  parts: readonly AssistantPart[],
  target: RequestTarget,
  noteLeftOut: NoteLeftOut,
): object[] {
  // OpenAI rejects reasoning without an item after it.
  const last = parts.findLastIndex(({ type }) => type !== 'reasoning');
  if (last < parts.length - 1) noteLeftOut('reasoning of earlier turns');
  const items: object[] = [];
  let said: ContentPart[] = [];
  const endMessage = () => {
    if (said.length > 0) items.push({ role: 'assistant', content: encodeSaid(said) });
    said = [];
  };
  for (const part of parts.slice(0, last + 1)) {
    if (part.type === 'text' || part.type === 'refusal') {
      if (part.text !== '') said.push(part);
      continue;
    }
    if (part.type === 'image') continue;
    const item = part.type === 'reasoning' ? encodeReasoning(part, target) : encodeCall(part);
    if (item) {
      endMessage();
      items.push(item);
    } else noteLeftOut('reasoning of earlier turns');
  }
  endMessage();
  return items;
}

function encodeSaid(said: readonly ContentPart[]): string | object[] {
  const [first] = said;
  if (said.length === 1 && first?.type === 'text') return first.text;
  return said.map(({ type, text }) =>
    type === 'text' ? { type: 'output_text', text } : { type: 'refusal', refusal: text },
  );
}

function encodeCall({ id, name, arguments: json }: ToolCallPart): object {
  return { type: 'function_call', call_id: fitCallId(id), name, arguments: json };
}

/** Signed reasoning is returned to its maker; other vendors receive the text if they accept it. */
function encodeReasoning(
  { text, signature }: ReasoningPart,
  { dialect, isAccountShared }: RequestTarget,
): object | null {
  const isOwn = signature?.protocol === 'openai-responses' && isReadable(signature.value, dialect);
  const proof = isOwn ? signature : undefined;
  const content =
    dialect?.reasoningField && dialect.reasoningField !== 'none' && text !== ''
      ? { content: [{ type: 'reasoning_text', text }] }
      : null;
  if (!proof && !content) return null;
  return {
    ...(proof?.id !== undefined && !isAccountShared && { id: proof.id }),
    ...writeReasoningItem(text, proof, 'reasoning'),
    ...content,
  };
}

/** Call and result get the same id in every turn. */
function fitCallId(id: string): string {
  return id.length <= callIdLengthMax ? id : makeCallId(id);
}
