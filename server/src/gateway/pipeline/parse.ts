import { createHash } from 'node:crypto';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import type { Entered, Parsed, Received } from '../exchange.ts';
import { describeProblem } from '../provider-call/encode-for-provider.ts';
import { readBody } from '../request-body/read-body.ts';
import { keepText, keptTextBytes } from '../request-record.ts';

/** Stage 4: the body's bytes to a canonical view; the bytes are kept. */
export async function parse(exchange: Entered, bodyLimitBytes: number): Promise<Parsed> {
  const { bodyHold, parameter, record, request, route, work } = exchange;
  const body = await readBody(request, bodyLimitBytes, bodyHold);
  keepBody(exchange, body);
  const path = { model: parameter, isStream: route.isStream ?? null };
  const parsed =
    route.operation === 'embeddings'
      ? await work.run(readEmbeddings(body))
      : await work.run(route.protocol.caller.readRequest(body, path));
  if (!parsed.ok) throw describeProblem(parsed.problem);
  const completion = parsed.request;
  record.modelRequested = keepText(completion.model.slice(0, 200));
  record.isStream = completion.isStream;
  const said = completion.prompt ?? completion.judged;
  record.prompt = said === null ? null : keepText(said);
  return Object.assign(exchange, { completion });
}

// The hash tells two cut bodies apart; a body that is kept whole needs none.
function keepBody(exchange: Received, body: Buffer): void {
  const { record } = exchange;
  record.requestBytes = body.length;
  exchange.keptBody = keepText(body.toString('utf8', 0, keptTextBytes + 4));
  if (body.length > keptTextBytes) record.requestSha256 = createHash('sha256').update(body).digest('hex');
}
