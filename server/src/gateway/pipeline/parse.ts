import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { GatewayError } from '#errors/gateway-error.ts';
import { proceed } from '#platform/proceed.ts';
import type { Steps } from '#platform/steps.ts';
import type { ParsedEmbeddings } from '#protocols/canonical/embeddings.ts';
import type { ParsedRequest } from '#protocols/canonical/request.ts';
import { readEmbeddings as readGeminiEmbeddings } from '#protocols/gemini/embeddings-caller.ts';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import { addResult, type Entered, type Parsed, type ReceivedBody } from '../exchange.ts';
import { requestProblemError } from '../provider-call/encode-for-provider.ts';
import { loggedTextBytes, truncateForLog } from '../request-log/truncate-for-log.ts';
import type { PublicRoute } from '../routes.ts';

/** Stage 4: parses the body, and keeps its text for the log. */
export function parse(exchange: Entered, body: Buffer): Parsed | Promise<Parsed> {
  const received = addResult(exchange, 'parse', { body: readReceivedBody(body) });
  return proceed(exchange.work.run(readRequestOf(exchange, body)), (parsed) => {
    if (!parsed.ok) throw requestProblemError(parsed.problem);
    const completion = parsed.request;
    if (exchange.route.operation === 'responses.compact' && completion.isStream)
      throw new GatewayError('invalid_request', "A compaction cannot be streamed; omit 'stream'.", {
        param: 'stream',
      });
    const said = completion.prompt ?? completion.judged;
    const summary = {
      model: truncateForLog(completion.model.slice(0, 200)),
      isStream: completion.isStream,
      prompt: said === null ? null : truncateForLog(said),
    };
    return addResult(received, 'parse', { completion, summary });
  });
}

function readRequestOf({ parameter, route }: Entered, body: Buffer): Steps<ParsedRequest | ParsedEmbeddings> {
  if (route.operation === 'embeddings') return readEmbeddingsOf(route, body, parameter);
  return route.protocol.caller.readRequest(body, { model: parameter, isStream: route.isStream ?? null });
}

function readEmbeddingsOf({ protocol, row }: PublicRoute, body: Buffer, model: string | null) {
  if (protocol.id !== 'gemini') return readEmbeddings(body);
  return readGeminiEmbeddings(body, { model, isBatch: row.path.endsWith(':batchEmbedContents') });
}

// The hash identifies truncated bodies. A body stored whole needs no hash.
function readReceivedBody(body: Buffer): ReceivedBody {
  const isWhole = body.length <= loggedTextBytes;
  const isLoggedAsIs = isWhole && isUtf8(body) && !body.includes(0);
  return {
    bytes: body.length,
    sha256: isWhole ? null : hash('sha256', body),
    text: isLoggedAsIs ? body : truncateForLog(body.toString('utf8', 0, loggedTextBytes + 4)),
  };
}
