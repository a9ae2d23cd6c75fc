import type { CanonicalRequest, ResponseFormat } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { encodeFunctionTool, pickTool } from '../translation/function-tool.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { orProblem, UntranslatableError } from '../translation/untranslatable.ts';
import { encodeMessages } from './messages-encoder.ts';
import { encodeOptions } from './options.ts';
import { encodeThinking } from './thinking.ts';

/** Encodes a request for Ollama's native chat API. */
export function encodeRequest(request: CanonicalRequest, target: RequestTarget): EncodedRequest {
  return orProblem(() => translate(request, target));
}

function translate(request: CanonicalRequest, { facts, model, isStream }: RequestTarget): EncodedRequest {
  const { count, endUser, responseFormat } = request;
  if (count !== undefined && count > 1)
    throw new UntranslatableError('The provider of this model gives one answer per request.', 'n');
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  warnOfLost(request, [], warn);
  const thinking = encodeThinking(request.reasoning, facts);
  if (!thinking.isGranted) warn('reasoning_effort');
  if (endUser !== undefined) warn('user');
  const body = {
    model,
    messages: encodeMessages(request.messages, warn),
    // Ollama streams by default.
    stream: isStream,
    ...encodeTools(request, warn),
    ...(responseFormat && { format: encodeFormat(responseFormat) }),
    ...thinking.fields,
    ...encodeOptions(request, warn),
    // Return an error instead of a response to a truncated conversation.
    truncate: false,
    shift: false,
  };
  return { ok: true, body, warnings: [...warnings] };
}

/** Ollama has no tool choice, so a choice only restricts the tools that are sent. */
function encodeTools(
  { tools, toolChoice, isParallelToolUse }: CanonicalRequest,
  warn: (name: string) => void,
): object {
  if (tools.length === 0 || toolChoice?.kind === 'none') return {};
  const offered = toolChoice?.kind === 'tool' ? pickTool(tools, toolChoice.name) : tools;
  if (toolChoice?.kind === 'tool' || toolChoice?.kind === 'required') warn('tool_choice');
  if (isParallelToolUse === false) warn('parallel_tool_calls');
  if (offered.some(({ isStrict }) => isStrict)) warn('strict');
  return { tools: offered.map((tool) => encodeFunctionTool(tool)) };
}

function encodeFormat(format: ResponseFormat): string | object {
  const schema = format.kind === 'json-schema' ? format.schema : {};
  if (format.kind === 'json' || Object.keys(schema).length === 0) return 'json';
  return describeSchema(format);
}
