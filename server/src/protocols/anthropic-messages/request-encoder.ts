import type { Steps } from '#platform/steps.ts';
import type { Message } from '../canonical/content.ts';
import type { CanonicalRequest, Sampling } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { moveAnswerImages, refuseImages } from '../translation/answer-images.ts';
import { createRequestEncoder, microsPerMessage } from '../translation/encode-in-steps.ts';
import { fitLength } from '../translation/fit-length.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { planFormat } from './answer-format.ts';
import { textBlock } from './block.ts';
import { limitCacheMarks } from './cache-marks.ts';
import { type EncodedMessages, encodeMessages } from './messages-encoder.ts';
import { type ModelTraits, readModelTraits } from './model-traits.ts';
import { encodeThinking } from './thinking.ts';
import { encodeTools, isEnforceable } from './tools.ts';

const userIdLengthMax = 256;

export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

function* translate(request: CanonicalRequest, target: RequestTarget): Steps<EncodedRequest> {
  const traits = readModelTraits(target.model, target.facts);
  const outputTokensMax = request.outputTokensMax ?? target.defaultOutputTokensMax;
  const format = planFormat(request, traits);
  const tools = encodeTools(request, format, traits);
  const thinking = encodeThinking(request.reasoning, traits, {
    outputTokensMax,
    isForced: format.answerTool !== undefined || isCallForced(request),
    isThoughtless: isThoughtless(request.messages),
  });
  const sampling = encodeSampling(request.sampling, traits, thinking.isThinking);
  const lost: string[] = [];
  const warn = (name: string) => lost.push(name);
  const { system, messages, hasLostReasoning } = yield* encodeConversation(request, target, traits, warn);
  const systemBlocks = format.instruction ? [...system, textBlock(format.instruction)] : system;
  checkCarried(request);
  refuseImages(request);
  warnOfLost(request, ['cache_control'], warn);
  const { body, isReduced } = limitCacheMarks({
    model: target.model,
    max_tokens: outputTokensMax,
    ...(systemBlocks.length > 0 && { system: systemBlocks }),
    messages,
    stream: target.isStream,
    ...tools,
    ...(request.stop.length > 0 && { stop_sequences: request.stop }),
    ...sampling.fields,
    ...(thinking.thinking && { thinking: thinking.thinking }),
    ...encodeOutputConfig(format, thinking),
    ...(request.endUser !== undefined && {
      metadata: { user_id: fitLength(request.endUser, userIdLengthMax) },
    }),
  });
  return {
    ok: true,
    body,
    warnings: [
      ...new Set([
        ...sampling.warnings,
        ...(thinking.isRefused ? ['reasoning_effort'] : []),
        ...(hasLostReasoning ? ['reasoning of earlier turns'] : []),
        ...(isReduced ? ['cache_control'] : []),
        ...listLostDetails(request, traits),
        ...lost,
        ...request.extensions,
      ]),
    ],
  };
}

function* encodeConversation(
  { messages }: CanonicalRequest,
  { facts }: RequestTarget,
  traits: ModelTraits,
  warn: (name: string) => void,
): Steps<EncodedMessages> {
  yield messages.length * microsPerMessage;
  const encoded = yield* encodeMessages(moveAnswerImages(messages, facts, warn), traits);
  // The caller of this generator reads the whole conversation again, for its features and cache marks.
  yield messages.length * microsPerMessage;
  return encoded;
}

function encodeOutputConfig(
  { outputFormat }: ReturnType<typeof planFormat>,
  { effort }: ReturnType<typeof encodeThinking>,
): { readonly output_config?: object } {
  if (!outputFormat && effort === undefined) return {};
  return {
    output_config: { ...(outputFormat && { format: outputFormat }), ...(effort !== undefined && { effort }) },
  };
}

function checkCarried({ count, stop }: CanonicalRequest): void {
  if (count !== undefined && count > 1)
    throw new UntranslatableError('This model returns only one choice per request.', 'n');
  if (stop.some((sequence) => sequence.trim() === ''))
    throw new UntranslatableError(
      'This model does not accept stop sequences that contain only white space.',
      'stop',
    );
}

function isCallForced({ tools, toolChoice }: CanonicalRequest): boolean {
  return tools.length > 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool');
}

// During a tool loop, Anthropic rejects a thinking budget unless the turn with the calls started with thinking.
function isThoughtless(messages: readonly Message[]): boolean {
  const isLoop =
    messages.findLast(({ role }) => role !== 'system')?.parts.some(({ type }) => type === 'tool-result') ??
    false;
  const calling = messages.findLast((message) => message.role === 'assistant');
  const [first] = calling?.parts ?? [];
  return isLoop && (first?.type !== 'reasoning' || first.signature?.protocol !== 'anthropic-messages');
}

function listLostDetails({ messages, tools }: CanonicalRequest, traits: ModelTraits): string[] {
  const isStrictLost = tools.some((tool) => tool.isStrict === true && !isEnforceable(tool, traits));
  const hasName = messages.some((message) => message.role === 'user' && message.name !== undefined);
  return [...(hasName ? ['messages.name'] : []), ...(isStrictLost ? ['strict'] : [])];
}

export interface EncodedSampling {
  readonly fields: { readonly temperature?: number; readonly top_p?: number; readonly top_k?: number };
  /** Parameters that were omitted or changed, by the names that callers use. */
  readonly warnings: readonly string[];
}

/** Encodes the sampling parameters that the model accepts. Default values are omitted without a warning. */
export function encodeSampling(
  sampling: Sampling,
  traits: ModelTraits,
  isThinking: boolean,
): EncodedSampling {
  const { temperature, topP, topK } = sampling;
  const isTaken = traits.hasSampling && !isThinking;
  const isTopPTaken = isTaken && (temperature === undefined || traits.hasTemperatureWithTopP);
  const warnings = listUnknown(sampling);
  if (temperature !== undefined && (isTaken ? temperature > 1 : temperature !== 1))
    warnings.push('temperature');
  if (topP !== undefined && topP !== 1 && !isTopPTaken) warnings.push('top_p');
  if (topK !== undefined && !isTaken) warnings.push('top_k');
  return {
    fields: {
      ...(isTaken && temperature !== undefined && { temperature: Math.min(temperature, 1) }),
      ...(isTopPTaken && topP !== undefined && { top_p: topP }),
      ...(isTaken && topK !== undefined && { top_k: topK }),
    },
    warnings,
  };
}

function listUnknown(sampling: Sampling): string[] {
  const { seed, presencePenalty, frequencyPenalty, logitBias, topLogprobs } = sampling;
  return [
    ...(seed === undefined ? [] : ['seed']),
    ...(presencePenalty ? ['presence_penalty'] : []),
    ...(frequencyPenalty ? ['frequency_penalty'] : []),
    ...(logitBias && Object.keys(logitBias).length > 0 ? ['logit_bias'] : []),
    ...(topLogprobs === undefined ? [] : ['logprobs']),
  ];
}
