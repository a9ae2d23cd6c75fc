import { type Answer, argumentsOf, type Choice, type Finish, type Part } from '../generation/answer.ts';
import { seal } from '../generation/signature.ts';
import { callKey } from './conversation.ts';

/** Fields that each part of a response repeats. */
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

/** Returns the body of a response that is not streamed. */
export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const candidates = answer.choices.map((choice, index) => ({
    content: choice.finish === 'refusal' ? {} : { parts: encodeParts(envelope, choice), role: 'model' },
    ...encodeEnd(choice),
    index,
  }));
  return JSON.stringify(encodeResponse(envelope, candidates, answer, answer));
}

/** Encodes one response, or one of those that make a stream; `used` is the usage so far. */
export function encodeResponse(
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

/** Returns the finish reason of a candidate and related fields. */
export function encodeEnd({ finish }: Choice) {
  return {
    finishReason: finishReasons[finish],
    ...(finish === 'tool_call' && { finishMessage: 'Model generated function call(s).' }),
    ...(finish === 'refusal' && {
      safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
    }),
  };
}

type Call = Part & { kind: 'tool-call' };

/** Encodes a call. After thinking, calls have ids, and the one with `isSigned` has a signature. */
export function encodeCall(envelope: Envelope, parts: Part[], part: Call, isSigned: boolean) {
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

/** Returns the index of the part to sign after thinking: the first call, or the last part if there is none. */
export function signsIndex(parts: Part[]): number {
  if (parts[0]?.kind !== 'reasoning') return -1;
  const firstCall = parts.findIndex(({ kind }) => kind === 'tool-call');
  if (firstCall >= 0) return firstCall;
  return parts.length > 1 ? parts.length - 1 : -1;
}

export const textSignature = seal('text');

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
