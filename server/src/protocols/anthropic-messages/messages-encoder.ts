import type { AssistantPart, Message } from '../canonical/content.ts';
import { encodeCall, encodeReasoning } from './assistant-blocks.ts';
import { type AnyBlock, textBlock } from './block.ts';
import type { ModelTraits } from './model-traits.ts';
import { encodeUserParts, putResultsFirst } from './user-blocks.ts';

interface Turn {
  readonly role: Message['role'];
  readonly content: readonly AnyBlock[];
}

export interface EncodedMessages {
  readonly system: readonly AnyBlock[];
  readonly messages: readonly Turn[];
  /** Whether reasoning was left out that another provider signed, or nobody. */
  readonly hasLostReasoning: boolean;
}

/** Stands where Anthropic demands a user's words and there are none. */
const placeholder: Turn = { role: 'user', content: [textBlock('…')] };

/**
 * The conversation as Anthropic takes it: system text on top, a user's turn first, roles in turn, no blank text.
 * A system message in the middle stays there where the model knows such, and is hoisted otherwise.
 */
export function encodeMessages(messages: readonly Message[], traits: ModelTraits): EncodedMessages {
  const turns = messages
    .map((message) => encodeTurn(message, traits))
    .filter(({ content }) => content.length > 0);
  const stays = listStaying(turns, traits);
  const merged = mergeTurns(turns.filter((_turn, index) => stays[index]));
  const opened = merged[0]?.role === 'user' ? merged : [placeholder, ...merged];
  // Without it, the assistant's last turn would pass for the beginning of the answer.
  const isBlankAtEnd = messages.at(-1)?.role === 'user' && opened.at(-1)?.role === 'assistant';
  return {
    system: turns.filter((_turn, index) => !stays[index]).flatMap(({ content }) => content),
    messages: isBlankAtEnd ? [...opened, placeholder] : trimPrefill(opened),
    hasLostReasoning: messages.some(
      (message) => message.role === 'assistant' && message.parts.some((part) => isLost(part, traits)),
    ),
  };
}

function encodeTurn(message: Message, traits: ModelTraits): Turn {
  const { role } = message;
  if (role === 'assistant')
    return { role, content: message.parts.flatMap((part) => encodeHistoryPart(part, traits)) };
  return { role, content: encodeUserParts(message.parts) };
}

function encodeHistoryPart(part: AssistantPart, traits: ModelTraits): AnyBlock[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [textBlock(part.text)];
    case 'tool-call':
      return [encodeCall(part)];
    case 'reasoning':
      return isLost(part, traits) ? [] : encodeReasoning(part);
  }
}

function isLost(part: AssistantPart, { checksSignatures }: ModelTraits): boolean {
  if (part.type !== 'reasoning') return false;
  return part.signature === undefined
    ? checksSignatures || part.isRedacted
    : part.signature.protocol !== 'anthropic-messages';
}

// A system message is taken only between a user's turn and the assistant's, or at the end after a user's.
function listStaying(turns: readonly Turn[], { hasSystemTurns }: ModelTraits): boolean[] {
  const before = listSpokenBefore(turns);
  const after = listSpokenBefore(turns.toReversed()).toReversed();
  return turns.map(
    ({ role }, index) =>
      role !== 'system' || (hasSystemTurns && before[index] === 'user' && after[index] !== 'user'),
  );
}

/** Whose the nearest turn before each is, the system's left out. */
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

// White space at the end of a text that the model is to go on with is refused.
function trimPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return turns;
  const trimmed = textBlock(String(block.text).trimEnd());
  return [...turns.slice(0, -1), { role: 'assistant', content: [...last.content.slice(0, -1), trimmed] }];
}
