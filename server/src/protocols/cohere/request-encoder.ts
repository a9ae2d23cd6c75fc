import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { orProblem, UntranslatableError } from '../translation/untranslatable.ts';
import { encodeMessages } from './messages-encoder.ts';
import { encodeSampling } from './sampling.ts';
import { encodeThinking } from './thinking.ts';
import { encodeResponseFormat, encodeTools } from './tools.ts';

/** Encodes a request for Cohere's chat API. */
export function encodeRequest(request: CanonicalRequest, target: RequestTarget): EncodedRequest {
  return orProblem(() => translate(request, target));
}

function translate(request: CanonicalRequest, { facts, model, isStream }: RequestTarget): EncodedRequest {
  checkCarried(request);
  const { outputTokensMax, stop, responseFormat } = request;
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  warnOfLost(request, ['detail'], warn);
  const { messages, documents } = encodeMessages(request.messages, {
    isThinking: facts?.reasoning !== false,
    // Cohere rejects documents together with a response format.
    takesDocuments: responseFormat === undefined,
    noteLeftOut: warn,
  });
  if (request.endUser !== undefined) warn('user');
  const body = {
    model,
    messages,
    stream: isStream,
    ...(documents.length > 0 && { documents }),
    ...encodeTools(request, warn),
    ...(responseFormat && { response_format: encodeResponseFormat(responseFormat) }),
    ...(outputTokensMax !== undefined && { max_tokens: outputTokensMax }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...encodeSampling(request.sampling, warn),
    ...encodeThinking(request.reasoning, facts, outputTokensMax, warn),
  };
  return { ok: true, body, warnings: [...warnings] };
}

const stopSequencesMax = 5;

function checkCarried({ count, stop, responseFormat, tools }: CanonicalRequest): void {
  if (count !== undefined && count > 1)
    throw new UntranslatableError('The provider of this model gives one answer per request.', 'n');
  if (stop.length > stopSequencesMax)
    throw new UntranslatableError(
      `The provider of this model takes at most ${stopSequencesMax} stop sequences.`,
      'stop',
    );
  if (responseFormat && tools.length > 0)
    throw new UntranslatableError(
      'The provider of this model takes either tools or a response format, not both.',
      'response_format',
    );
}
