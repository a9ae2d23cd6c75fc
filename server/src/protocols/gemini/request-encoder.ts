import type { Steps } from '#platform/steps.ts';
import type { Message } from '../canonical/content.ts';
import type { CanonicalRequest, Sampling } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { earlierImages } from '../translation/answer-images.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { createRequestEncoder } from '../translation/encode-in-steps.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeContents } from './contents-encoder.ts';
import { type ModelTraits, readModelTraits } from './model-traits.ts';
import { fitSchema } from './schema.ts';
import { encodeThinking } from './thinking.ts';
import { encodeTools } from './tools.ts';

export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

const stopsMax = 5;

function* translate(request: CanonicalRequest, { facts, model }: RequestTarget): Steps<EncodedRequest> {
  const traits = readModelTraits(model, facts);
  const { outputTokensMax, count, stop, sampling } = request;
  if (stop.length > stopsMax)
    throw new UntranslatableError(`This model accepts at most ${stopsMax} stop sequences.`, 'stop');
  const { hasLostReasoning, hasLostImages, ...conversation } = yield* encodeContents(
    request.messages,
    traits,
  );
  const lost: string[] = [];
  warnOfLost(request, [], (name) => lost.push(name));
  const thinking = encodeThinking(request.reasoning, traits, outputTokensMax);
  const generationConfig = {
    ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
    ...(count !== undefined && count > 1 && { candidateCount: count }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(traits.hasSampling && encodeSampling(sampling)),
    ...(sampling.seed !== undefined && { seed: sampling.seed }),
    ...(sampling.presencePenalty !== undefined && { presencePenalty: sampling.presencePenalty }),
    ...(sampling.frequencyPenalty !== undefined && { frequencyPenalty: sampling.frequencyPenalty }),
    ...encodeFormat(request, traits),
    ...(request.wantsImages && { responseModalities: ['TEXT', 'IMAGE'] }),
    ...(thinking.config && { thinkingConfig: thinking.config }),
  };
  return {
    ok: true,
    body: {
      ...conversation,
      ...encodeTools(request),
      ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    },
    warnings: [
      ...new Set([
        ...listLost(request),
        ...lost,
        ...(thinking.isRefused ? ['reasoning_effort'] : []),
        ...(traits.hasSampling ? [] : listSampling(sampling)),
        ...(hasLostReasoning ? ['reasoning of earlier turns'] : []),
        ...(hasLostImages ? [earlierImages] : []),
        ...request.extensions,
      ]),
    ],
  };
}

function encodeSampling({ temperature, topP, topK }: Sampling): object {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
  };
}

function listSampling({ temperature, topP, topK }: Sampling): string[] {
  const given = { temperature, top_p: topP, top_k: topK };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function encodeFormat(
  { responseFormat: format, tools, toolChoice }: CanonicalRequest,
  { isThirdGeneration }: ModelTraits,
): object {
  if (format === undefined) return {};
  if (tools.length > 0 && !isThirdGeneration) {
    // If a tool call is forced, the response is the call and has no text to format.
    if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool') return {};
    throw new UntranslatableError(
      'This model does not support a response format together with tools.',
      'response_format',
    );
  }
  return {
    responseMimeType: 'application/json',
    ...(format.kind === 'json-schema' && { responseJsonSchema: fitSchema(describeSchema(format)) }),
  };
}

function listLost({ messages, tools, sampling, isParallelToolUse, endUser }: CanonicalRequest): string[] {
  const lost: Readonly<Record<string, boolean>> = {
    logit_bias: Object.keys(sampling.logitBias ?? {}).length > 0,
    logprobs: sampling.topLogprobs !== undefined,
    parallel_tool_calls: isParallelToolUse === false && tools.length > 0,
    strict: tools.some(({ isStrict }) => isStrict === true),
    user: endUser !== undefined,
    'messages.name': messages.some((message) => message.role === 'user' && message.name !== undefined),
    filename: messages.some(hasNamedFile),
  };
  return Object.keys(lost).filter((name) => lost[name]);
}

function hasNamedFile({ role, parts }: Message): boolean {
  return (
    role === 'user' &&
    parts.some((part) => part.type === 'document' && part.source.kind !== 'text' && part.name !== undefined)
  );
}
