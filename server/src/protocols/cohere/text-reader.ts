import { isObject, readText } from '../json/json-value.ts';
import { type Block, type BlockWriter, openSpeech } from '../translation/block-writer.ts';
import type { WireContent } from './wire.ts';

/** Reads what a stream says in words: texts, thoughts, and plans for the use of tools. */
export interface TextReader {
  /** A piece of the content part with this index. */
  readContent(index: unknown, content: unknown): void;
  readPlan(plan: unknown): void;
}

export function createTextReader(writer: BlockWriter): TextReader {
  let spoken: { readonly source: string; readonly block: Block } | null = null;

  /** Goes on with a source's block, or begins one when something else came in between. */
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
    // A thought like any other.
    readPlan: (plan) => grow('reasoning', 'plan', plan),
  };
}
