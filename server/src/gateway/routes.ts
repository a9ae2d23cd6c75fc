import type { IncomingHttpHeaders } from 'node:http';
import {
  completionsRoutes,
  contract,
  embeddingsRoutes,
  geminiRoutes,
  messagesRoutes,
  modelsRoutes,
  pathOf,
  pathsOf,
  type RouteRow,
  requestsRoutes,
  responsesRoutes,
  unsupportedRoutes,
} from '@sluice/contract';
import { geminiInArrays } from '#protocols/gemini/index.ts';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';

export type CallerProtocol = Required<Protocol>;

type Operation =
  | 'chat.completions'
  | 'responses.compact'
  | 'embeddings'
  | 'tokens.count'
  | 'models.list'
  | 'models.get'
  | 'requests.get'
  | 'unsupported';

export interface PublicRoute {
  readonly row: RouteRow;
  readonly protocol: CallerProtocol;
  readonly operation: Operation;
  /** Set if the path determines whether the response streams. */
  readonly isStream?: boolean;
  /** Returns whether the route handles this request to its path and method. If absent, the route handles all. */
  takes?(headers: IncomingHttpHeaders, query: string): boolean;
}

const {
  'anthropic-messages': anthropic,
  gemini,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
} = protocols;

/** Anthropic's clients send a version header; OpenAI's clients do not. */
const namesVersion: NonNullable<PublicRoute['takes']> = (headers) =>
  headers['anthropic-version'] !== undefined;

/** Google's clients request a stream of events with `alt=sse`; otherwise, they get one growing array. */
const asksForEvents: PublicRoute['takes'] = (_, query) => /(^|&)alt=sse(&|$)/.test(query);

const comesFromGoogle: NonNullable<PublicRoute['takes']> = (headers) =>
  headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined;

/** If several rows match a path and method, the first one whose condition is true applies. */
const publicRoutes: readonly PublicRoute[] = [
  { row: completionsRoutes.createChatCompletion, protocol: openaiChat, operation: 'chat.completions' },
  { row: responsesRoutes.createResponse, protocol: openaiResponses, operation: 'chat.completions' },
  { row: responsesRoutes.compactResponse, protocol: openaiResponses, operation: 'responses.compact' },
  { row: responsesRoutes.countResponseTokens, protocol: openaiResponses, operation: 'tokens.count' },
  { row: messagesRoutes.createMessage, protocol: anthropic, operation: 'chat.completions' },
  { row: messagesRoutes.countMessageTokens, protocol: anthropic, operation: 'tokens.count' },
  { row: embeddingsRoutes.createEmbeddings, protocol: openaiChat, operation: 'embeddings' },
  { row: modelsRoutes.listModels, protocol: anthropic, operation: 'models.list', takes: namesVersion },
  { row: modelsRoutes.listModels, protocol: gemini, operation: 'models.list', takes: comesFromGoogle },
  { row: modelsRoutes.listModels, protocol: openaiChat, operation: 'models.list' },
  { row: modelsRoutes.getModel, protocol: anthropic, operation: 'models.get', takes: namesVersion },
  { row: modelsRoutes.getModel, protocol: gemini, operation: 'models.get', takes: comesFromGoogle },
  { row: modelsRoutes.getModel, protocol: openaiChat, operation: 'models.get' },
  { row: requestsRoutes.getRequest, protocol: openaiChat, operation: 'requests.get' },
  ...createGeminiRoutes(
    geminiRoutes.generateContent,
    geminiRoutes.streamGenerateContent,
    geminiRoutes.countGeminiTokens,
  ),
  ...createGeminiRoutes(
    geminiRoutes.generateContentBeta,
    geminiRoutes.streamGenerateContentBeta,
    geminiRoutes.countGeminiTokensBeta,
  ),
  ...[
    geminiRoutes.embedContent,
    geminiRoutes.batchEmbedContents,
    geminiRoutes.embedContentBeta,
    geminiRoutes.batchEmbedContentsBeta,
  ].map((row) => ({ row, protocol: gemini, operation: 'embeddings' }) as const),
  { row: geminiRoutes.listGeminiModels, protocol: gemini, operation: 'models.list' },
  { row: geminiRoutes.getGeminiModel, protocol: gemini, operation: 'models.get' },
  ...Object.values(unsupportedRoutes).map(
    (row) => ({ row, protocol: openaiChat, operation: 'unsupported' }) as const,
  ),
];

