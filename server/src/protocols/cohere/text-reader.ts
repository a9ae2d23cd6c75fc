import { isObject, readText } from '../json/json-value.ts';
import { type Block, type BlockWriter, openSpeech } from '../translation/block-writer.ts';
import type { WireContent } from './wire.ts';

/** Reads the text, thinking, and tool plan of a stream. */
export interface TextReader {
  /** Reads a piece of the content part with this index. */
  readContent(index: unknown, content: unknown): void;
  readPlan(plan: unknown): void;
}

export function createTextReader(writer: BlockWriter): TextReader {
  let spoken: { readonly source: string; readonly block: Block } | null = null;

  /** Appends to the block of this source, or starts a new one if another block was opened in between. */
  const grow = (kind: 'text' | 'reasoning', source: string, piece: unknown) => {
    const text = readText(piece);
    if (text === '') return;
    if (spoken?.source !== source || writer.latest() !== spoken.block) {
      spoken = { source, block: openSpeech(kind) };
      writer.begin(spoken.block);
    }
    writer.grow(spoken.block, text);
  };

  return {
    readContent(index, content) {
      if (!isObject(content)) return;
      const { thinking, text }: WireContent = content;
      grow('reasoning', `thinking ${index}`, thinking);
      grow('text', `text ${index}`, text);
    },
    readPlan: (plan) => grow('reasoning', 'plan', plan),
  };
}
