import type { Frame } from '../delivery/meter.ts';
import { eventStream, type FrameStream } from '../delivery/stream.ts';
import { takeTurns } from '../delivery/take-turns.ts';
import type { Answer, Choice, Part } from '../generation/answer.ts';
import { problemOf } from '../request/problem.ts';
import {
  type Envelope,
  encodeCall,
  encodeEnd,
  encodeResponse,
  signsIndex,
  textSignature,
} from './encode-whole.ts';
import { describeError } from './errors.ts';

/** Part of a candidate in one response of a stream, with its tokens. */
interface Saying {
  part: object;
  index: number;
  tokens: number;
  thoughtTokens: number;
}

/** Returns the responses of a stream, each with the usage so far; as events, or as elements of one list. */
export function encodeStream(envelope: Envelope, answer: Answer, isList: boolean): FrameStream {
  const wrap = isList ? wrapElement() : wrapEvent;
  return {
    ...(isList
      ? { contentType: 'application/json; charset=UTF-8', frameEnd: '' }
      : { ...eventStream, frameEnd: '\r\n\r\n' }),
    opening: [],
    body: encodeSayings(envelope, answer, wrap),
    closing: () => [wrap(encodeLast(envelope, answer)) + (isList ? '\r\n]' : '')],
    error: () => wrap(describeError(problemOf('overloaded'))) + (isList ? '\r\n]' : ''),
  };
}

function wrapEvent(payload: object): string {
  return `data: ${JSON.stringify(payload)}\r\n\r\n`;
}

function wrapElement() {
  let start = '[';
  return (payload: object) => {
    const element = start + JSON.stringify(payload);
    start = ',\r\n';
    return element;
  };
}

function* encodeSayings(
  envelope: Envelope,
  answer: Answer,
  wrap: (payload: object) => string,
): Generator<Frame> {
  const used = { completionTokens: 0, reasoningTokens: 0 };
  const choices = answer.choices.map((choice, index) => sayParts(envelope, choice, index));
  for (const { part, index, tokens, thoughtTokens } of takeTurns(choices)) {
    used.completionTokens += tokens;
    used.reasoningTokens += thoughtTokens;
    const candidate = { content: { parts: [part], role: 'model' }, index };
    yield { data: wrap(encodeResponse(envelope, [candidate], answer, used)), tokens };
  }
}

/** Hidden thinking is billed with the next visible part. */
function* sayParts(envelope: Envelope, { parts }: Choice, index: number): Generator<Saying> {
  const signed = signsIndex(parts);
  let silent = 0;
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'reasoning' && !envelope.showsThoughts) {
      silent = part.pieces.length;
      continue;
    }
    for (const saying of sayPart(envelope, parts, part, at === signed)) {
      const thoughtTokens = silent + (part.kind === 'reasoning' ? saying.tokens : 0);
      yield { part: saying.part, index, tokens: saying.tokens + silent, thoughtTokens };
      silent = 0;
    }
  }
}

function sayPart(envelope: Envelope, parts: Part[], part: Part, isSigned: boolean) {
  if (part.kind === 'tool-call')
    return [{ part: encodeCall(envelope, parts, part, isSigned), tokens: part.pieces.length }];
  const thought = part.kind === 'reasoning' ? { thought: true } : {};
  return part.pieces.map((text) => ({ part: { text, ...thought }, tokens: 1 }));
}

/** Encodes the last response: an empty text, signed if required, and the finish reason of each candidate. */
function encodeLast(envelope: Envelope, answer: Answer) {
  const candidates = answer.choices.map((choice, index) => {
    const signed = choice.parts[signsIndex(choice.parts)];
    const isSigned = signed !== undefined && signed.kind !== 'tool-call';
    const part = { text: '', ...(isSigned && { thoughtSignature: textSignature }) };
    const content = choice.finish === 'refusal' ? {} : { parts: [part], role: 'model' };
    return { content, ...encodeEnd(choice), index };
  });
  return encodeResponse(envelope, candidates, answer, answer);
}
