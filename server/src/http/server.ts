import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from '#platform/logger.ts';
import { answerConsoleError } from './answer-console-error.ts';
import { createAskGate } from './ask-gate.ts';
import { createRequestSource } from './caller-address.ts';
import { createConnections } from './connections.ts';
import { createNodeServer, defaultTimeouts, type ServerTimeouts } from './node-server.ts';
import { type ConsoleRoutesDeps, registerConsoleRoutes } from './register-console-routes.ts';
import { requireDeclaredRoutes } from './require-declared-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { registerWebApp } from './web-app.ts';

export interface HttpServerOptions extends Omit<ConsoleRoutesDeps, 'askGateAs' | 'findSource'> {
  /** Answers requests of the public surface before the framework sees them; false leaves one to the console. */
  readonly gate: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly webFolder: string;
  /** Whether the console may load Stripe's card fields. */
  readonly canLoadStripe?: boolean;
  /** Whether browsers reach us by https, whoever ends the TLS. */
  readonly isHttps: boolean;
  readonly trustedProxies: readonly string[];
  readonly timeouts?: ServerTimeouts;
  readonly log: Logger;
}

export interface HttpServer {
  /** Answers the requests of a connection that somebody else has accepted. */
  accept(connection: Socket): void;
  /** From now on each answer ends its connection. */
  closeAfterAnswers(): void;
  /** Resolves when the requests in flight are answered and every connection has ended. */
  close(): Promise<void>;
  /** Ends what is still open. */
  closeAllConnections(): void;
}

/** One server for both planes: the gate works on Node's own request and response, the console on the framework's. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { gate, log, timeouts = defaultTimeouts, trustedProxies } = options;
  const headers = securityHeaders(options.isHttps);
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...headers, 'x-request-id': request.id });
  const app = fastify({
    serverFactory: (handler) =>
      createNodeServer(
        (request, response) => {
          if (!gate(request, response)) handler(request, response);
        },
        timeouts,
        headers,
      ),
    // The server itself ends what is no request.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) =>
      answerConsoleError(error, request.id, setHeaders(request, reply), log),
    genReqId: () => randomUUIDv7(),
    routerOptions: { ignoreTrailingSlash: true },
    return503OnClosing: false,
  });
  requireDeclaredRoutes(app);
  app.addHook('onRequest', async (request, reply) => void setHeaders(request, reply));
  app.setErrorHandler((error, request, reply) => answerConsoleError(error, request.id, reply, log));
  const findSource = createRequestSource(trustedProxies);
  await registerConsoleRoutes(app, { ...options, findSource, askGateAs: createAskGate(gate) });
  const sendPage = await registerWebApp(app, options);
  app.setNotFoundHandler(({ method, url }, reply) => {
    const isPage = ['GET', 'HEAD'].includes(method) && !/^\/(api|assets)\//.test(url);
    return isPage ? sendPage(reply) : reply.status(404).send({ detail: 'Not found' });
  });
  await app.ready();
  // From this event on Node watches how long senders take.
  app.server.emit('listening');
  const connections = createConnections(app.server);
  return {
    accept: connections.add,
    closeAfterAnswers: connections.closeAfterAnswers,
    async close() {
      await connections.drain();
      await app.close();
    },
    closeAllConnections: connections.destroyAll,
  };
}
