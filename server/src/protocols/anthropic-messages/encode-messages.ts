import type { AssistantPart, Message } from '../canonical/content.ts';
import { encodeCall } from './assistant-blocks.ts';
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
  const turns = messages.map(encodeTurn).filter(({ content }) => content.length > 0);
  const stays = turns.map((turn, index) => turn.role !== 'system' || mayStay(turns, index, traits));
  const merged = mergeTurns(turns.filter((_turn, index) => stays[index]));
  const opened = merged[0]?.role === 'user' ? merged : [placeholder, ...merged];
  // Without it, the assistant's last turn would pass for the beginning of the answer.
  const isBlankAtEnd = messages.at(-1)?.role === 'user' && opened.at(-1)?.role === 'assistant';
  return {
    system: turns.filter((_turn, index) => !stays[index]).flatMap(({ content }) => content),
    messages: isBlankAtEnd ? [...opened, placeholder] : trimPrefill(opened),
    hasLostReasoning: messages.some(({ role, parts }) => role === 'assistant' && parts.some(isLost)),
  };
}

function encodeTurn(message: Message): Turn {
  const { role } = message;
  if (role === 'assistant') return { role, content: message.parts.flatMap(encodeHistoryPart) };
  return { role, content: encodeUserParts(message.parts) };
}

function encodeHistoryPart(part: AssistantPart): AnyBlock[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [textBlock(part.text)];
    case 'tool-call':
      return [encodeCall(part)];
    case 'reasoning': {
      if (isLost(part) || part.signature === undefined) return [];
      const { value } = part.signature;
      return part.isRedacted
        ? [{ type: 'redacted_thinking', data: value }]
        : [{ type: 'thinking', thinking: part.text, signature: value }];
    }
  }
}

function isLost(part: {
  readonly type: string;
  readonly signature?: { readonly protocol: string };
}): boolean {
  return part.type === 'reasoning' && part.signature?.protocol !== 'anthropic-messages';
}

// A system message is taken only between a user's turn and the assistant's, or at the end after a user's.
function mayStay(turns: readonly Turn[], index: number, { hasSystemTurns }: ModelTraits): boolean {
  const before = turns.slice(0, index).findLast(({ role }) => role !== 'system');
  const after = turns.slice(index + 1).find(({ role }) => role !== 'system');
  return hasSystemTurns && before?.role === 'user' && after?.role !== 'user';
}

function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role !== turn.role) merged.push(turn);
    else {
      const content = [...last.content, ...turn.content];
      merged[merged.length - 1] = {
        role: turn.role,
        content: putResultsFirst(content, (block) => block.type === 'tool_result'),
      };
    }
  }
  return merged;
}

// White space at the end of a text that the model is to go on with is refused.
function trimPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return turns;
  const trimmed = textBlock(String(block.text).trimEnd());
  return [...turns.slice(0, -1), { role: 'assistant', content: [...last.content.slice(0, -1), trimmed] }];
}
