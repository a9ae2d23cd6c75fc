import type { ProtocolId } from '#protocols/canonical/content.ts';
import { isStream, readGeminiCases, writeStream } from '#protocols/gemini/testing/cases.ts';
import { protocols } from '#protocols/registry.ts';
import { readChatCases } from '../requests/chat-cases.ts';
import { readOllamaCases } from '../requests/ollama-cases.ts';
import { readResponsesCases } from '../requests/responses-cases.ts';
import { readWireCases, type WireCase, writeNdjson, writeSse } from '../requests/wire-cases.ts';

interface AnswersOfProtocol {
  readonly cases: readonly WireCase[];
  /** Returns a stream in its wire format; `null` if the case is not a stream. */
  readonly write: (wireCase: WireCase) => Buffer | null;
}

const writeEvents: AnswersOfProtocol['write'] = ({ response }) => (response.sse ? writeSse(response) : null);

const families: Readonly<Record<ProtocolId, AnswersOfProtocol>> = {
  'openai-chat': { cases: readChatCases(), write: writeEvents },
  'openai-responses': { cases: readResponsesCases(), write: writeEvents },
  'anthropic-messages': { cases: readOf('anthropic', 'messages'), write: writeEvents },
  gemini: {
    cases: readGeminiCases(),
    write: (wireCase) => (isStream(wireCase) ? writeStream(wireCase) : null),
  },
  cohere: { cases: readOf('cohere', 'chat'), write: writeEvents },
  ollama: {
    cases: readOllamaCases(),
    write: ({ response }) => (response.ndjson ? writeNdjson(response) : null),
  },
};

function readOf(vendor: string, wanted: string): WireCase[] {
  return readWireCases(vendor).filter(({ endpoint }) => endpoint === wanted);
}

/**
 * All recorded successful responses with the provider side of their protocol. `bytes` is null for protocols without
 * streaming.
 */
export const recordedAnswers = Object.values(protocols).flatMap(({ id, provider: side }) =>
  families[id].cases
    .filter(({ response }) => response.status === 200)
    .map((wireCase) => ({ ...wireCase, id, side, bytes: families[id].write(wireCase) })),
);
