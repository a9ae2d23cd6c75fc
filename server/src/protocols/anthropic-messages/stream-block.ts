import { readText } from '#json/json-value.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { answerToolName } from './answer-format.ts';
import { type AnyBlock, readSignature } from './block.ts';
import type { StreamEvent as WireEvent } from './wire.ts';

/** Text and reasoning start with their first content, so that no block is empty. */
export interface OpenBlock {
  /** `answer` is a call whose input is the response text. `skipped` has no canonical form. */
  readonly kind: 'text' | 'reasoning' | 'call' | 'answer' | 'skipped';
  /** Block index in the provider's stream; `null` for a block that arrived complete. */
  readonly index: number | null;
  readonly number: number;
  readonly isRedacted: boolean;
  /** Call input from the start event, used only if no fragment follows. */
  readonly input: unknown;
  isBegun: boolean;
  hasInput: boolean;
  signature: string;
}

const kinds: Readonly<Record<string, OpenBlock['kind']>> = {
  text: 'text',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
  tool_use: 'call',
};

export function openBlock(
  wire: AnyBlock,
  index: number | null,
  number: number,
): { readonly block: OpenBlock; readonly events: readonly StreamEvent[] } {
  const kind =
    wire.type === 'tool_use' && wire.name === answerToolName ? 'answer' : (kinds[wire.type] ?? 'skipped');
  const block: OpenBlock = {
    kind,
    index,
    number,
    isRedacted: wire.type === 'redacted_thinking',
    input: wire.input,
    isBegun: kind === 'call',
    hasInput: false,
    signature: readText(wire.signature) + readText(wire.data),
  };
  if (kind === 'call') {
    const id = readText(wire.id);
    return {
      block,
      events: [{ type: 'tool-input-start', choice: 0, block: number, id, name: readText(wire.name) }],
    };
  }
  const text = readText(kind === 'text' ? wire.text : wire.thinking);
  return { block, events: kind === 'skipped' || kind === 'answer' ? [] : addText(block, text) };
}

export function writeDelta(block: OpenBlock, delta: NonNullable<WireEvent['delta']>): StreamEvent[] {
  switch (delta.type) {
    case 'text_delta':
      return block.kind === 'text' ? addText(block, delta.text ?? '') : [];
    case 'thinking_delta':
      return block.kind === 'reasoning' ? addText(block, delta.thinking ?? '') : [];
    case 'signature_delta':
      block.signature += delta.signature ?? '';
      return [];
    case 'input_json_delta':
      return addInput(block, delta.partial_json ?? '');
    default:
      return [];
  }
}

function addText(block: OpenBlock, text: string): StreamEvent[] {
  if (text === '') return [];
  const { number } = block;
  const type = block.kind === 'reasoning' ? 'reasoning-delta' : 'text-delta';
  return [...beginText(block), { type, choice: 0, block: number, text }];
}

function beginText(block: OpenBlock): StreamEvent[] {
  if (block.isBegun) return [];
  block.isBegun = true;
  const { number, isRedacted } = block;
  return block.kind === 'reasoning'
    ? [{ type: 'reasoning-start', choice: 0, block: number, isRedacted }]
    : [{ type: 'text-start', choice: 0, block: number }];
}

function addInput(block: OpenBlock, json: string): StreamEvent[] {
  if (json === '') return [];
  block.hasInput = true;
  if (block.kind === 'answer') return addText(block, json);
  return block.kind === 'call' ? [{ type: 'tool-input-delta', choice: 0, block: block.number, json }] : [];
}

export function closeBlock(block: OpenBlock): StreamEvent[] {
  const at = { choice: 0, block: block.number };
  switch (block.kind) {
    case 'skipped':
      return [];
    case 'text':
      return block.isBegun ? [{ type: 'text-end', ...at }] : [];
    case 'reasoning': {
      const signature = readSignature(block.signature)?.signature;
      if (!signature) return block.isBegun ? [{ type: 'reasoning-end', ...at }] : [];
      return [...beginText(block), { type: 'reasoning-end', ...at, signature }];
    }
    case 'call':
      return [...addInput(block, writeWholeInput(block)), { type: 'tool-input-end', ...at }];
    case 'answer':
      return [...addInput(block, writeWholeInput(block) || emptyAnswer(block)), { type: 'text-end', ...at }];
  }
}

function writeWholeInput({ hasInput, input }: OpenBlock): string {
  const isFilled = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  return isFilled && !hasInput ? JSON.stringify(input) : '';
}

function emptyAnswer({ hasInput }: OpenBlock): string {
  return hasInput ? '' : '{}';
}
