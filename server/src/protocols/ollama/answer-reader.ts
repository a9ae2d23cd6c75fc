import type { StreamEvent } from '../canonical/stream-event.ts';
import { readText } from '../json/json-value.ts';
import { appendText, createBlockWriter } from '../translation/block-writer.ts';
import { createCallReader } from './call-reader.ts';
import { readFinish } from './finish-reason.ts';
import { readUsage } from './usage.ts';
import type { WireAnswer } from './wire.ts';

/** Reads a response, complete or line by line. */
export interface AnswerReader {
  /** Returns the events of the complete response or of one line. */
  read(answer: WireAnswer): StreamEvent[];
  /** Closes the open block and returns its events. */
  close(): StreamEvent[];
}

export function createAnswerReader(): AnswerReader {
  let events: StreamEvent[] = [];
  let seed: string | null = null;
  const emit = (event: StreamEvent) => events.push(event);
  const writer = createBlockWriter(0, emit);
  const calls = createCallReader(writer, () => `${seed}`);

  const identify = ({ model, created_at: createdAt }: WireAnswer) => {
    seed = `${readText(model)}/${readText(createdAt)}`;
    const createdAtSeconds = readSeconds(createdAt);
    emit({ type: 'start', id: null, model: readText(model) || null, createdAtSeconds });
  };
  const finish = (answer: WireAnswer) => {
    writer.close();
    const usage = readUsage(answer);
    if (usage) emit({ type: 'usage', usage });
    emit({ type: 'finish', choice: 0, finish: readFinish(answer.done_reason, calls.count() > 0) });
  };

  return {
    read(answer) {
      events = [];
      const { message, done } = answer;
      if (seed === null && (message || done === true)) identify(answer);
      appendText(writer, 'reasoning', readText(message?.thinking));
      appendText(writer, 'text', readText(message?.content));
      calls.read(message?.tool_calls);
      if (done === true) finish(answer);
      return events;
    },
    close() {
      events = [];
      writer.close();
      return events;
    },
  };
}

function readSeconds(time: unknown): number | null {
  const timeMs = Date.parse(readText(time));
  return Number.isNaN(timeMs) ? null : Math.floor(timeMs / 1_000);
}
