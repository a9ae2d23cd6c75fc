import type { AssistantPart, ReasoningPart, Signature, ToolCallPart } from '../canonical/content.ts';
import { describeImage } from '../translation/answer-images.ts';
import { readArguments } from '../translation/call-arguments.ts';
import {
  type AnyBlock,
  encodeCacheMark,
  encodeToolId,
  readBlock,
  readCacheMark,
  readSignature,
  writeSignature,
} from './block.ts';
import * as wire from './wire.ts';

export interface DecodedBlocks {
  readonly parts: readonly AssistantPart[];
  /** Types of blocks that only this protocol supports, such as server tool calls. */
  readonly skippedTypes: readonly string[];
}

/** `path` is the location of the blocks, used in error messages. */
export function decodeAssistantBlocks(
  blocks: readonly AnyBlock[],
  path: readonly PropertyKey[],
): DecodedBlocks {
  const parts: AssistantPart[] = [];
  const skippedTypes: string[] = [];
  let next: Signature | undefined;
  for (const [index, raw] of blocks.entries()) {
    const block = readBlock(wire.assistantBlock, raw, [...path, index]);
    if (block === null) skippedTypes.push(raw.type);
    else {
      addBlock(parts, block, { ...readCacheMark(raw), ...(next && { signature: next }) });
      next = block.type === 'thinking' ? readNextSignature(block.signature) : undefined;
    }
  }
  return { parts, skippedTypes };
}

function readNextSignature(text: string | null | undefined): Signature | undefined {
  const read = readSignature(text ?? '');
  return read?.signed === 'next-call' ? read.signature : undefined;
}

function addBlock(
  parts: AssistantPart[],
  block: wire.AssistantBlock,
  { signature, ...mark }: ReturnType<typeof readCacheMark> & { readonly signature?: Signature },
): void {
  switch (block.type) {
    case 'text':
      if (block.text !== '') parts.push({ type: 'text', text: block.text, ...mark });
      break;
    case 'thinking':
      addReasoning(parts, block.thinking, block.signature ?? '', false);
      break;
    case 'redacted_thinking':
      addReasoning(parts, '', block.data, true);
      break;
    case 'tool_use':
      parts.push({
        type: 'tool-call',
        id: block.id,
        name: block.name,
        arguments: JSON.stringify(block.input ?? {}),
        ...mark,
        ...(signature && { signature }),
      });
  }
}

function addReasoning(parts: AssistantPart[], text: string, signatureText: string, isRedacted: boolean) {
  const read = readSignature(signatureText);
  const previous = parts.at(-1);
  if (read?.signed === 'next-call') return;
  // Earlier releases sent a call's signature after the call.
  if (read?.signed === 'call') {
    if (previous?.type === 'tool-call') parts[parts.length - 1] = { ...previous, signature: read.signature };
  } else if (read !== null || text !== '') {
    parts.push({ type: 'reasoning', text, isRedacted, ...(read && { signature: read.signature }) });
  }
}

/**
 * Encodes the parts of a response as blocks for a caller. Signatures of other protocols are carried in thinking
 * blocks, which are never last: clients treat the last block as the answer.
 */
export function encodeAnswerParts(parts: readonly AssistantPart[]): AnyBlock[] {
  const last = parts.findLastIndex((part) => part.type !== 'reasoning' || !isCarrier(part));
  return parts.slice(0, last + 1).flatMap((part) => {
    if (part.type === 'reasoning') return encodeReasoning(part);
    if (part.type === 'tool-call') return [...encodeCallSignature(part), encodeCall(part)];
    if (part.type === 'image') return [{ type: 'text', text: describeImage(part) }];
    return part.type === 'text' && part.text !== '' ? [{ type: 'text', text: part.text }] : [];
  });
}

/** Encodes reasoning, with any signature, as a block. Returns no block if there is neither text nor signature. */
export function encodeReasoning({ text, isRedacted, signature }: ReasoningPart): AnyBlock[] {
  const signatureText = signature ? writeSignature(signature, 'reasoning') : '';
  if (isRedacted) return signatureText === '' ? [] : [{ type: 'redacted_thinking', data: signatureText }];
  return text === '' && signatureText === ''
    ? []
    : [{ type: 'thinking', thinking: text, signature: signatureText }];
}

/** Returns whether reasoning contains only the signature of another protocol. */
export function isCarrier({
  isRedacted,
  signature,
}: Pick<ReasoningPart, 'isRedacted' | 'signature'>): boolean {
  return isRedacted && signature !== undefined && signature.protocol !== 'anthropic-messages';
}

function encodeCallSignature({ signature }: ToolCallPart): AnyBlock[] {
  return signature
    ? [{ type: 'thinking', thinking: '', signature: writeSignature(signature, 'next-call') }]
    : [];
}

export function encodeCall({ id, name, arguments: json, ...marked }: ToolCallPart): AnyBlock {
  const input = readArguments(json);
  return { type: 'tool_use', id: encodeToolId(id), name, input, ...encodeCacheMark(marked) };
}
