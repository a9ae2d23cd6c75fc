import { hash } from 'node:crypto';
import { GatewayError } from '#errors/gateway-error.ts';
import { readEmbeddings as readGeminiEmbeddings } from '#protocols/gemini/embeddings-caller.ts';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import { addResult, type Entered, type Parsed, type ReceivedBody } from '../exchange.ts';
import { requestProblemError } from '../provider-call/encode-for-provider.ts';
import { readBody } from '../request-body/read-body.ts';
import { loggedTextBytes, truncateForLog } from '../request-log/truncate-for-log.ts';
import type { PublicRoute } from '../routes.ts';

/** Stage 4: parses the body into a canonical view and keeps its bytes. */
export async function parse(exchange: Entered, bodyLimitBytes: number): Promise<Parsed> {
  const { bodyHold, parameter, request, route, work } = exchange;
  const body = await readBody(request, bodyLimitBytes, bodyHold);
  const received = addResult(exchange, 'parse', { body: readReceivedBody(body) });
  const path = { model: parameter, isStream: route.isStream ?? null };
  const parsed =
    route.operation === 'embeddings'
      ? await work.run(readEmbeddingsOf(route, body, parameter))
      : await work.run(route.protocol.caller.readRequest(body, path));
  if (!parsed.ok) throw requestProblemError(parsed.problem);
  const completion = parsed.request;
  if (route.operation === 'responses.compact' && completion.isStream)
    throw new GatewayError('invalid_request', "A compaction cannot be streamed; leave out 'stream'.", {
      param: 'stream',
    });
  const said = completion.prompt ?? completion.judged;
  const summary = {
    model: truncateForLog(completion.model.slice(0, 200)),
    isStream: completion.isStream,
    prompt: said === null ? null : truncateForLog(said),
  };
  return addResult(received, 'parse', { completion, summary });
}

function readEmbeddingsOf({ protocol, row }: PublicRoute, body: Buffer, model: string | null) {
  if (protocol.id !== 'gemini') return readEmbeddings(body);
  return readGeminiEmbeddings(body, { model, isBatch: row.path.endsWith(':batchEmbedContents') });
}

// The hash distinguishes truncated bodies; a body kept whole needs none.
function readReceivedBody(body: Buffer): ReceivedBody {
  return {
    bytes: body.length,
    sha256: body.length > loggedTextBytes ? hash('sha256', body) : null,
    text: truncateForLog(body.toString('utf8', 0, loggedTextBytes + 4)),
  };
}
