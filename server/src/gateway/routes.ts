import { completionsRoutes, modelsRoutes, pathOf, type RouteRow } from '@sluice/contract';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';

/** A protocol that callers may speak. */
export type CallerProtocol = Required<Protocol>;

/** A public endpoint: its contract row, the protocol it speaks, and what it does. */
export interface PublicRoute {
  readonly row: RouteRow;
  readonly protocol: CallerProtocol;
  readonly operation: 'chat.completions' | 'models.list' | 'models.get';
}

const openaiChat = protocols['openai-chat'];

const publicRoutes: readonly PublicRoute[] = [
  { row: completionsRoutes.createChatCompletion, protocol: openaiChat, operation: 'chat.completions' },
  { row: modelsRoutes.listModels, protocol: openaiChat, operation: 'models.list' },
  { row: modelsRoutes.getModel, protocol: openaiChat, operation: 'models.get' },
];

/** What a method and path lead to: a route with its last parameter, or the routes of that path under other methods. */
export type RouteMatch =
  | { readonly kind: 'route'; readonly route: PublicRoute; readonly parameter: string | null }
  | { readonly kind: 'other_method'; readonly methods: readonly string[]; readonly protocol: CallerProtocol }
  | { readonly kind: 'none' };

const exactPaths = new Map<string, PublicRoute[]>();
const prefixes: { prefix: string; route: PublicRoute }[] = [];
for (const route of publicRoutes) {
  const path = pathOf(route.row);
  const brace = path.indexOf('{');
  if (brace === -1) exactPaths.set(path, [...(exactPaths.get(path) ?? []), route]);
  else prefixes.push({ prefix: path.slice(0, brace), route });
}

/** Finds the public route of a request; trailing slashes are ignored, a model's name may hold slashes. */
export function matchRoute(method: string, url: string): RouteMatch {
  const path = pathOfUrl(url);
  const here = exactPaths.get(path);
  if (here) {
    const route = here.find(({ row }) => row.method === method);
    return route ? { kind: 'route', route, parameter: null } : otherMethod(here);
  }
  for (const { prefix, route } of prefixes) {
    if (!path.startsWith(prefix) || path.length === prefix.length) continue;
    if (route.row.method !== method) return otherMethod([route]);
    return { kind: 'route', route, parameter: decode(path.slice(prefix.length)) };
  }
  return { kind: 'none' };
}

function otherMethod(routes: readonly PublicRoute[]): RouteMatch {
  const [first] = routes;
  if (!first) return { kind: 'none' };
  return { kind: 'other_method', methods: routes.map(({ row }) => row.method), protocol: first.protocol };
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
