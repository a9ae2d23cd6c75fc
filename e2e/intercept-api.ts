import type { CDPSession, Page, Route } from 'playwright-core';

type Address = Parameters<Page['route']>[0];
type Handler = Parameters<Page['route']>[1];

interface Interception {
  readonly address: Address;
  readonly handler: Handler;
  left: number;
}

interface Held {
  readonly requestId: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
}

type Fulfillment = NonNullable<Parameters<Route['fulfill']>[0]>;

const isOfFile = (address: Address) => String(address).includes('/assets/');

/**
 * Limits `page.route` to API requests. Playwright's own `route` intercepts every file and disables the browser cache,
 * so that each page load takes two thirds more CPU time.
 */
export function interceptApi(page: Page): void {
  const own = {
    route: page.route.bind(page),
    unroute: page.unroute.bind(page),
    unrouteAll: page.unrouteAll.bind(page),
  };
  const interceptions: Interception[] = [];
  let opening: Promise<CDPSession> | undefined;
  const hold = async () => {
    opening ??= openSession(page, interceptions);
    const session = await opening;
    if (interceptions.length === 0) await session.send('Fetch.disable');
    else await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  };
  Object.assign(page, {
    async route(...[address, handler, options]: Parameters<Page['route']>) {
      if (isOfFile(address)) return own.route(address, handler, options);
      interceptions.unshift({ address, handler, left: options?.times ?? Number.POSITIVE_INFINITY });
      await hold();
    },
    async unroute(...[address, handler]: Parameters<Page['unroute']>) {
      if (isOfFile(address)) return own.unroute(address, handler);
      remove(interceptions, ({ address: other }) => other === address);
      await hold();
    },
    async unrouteAll(...options: Parameters<Page['unrouteAll']>) {
      await own.unrouteAll(...options);
      remove(interceptions, () => true);
      // Ignores errors, because the page may already be closed.
      if (opening) await hold().catch(() => undefined);
    },
  });
}

function remove(interceptions: Interception[], isRemoved: (one: Interception) => boolean): void {
  interceptions.splice(0, Number.POSITIVE_INFINITY, ...interceptions.filter((one) => !isRemoved(one)));
}

async function openSession(page: Page, interceptions: readonly Interception[]): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', (held: Held) => {
    const handlers = interceptions.filter(({ address }) => matches(address, held.request.url));
    pass(page, session, held, handlers).catch((error: unknown) => {
      // If the test has removed its interceptions, the page may already be closed.
      if (interceptions.length > 0) throw error;
    });
  });
  return session;
}

/** Passes a request to the first handler that has requests left, or to the server. */
async function pass(
  page: Page,
  session: CDPSession,
  held: Held,
  [first, ...others]: readonly Interception[],
): Promise<void> {
  const route = describeRoute(page, session, held, () => pass(page, session, held, others));
  if (!first) return route.continue();
  if (first.left === 0) return route.fallback();
  first.left -= 1;
  // safe because handlers use no other members of a route and its request
  const [given, request] = [route, route.request()] as unknown as Parameters<Handler>;
  await first.handler(given, request);
}

function describeRoute(page: Page, session: CDPSession, held: Held, fallback: () => Promise<void>) {
  const { requestId, request } = held;
  const { url, method, headers, postData } = request;
  // Ignores errors, because the page may have canceled the request.
  const ignore = () => undefined;
  return {
    request: () => ({
      url: () => url,
      method: () => method,
      headers: () => headers,
      postDataJSON: () => JSON.parse(postData ?? 'null'),
    }),
    fallback,
    async continue() {
      await session.send('Fetch.continueRequest', { requestId }).catch(ignore);
    },
    async abort() {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(ignore);
    },
    fetch: (changed: { headers?: Record<string, string> } = {}) =>
      page.request.fetch(url, { method, headers, ...(postData && { data: postData }), ...changed }),
    async fulfill(answer: Fulfillment = {}) {
      const given = await describeAnswer(answer);
      await session.send('Fetch.fulfillRequest', { requestId, ...given }).catch(ignore);
    },
  };
}

async function describeAnswer({ status, headers, contentType, json, body, response }: Fulfillment) {
  const encoded = json === undefined ? (body ?? (await response?.body()) ?? '') : JSON.stringify(json);
  const type = contentType ?? (json === undefined ? undefined : 'application/json');
  const all = { ...headersOf(response), ...headers, ...(type && { 'content-type': type }) };
  return {
    responseCode: status ?? response?.status() ?? 200,
    responseHeaders: Object.entries(all).map(([name, value]) => ({ name, value })),
    body: Buffer.from(encoded).toString('base64'),
  };
}

/** The encoding headers are removed, because the body is already decoded. */
function headersOf(response: Fulfillment['response']): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response?.headers() ?? {};
  return headers;
}

/** Matches globs as Playwright does: `**` is any text, `*` is any text within a path segment. */
function matches(address: Address, url: string): boolean {
  if (address instanceof RegExp) return address.test(url);
  if (typeof address !== 'string')
    throw new Error('API requests can be intercepted by a glob or a RegExp only');
  const pattern = RegExp.escape(address).replaceAll('\\*\\*', '.*').replaceAll('\\*', '[^/]*');
  return new RegExp(`^${pattern}$`).test(url);
}
