import type { ServerResponse } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';
import { describeUpstreamError } from '../provider-failure.ts';
import { relayStream } from '../relay-stream.ts';
import { keepText } from '../request-record.ts';
import type { Attempted } from './attempt.ts';

/** The largest whole answer that is held; longer ones are an upstream fault. */
const completionMaxBytes = 32 * 1024 * 1024;

/**
 * Stage 10: the provider's answer to the caller, whole or as it streams. A caller that takes nothing of what is ready
 * for it is cut off after `idleWriteMs` (reliability L7).
 */
export async function relay(exchange: Attempted, idleWriteMs: number): Promise<void> {
  const { completion, response } = exchange;
  if (completion.isStream) {
    cutIdleReader(response, idleWriteMs);
    await relayStream(exchange);
  } else {
    await relayWhole(exchange);
    if (response.writableLength > 0) cutIdleReader(response, idleWriteMs);
  }
}

// The socket's own timer begins anew with each byte that the caller takes.
function cutIdleReader(response: ServerResponse, idleWriteMs: number): void {
  response.setTimeout(idleWriteMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

async function relayWhole(exchange: Attempted): Promise<void> {
  const { completion: request, record, response, route, startedMs, upstream } = exchange;
  const name = record.providerInstanceName ?? '';
  const body = await upstream.body.collect(completionMaxBytes).catch((error) => {
    throw describeUpstreamError(error, name);
  });
  const completion = route.protocol.parseCompletion(body);
  if (!completion) {
    throw new GatewayError(
      'upstream_invalid_response',
      `The provider "${name}" answered something that is not a completion.`,
    );
  }
  record.firstByteMs = performance.now() - startedMs;
  record.usage = completion.usage;
  record.usageSource = completion.usage ? 'provider' : 'none';
  record.response = completion.text === null ? null : keepText(completion.text);
  record.status = 'success';
  record.httpStatus = 200;
  const answer = request.isMinimal
    ? Buffer.from(JSON.stringify(route.protocol.encodeMinimal(completion, record.taskId)))
    : body;
  record.responseBytes = answer.length;
  sendJson(response, 200, answer);
}

export function sendJson(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}
