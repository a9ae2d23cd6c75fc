import { randomUUIDv7 } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '#platform/logger.ts';
import { answerConsoleError } from './answer-console-error.ts';
import { type ConsoleRoutesDeps, registerConsoleRoutes } from './register-console-routes.ts';
import { registerWebApp } from './web-app.ts';

export interface HttpServerOptions extends ConsoleRoutesDeps {
  /** Answers requests of the public surface before the framework sees them; false leaves one to the console. */
  readonly gate: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly webFolder: string;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

export interface HttpServer {
  /** Resolves once connections are taken. */
  listen(address: { host: string; port: number }): Promise<void>;
  /** Takes no more connections; resolves when the requests in flight are answered. */
  close(): Promise<void>;
  /** Ends what is still open. */
  closeAllConnections(): void;
}

/** One port for both planes: the gate works on Node's own request and response, the console on the framework's. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { gate, log } = options;
  const app = fastify({
    serverFactory: (handler) =>
      createServer(timeouts, (request, response) => {
        if (!gate(request, response)) handler(request, response);
      }),
    genReqId: () => randomUUIDv7(),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true },
    return503OnClosing: false,
  });
  setSecurityHeaders(app);
  app.setErrorHandler((error, request, reply) => answerConsoleError(error, request.id, reply, log));
  await app.register(formbody);
  registerConsoleRoutes(app, options);
  const sendPage = await registerWebApp(app, options.webFolder);
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !request.url.startsWith('/api/') && !request.url.startsWith('/assets/');
    return isPage ? sendPage(reply) : reply.status(404).send({ detail: 'Not found' });
  });
  return {
    async listen({ host, port }) {
      await app.listen({ host, port });
    },
    close: () => app.close(),
    closeAllConnections: () => app.server.closeAllConnections(),
  };
}

/** Against slow senders (reliability L2); answers have no limit here, since streams are long. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};

function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    });
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}
