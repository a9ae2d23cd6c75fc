import fc from 'fast-check';
import { findUnsound } from '#protocols/testing/find-unsound.ts';
import { garble } from '#test/providers/garbled-streams.ts';
import { recordedAnswers } from '#test/providers/recorded-answers.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { callerProtocols, passStream } from '#test/requests/through-callers.ts';
import type { ProofResult } from './proof.ts';

const runs = 100_000;
/** Limit of CPU time, which other processes do not affect. */
const limitMs = 1_000;
const longestBytes = 12_000;

const words = [
  ...['event: error\n', 'event: ping\n', 'data: [DONE]\n\n', ': comment\n', '\r\n\r\n', '"type":"error"'],
  ...['"index":-1', '"index":7', '"delta":null', '"choices":[{}]', '"tool_calls":[{}]', '"arguments":{'],
  ...['"content":[', '"content_block":{}', '"type":"message_stop"', '"stop_reason":"end_turn"'],
  ...['"type":"response.completed"', '"output":[{}]', '"item":null', '"output_index":3'],
  ...['"parts":[{', '"functionCall":{}', '"finishReason":"STOP"', '"thoughtSignature":"c2ln"'],
  ...['"type":"message-end"', '"finish_reason":"COMPLETE"', '"done":true', '"error":"no"', '"message":null'],
];

interface Figures {
  readonly id: string;
  readonly sources: number;
  readonly tried: number;
  readonly longestMs: number;
  readonly failure: string | null;
}

/**
 * Mutates recorded streams of each protocol, and checks that decoders and encoders neither throw nor hang nor produce
 * invalid output.
 */
export async function proveFuzz(): Promise<ProofResult> {
  const figures: Figures[] = [];
  for (const id of new Set(recordedAnswers.map((answer) => answer.id))) {
    figures.push(mutateAll(id));
    console.log(formatRow(figures.at(-1)));
  }
  return {
    title: 'no corrupted stream breaks a decoder or affects its caller',
    holds: figures.every(({ failure }) => failure === null),
    text: describe(figures),
  };
}

function mutateAll(id: string): Figures {
  const answers = recordedAnswers.filter((answer) => answer.id === id);
  const sources = answers.flatMap(({ bytes }) => (bytes && bytes.length < longestBytes ? [bytes] : []));
  const [{ side } = { side: null }] = answers;
  if (side === null || sources.length === 0) throw new Error(`no stream of ${id} to garble`);
  let tried = 0;
  let longestMs = 0;
  const property = fc.property(garble(fc.constantFrom(...sources), words), (bytes) => {
    const before = process.threadCpuUsage();
    const events = replayGarbled(side, bytes);
    const problem = findUnsound(events);
    if (problem !== null) throw new Error(problem);
    for (const protocol of callerProtocols) passStream(protocol, events);
    const { user, system } = process.threadCpuUsage(before);
    const tookMs = (user + system) / 1_000;
    tried++;
    longestMs = Math.max(longestMs, tookMs);
    if (tookMs > limitMs) throw new Error(`took ${Math.round(tookMs)} ms`);
  });
  const outcome = fc.check(property, { numRuns: runs });
  const [found] = outcome.counterexample ?? [];
  const failure = found ? `${outcome.errorInstance}\n\n\`\`\`\n${found}\n\`\`\`` : null;
  return { id, sources: sources.length, tried, longestMs, failure };
}

function describe(figures: readonly Figures[]): string {
  const failures = figures.flatMap(({ id, failure }) => (failure === null ? [] : [`\n\n${id}: ${failure}`]));
  return `The corrupted streams are recorded streams in which some bytes were removed or replaced, also by keywords of the protocols.
Each stream is decoded, checked (blocks begin, grow and end one at a time; nothing follows an error) and encoded for callers of each
protocol, and the result is decoded again. No step may throw an error other than the error for an invalid stream, or use a second of CPU time.

| protocol | source streams | corrupted streams | longest, ms of CPU | failures |
|---|---|---|---|---|
${figures.map(formatRow).join('\n')}${failures.join('')}`;
}

function formatRow(figures: Figures | undefined): string {
  if (!figures) return '';
  const { id, sources, tried, longestMs, failure } = figures;
  return `| ${[id, sources, tried, longestMs.toFixed(1), failure === null ? 0 : 1].join(' | ')} |`;
}
