import type { StreamEvent } from '../canonical/stream-event.ts';
import { isObject, readText } from '../json/json-value.ts';
import { appendText, type BlockWriter, createBlockWriter } from '../translation/block-writer.ts';
import { createCallReader } from './call-reader.ts';
import { readFinish } from './finish-reason.ts';
import { growThought, readReasoning } from './reasoning-reader.ts';
import type { WireMessage } from './wire.ts';

/** Decodes the messages or deltas of one choice. */
export interface ChoiceDecoder {
  read(message: WireMessage): void;
  /** Only the first finish reason counts: some providers repeat it. */
  finish(native: unknown): void;
  /** Ends the open blocks. */
  close(): void;
}

/** `seed` distinguishes this choice from all others of the conversation, for calls that arrive without an id. */
export function createChoiceDecoder(
  choice: number,
  seed: string,
  emit: (event: StreamEvent) => void,
): ChoiceDecoder {
  const writer = createBlockWriter(choice, emit);
  const calls = createCallReader(writer, seed);
  let isFinished = false;
  return {
    read(message) {
      if (isFinished) return;
      readReasoning(message, writer);
      readContent(message.content, writer);
      const refusal = readText(message.refusal);
      if (refusal !== '') emit({ type: 'refusal-delta', choice, text: refusal });
      calls.read(message);
    },
    finish(native) {
      if (isFinished) return;
      writer.close();
      isFinished = true;
      emit({ type: 'finish', choice, finish: readFinish(native, calls.count() > 0) });
    },
    close: writer.close,
  };
}

/** Reads a text, or Mistral's list of reasoning and text parts. */
function readContent(content: unknown, writer: BlockWriter): void {
  if (typeof content === 'string') appendText(writer, 'text', content);
  else if (Array.isArray(content))
    for (const piece of content.filter(isObject)) {
      if ('text' in piece) appendText(writer, 'text', readText(piece.text));
      else if ('thinking' in piece) growThought(readThoughts(piece.thinking), 'thinking', writer);
    }
}

function readThoughts(thinking: unknown): string {
  if (!Array.isArray(thinking)) return readText(thinking);
  return thinking
    .filter(isObject)
    .map((thought) => ('text' in thought ? readText(thought.text) : ''))
    .join('');
}
