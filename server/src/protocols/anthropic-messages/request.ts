import { type CallerBody, editBody, listOwnFieldEdits, readCallerBody, readTaskId } from '../caller-body.ts';
import type { CompletionRequest, ParsedRequest } from '../canonical/request.ts';
import { hasLongNumber, parseExactly } from '../exact-json.ts';
import { findStoredReference } from '../stored-reference.ts';
import { dropForeignThinking } from './foreign-thinking.ts';
import { readModelTraits } from './model-traits.ts';
import { decodeRequest } from './request-decoder.ts';
import { countTokensRequest, type MessagesRequest, messagesRequest } from './wire.ts';

/** Reads a messages request and keeps its bytes, so that a provider of the same protocol gets them unchanged. */
export function parseRequest(bytes: Buffer): ParsedRequest {
  const read = readCallerBody(bytes, messagesRequest);
  if (!read.ok) return read;
  if (read.body.fields.format === 'minimal' && read.body.fields.stream) {
    const message = "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.";
    return { ok: false, problem: { code: 'invalid_request', message, param: 'format' } };
  }
  return { ok: true, request: describe(read.body) };
}

/** Reads the body of `count_tokens`, which names no output cap. */
export function parseCountTokens(bytes: Buffer): ParsedRequest {
  const read = readCallerBody(bytes, countTokensRequest);
  return read.ok ? { ok: true, request: describe(read.body) } : read;
}

function describe(body: CallerBody<MessagesRequest>): CompletionRequest {
  const { fields } = body;
  return {
    protocol: 'anthropic-messages',
    model: fields.model,
    isStream: fields.stream === true,
    isMinimal: fields.format === 'minimal',
    // Its streams tell usage unasked.
    wantsUsage: true,
    taskId: readTaskId(fields),
    prompt: lastHumanText(fields),
    isToolTurn: endsInToolResults(fields),
    output: {
      tokensMax: fields.max_tokens ?? null,
      thinkingTokens: fields.thinking?.budget_tokens ?? 0,
      answers: 1,
    },
    encodeFor(model, _, cap) {
      const edits = listOwnFieldEdits(body);
      if (model !== fields.model) edits.set('model', JSON.stringify(model));
      const messages = dropForeignThinking(fields.messages, readModelTraits(model));
      if (messages !== fields.messages) edits.set('messages', JSON.stringify(messages));
      if (cap && cap.tokens < (fields.max_tokens ?? Number.POSITIVE_INFINITY))
        edits.set('max_tokens', String(cap.tokens));
      return editBody(body, edits);
    },
    toCanonical: () => decodeRequest(readExactFields(body)),
    findStoredReference: () => findStoredReference(body.fields),
  };
}

// Calls in the history are written again, and must not lose digits on the way.
function readExactFields({ fields, bytes }: CallerBody<MessagesRequest>): MessagesRequest {
  const text = bytes.toString();
  return hasLongNumber(text) ? (countTokensRequest.safeParse(parseExactly(text)).data ?? fields) : fields;
}

function endsInToolResults({ messages }: MessagesRequest): boolean {
  // What the system says after them is nobody's words either.
  const last = messages.findLast(({ role }) => role !== 'system');
  if (last?.role !== 'user' || typeof last.content === 'string') return false;
  return last.content.length > 0 && last.content.every(({ type }) => type.endsWith('tool_result'));
}

// A turn that only carries tools' results is nobody's words.
function lastHumanText({ messages }: MessagesRequest): string | null {
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'user') continue;
    if (typeof content === 'string') return content;
    const texts = content.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' ? [text] : [],
    );
    if (texts.length > 0) return texts.join('\n');
  }
  return null;
}
