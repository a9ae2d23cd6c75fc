import { isObject, readText } from '#json/json-value.ts';
import { choicesMax } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { type CandidateDecoder, createCandidateDecoder } from './candidate-decoder.ts';
import { readUsage } from './usage.ts';
import type { Answer, AnswerCandidate } from './wire.ts';

export interface AnswerDecoder {
  /** Returns the events of a complete response or a chunk. `text` is the JSON of `answer`. */
  read(answer: Answer, text: string): StreamEvent[];
  close(): StreamEvent[];
  /** Returns the pending events at the end. Only candidates that have finished have any. */
  finish(): StreamEvent[];
}

export function createAnswerDecoder(): AnswerDecoder {
  const candidates = new Map<number, CandidateDecoder>();
  const events: StreamEvent[] = [];
  let seed: string | null = null;
  let block: { readonly reason: string; readonly message: string } | null = null;
  const emit = (event: StreamEvent) => events.push(event);
  // Events emitted before an exception stay in the list for the next call.
  const collect = (act: () => void) => {
    act();
    return events.splice(0);
  };

  const identify = ({ responseId, modelVersion, createTime }: Answer, text: string) => {
    const id = readText(responseId) || null;
    // Without a response ID, the seed is a digest of the JSON text, which differs between responses.
    seed = id ?? makeCallId(text);
    const createdMs = Date.parse(readText(createTime));
    const createdAtSeconds = Number.isNaN(createdMs) ? null : Math.floor(createdMs / 1000);
    emit({ type: 'start', id, model: readText(modelVersion) || null, createdAtSeconds });
  };
  const decoderOf = (index: number) => {
    const known = candidates.get(index);
    if (known || candidates.size >= choicesMax) return known;
    const decoder = createCandidateDecoder(index, `${seed}/${index}`, emit);
    candidates.set(index, decoder);
    return decoder;
  };

  return {
    read: (answer, text) =>
      collect(() => {
        if (seed === null) identify(answer, text);
        for (const candidate of listCandidates(answer))
          decoderOf(typeof candidate.index === 'number' ? candidate.index : 0)?.read(candidate);
        const reason = readText(answer.promptFeedback?.blockReason);
        if (reason !== '') block = { reason, message: readText(answer.promptFeedback?.blockReasonMessage) };
        const usage = readUsage(answer.usageMetadata);
        if (usage) emit({ type: 'usage', usage });
      }),
    close: () =>
      collect(() => {
        for (const candidate of candidates.values()) candidate.close();
      }),
    finish: () =>
      collect(() => {
        for (const candidate of candidates.values()) candidate.finish();
        if (block && candidates.size === 0) emitBlock(block, emit);
      }),
  };
}

function listCandidates({ candidates }: Answer): AnswerCandidate[] {
  return Array.isArray(candidates) ? candidates.filter(isObject) : [];
}

/** A response to a blocked prompt has no candidates. */
function emitBlock(
  { reason, message }: { readonly reason: string; readonly message: string },
  emit: (event: StreamEvent) => void,
): void {
  if (message !== '') emit({ type: 'refusal-delta', choice: 0, text: message });
  emit({ type: 'finish', choice: 0, finish: { reason: 'content-filter', native: reason } });
}
