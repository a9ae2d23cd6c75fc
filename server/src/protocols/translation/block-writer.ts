import type { ImagePart, Signature } from '../canonical/content.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';

interface BlockFacts {
  /** Content collected so far. An open text block emits its text without collecting it. */
  text: string;
  signature?: Signature;
}

export interface TextBlock extends BlockFacts {
  readonly kind: 'text';
}

export interface ReasoningBlock extends BlockFacts {
  readonly kind: 'reasoning';
  readonly isRedacted: boolean;
}

export interface CallBlock extends BlockFacts {
  readonly kind: 'tool-input';
  readonly id: string;
  name: string;
  /** Whether the provider reported that the arguments are complete. */
  isWhole?: boolean;
}

interface ImageBlock extends BlockFacts {
  readonly kind: 'image';
  readonly image: ImagePart;
}

export type Block = TextBlock | ReasoningBlock | CallBlock | ImageBlock;

/** Only one block is open at a time. */
export interface BlockWriter {
  latest(): Block | null;
  /**
   * Starts a block after ending the previous one. If the previous block is a call with incomplete arguments, the new
   * block waits.
   */
  begin(block: Block): void;
  grow(block: Block, piece: string): void;
  close(): void;
}

export function createBlockWriter(choice: number, emit: (event: StreamEvent) => void): BlockWriter {
  const waiting: Block[] = [];
  let open: Block | null = null;
  let number = -1;

  const start = (block: Block) => {
    open = block;
    number++;
    emit(startEvent(block, choice, number));
    if (block.text !== '') emit(deltaEvent(block, block.text, choice, number));
  };
  const end = () => {
    if (open && open.kind !== 'image') emit(endEvent(open, choice, number));
    open = null;
  };

  return {
    latest: () => waiting.at(-1) ?? open,
    begin(block) {
      const isNameless = block.kind === 'tool-input' && block.name === '';
      if (waiting.length > 0 || isNameless || (open && isUnfinishedCall(open))) waiting.push(block);
      else {
        end();
        start(block);
      }
    },
    grow(block, piece) {
      if (piece === '') return;
      if (block === open) emit(deltaEvent(block, piece, choice, number));
      if (block.kind !== 'text' || block !== open) block.text += piece;
    },
    close() {
      end();
      for (const block of waiting.splice(0)) {
        start(block);
        end();
      }
    },
  };
}

/** Appends to the open text or reasoning block, or starts a new one. */
export function appendText(writer: BlockWriter, kind: 'text' | 'reasoning', piece: string): void {
  if (piece === '') return;
  let block = writer.latest();
  if (block?.kind !== kind) {
    block = openSpeech(kind);
    writer.begin(block);
  }
  writer.grow(block, piece);
}

export function appendImage(writer: BlockWriter, image: ImagePart): void {
  writer.begin({ kind: 'image', text: '', image });
}

export function openSpeech(kind: 'text' | 'reasoning'): Block {
  return kind === 'text' ? { kind, text: '' } : { kind, text: '', isRedacted: false };
}

/** Returns whether more arguments may follow. Providers may interleave incomplete calls. */
function isUnfinishedCall(block: Block): boolean {
  if (block.kind !== 'tool-input' || block.isWhole) return false;
  try {
    JSON.parse(block.text);
    return false;
  } catch {
    return true;
  }
}

function startEvent(block: Block, choice: number, number: number): StreamEvent {
  switch (block.kind) {
    case 'text':
      return { type: 'text-start', choice, block: number };
    case 'reasoning':
      return { type: 'reasoning-start', choice, block: number, isRedacted: block.isRedacted };
    case 'tool-input':
      return { type: 'tool-input-start', choice, block: number, id: block.id, name: block.name };
    case 'image':
      return { type: 'image', choice, block: number, image: block.image };
  }
}

function deltaEvent(block: Block, piece: string, choice: number, number: number): StreamEvent {
  if (block.kind === 'tool-input') return { type: 'tool-input-delta', choice, block: number, json: piece };
  return {
    type: block.kind === 'text' ? 'text-delta' : 'reasoning-delta',
    choice,
    block: number,
    text: piece,
  };
}

function endEvent(block: Exclude<Block, ImageBlock>, choice: number, number: number): StreamEvent {
  if (block.kind === 'text') return { type: 'text-end', choice, block: number };
  const proof = block.signature && { signature: block.signature };
  const type = block.kind === 'reasoning' ? 'reasoning-end' : 'tool-input-end';
  return { type, choice, block: number, ...proof };
}