function createGeminiRoutes(whole: RouteRow, stream: RouteRow, count: RouteRow): PublicRoute[] {
  const completion = { protocol: gemini, operation: 'chat.completions' } as const;
  return [
    { ...completion, row: whole, isStream: false },
    { ...completion, row: stream, isStream: true, takes: asksForEvents },
    { ...completion, row: stream, isStream: true, protocol: geminiInArrays },
    { row: count, protocol: gemini, operation: 'tokens.count' },
  ];
}

export const publicOperations: readonly { protocol: string; operation: string }[] = [
  ...new Map(
    publicRoutes.map(({ protocol: { id: protocol }, operation }) => [
      `${protocol} ${operation}`,
      { protocol, operation },
    ]),
  ).values(),
];

export const supportedEndpoints: readonly string[] = [
  ...new Set(
    publicRoutes
      .filter(({ operation }) => operation !== 'unsupported')
      .map(({ row }) => `${row.method} ${pathOf(row)}`),
  ),
];

const families: readonly (readonly [path: RegExp, protocol: CallerProtocol])[] = [
  [/^\/api\/v1beta\//, gemini],
  [/^\/api\/v1\/(models\/[^?]*:\w+|cachedContents|tunedModels)(\/|$)/, gemini],
  [/^\/api\/v1\/(complete|messages)(\/|$)/, anthropic],
];

const consoleNouns: ReadonlySet<string | undefined> = new Set(
  Object.values(contract)
    .flatMap((noun) => Object.values<RouteRow>(noun))
    .filter(({ surface }) => surface === 'management')
    .map((row) => /^\/api\/v1\/([^/]+)/.exec(pathOf(row))?.[1]),
);

const consolePaths: ReadonlySet<string> = new Set(Object.values<RouteRow>(contract.litellm).flatMap(pathsOf));

/**
 * Endpoint that a request with a wrong path prefix probably meant, for example if the client's base URL contains
 * `/v1` twice or not at all.
 */
interface Meant {
  readonly tail: string;
  readonly endpoint: string;
  readonly protocol: CallerProtocol;
}

const meantEndpoints: readonly Meant[] = publicRoutes
  .filter(({ row, operation }) => row.method === 'POST' && operation !== 'unsupported')
  .map(({ row, protocol }) => {
    const endpoint = pathOf(row);
    return { endpoint, protocol, tail: endpoint.replace(/^.*\}|^\/api\/v1/, '') };
  });

function findUnknown(path: string, { method, headers, query }: RequestHead): RouteMatch {
  const noun = /^\/api\/(?:v1beta|v1)\/([^/]+)/.exec(path)?.[1];
  if (noun !== undefined && consoleNouns.has(noun) && !path.startsWith('/api/v1beta/'))
    return { kind: 'none' };
  const meant = method === 'POST' ? meantEndpoints.find(({ tail }) => path.endsWith(tail)) : undefined;
  if (noun === undefined && !meant) return { kind: 'none' };
  const family = families.find(([pattern]) => pattern.test(path));
  const byHeaders = namesVersion(headers, query)
    ? anthropic
    : comesFromGoogle(headers, query)
      ? gemini
      : openaiChat;
  const protocol = meant?.protocol ?? family?.[1] ?? byHeaders;
  return { kind: 'unknown', path, protocol, meant: meant?.endpoint ?? null };
}

/** Result of matching a method and path: a route with its path parameter, or an error in the path's protocol. */
export type RouteMatch =
  | {
      readonly kind: 'route';
      readonly route: PublicRoute;
      readonly parameter: string | null;
      /** Whether the path has a root other than `/api`, as on other gateways. */
      readonly isShort: boolean;
    }
  | { readonly kind: 'other_method'; readonly methods: readonly string[]; readonly protocol: CallerProtocol }
  | {
      readonly kind: 'unknown';
      readonly path: string;
      readonly protocol: CallerProtocol;
      /** Suggested endpoint, whose path is the end of the unknown path; `null` without a match. */
      readonly meant: string | null;
    }
  | { readonly kind: 'none' };

interface PathPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly routes: PublicRoute[];
}

