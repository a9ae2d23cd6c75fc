import { hash } from 'node:crypto';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import { addResult, type Entered, type Parsed, type ReceivedBody } from '../exchange.ts';
import { requestProblemError } from '../provider-call/encode-for-provider.ts';
import { readBody } from '../request-body/read-body.ts';
import { loggedTextBytes, truncateForLog } from '../request-log/truncate-for-log.ts';

/** Stage 4: parses the body into a canonical view and keeps its bytes. */
export async function parse(exchange: Entered, bodyLimitBytes: number): Promise<Parsed> {
  const { bodyHold, parameter, request, route, work } = exchange;
  const body = await readBody(request, bodyLimitBytes, bodyHold);
  const received = addResult(exchange, 'parse', { body: readReceivedBody(body) });
  const path = { model: parameter, isStream: route.isStream ?? null };
  const parsed =
    route.operation === 'embeddings'
      ? await work.run(readEmbeddings(body))
      : await work.run(route.protocol.caller.readRequest(body, path));
  if (!parsed.ok) throw requestProblemError(parsed.problem);
  const completion = parsed.request;
  const said = completion.prompt ?? completion.judged;
  const summary = {
    model: truncateForLog(completion.model.slice(0, 200)),
    isStream: completion.isStream,
    prompt: said === null ? null : truncateForLog(said),
  };
  return addResult(received, 'parse', { completion, summary });
}

// The hash distinguishes truncated bodies; a body kept whole needs none.
function readReceivedBody(body: Buffer): ReceivedBody {
  return {
    bytes: body.length,
    sha256: body.length > loggedTextBytes ? hash('sha256', body) : null,
    text: truncateForLog(body.toString('utf8', 0, loggedTextBytes + 4)),
  };
}
