import type { Message, TextPart } from '../canonical/content.ts';
import { decodeAssistantBlocks } from './assistant-blocks.ts';
import { type AnyBlock, readBlock, readCacheMark, refuseBlock, textBlock } from './block.ts';
import { decodeUserBlocks } from './user-blocks.ts';
import * as wire from './wire.ts';

export interface DecodedMessages {
  readonly messages: readonly Message[];
  /** Types of assistant blocks that no other protocol supports. */
  readonly skippedTypes: readonly string[];
}

/** Throws if content cannot be expressed in other protocols. */
export function decodeMessages({
  system,
  messages,
}: Pick<wire.MessagesRequest, 'system' | 'messages'>): DecodedMessages {
  const skippedTypes: string[] = [];
  const names = new Map<string, string>();
  const lastAsked = messages.findLastIndex(({ role }) => role === 'user');
  const decoded = messages.map(({ role, content, clear_at: clearAt }, index): Message => {
    const path = ['messages', index, 'content'];
    const blocks = toBlocks(content);
    if (role === 'system') {
      const isForgotten = clearAt === 'next_user_message' && index < lastAsked;
      return { role, parts: isForgotten ? [] : decodeSystem(blocks.filter(isSaid), path) };
    }
    if (role === 'user')
      return { role, parts: decodeUserBlocks(blocks, path, (callId) => names.get(callId)) };
    const { parts, skippedTypes: skipped } = decodeAssistantBlocks(blocks.map(openCompaction), path);
    for (const type of skipped) skippedTypes.push(type);
    for (const part of parts) if (part.type === 'tool-call') names.set(part.id, part.name);
    return { role, parts };
  });
  const said = decoded.filter(({ role, parts }) => role !== 'system' || parts.length > 0);
  const systemParts = decodeSystem(toBlocks(system ?? ''), ['system']);
  return {
    messages: systemParts.length === 0 ? said : [{ role: 'system', parts: systemParts }, ...said],
    skippedTypes,
  };
}

/** In a system turn, tool changes are not text. */
const isSaid = ({ type }: AnyBlock) => !type.startsWith('tool_');

// A compaction summary replaces turns that the caller may no longer send.
function openCompaction(block: AnyBlock): AnyBlock {
  if (block.type !== 'compaction' || typeof block.content !== 'string') return block;
  return { ...block, ...textBlock(block.content) };
}

function toBlocks(content: string | readonly AnyBlock[]): readonly AnyBlock[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [textBlock(content)];
}

function decodeSystem(blocks: readonly AnyBlock[], path: readonly PropertyKey[]): TextPart[] {
  return blocks.map((raw, index) => {
    const blockPath = [...path, index];
    const { text } = readBlock(wire.textBlock, raw, blockPath) ?? refuseBlock(raw, blockPath);
    return { type: 'text', text, ...readCacheMark(raw) };
  });
}
