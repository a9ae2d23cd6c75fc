import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { RouteRow } from '@sluice/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ConsoleError } from '#errors/console-error.ts';
import type { Logger } from '#platform/logger.ts';
import { RefusalPace } from '#platform/refusal-pace.ts';
import { answerConsoleError } from './answer-console-error.ts';
import { createAskGateway } from './ask-gateway.ts';
import { createRequestSource } from './caller-address.ts';
import { createConnections } from './connections.ts';
import { findErrorFormat } from './error-formats.ts';
import { createNodeServer, defaultTimeouts, type ServerTimeouts } from './node-server.ts';
import { type ConsoleRoutesDeps, registerConsoleRoutes } from './register-console-routes.ts';
import {
  isScimUrl,
  refuseScimRequest,
  registerScimRoutes,
  type ScimRoutesDeps,
} from './register-scim-routes.ts';
import { requireDeclaredRoutes } from './require-declared-routes.ts';

/** Programs must not get the console's page. Claude Code requests `/managed/settings` after signing in. */
const programPaths = /^\/(api|assets|oauth|managed|\.well-known)\//;

const noncePlaceholder = /__CSP_NONCE__/g;

/** Each response has a new nonce, which the page's styles carry. */
export type SendPage = (reply: FastifyReply) => FastifyReply;

/** Hashed assets are cached without limit. Every other browser path gets the page. */
async function registerWebApp(
  app: FastifyInstance,
  { webFolder: folder, canLoadStripe = false }: { webFolder: string; canLoadStripe?: boolean | undefined },
): Promise<SendPage> {
  const pageFile = join(folder, 'index.html');
  if (!existsSync(pageFile)) {
    return (reply) =>
      reply.status(503).send({ detail: 'The console has not been built; "npm start" builds it.' });
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  });
  const page = readFileSync(pageFile, 'utf8');
  return (reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, canLoadStripe))
      .send(page.replace(noncePlaceholder, nonce));
  };
}

/**
 * Stripe's card fields are a script and frames from Stripe's origin (Stripe, "Security guide": content security
 * policy).
 */
function contentSecurityPolicy(nonce: string, canLoadStripe: boolean): string {
  const ifStripe = (sources: string) => (canLoadStripe ? sources : '');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${ifStripe(' https://js.stripe.com')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${ifStripe(' https://api.stripe.com')}`,
    ...(canLoadStripe ? ['frame-src https://js.stripe.com https://hooks.stripe.com'] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface HttpServerOptions
  extends Omit<ConsoleRoutesDeps, 'askGatewayAs' | 'findSource' | 'isServed'> {
  readonly allowsShortPaths: boolean;
  readonly scim: ScimRoutesDeps;
  /** Handles public requests before the framework. Returns `false` to leave a request to the console. */
  readonly gatewayHandler: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly webFolder: string;
  readonly canLoadStripe?: boolean;
  /** Whether browsers use https, including TLS that a proxy terminates. */
  readonly isHttps: boolean;
  readonly trustedProxies: readonly string[];
  readonly timeouts?: ServerTimeouts;
  readonly log: Logger;
}

export interface HttpServer {
  accept(connection: Socket): void;
  closeAfterAnswers(): void;
  /** Resolves when all running requests have a response and every connection is closed. */
  close(): Promise<void>;
  closeAllConnections(): void;
}

/** The gateway uses Node's own request and response, the console Fastify's. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { gatewayHandler, log, timeouts = defaultTimeouts, trustedProxies } = options;
  const headers = securityHeaders(options.isHttps);
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...headers, 'x-request-id': request.id });
  const answerError = createAnswerError(log);
  const app = fastify({
    serverFactory: (handler) => {
      const serve: RequestListener = (request, response) => {
        if (!gatewayHandler(request, response)) handler(request, response);
      };
      return createNodeServer(serve, timeouts, headers);
    },
    // The server itself handles invalid requests.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => answerError(error, request, setHeaders(request, reply)),
    genReqId: () => randomUUIDv7(),
    routerOptions: { ignoreTrailingSlash: true },
    return503OnClosing: false,
  });
  const isServed = ({ format }: RouteRow) => format !== 'litellm' || options.allowsShortPaths;
  requireDeclaredRoutes(app, isServed);
  app.addHook('onRequest', async (request, reply) => void setHeaders(request, reply));
  app.setErrorHandler(answerError);
  const findSource = createRequestSource(trustedProxies);
  const askGatewayAs = createAskGateway(gatewayHandler);
  await registerConsoleRoutes(app, { ...options, findSource, askGatewayAs, isServed });
  await registerScimRoutes(app, { ...options, ...options.scim, findSource });
  const sendPage = await registerWebApp(app, options);
  app.setNotFoundHandler(({ method, url }, reply) => {
    if (isScimUrl(url)) throw refuseScimRequest(url);
    const isPage = ['GET', 'HEAD'].includes(method) && !programPaths.test(url);
    if (isPage) return sendPage(reply);
    throw new ConsoleError(404, 'Not found');
  });
  await app.ready();
  // Node starts its request timeouts at this event.
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

function createAnswerError(log: Logger) {
  const deps = { refusalPace: new RefusalPace(), log };
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerConsoleError(error, request.id, reply, deps, findErrorFormat(request.url));
}

/** Does not apply to responses from a model. The console page and its files override some headers. */
function securityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
