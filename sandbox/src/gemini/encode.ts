import { eventStream, type Frame, type FrameStream, takeTurns } from '../delivery/stream.ts';
import { type Answer, argumentsOf, type Choice, type Finish, type Part } from '../generation/answer.ts';
import { seal } from '../generation/signature.ts';
import { problemOf } from '../request/problem.ts';
import { callKey } from './conversation.ts';
import { describeError } from './errors.ts';

/** Fields that each response of a stream repeats. */
export interface Envelope {
  id: string;
  model: string;
  showsUsage: boolean;
  showsThoughts: boolean;
}

export const finishReasons: Record<Finish, string> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  tool_call: 'STOP',
  refusal: 'SAFETY',
  blocked: 'SAFETY',
};

export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const candidates = answer.choices.map((choice, index) => ({
    content: choice.finish === 'refusal' ? {} : { parts: encodeParts(envelope, choice), role: 'model' },
    ...encodeEnd(choice),
    index,
  }));
  return JSON.stringify(encodeResponse(envelope, candidates, answer, answer));
}

function encodeResponse(
  envelope: Envelope,
  candidates: object[],
  answer: Answer,
  used: Pick<Answer, 'completionTokens' | 'reasoningTokens'>,
) {
  const isBlocked = answer.choices.some(({ finish }) => finish === 'blocked');
  return {
    ...(isBlocked ? { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } : { candidates }),
    ...(envelope.showsUsage && { usageMetadata: encodeUsage(answer, used) }),
    modelVersion: envelope.model,
    responseId: envelope.id,
  };
}

function encodeEnd({ finish }: Choice) {
  return {
    finishReason: finishReasons[finish],
    ...(finish === 'tool_call' && { finishMessage: 'Model generated function call(s).' }),
    ...(finish === 'refusal' && {
      safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
    }),
  };
}

type Call = Part & { kind: 'tool-call' };

/** Calls after thinking have ids. A call with `isSigned` has a signature. */
function encodeCall(envelope: Envelope, parts: Part[], part: Call, isSigned: boolean) {
  const args = argumentsOf(part);
  const hasId = parts[0]?.kind === 'reasoning';
  return {
    functionCall: {
      name: part.name,
      args,
      ...(hasId && { id: `${envelope.id}-${parts.indexOf(part)}` }),
    },
    ...(isSigned && { thoughtSignature: seal(callKey(part.name, args)) }),
  };
}

/**
 * Returns the index of the part to sign after thinking: the first call, or the last part if there is no call. Returns
 * -1 if no part is signed.
 */
function signsIndex(parts: Part[]): number {
  if (parts[0]?.kind !== 'reasoning') return -1;
  const firstCall = parts.findIndex(({ kind }) => kind === 'tool-call');
  if (firstCall >= 0) return firstCall;
  return parts.length > 1 ? parts.length - 1 : -1;
}

const textSignature = seal('text');

function encodeParts(envelope: Envelope, { parts }: Choice): object[] {
  const signed = signsIndex(parts);
  return parts.flatMap((part, index): object[] => {
    if (part.kind === 'tool-call') return [encodeCall(envelope, parts, part, index === signed)];
    const text = part.pieces.join('');
    if (part.kind === 'reasoning') return envelope.showsThoughts ? [{ text, thought: true }] : [];
    return [{ text, ...(index === signed && { thoughtSignature: textSignature }) }];
  });
}

function encodeUsage(
  { promptTokens, cachedTokens }: Answer,
  { completionTokens, reasoningTokens }: Pick<Answer, 'completionTokens' | 'reasoningTokens'>,
) {
  const spoken = completionTokens - reasoningTokens;
  const inText = (tokenCount: number) => [{ modality: 'TEXT', tokenCount }];
  return {
    promptTokenCount: promptTokens,
    ...(spoken > 0 && { candidatesTokenCount: spoken }),
    totalTokenCount: promptTokens + completionTokens,
    ...(cachedTokens > 0 && {
      cachedContentTokenCount: cachedTokens,
      cacheTokensDetails: inText(cachedTokens),
    }),
    promptTokensDetails: inText(promptTokens),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  };
}

interface StreamPart {
  part: object;
  index: number;
  tokens: number;
  thoughtTokens: number;
}

/** Each response of a stream contains the usage so far. */
export function encodeStream(envelope: Envelope, answer: Answer, isList: boolean): FrameStream {
  const wrap = isList ? wrapElement() : wrapEvent;
  return {
    ...(isList
      ? { contentType: 'application/json; charset=UTF-8', frameEnd: '' }
      : { ...eventStream, frameEnd: '\r\n\r\n' }),
    opening: [],
    body: encodeStreamParts(envelope, answer, wrap),
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

function* encodeStreamParts(
  envelope: Envelope,
  answer: Answer,
  wrap: (payload: object) => string,
): Generator<Frame> {
  const used = { completionTokens: 0, reasoningTokens: 0 };
  const choices = answer.choices.map((choice, index) => splitParts(envelope, choice, index));
  for (const { part, index, tokens, thoughtTokens } of takeTurns(choices)) {
    used.completionTokens += tokens;
    used.reasoningTokens += thoughtTokens;
    const candidate = { content: { parts: [part], role: 'model' }, index };
    yield { data: wrap(encodeResponse(envelope, [candidate], answer, used)), tokens };
  }
}

/** Hidden thinking is billed with the next visible part. */
function* splitParts(envelope: Envelope, { parts }: Choice, index: number): Generator<StreamPart> {
  const signed = signsIndex(parts);
  let silent = 0;
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'reasoning' && !envelope.showsThoughts) {
      silent = part.pieces.length;
      continue;
    }
    for (const streamed of splitPart(envelope, parts, part, at === signed)) {
      const thoughtTokens = silent + (part.kind === 'reasoning' ? streamed.tokens : 0);
      yield { part: streamed.part, index, tokens: streamed.tokens + silent, thoughtTokens };
      silent = 0;
    }
  }
}

function splitPart(envelope: Envelope, parts: Part[], part: Part, isSigned: boolean) {
  if (part.kind === 'tool-call')
    return [{ part: encodeCall(envelope, parts, part, isSigned), tokens: part.pieces.length }];
  const thought = part.kind === 'reasoning' ? { thought: true } : {};
  return part.pieces.map((text) => ({ part: { text, ...thought }, tokens: 1 }));
}

/**
 * Encodes the last response of a stream: an empty text, signed if required, and the finish reason of each candidate.
 */
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
