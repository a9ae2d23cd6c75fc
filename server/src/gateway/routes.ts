import type { IncomingHttpHeaders } from 'node:http';
import {
  completionsRoutes,
  embeddingsRoutes,
  messagesRoutes,
  modelsRoutes,
  pathOf,
  type RouteRow,
  unsupportedRoutes,
} from '@sluice/contract';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';

/** A protocol that callers may speak. */
export type CallerProtocol = Required<Protocol>;

type Operation =
  | 'chat.completions'
  | 'embeddings'
  | 'tokens.count'
  | 'models.list'
  | 'models.get'
  | 'unsupported';

/** A public endpoint: its contract row, the protocol it speaks, and what it does. */
export interface PublicRoute {
  readonly row: RouteRow;
  readonly protocol: CallerProtocol;
  readonly operation: Operation;
  /** Where it is the path that says whether the answer streams. */
  readonly isStream?: boolean;
}

const { 'anthropic-messages': anthropic, 'openai-chat': openaiChat } = protocols;

/** Of two rows for one path and method the first is Anthropic's, for callers who name a version of its protocol. */
const publicRoutes: readonly PublicRoute[] = [
  { row: completionsRoutes.createChatCompletion, protocol: openaiChat, operation: 'chat.completions' },
  { row: messagesRoutes.createMessage, protocol: anthropic, operation: 'chat.completions' },
  { row: messagesRoutes.countMessageTokens, protocol: anthropic, operation: 'tokens.count' },
  { row: embeddingsRoutes.createEmbeddings, protocol: openaiChat, operation: 'embeddings' },
  { row: modelsRoutes.listModels, protocol: anthropic, operation: 'models.list' },
  { row: modelsRoutes.listModels, protocol: openaiChat, operation: 'models.list' },
  { row: modelsRoutes.getModel, protocol: anthropic, operation: 'models.get' },
  { row: modelsRoutes.getModel, protocol: openaiChat, operation: 'models.get' },
  ...Object.values(unsupportedRoutes).map(
    (row) => ({ row, protocol: openaiChat, operation: 'unsupported' }) as const,
  ),
];

/** `POST /api/v1/chat/completions` and the like: what a refusal of anything else can name. */
export const supportedEndpoints: readonly string[] = [
  ...new Set(
    publicRoutes
      .filter(({ operation }) => operation !== 'unsupported')
      .map(({ row }) => `${row.method} ${pathOf(row)}`),
  ),
];

/** Paths below which nothing but a protocol's own clients look for anything: a 404 there is in its words. */
const families: readonly (readonly [prefix: string, protocol: CallerProtocol])[] = [
  ['/api/v1/messages/', anthropic],
  ...['chat', 'completions', 'embeddings', 'images', 'audio'].map(
    (noun) => [`/api/v1/${noun}/`, openaiChat] as const,
  ),
];

/** What a method and path lead to: a route with the parameter of its path, or a refusal in the protocol of that path. */
export type RouteMatch =
  | { readonly kind: 'route'; readonly route: PublicRoute; readonly parameter: string | null }
  | { readonly kind: 'other_method'; readonly methods: readonly string[]; readonly protocol: CallerProtocol }
  | { readonly kind: 'unknown'; readonly path: string; readonly protocol: CallerProtocol }
  | { readonly kind: 'none' };

interface PathPattern {
  /** What stands before and after the parameter, where the path has one. */
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
  // The more of a path a pattern fixes, the earlier it is tried.
  patterns.sort((left, right) => right.suffix.length - left.suffix.length);
  return pattern;
}

/** Finds the public route of a request; trailing slashes are ignored, a model's name may hold slashes. */
export function matchRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RouteMatch {
  const path = pathOfUrl(url);
  const here = exactPaths.get(path);
  if (here) return choose(here, method, headers, null);
  for (const { prefix, suffix, routes } of patterns) {
    if (path.length <= prefix.length + suffix.length) continue;
    if (!path.startsWith(prefix) || !path.endsWith(suffix)) continue;
    return choose(routes, method, headers, decode(path.slice(prefix.length, path.length - suffix.length)));
  }
  const family = families.find(([prefix]) => path.startsWith(prefix));
  return family ? { kind: 'unknown', path, protocol: family[1] } : { kind: 'none' };
}

function choose(
  routes: readonly PublicRoute[],
  method: string,
  headers: IncomingHttpHeaders,
  parameter: string | null,
): RouteMatch {
  const namesVersion = headers['anthropic-version'] !== undefined;
  const spoken = (route: PublicRoute) => namesVersion || route.protocol !== anthropic;
  const ofMethod = routes.filter(({ row }) => row.method === method);
  const route = ofMethod.find(spoken) ?? ofMethod[0];
  if (route) return { kind: 'route', route, parameter };
  const first = routes.find(spoken) ?? routes[0];
  if (!first) return { kind: 'none' };
  const methods = [...new Set(routes.map(({ row }) => row.method))];
  return { kind: 'other_method', methods, protocol: first.protocol };
}

function pathOfUrl(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