const exactPaths = new Map<string, PublicRoute[]>();
const patterns: PathPattern[] = [];
for (const route of publicRoutes) {
  const path = pathOf(route.row);
  const [prefix = '', suffix] = path.split(/\{\w+\}/);
  if (suffix === undefined) exactPaths.getOrInsertComputed(path, () => []).push(route);
  else findPattern(prefix, suffix).routes.push(route);
}

function findPattern(prefix: string, suffix: string): PathPattern {
  const known = patterns.find((pattern) => pattern.prefix === prefix && pattern.suffix === suffix);
  if (known) return known;
  const pattern = { prefix, suffix, routes: [] };
  patterns.push(pattern);
  // More specific patterns come first.
  patterns.sort((left, right) => right.suffix.length - left.suffix.length);
  return pattern;
}

/** In Google's API, an operation follows the model at the end of the path. Model names may contain a colon too. */
const actionPattern = /:[a-zA-Z]+$/;

/**
 * Ignores trailing and repeated slashes. Model names may contain slashes. `HEAD` is handled like `GET`, without the
 * body. With `allowsShort`, `/v1/chat/completions` and `/chat/completions` are endpoints as well.
 */
export function matchRoute(
  asked: string,
  url: string,
  headers: IncomingHttpHeaders = {},
  allowsShort = false,
): RouteMatch {
  const { path, query } = splitUrl(url, allowsShort);
  const method = asked === 'HEAD' ? 'GET' : asked;
  const request = { method, headers, query };
  if (!allowsShort || path.startsWith('/api/')) {
    return findRoute(path, request, false) ?? findUnknown(path, request);
  }
  if (consolePaths.has(path)) return { kind: 'none' };
  if (/^\/v1(beta)?\//.test(path)) {
    return findRoute(`/api${path}`, request, true) ?? findUnknown(`/api${path}`, request);
  }
  const match = findRoute(`/api/v1${path}`, request, true);
  // A browser may open a console page whose path matches an endpoint of another method.
  const isPage = method === 'GET' && match?.kind === 'other_method';
  return match && !isPage ? match : findUnknown(path, request);
}

function findRoute(path: string, request: RequestHead, isShort: boolean): RouteMatch | null {
  const here = exactPaths.get(path);
  if (here) return choose(here, request, null, isShort);
  for (const { prefix, suffix, routes } of patterns) {
    if (path.length <= prefix.length + suffix.length) continue;
    if (!path.startsWith(prefix) || !path.endsWith(suffix)) continue;
    const isAction = request.method === 'POST' && suffix === '' && actionPattern.test(path);
    if (isAction) break;
    return choose(routes, request, decode(path.slice(prefix.length, path.length - suffix.length)), isShort);
  }
  return null;
}

interface RequestHead {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
}

function choose(
  routes: readonly PublicRoute[],
  { method, headers, query }: RequestHead,
  parameter: string | null,
  isShort: boolean,
): RouteMatch {
  for (let index = 0; index < routes.length; index++) {
    const route = routes[index];
    if (route?.row.method === method && (route.takes?.(headers, query) ?? true))
      return { kind: 'route', route, parameter, isShort };
  }
  return chooseOther(routes, headers, query);
}

function chooseOther(
  routes: readonly PublicRoute[],
  headers: IncomingHttpHeaders,
  query: string,
): RouteMatch {
  const fits = (route: PublicRoute) => route.takes?.(headers, query) ?? true;
  const first = routes.find(fits);
  if (!first) return { kind: 'none' };
  const methods = [...new Set(routes.map(({ row }) => row.method))];
  return { kind: 'other_method', methods, protocol: first.protocol };
}

function splitUrl(url: string, allowsShort: boolean): { path: string; query: string } {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark + 1);
  return { path: normalizePath(path.slice(0, findPathEnd(path)), allowsShort), query };
}

/** Removes repeated slashes, and unescapes colons, which some clients escape in URLs. */
function normalizePath(path: string, allowsShort: boolean): string {
  if (!allowsShort && !path.startsWith('/api/')) return path;
  const isPlain = !path.includes('//') && !path.includes('%');
  return isPlain ? path : path.replaceAll(/\/+/g, '/').replaceAll(/%3a/gi, ':');
}

// Avoids a regular expression, which would restart at each of many slashes and take quadratic time.
function findPathEnd(path: string): number {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return end;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
