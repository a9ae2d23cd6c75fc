import { randomUUIDv7 } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';
import { AnswerHead } from './answer-head.ts';
import type { Received } from './exchange.ts';
import { countTokens } from './operations/count-tokens.ts';
import { answerRequest } from './operations/get-request.ts';
import { answerModel, answerModels } from './operations/models.ts';
import { refuseUnsupported, unsupportedError } from './operations/refuse-unsupported.ts';
import { answer, type Operation, type PipelineDeps, runPipeline } from './pipeline/run.ts';
import type { RequestQueue } from './request-queue.ts';
import { answerError } from './response/answer-error.ts';
import { answerPreflight, setCorsHeaders, setRequestIdHeader } from './response/headers.ts';
import { createStreamKeepAlive } from './response/stream-writer.ts';
import { type CallerProtocol, matchRoute, type PublicRoute } from './routes.ts';
import { createRunningRequests } from './running-requests.ts';
import type { Principals } from './snapshot/principals.ts';

/** Handles a request if its path belongs to the public API; otherwise returns `false`. */
export type GatewayHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Creates the data plane, which serves model clients through Node's own request and response objects. */
export function createGateway(
  parts: Omit<PipelineDeps, 'running' | 'keepAlive'> & {
    readonly principals: Principals;
    readonly isDraining: () => boolean;
    readonly queue: Pick<RequestQueue, 'enter'>;
    /** Whether endpoints are also available without the prefix `/api`, such as `/v1/chat/completions`. */
    readonly allowsShortPaths: boolean;
    /** Aborts when the shutdown deadline is reached. */
    readonly cutOff: AbortSignal;
  },
): GatewayHandler {
  const running = createRunningRequests(parts.principals);
  parts.snapshot.onRead(running.endRevoked);
  parts.cutOff.addEventListener('abort', running.endAll);
  const keepAlive = createStreamKeepAlive(parts.timeouts.keepAliveMs);
  const deps = { ...parts, running, keepAlive };
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const match = matchRoute(method, url, headers, parts.allowsShortPaths);
    if (match.kind === 'none') return false;
    const head = new AnswerHead(response);
    setCorsHeaders(head);
    if (request.method === 'OPTIONS') answerPreflight(head, response);
    else if (deps.isDraining() && match.kind === 'route') {
      refuse(
        { head, response },
        match.route.protocol,
        new GatewayError('draining', 'This node is shutting down. Please retry.', { retryAfterMs: 1_000 }),
      );
    } else if (match.kind === 'other_method') {
      refuse({ head, response }, match.protocol, otherMethodError(head, match.methods, headers));
    } else if (match.kind === 'unknown') {
      const { meant, path, protocol } = match;
      refuse({ head, response }, protocol, unsupportedError(`${request.method} ${path}`, meant));
    } else {
      const { operation, protocol } = match.route;
      // Skip clients that disconnected while queued.
      const serve = () =>
        response.destroyed || void runPipeline(deps, request, response, head, match, operations[operation]);
      if (!deps.queue.enter(serve)) refuse({ head, response }, protocol, overloaded);
    }
    return true;
  };
}

/**
 * Sets the headers of the error as well. Clients such as Codex try to open a WebSocket first. They repeat the handshake
 * after any error but a 426, and then send HTTP requests.
 */
function otherMethodError(
  head: AnswerHead,
  methods: readonly string[],
  { upgrade }: IncomingHttpHeaders,
): GatewayError {
  const names = methods.join(', ');
  head.set('allow', names);
  if (upgrade?.toLowerCase() !== 'websocket')
    return new GatewayError('method_not_allowed', `This endpoint supports only ${names}.`);
  head.set('upgrade', 'HTTP/1.1');
  const message = `This endpoint does not support WebSockets. Send an HTTP request with ${names}.`;
  return new GatewayError('method_not_allowed', message, { status: 426 });
}

const operations: Readonly<Record<PublicRoute['operation'], Operation>> = {
  'chat.completions': { isLogged: true, run: answer },
  'responses.compact': { isLogged: true, run: answer },
  embeddings: { isLogged: true, run: answer },
  'tokens.count': { isLogged: true, run: countTokens },
  'models.list': { isLogged: false, run: (entered, { snapshot }) => answerModels(entered, snapshot) },
  'models.get': { isLogged: false, run: (entered, { snapshot }) => answerModel(entered, snapshot) },
  'requests.get': { isLogged: false, run: (entered, { runInTenant }) => answerRequest(entered, runInTenant) },
  unsupported: { isLogged: false, run: refuseUnsupported },
};

// Created once, since thousands of these errors are sent each second under overload, and an error's stack is
// expensive.
const overloaded = new GatewayError('overloaded', 'This node is at capacity. Please retry.', {
  retryAfterMs: 1_000,
});

function refuse(
  answer: Pick<Received, 'head' | 'response'>,
  protocol: CallerProtocol,
  error: GatewayError,
): void {
  const requestId = randomUUIDv7();
  setRequestIdHeader(answer.head, protocol, requestId);
  answerError(answer, protocol, error, requestId);
}
