import type { Steps } from '#platform/steps.ts';
import type { AssistantPart, Message } from '../canonical/content.ts';
import { mapMessages, microsPerMessage } from '../translation/encode-in-steps.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { encodeCall, encodeReasoning } from './assistant-blocks.ts';
import { type AnyBlock, encodeCacheMark, textBlock } from './block.ts';
import type { ModelTraits } from './model-traits.ts';
import { encodeUserParts, putResultsFirst } from './user-blocks.ts';

interface Turn {
  readonly role: Message['role'];
  readonly content: readonly AnyBlock[];
}

export interface EncodedMessages {
  readonly system: readonly AnyBlock[];
  readonly messages: readonly Turn[];
  /** Whether reasoning was omitted because it is unsigned or was signed by another provider. */
  readonly hasLostReasoning: boolean;
}

/** Placeholder for a user turn that Anthropic requires but the conversation lacks. */
const placeholder: Turn = { role: 'user', content: [textBlock('…')] };

/**
 * Encodes a conversation by Anthropic's rules: system text first, then a user turn, alternating roles, no blank text.
 * A later system message stays in its position if the model accepts it there; otherwise, it is moved to the system
 * text.
 */
export function* encodeMessages(messages: readonly Message[], traits: ModelTraits): Steps<EncodedMessages> {
  const encoded = yield* mapMessages(messages, (message) => encodeTurn(message, traits));
  const passMicros = encoded.length * microsPerMessage;
  yield passMicros;
  const turns = encoded.filter(({ content }) => content.length > 0);
  const stays = listStaying(turns, traits);
  yield passMicros;
  const merged = mergeTurns(turns.filter((_turn, index) => stays[index]));
  yield passMicros;
  const opened = merged[0]?.role === 'user' ? merged : [placeholder, ...merged];
  // Without a final user turn, Anthropic would continue the assistant's last turn.
  const isBlankAtEnd = messages.at(-1)?.role === 'user' && opened.at(-1)?.role === 'assistant';
  return {
    system: turns.filter((_turn, index) => !stays[index]).flatMap(({ content }) => content),
    messages: isBlankAtEnd ? [...opened, placeholder] : trimPrefill(opened),
    hasLostReasoning: messages.some(
      (message) =>
        message.role === 'assistant' && message.parts.some((part) => isLost(dropSignedField(part), traits)),
    ),
  };
}

function encodeTurn(message: Message, traits: ModelTraits): Turn {
  const { role } = message;
  if (role === 'assistant')
    return {
      role,
      content: message.parts.flatMap((part) => encodeHistoryPart(dropSignedField(part), traits)),
    };
  return { role, content: encodeUserParts(message.parts) };
}

function encodeHistoryPart(part: AssistantPart, traits: ModelTraits): AnyBlock[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === ''
        ? []
        : [{ ...textBlock(part.text), ...(part.type === 'text' && encodeCacheMark(part)) }];
    case 'tool-call':
      return [encodeCall(part)];
    case 'reasoning':
      return isLost(part, traits) ? [] : encodeReasoning(part);
    case 'image':
      // Images were already moved to the next user turn.
      return [];
  }
}

function isLost(part: AssistantPart, { checksSignatures }: ModelTraits): boolean {
  if (part.type !== 'reasoning') return false;
  return part.signature === undefined
    ? checksSignatures || part.isRedacted
    : part.signature.protocol !== 'anthropic-messages';
}

// Anthropic accepts a system message only between a user and an assistant turn, or at the end after a user turn.
function listStaying(turns: readonly Turn[], { hasSystemTurns }: ModelTraits): boolean[] {
  const before = listSpokenBefore(turns);
  const after = listSpokenBefore(turns.toReversed()).toReversed();
  return turns.map(
    ({ role }, index) =>
      role !== 'system' || (hasSystemTurns && before[index] === 'user' && after[index] !== 'user'),
  );
}

/** Returns for each turn the role of the nearest earlier turn that is not a system turn. */
function listSpokenBefore(turns: readonly Turn[]): (Turn['role'] | undefined)[] {
  let nearest: Turn['role'] | undefined;
  return turns.map(({ role }) => {
    const found = nearest;
    if (role !== 'system') nearest = role;
    return found;
  });
}

function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: { readonly role: Turn['role']; readonly content: AnyBlock[] }[] = [];
  for (const { role, content } of turns) {
    if (merged.at(-1)?.role !== role) merged.push({ role, content: [] });
    for (const block of content) merged.at(-1)?.content.push(block);
  }
  return merged.map(({ role, content }) => ({
    role,
    content: putResultsFirst(content, ({ type }) => type === 'tool_result'),
  }));
}

// Anthropic rejects a prefilled response that ends with white space.
function trimPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return turns;
  const trimmed = { ...block, text: String(block.text).trimEnd() };
  return [...turns.slice(0, -1), { role: 'assistant', content: [...last.content.slice(0, -1), trimmed] }];
}
